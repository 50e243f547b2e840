package process

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"seam/shared/export/schema"
	"seam/shared/export/schema/schematest"
)

// checkSchema checks the output of seam chunk and seam search against the schema in every
// test.
func checkSchema(t *testing.T, args []string, out string) {
	t.Helper()
	has := func(arg string) bool {
		return slices.ContainsFunc(args, func(a string) bool { return a == arg || strings.HasPrefix(a, arg+"=") })
	}
	if len(args) == 0 || out == "" || has("--help") || has("-h") || has("--dry-run") {
		return
	}
	format := ""
	if i := slices.Index(args, "--format"); i >= 0 && i+1 < len(args) {
		format = args[i+1]
	}
	hits := "hits"
	switch {
	case has("--index"):
		hits = "siteHits"
	case has("--remote"):
		hits = "remoteHits"
	}
	var err error
	switch {
	case args[0] == "search" && (has("--json") || has("--queries")) && strings.HasPrefix(out, "{"):
		err = schematest.CheckLines(hits, out)
	case args[0] != "chunk":
	case format == "json":
		err = schematest.Check("documents", out)
	case format == "langchain":
		err = schematest.CheckLines("langchain", out)
	case strings.HasPrefix(out, `{"id":`) && (format == "" || format == "jsonl" || format == "text"), strings.HasPrefix(out, `{"line":`):
		err = schematest.CheckLines("line", out)
	case format == "jsonl":
		err = schematest.CheckLines("chunk", out)
	}
	if err != nil {
		t.Errorf("seam %s: %v", strings.Join(args, " "), err)
	}
}

// origin matches the key origin, which has the name of the embedder in it.
var origin = regexp.MustCompile(`"origin":"[0-9a-f]{12}",?`)

// noOrigin returns an output without the keys origin.
func noOrigin(out string) string { return origin.ReplaceAllString(out, "") }

func TestSchema(t *testing.T) {
	if out := ok(t, "", "schema"); out != schema.All {
		t.Errorf("%.200s", out)
	}
	for _, part := range schema.Parts() {
		var s struct {
			ID  string `json:"$id"`
			Ref string `json:"$ref"`
		}
		if err := json.Unmarshal([]byte(ok(t, "", "schema", part)), &s); err != nil || !strings.HasSuffix(s.ID, ":"+part) || s.Ref != "#/$defs/"+part {
			t.Errorf("%s: %+v, %v", part, s, err)
		}
	}
	if r := run(t, "", "schema", "chunks"); r.status != 2 || r.out != "" || !strings.Contains(r.err, "choose documents, chunk, line") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("%+v", r)
	}
}

// The units of --offsets cut the text of a chunk out of the output of seam text, in every
// format with offsets.
func TestUnitsOfOffsets(t *testing.T) {
	path := file(t, "a.md", []byte("# Ä 😀\n\n𝒜 thing is here. Another, \"quoted\", is there.\n\n## Größer\n\n中文 is not long. The end."))
	whole := ok(t, "", "text", "--document", path)
	units, runes := utf16.Encode([]rune(whole)), []rune(whole)
	for unit, slice := range map[string]func(a, b int) string{
		"bytes":      func(a, b int) string { return whole[a:b] },
		"utf16":      func(a, b int) string { return string(utf16.Decode(units[a:b])) },
		"codepoints": func(a, b int) string { return string(runes[a:b]) },
	} {
		type chunk struct {
			Text       string
			Start, End int
		}
		var all []chunk
		args := []string{"chunk", "--method", "sentences", "--tokens", "words", "--max-tokens", "6", "--offsets", unit, "--format"}
		var doc struct {
			Chunks    []chunk
			Documents []struct{ Offsets string }
		}
		if err := json.Unmarshal([]byte(ok(t, "", append(args, "json", path)...)), &doc); err != nil || len(doc.Documents) != 1 || doc.Documents[0].Offsets != unit {
			t.Errorf("%s: %+v, %v", unit, doc, err)
		}
		n := len(doc.Chunks)
		all = append(all, doc.Chunks...)
		all = append(all, lineByLine[chunk](t, ok(t, "", append(args, "jsonl", path)...))...)
		for _, l := range lineByLine[struct {
			Text     string
			Metadata chunk
		}](t, ok(t, "", append(args, "langchain", path)...)) {
			all = append(all, chunk{l.Text, l.Metadata.Start, l.Metadata.End})
		}
		for _, p := range lineByLine[struct{ Payload chunk }](t, ok(t, "", append(args, "qdrant", "--embedder", "builtin", path)...)) {
			all = append(all, p.Payload)
		}
		in, err := json.Marshal(map[string]any{"id": 7, "path": path})
		if err != nil {
			t.Fatal(err)
		}
		lines := lineByLine[chunk](t, ok(t, string(in)+"\n", append(args[:len(args)-1:len(args)-1], "--lines", "-")...))
		all = append(all, lines[:len(lines)-1]...) // the last one says that the document is done
		if n < 4 || len(all) != 5*n {
			t.Errorf("%s: %d chunks of %d", unit, len(all), n)
		}
		for _, c := range all {
			if slice(c.Start, c.End) != c.Text {
				t.Errorf("%s: %+v", unit, c)
			}
		}
	}
}

// A folder of results has a hidden file of settings beside each, and seam does not read
// them again. A common output has them in the named file.
func TestFilesOfSettings(t *testing.T) {
	dir := tree(t, map[string]string{"in/a.md": "# One\n\nA thing.", "in/deep/b.txt": "Another thing. And one more."})
	type documents struct {
		Schema, Seam, Format string
		Documents            []struct {
			File, SHA256, Method, Offsets, Unit string
			Chunks                              int
			MaxTokens                           *int
		}
	}
	settings := func(name string) (d documents) {
		t.Helper()
		b := readFile(t, filepath.Join(dir, name))
		if err := schematest.Check("settings", b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := json.Unmarshal([]byte(b), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, format := range []string{"jsonl", "csv", "spreadsheet", "langchain"} {
		if r := runIn(t, dir, nil, "chunk", "--format", format, "--offsets", "utf16", "--method", "recursive", "--max-tokens", "7", "-o", format+"/", "in"); r.status != 0 || r.err != "" {
			t.Fatalf("%+v", r)
		}
		ext := map[string]string{"spreadsheet": "csv", "langchain": "jsonl"}[format]
		if ext == "" {
			ext = format
		}
		d := settings(format + "/.a.md." + ext + ".settings")
		sum := sha256.Sum256([]byte("# One\n\nA thing."))
		if d.Format != format || d.Seam == "" || len(d.Documents) != 1 || d.Documents[0].SHA256 != hex.EncodeToString(sum[:]) || d.Documents[0].Offsets != "utf16" || *d.Documents[0].MaxTokens != 7 || d.Documents[0].File != "in/a.md" {
			t.Errorf("%+v", d)
		}
		settings(format + "/deep/.b.txt." + ext + ".settings")
	}
	for _, format := range []string{"json", "text", "qdrant"} {
		runIn(t, dir, nil, "chunk", "--format", format, "-o", format+"/", "in")
		if left, _ := filepath.Glob(filepath.Join(dir, format, ".*")); left != nil {
			t.Errorf("%s: %q", format, left)
		}
	}
	if r := runIn(t, dir, nil, "chunk", "--format", "jsonl", "csv"); !strings.Contains(r.err, "2 hidden files") {
		t.Errorf("seam reads settings as documents: %+v", r)
	}
	r := runIn(t, dir, nil, "chunk", "--format", "csv", "--settings-file", "both", "in/a.md", "none.txt", "in/deep/b.txt")
	if d := settings("both"); r.status != 1 || len(d.Documents) != 2 || d.Documents[1].File != "in/deep/b.txt" || d.Documents[1].Chunks < 1 || d.Documents[0].Offsets != "bytes" {
		t.Errorf("%+v, %+v", d, r)
	}
	for _, bad := range [][]string{
		{"--settings-file does not work with --format json", "--format", "json", "--settings-file", "s"}, {"needs a format with offsets", "--offsets", "utf16"},
		{"also an input", "--format", "csv", "--settings-file", "in/a.md"}, {"also the output", "--format", "csv", "--settings-file", "o", "-o", "o"},
		{"where jsonl, csv", "--format", "csv", "--settings-file", "s", "-o", "o/"}, {"start_byte", "--format", "pgvector", "--offsets", "utf16"},
		{"does not work with --lines", "--lines", "--settings-file", "s"}, {"must be one of", "--format", "csv", "--offsets", "miles"},
	} {
		if r := runIn(t, dir, nil, append([]string{"chunk", "in/a.md"}, bad[1:]...)...); r.status != 2 || r.out != "" || !strings.Contains(r.err, bad[0]) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v", bad, r)
		}
	}
}

// A manifest does a file again for another unit. The settings of an output in an earlier
// place go with it.
func TestSettingsWithManifest(t *testing.T) {
	dir := tree(t, map[string]string{"in/a.md": "One thing."})
	again := func(args ...string) string {
		t.Helper()
		r := runIn(t, dir, nil, append([]string{"chunk", "--format", "jsonl", "-o", "out/", "--manifest", "done", "in"}, args...)...)
		if r.status != 0 {
			t.Fatalf("%+v", r)
		}
		return r.err
	}
	again()
	if err := again(); !strings.Contains(err, "1 of 1 file already done") {
		t.Errorf("%q", err)
	}
	if err := again("--offsets", "utf16"); err != "" || !strings.Contains(readFile(t, filepath.Join(dir, "out/.a.md.jsonl.settings")), "utf16") {
		t.Errorf("%q", err)
	}
	os.WriteFile(filepath.Join(dir, "in/a.txt"), []byte("Two."), 0o644)
	again("--offsets", "utf16")
	all, err := filepath.Glob(filepath.Join(dir, "out/.*"))
	for i := range all {
		all[i] = filepath.Base(all[i])
	}
	if want := []string{".a.md.jsonl.settings", ".a.txt.jsonl.settings"}; err != nil || !slices.Equal(all, want) {
		t.Errorf("%q, want %q", all, want)
	}
}

// CSV for programs has every text as it is. CSV for a spreadsheet has no formula.
func TestFormulas(t *testing.T) {
	path := file(t, "a.txt", []byte("=HYPERLINK(\"http://example.org\") is a formula."))
	for format, want := range map[string]string{"csv": "=HYPERLINK", "spreadsheet": "'=HYPERLINK"} {
		out := strings.TrimPrefix(ok(t, "", "chunk", "--format", format, path), "\ufeff")
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if err != nil || !strings.HasPrefix(rows[1][9], want) {
			t.Errorf("%s: %q, %v", format, rows, err)
		}
	}
}

// A bundle keeps its headers: CSV has a column for them without an option.
func TestColumnsOfHeaders(t *testing.T) {
	dir := tree(t, map[string]string{"a.md": "# One\n\nA thing.\n\n# Two\n\nAnother."})
	runIn(t, dir, nil, "bundle", "--headers", "--method", "sections", "-o", "a.seam", "a.md")
	for _, args := range [][]string{{"a.seam"}, {"--method", "sections", "--headers", "a.md"}, {"--method", "sections", "--headers", "a.md", "a.seam"}} {
		r := runIn(t, dir, nil, append([]string{"chunk", "--format", "csv"}, args...)...)
		rows, err := csv.NewReader(strings.NewReader(r.out)).ReadAll()
		if err != nil || r.status != 0 || rows[0][10] != "header" || rows[1][10] != "One" || rows[2][10] != "One › Two" || rows[2][11] != "1" {
			t.Errorf("%v: %+v, %v", args, r, err)
		}
	}
}
