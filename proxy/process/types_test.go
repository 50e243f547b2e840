package process

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
)

// book returns a small EPUB. Its members are compressed, so that no byte of its text shows.
func book(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range [][2]string{
		{"mimetype", "application/epub+zip"},
		{"META-INF/container.xml", `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`},
		{"a.opf", `<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata/><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`},
		{"a.xhtml", "<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>Bees</h1><p>They dance for each other.</p></body></html>"},
	} {
		w, err := z.Create(m[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	beesPage = "<!doctype html>\n<title>T</title><h1>Bees</h1><p>They <b>dance</b> for each other.</p>"
	beesText = "# Bees\n\nThey dance for each other.\n"
)

// chunked is the part of an output that shows how a file was read.
type chunked struct{ File, Section, Text string }

func chunksOf(t *testing.T, out string) (all []chunked) {
	t.Helper()
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var c chunked
		if err := d.Decode(&c); err != nil {
			t.Fatalf("%v in %s", err, out)
		}
		all = append(all, c)
	}
	return all
}

// The bytes give the format of stdin, and of a file whose name says nothing.
func TestTypesFromBytes(t *testing.T) {
	dir := t.TempDir()
	for kind, content := range map[string]string{"html": beesPage, "markdown": beesText, "epub": string(book(t)), "pdf": string(pdftest.Article("# Bees", "They dance for each other."))} {
		for _, name := range []string{"-", "bees", "bees.php", "bees.new"} {
			path := name
			if name != "-" {
				path = filepath.Join(dir, kind+name)
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r := run(t, content, "chunk", "--format", "jsonl", path)
			got := chunksOf(t, r.out)
			if r.status != 0 || r.err != "" || len(got) != 1 || got[0].Section != "Bees" || !strings.Contains(got[0].Text, "They dance for each other.") || strings.Contains(got[0].Text, "<") {
				t.Errorf("%s as %s: %+v", kind, name, r)
			}
		}
	}
	if got := ok(t, beesPage, "text", "-"); strings.Contains(got, "<p>") {
		t.Errorf("seam text: %q", got)
	}
	if got := ok(t, beesPage, "sentences"); strings.Contains(got, "<b>") || !strings.Contains(got, "They dance for each other.") {
		t.Errorf("seam sentences: %q", got)
	}
	if got := ok(t, beesPage, "search", "dance", "-"); strings.Contains(got, "<b>") {
		t.Errorf("seam search: %q", got)
	}
	// Code and prose stay as they are.
	for _, content := range []string{"#!/bin/sh\n# Bees dance\n\n# for each other\n", "Bees dance for <b>each</b> other."} {
		if got := ok(t, content, "text", "-"); got != content {
			t.Errorf("%q became %q", content, got)
		}
	}
	// A name that says something wins over the text: it may be about HTML.
	if got := ok(t, "", "text", file(t, "about.txt", []byte(beesPage))); got != beesPage {
		t.Errorf("about.txt: %q", got)
	}
	// A Word document is named, also without a file name.
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if _, err := z.Create("word/document.xml"); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if r := run(t, b.String(), "chunk", "-"); r.status != 1 || !strings.Contains(r.err, "-: a Word document, which Seam does not read") {
		t.Errorf("a Word document: %+v", r)
	}
}

// --as replaces the format that Seam finds, with a cache, too; --name names stdin.
func TestAsAndName(t *testing.T) {
	page := file(t, "bees.html", []byte(beesPage))
	plain := file(t, "bees.txt", []byte(beesText))
	cache := filepath.Join(t.TempDir(), "cache")
	for _, want := range []string{"text", "html", "text"} {
		got := ok(t, "", "search", "--cache", cache, "--as", want, "dance", page)
		if strings.Contains(got, "<b>") != (want == "text") {
			t.Errorf("as %s: %q", want, got)
		}
	}
	if got := chunksOf(t, ok(t, "", "chunk", "--as", "markdown", "--format", "jsonl", plain)); got[0].Section != "Bees" {
		t.Errorf("as Markdown: %+v", got)
	}
	if got := ok(t, "", "chunk", "--headers", "--as", "markdown", plain); strings.Count(got, "Bees") != 2 {
		t.Errorf("the title is in the header and in the text, once each: %q", got)
	}
	if r := run(t, "", "chunk", "--as", "word", plain); r.status != 2 || !strings.Contains(r.err, "--as word: no such format: choose pdf, markdown, html, epub, text") {
		t.Errorf("%+v", r)
	}
	if got := chunksOf(t, ok(t, beesText, "chunk", "--name", "notes/bees.md", "--format", "jsonl", "-")); got[0].File != "notes/bees.md" || got[0].Section != "Bees" {
		t.Errorf("%+v", got)
	}
	if got := ok(t, beesText, "text", "--name", "bees.txt", "-"); got != beesText {
		t.Errorf("%q", got)
	}
	out := filepath.Join(t.TempDir(), "out") + "/"
	ok(t, beesText, "chunk", "--name", "notes/bees.md", "-o", out, "--format", "jsonl", "-")
	if _, err := os.Stat(filepath.Join(out, "bees.md.jsonl")); err != nil {
		t.Error(err)
	}
	if r := run(t, "", "chunk", "--name", "bees.md", plain); r.status != 2 || !strings.Contains(r.err, "--name names stdin, which no argument reads: give -") {
		t.Errorf("%+v", r)
	}
	// A text in a line is a text as it is, unless its line or --as says otherwise.
	line := `{"id":1,"text":"<p>Bees dance.</p>"}`
	if got := ok(t, line, "chunk", "--lines", "-"); !strings.Contains(got, `"text":"<p>Bees dance.</p>"`) {
		t.Errorf("%q", got)
	}
	if got := ok(t, line, "chunk", "--lines", "--as", "html", "-"); !strings.Contains(got, `"text":"Bees dance."`) {
		t.Errorf("%q", got)
	}
}

// Commands that take texts and not documents refuse documents, and decode texts.
func TestTextsAreNoDocuments(t *testing.T) {
	report := file(t, "report.pdf", pdftest.Article("Bees dance."))
	notes := file(t, "notes.txt", []byte("Bees dance."))
	for _, args := range [][]string{
		{"embed", report}, {"search", "--queries", report, notes},
		{"ask", "--each", "--questions", report, "--model", "m", "--base-url", "http://127.0.0.1:1", notes},
		{"search", "--enriched", report, "bees", notes}, {"eval", "retrieval", "--questions", report},
	} {
		if r := run(t, "", args...); r.status == 0 || r.out != "" || !strings.Contains(r.err, "report.pdf is a PDF, not a file of ") {
			t.Errorf("%v: %+v", args, r)
		}
	}
	const river = "\xd0\xe5\xea\xe0 \xf2\xe5\xf7\xb8\xf2 \xed\xe0 \xf1\xe5\xe2\xe5\xf0, \xe8 \xe2\xee\xe4\xe0 \xf5\xee\xeb\xee\xe4\xed\xe0\xff." // windows-1251
	if got := ok(t, river, "embed", "--format", "jsonl"); !strings.Contains(got, `"text":"Река течёт на север, и вода холодная."`) {
		t.Errorf("%.200q", got)
	}
}

// seam sentences and seam embed take several files.
func TestManyTexts(t *testing.T) {
	dir := tree(t, map[string]string{"notes/bees.md": "# Bees\n\nBees dance.\n", "notes/mills.txt": "Mills turn. Sails fly.", "one.txt": "one\ntwo\n", "two.jsonl": `{"query":"three"}` + "\n"})
	r := runIn(t, dir, nil, "sentences", "notes", "none.md")
	if want := `{"file":"notes/bees.md","start":0,"end":6,"text":"# Bees"}
{"file":"notes/bees.md","start":8,"end":19,"text":"Bees dance."}
{"file":"notes/mills.txt","start":0,"end":11,"text":"Mills turn."}
{"file":"notes/mills.txt","start":12,"end":22,"text":"Sails fly."}
`; r.status != 1 || r.out != want || r.err != "seam: none.md: no such file\n" {
		t.Errorf("%+v", r)
	}
	if r := runIn(t, dir, nil, "sentences", "notes/mills.txt"); strings.Contains(r.out, `"file"`) || r.status != 0 {
		t.Errorf("%+v", r)
	}
	r = runIn(t, dir, nil, "embed", "--format", "jsonl", "one.txt", "two.jsonl", "one.txt")
	var texts []string
	for line := range strings.Lines(r.out) {
		var got struct{ Text string }
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, got.Text)
	}
	if r.status != 0 || strings.Join(texts, " ") != "one two three one two" {
		t.Errorf("%q, %+v", texts, r)
	}
	if r := runIn(t, dir, nil, "embed", "one.txt", "notes/bees.html"); r.status != 1 || r.out != "" || !strings.Contains(r.err, "notes/bees.html: no such file") {
		t.Errorf("%+v", r)
	}
	if r := runIn(t, dir, nil, "embed", "-o", "two.jsonl", "one.txt", "two.jsonl"); r.status != 2 || !strings.Contains(r.err, "would overwrite") {
		t.Errorf("%+v", r)
	}
}
