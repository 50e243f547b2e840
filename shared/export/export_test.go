package export_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"seam/shared/export"
	"seam/shared/export/schema"
	"seam/shared/export/schema/schematest"
	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/text"
)

// cut cuts a document without an embedder.
func cut(t *testing.T, d *text.Document, s pipeline.Settings) *pipeline.Result {
	t.Helper()
	p, err := pipeline.NewPlan(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := pipeline.NewSession(d).Run(context.Background(), p, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func all(t *testing.T, o *export.Of, f export.Format) string {
	t.Helper()
	b, err := export.All(o, f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var words = pipeline.Settings{Method: "recursive", Unit: "words", MaxTokens: 4}

// odd holds characters of all lengths, and texts that CSV has to quote.
const odd = "=1+1 is Ä sum.\n\n😀 \"quoted\", 𝒜 and é.\n\n@SUM(A1) is 中文.\n\n-2 is less.\r\nNext\fline \\. <b>.\n\n\u2028 last."

// pages is a PDF with printed page numbers and a section.
func pages(t *testing.T) *text.Document {
	t.Helper()
	var all []pdftest.Page
	for _, words := range []string{"A mill stands by the river.", "Its wheel turns all day."} {
		all = append(all, pdftest.Page{Width: 595, Height: 842, Texts: []pdftest.Text{{X: 72, Y: 700, Size: 11, S: words}}})
	}
	d, err := pdftext.Extract(pdftest.Write(pdftest.Doc{Pages: all, Labels: "0 << /S /r /St 3 >>"}), pdftext.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// In each unit, start and end cut the chunk's text out of the document's text, also with
// overlap, where starts go back.
func TestOffsets(t *testing.T) {
	r := cut(t, text.NewPlain(strings.Repeat(odd+" ", 30)), pipeline.Settings{Method: "fixed", Unit: "chars", MaxTokens: 17, Overlap: 6})
	if len(r.Chunks) < 50 {
		t.Fatalf("%d chunks", len(r.Chunks))
	}
	units, runes := utf16.Encode([]rune(r.Text.Text)), []rune(r.Text.Text)
	for unit, slice := range map[export.Unit]func(a, b int) string{
		export.Bytes:      func(a, b int) string { return r.Text.Text[a:b] },
		export.UTF16:      func(a, b int) string { return string(utf16.Decode(units[a:b])) },
		export.CodePoints: func(a, b int) string { return string(runes[a:b]) },
	} {
		o := &export.Of{Result: r, File: "a.txt", Unit: unit}
		for i := range r.Chunks {
			if c := o.Chunk(i); slice(c.Start, c.End) != c.Text || c.Index != i || c.Text != r.Chunks[i].Of(r.Text.Text) {
				t.Fatalf("%s: %+v", unit, c)
			}
		}
	}
}

// CSV equals the output of encoding/csv, and has every text as it is.
func TestCSVIsVerbatim(t *testing.T) {
	r := cut(t, text.NewPlain(odd), pipeline.Settings{Method: "fixed", Unit: "chars", MaxTokens: 3})
	o := &export.Of{Result: r, File: "=a, b.txt", Unit: export.Bytes}
	got := all(t, o, export.CSV)
	rows, err := csv.NewReader(strings.NewReader(got)).ReadAll()
	if err != nil || len(rows) != len(r.Chunks)+1 || strings.Join(rows[0], ",") != export.Columns(false) {
		t.Fatalf("%d rows of %d chunks, %v", len(rows), len(r.Chunks), err)
	}
	var again bytes.Buffer
	w := csv.NewWriter(&again)
	if err := w.Write(rows[0]); err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[1:] {
		c := o.Chunk(i)
		if row[9] != strings.ReplaceAll(c.Text, "\r\n", "\n") { // as encoding/csv reads it
			t.Errorf("%q instead of %q", row[9], c.Text)
		}
		row[9] = c.Text
		w.Write(row)
	}
	w.Flush()
	if got != again.String() {
		t.Errorf("%q\nencoding/csv writes\n%q", got, again.String())
	}
}

// No cell of a spreadsheet is a formula, also in headers and names; without the apostrophes
// the rows equal those in CSV.
func TestSpreadsheetHasNoFormulas(t *testing.T) {
	d := text.NewPlain(odd)
	d.Sections = []text.Section{{Title: "+Title", Level: 1, Span: text.Span{End: len(odd)}}}
	s := words
	s.Headers = true
	o := &export.Of{Result: cut(t, d, s), File: "-a.txt", Unit: export.Bytes}
	sheet, safe := strings.CutPrefix(all(t, o, export.Spreadsheet), "\ufeff")
	if !safe {
		t.Error("Excel needs the byte order mark")
	}
	rows, err := csv.NewReader(strings.NewReader(sheet)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := csv.NewReader(strings.NewReader(all(t, o, export.CSV))).ReadAll()
	if err != nil || len(plain) != len(rows) {
		t.Fatalf("%d rows, %v", len(plain), err)
	}
	guarded := map[int]bool{}
	for n, row := range rows {
		for i, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("a formula: %q", cell)
			}
			if cell != plain[n][i] {
				guarded[i] = true
				if cell != "'"+plain[n][i] {
					t.Errorf("%q instead of %q", cell, plain[n][i])
				}
			}
		}
	}
	for column, name := range strings.Split(export.Columns(true), ",") {
		if want := slices.Contains([]string{"file", "section", "header", "text"}, name); guarded[column] != want {
			t.Errorf("apostrophes in %s: %t", name, guarded[column])
		}
	}
	if strings.Count(sheet, "\r\n") < len(rows) {
		t.Error("rows end in CR LF")
	}
}

var formats = []export.Format{export.JSON, export.Lines, export.CSV, export.Spreadsheet, export.LangChain}

// Values equal the output of an Encoder that does not escape HTML characters.
func TestValue(t *testing.T) {
	for _, v := range []any{"<b> & \\u003c \\\\ \"\u2028\" \n\t\x01 \xff 😀 >", `\\u003c`, `\`, "\\<", "", map[string]string{"<": "&"}, nil, 1.5, []int{}} {
		var got, want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := errors.Join(enc.Encode(v), export.Value(&got, v)); err != nil || got.String()+"\n" != want.String() {
			t.Errorf("%s instead of %s (%v)", got.String(), want.String(), err)
		}
	}
	if err := export.Value(&bytes.Buffer{}, math.NaN()); err == nil {
		t.Error("NaN has no JSON")
	}
}

// parts are the parts of the schema for the formats of JSON.
var parts = map[export.Format]string{export.JSON: "documents", export.Lines: "chunk", export.LangChain: "langchain"}

func valid(t *testing.T, f export.Format, text string) {
	t.Helper()
	check := schematest.CheckLines
	if f == export.JSON {
		check = schematest.Check
	}
	if part := parts[f]; part != "" {
		if err := check(part, text); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// Files of all methods and of all kinds of documents fit the schema, also without a chunk.
func TestSchemaHolds(t *testing.T) {
	for name, d := range map[string]*text.Document{"odd": text.NewPlain(odd), "pages": pages(t), "empty": text.NewPlain(""), "no pages": {}} {
		for _, m := range pipeline.Methods() {
			r := cut(t, d, pipeline.Settings{Method: m.Name, Embedder: "lexical", Headers: true})
			o := &export.Of{Result: r, File: name, Unit: export.UTF16}
			for f := range parts {
				valid(t, f, all(t, o, f))
			}
			b, err := export.Beside{Schema: export.ID, Seam: "1", Format: "csv", Documents: []export.Made{o.Made()}}.Encode()
			if err != nil {
				t.Fatal(err)
			}
			if err := schematest.Check("settings", string(b)); err != nil {
				t.Errorf("%s, %s: %v", name, m.Name, err)
			}
		}
	}
}

// A place is the page of the start, with its printed number.
func TestPlace(t *testing.T) {
	r := cut(t, pages(t), pipeline.Settings{Method: "page", Unit: "words"})
	o := &export.Of{Result: r, File: "a.pdf", Unit: export.Bytes}
	for i, want := range []export.Place{{Page: 1, Label: "iii"}, {Page: 2, Label: "iv"}} {
		if c := o.Chunk(i); c.Place == nil || *c.Place != want || c.Page != want.Page || !slices.Equal(c.Labels, []string{want.Label}) {
			t.Errorf("%+v", c)
		}
	}
	if rows, err := csv.NewReader(strings.NewReader(all(t, o, export.CSV))).ReadAll(); err != nil || rows[2][slices.Index(rows[0], "label")] != "iv" || rows[2][slices.Index(rows[0], "labels")] != "iv" {
		t.Errorf("%q, %v", rows, err)
	}
	if lines := all(t, o, export.LangChain); !strings.Contains(lines, `"pages":[2],"labels":["iv"]`) || !strings.Contains(lines, `"label":"iv"`) {
		t.Error(lines)
	}
}

// The parent of a chunk is the innermost section with all of it, in every unit.
func TestParent(t *testing.T) {
	doc, err := read.All().Read("mill.md", []byte("Before.\n\n# Müller\n\nThe mill.\n\n## Rad\n\nThe wheel. It turns.\n\n# Ende\n\nDone.\n"), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := cut(t, doc, pipeline.Settings{Method: "sentences", Unit: "chars", MaxTokens: 20})
	for _, unit := range []export.Unit{export.Bytes, export.UTF16, export.CodePoints} {
		o, seen := &export.Of{Result: r, Unit: unit}, 0
		units := map[export.Unit]func(string) int{export.Bytes: func(s string) int { return len(s) }, export.UTF16: func(s string) int { return len(utf16.Encode([]rune(s))) }, export.CodePoints: utf8.RuneCountInString}[unit]
		for i := range r.Chunks {
			c, all := o.Chunk(i), r.Text.Text
			title := map[string]string{"The mill.": "Müller", "It turns.": "Müller/Rad", "Done.": "Ende"}
			for words, want := range title {
				if !strings.Contains(c.Text, words) {
					continue
				}
				seen++
				from := strings.LastIndex(all[:strings.Index(all, want[strings.LastIndex(want, "/")+1:])], "\n") + 1
				if c.Parent == nil || strings.Join(c.Parent.Titles, "/") != want || c.Parent.Start != units(all[:from]) || c.Parent.End < c.End {
					t.Errorf("%s: %q is in %+v, not %s from %d", unit, c.Text, c.Parent, want, units(all[:from]))
				}
			}
			if strings.Contains(c.Text, "Before.") && c.Parent != nil {
				t.Errorf("%q is in %+v", c.Text, c.Parent)
			}
		}
		if seen != 3 {
			t.Errorf("%d of 3 chunks", seen)
		}
	}
}

// A chunk lists the links in it, with offsets in the unit of its own.
func TestLinks(t *testing.T) {
	const words = "Ähm, ein Steg. Das Wehr am Fluss. Das Rad."
	d := text.NewPlain(words)
	at := func(s string) text.Span {
		i := strings.Index(words, s)
		return text.Span{Start: i, End: i + len(s)}
	}
	d.Links = []text.Link{{URL: "javascript:x", Span: at("Ähm")}, {URL: "https://example.org", Span: at("Steg. Das Wehr")}, {Page: 1, Span: at("Rad")}}
	plan := pipeline.Settings{Method: "sentences", Unit: "words", MaxTokens: 4}
	o := &export.Of{Result: cut(t, d, plan), Unit: export.CodePoints}
	letters := []rune(words)
	var got []string
	for i := range o.Chunks {
		for _, l := range o.Chunk(i).Links {
			got = append(got, fmt.Sprintf("%d %s%d %s", i, l.URL, l.Page, string(letters[l.Start:l.End])))
		}
	}
	if want := []string{"0 javascript:x0 Ähm", "0 https://example.org0 Steg. Das Wehr", "1 https://example.org0 Steg. Das Wehr", "2 1 Rad"}; !slices.Equal(got, want) {
		t.Errorf("%d chunks, %q", len(o.Chunks), got)
	}
	for line := range strings.Lines(all(t, o, export.Lines)) {
		if err := schematest.Check("chunk", line); err != nil {
			t.Error(err)
		}
	}
	plan.View = text.Content
	if c := (&export.Of{Result: cut(t, d, plan), Unit: export.Bytes}).Chunk(0); c.Links != nil {
		t.Errorf("links in the content view: %+v", c.Links)
	}
}

// The settings are those in force, with the changes by hand.
func TestSettings(t *testing.T) {
	d := text.NewPlain(strings.Repeat("One thing is said here. ", 20))
	o := &export.Of{Result: cut(t, d, pipeline.Settings{Method: "percentile", Embedder: "lexical", Count: 3, Headers: true}), Unit: export.Bytes}
	if s := o.Settings(); s.Count == nil || *s.Count != 3 || s.Threshold != nil && *s.Threshold < 0 || !s.Headers || s.MaxTokens != nil || s.Unit != "model" {
		t.Errorf("%+v", s)
	}
	join := "\n"
	r := cut(t, d, pipeline.Settings{Method: "fixed", MaxTokens: 40, Overlap: 7, Unit: "chars", PageJoin: &join})
	if s := (&export.Of{Result: r, Unit: export.UTF16}).Settings(); s.MaxTokens == nil || *s.MaxTokens != 40 || s.Overlap != 7 || s.PageJoin == nil || *s.PageJoin != join || s.Setting != nil || s.Offsets != "utf16" {
		t.Errorf("%+v", s)
	}
	session := pipeline.NewSession(d)
	p, err := pipeline.NewPlan(words)
	if err != nil {
		t.Fatal(err)
	}
	edited, err := session.Edit(context.Background(), p, pipeline.Edit{Action: "split", At: 24*3 + 4}, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	if s := (&export.Of{Result: edited, Unit: export.Bytes}).Settings(); s.EditsByHand != 1 {
		t.Errorf("%+v", s)
	}
}

// Work that ends early leaves a complete document.
func TestStop(t *testing.T) {
	o := &export.Of{Result: cut(t, text.NewPlain(odd), words), File: "a.txt", Unit: export.Bytes}
	w := export.Writer{Buffer: &bytes.Buffer{}, Format: export.JSON}
	w.Stop()
	if w.Len() != 0 {
		t.Errorf("%s", w.String())
	}
	if err := w.Chunk(o, 0); err != nil {
		t.Fatal(err)
	}
	w.Stop()
	valid(t, export.JSON, w.String())
}

func TestCheck(t *testing.T) {
	for _, f := range formats {
		for _, u := range []export.Unit{export.Bytes, export.UTF16, export.CodePoints} {
			if err := export.Check(f, u); err != nil {
				t.Error(err)
			}
		}
	}
	if err := export.Check(export.JSON, "miles"); err == nil || !strings.Contains(err.Error(), "choose bytes") {
		t.Errorf("%v", err)
	}
	if err := export.Check("xml", export.Bytes); err == nil || !strings.Contains(err.Error(), "choose json") {
		t.Errorf("%v", err)
	}
}

// frozen is the document of the frozen files.
func frozen(t *testing.T) *export.Of {
	d := pages(t)
	d.Sections = []text.Section{{Title: "Mills", Level: 1, Span: text.Span{End: len(d.View(text.Reading).Text)}}}
	s := pipeline.Settings{Method: "semantic", Embedder: "lexical", Headers: true, MaxTokens: 10}
	return &export.Of{Result: cut(t, d, s), File: "mill.pdf", Unit: export.CodePoints, SHA256: strings.Repeat("0", 64), Seam: "1.2.3"}
}

// The files in testdata/v2 were written once and are never written again: a key that is in
// them must stay, with its type.
func TestFrozen(t *testing.T) {
	o := frozen(t)
	beside, err := export.Beside{Schema: export.ID, Seam: "1.2.3", Format: "jsonl", Documents: []export.Made{o.Made()}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	now := map[string]string{"settings.settings": string(beside), "schema": schema.All}
	for _, f := range formats {
		now["chunks."+string(f)] = all(t, o, f)
	}
	for name, text := range now {
		file := filepath.Join("testdata", "v2", name)
		if _, err := os.Stat(file); os.IsNotExist(err) && os.Getenv("UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		was, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, lost := range lost(t, name, string(was), text) {
			t.Errorf("%s: %s", name, lost)
		}
		valid(t, export.Format(strings.TrimPrefix(filepath.Ext(name), ".")), string(was))
	}
}

// lost returns the keys of a file that are gone in a newer one, or have another type.
func lost(t *testing.T, name, was, now string) []string {
	t.Helper()
	if strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".spreadsheet") {
		head, _, _ := strings.Cut(strings.TrimSpace(was), "\n")
		if !strings.HasPrefix(now, strings.TrimSpace(head)) {
			return []string{"the columns " + head + " changed"}
		}
		return nil
	}
	var out []string
	before, after := strings.Split(strings.TrimSpace(was), "\n"), strings.Split(strings.TrimSpace(now), "\n")
	if !strings.HasSuffix(name, ".jsonl") && !strings.HasSuffix(name, ".langchain") {
		before, after = []string{was}, []string{now}
	}
	for i := range before {
		var a, b any
		if i >= len(after) || json.Unmarshal([]byte(before[i]), &a) != nil || json.Unmarshal([]byte(after[i]), &b) != nil {
			return append(out, fmt.Sprintf("line %d is gone or no JSON", i+1))
		}
		out = append(out, differences("", a, b)...)
	}
	return out
}

// differences compares keys and types, and in a schema also its words for types.
func differences(at string, was, now any) (out []string) {
	switch was := was.(type) {
	case map[string]any:
		now, ok := now.(map[string]any)
		if !ok {
			return []string{at + " is no object"}
		}
		for key, value := range was {
			other, ok := now[key]
			if !ok {
				out = append(out, at+"."+key+" is gone")
				continue
			}
			out = append(out, differences(at+"."+key, value, other)...)
		}
	case []any:
		now, ok := now.([]any)
		if !ok || len(now) < len(was) {
			return []string{at + " is no array, or shorter"}
		}
		for i := range was {
			out = append(out, differences(fmt.Sprintf("%s[%d]", at, i), was[i], now[i])...)
		}
	default:
		last, _, _ := strings.Cut(at[strings.LastIndexByte(at, '.')+1:], "[")
		means := slices.Contains([]string{"type", "$ref", "const", "$id", "required", "enum"}, last) // words of a schema
		if fmt.Sprintf("%T", was) != fmt.Sprintf("%T", now) || means && now != was {
			out = append(out, fmt.Sprintf("%s is %v instead of %v", at, now, was))
		}
	}
	return out
}

// The comparison with the frozen files finds keys that are gone, and other types.
func TestFrozenRefuses(t *testing.T) {
	const was = `{"a":1,"b":[{"c":"x"}],"type":"string"}`
	for _, now := range []string{`{"b":[{"c":"x"}],"type":"string"}`, `{"a":"1","b":[{"c":"x"}],"type":"string"}`, `{"a":1,"b":[{}],"type":"string"}`, `{"a":1,"b":[],"type":"string"}`, `{"a":1,"b":[{"c":"x"}],"type":"number"}`} {
		if len(lost(t, "a.json", was, now)) != 1 {
			t.Errorf("%s: %q", now, lost(t, "a.json", was, now))
		}
	}
	if got := lost(t, "a.json", was, `{"z":0,"a":2,"b":[{"c":"y","d":1},1],"type":"string"}`); len(got) > 0 {
		t.Errorf("%q", got)
	}
	if lost(t, "a.csv", "a,b\n1,2\n", "a,c,b\n1,3,2\n") == nil || lost(t, "a.csv", "a,b\n1,2\n", "a,b,c\n1,2,3\n") != nil {
		t.Error("columns")
	}
}
