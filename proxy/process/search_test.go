package process

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
)

func TestSearch(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "turns.pdf"), pdftest.Article(paragraphs...), 0o644)
	os.WriteFile(filepath.Join(dir, "light.md"), []byte("A lighthouse keeper lives alone. His lamp turns all night."), 0o644)
	type hits struct {
		ID   string
		Hits []struct {
			File, Text, Why string
			Score           float64
		}
	}
	var got hits
	if err := json.Unmarshal([]byte(ok(t, "", "search", "--json", "-k", "2", "lighthouse lamp", dir)), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Hits) == 0 || filepath.Base(got.Hits[0].File) != "light.md" || !strings.Contains(got.Hits[0].Why, "lighthouse") {
		t.Errorf("%+v", got)
	}
	for _, mode := range []string{"keyword", "dense", "hybrid"} {
		if out := ok(t, "", "search", "--mode", mode, "venus", dir); !strings.Contains(out, "turns.pdf") {
			t.Errorf("%s: %s", mode, out)
		}
	}
	queries := file(t, "q.jsonl", []byte(`{"id":"a","query":"sails"}`+"\n"+`{"id":"b","query":"lamp"}`+"\n"))
	lines := strings.Split(strings.TrimSpace(ok(t, "", "search", "--queries", queries, dir)), "\n")
	for i, want := range []string{"turns.pdf", "light.md"} {
		var h hits
		if err := json.Unmarshal([]byte(lines[i]), &h); err != nil || h.ID != string("ab"[i]) || filepath.Base(h.Hits[0].File) != want {
			t.Errorf("%s: %v", lines[i], err)
		}
	}
	if r := run(t, "", "search", "--mode", "keyword", "unheard", dir); r.status != 1 || r.out != "nothing found\n" || r.err != "seam: no file has the word \"unheard\"\n" {
		t.Errorf("%+v", r)
	}
}

// An error of the search is reported in addition to errors of files.
func TestSearchErrorBesideFiles(t *testing.T) {
	dir := tree(t, map[string]string{"a.txt": "A chisel rests.", "broken.pdf": "%PDF-1.7\n", "queries.ndjson": "{\"id\":"})
	r := runIn(t, dir, nil, "search", "--queries", "queries.ndjson", "a.txt", "broken.pdf")
	if r.status != 2 || strings.Count(r.err, "\n") != 2 || !strings.Contains(r.err, "broken.pdf: ") || !strings.Contains(r.err, "queries.ndjson: query 1 is not ") {
		t.Errorf("%+v", r)
	}
}

// foundBy is the output of `seam search --json`.
type foundBy struct {
	Hits []struct {
		File, ID, Text, Section string
		Score                   float64
		Parts                   []struct {
			Name  string
			Score float64
		}
		Passage *struct{ Start, End int }
	}
	Unknown     []string
	Corrections []struct{ Word, Taken string }
}

// find runs a keyword search with `seam search` in a folder, and returns the files of the
// hits.
func find(t *testing.T, dir string, args ...string) (foundBy, []string) {
	t.Helper()
	r := runIn(t, dir, nil, append([]string{"search", "--json", "--mode", "keyword", "--method", "sentences", "--max-tokens", "12", "--tokens", "words"}, args...)...)
	if r.status > 1 {
		t.Fatalf("%v: %+v", args, r)
	}
	var found foundBy
	if err := json.Unmarshal([]byte(r.out), &found); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, h := range found.Hits {
		files = append(files, h.File)
	}
	return found, files
}

func TestSearchSaysWhy(t *testing.T) {
	dir := tree(t, map[string]string{
		"mills.md":  "# Windmills\n\nThe miller takes cloth from the sails. Sails that run away burn the mill.\n\n# Watermills\n\nA weir leads water on the wheel.\n",
		"lathe.txt": "The turner presses a chisel against wood. Shavings fly from the wood.\fOn the second page the chisel rests.\f\fThe chisel of the fourth.",
	})
	found, _ := find(t, dir, "why do sails burn", ".")
	best := found.Hits[0]
	sum := 0.0
	for _, p := range best.Parts {
		sum += p.Score
	}
	if math.Abs(sum-best.Score) > 1e-9 || best.Section != "Windmills" || best.Passage == nil || best.Text[best.Passage.Start:best.Passage.End] != "Sails that run away burn the mill." {
		t.Errorf("%+v", best)
	}
	if _, files := find(t, dir, "watermills", "."); len(files) == 0 || files[0] != "mills.md" {
		t.Errorf("by a title: %v", files)
	}
	for args, want := range map[string]int{
		"chisel .": 3, "chisel . --pages 2": 1, "chisel . --pages 2-": 2, "chisel . --pages 3-9": 1, "chisel . --type .md": 0, "chisel . --type md,TXT": 3,
		"sails . --section wind": 2, "sails . --section water": 0,
		`"takes_cloth" .`: 1, `"cloth_takes" .`: 0, "chisels . -k 2": 2, "zqx .": 0,
	} {
		fields := strings.Fields(args)
		fields[0] = strings.ReplaceAll(fields[0], "_", " ")
		if found, _ := find(t, dir, fields...); len(found.Hits) != want {
			t.Errorf("%s: %d hits, want %d", args, len(found.Hits), want)
		}
	}
	found, _ = find(t, dir, "the chissel of zqxv", ".")
	if !slices.Equal(found.Unknown, []string{"zqxv"}) || len(found.Corrections) != 1 || found.Corrections[0].Taken != "chisel" || len(found.Hits) != 3 {
		t.Errorf("%+v", found)
	}
	r := runIn(t, dir, nil, "search", "the chissel of zqxv", ".")
	if r.status != 0 || !strings.Contains(r.err, `no file has the word "zqxv"`) || !strings.Contains(r.err, `searched for "chisel"`) || strings.Contains(r.out, "no file") {
		t.Errorf("%+v", r)
	}
}

// Files are selected by their own metadata, also from a bundle.
func TestSearchByMeta(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.md": "---\ntitle: Mills\ntags: [wind, \"Old Crafts\"]\nauthor: Ada\n---\n\nA chisel dresses the stone.\n",
		"b.md": "---\ntags:\n  - wood\n  - Old crafts\n---\n\nA chisel cuts the wood.\n", "c.txt": "A chisel rests.",
	})
	runIn(t, dir, nil, "bundle", "a.md", "b.md", "c.txt", "-o", "x.seam")
	for args, want := range map[string][]string{
		"": {"a.md", "b.md", "c.txt"}, "--meta tags=WIND": {"a.md"}, "--meta Tags=wood": {"b.md"}, "--meta author=ada --meta title=mills": {"a.md"}, "--meta author=ada --meta tags=wood": nil,
	} {
		for _, from := range [][]string{{"a.md", "b.md", "c.txt"}, {"x.seam"}} {
			_, files := find(t, dir, append(append([]string{"chisel"}, from...), strings.Fields(args)...)...)
			slices.Sort(files)
			if !slices.Equal(files, want) {
				t.Errorf("%s %v: %v, want %v", args, from, files, want)
			}
		}
	}
}

// The user's own words, in the line of a chunk, find the chunk.
func TestSearchByOwnWords(t *testing.T) {
	dir := tree(t, map[string]string{"a.txt": "A doctor comes to the house.", "b.txt": "A dancer comes to the house.", "bad.jsonl": "{\"id\":7}\n"})
	chunk := strings.TrimSuffix(strings.TrimSpace(runIn(t, dir, nil, "chunk", "--method", "sentences", "--max-tokens", "12", "--tokens", "words", "--format", "jsonl", "a.txt").out), "}")
	if err := os.WriteFile(filepath.Join(dir, "own.jsonl"), []byte(chunk+`,"header":"physician, general practitioner","written":true}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if found, _ := find(t, dir, "physicians", "a.txt", "b.txt"); len(found.Hits) != 0 {
		t.Errorf("%+v", found)
	}
	for _, query := range []string{"physicians", "practitioner"} {
		if _, files := find(t, dir, "--enriched", "own.jsonl", query, "a.txt", "b.txt"); !slices.Equal(files, []string{"a.txt"}) {
			t.Errorf("%s: %v", query, files)
		}
	}
	if r := runIn(t, dir, nil, "search", "--enriched", "bad.jsonl", "x", "a.txt"); r.status != 2 || !strings.Contains(r.err, "bad.jsonl: line 1") {
		t.Errorf("%+v", r)
	}
}

// Diversity replaces near-duplicate hits with others.
func TestDiversity(t *testing.T) {
	files := map[string]string{"other.txt": "The chisel is kept in a drawer with oil."}
	for i := range 4 {
		files[fmt.Sprintf("same%d.txt", i)] = "The chisel cuts wood and the chisel cuts bone."
	}
	dir := tree(t, files)
	_, plain := find(t, dir, "chisel", ".", "-k", "3")
	_, diverse := find(t, dir, "chisel", ".", "-k", "3", "--diversity", "0.5")
	if slices.Contains(plain, "other.txt") || !slices.Contains(diverse, "other.txt") || len(diverse) != 3 {
		t.Errorf("%v, %v", plain, diverse)
	}
	for _, args := range [][]string{{"--diversity", "2"}, {"--diversity", "NaN"}, {"--pages", "x"}, {"--pages", "9-3"}, {"--pages", "0-3"}, {"--pages", "-"}, {"--pages", "3-4-5"}} {
		if r := runIn(t, dir, nil, append([]string{"search", "chisel", "."}, args...)...); r.status != 2 || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

// Stdin is one file: naming it twice is an error, not an empty second file.
func TestStdinIsReadOnce(t *testing.T) {
	for _, args := range [][]string{{"search", "--queries", "-", "-"}, {"search", "--enriched", "-", "thing", "-"}} {
		r := run(t, `{"id":"1","query":"thing","text":"thing"}`, args...)
		if r.status != 2 || !strings.Contains(r.err, "stdin can be read only once") {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

// A flag that does not apply to the searched place is refused before the place is opened.
func TestSearchRefusesFlagsOfAnotherPlace(t *testing.T) {
	const collection = "postgres://seam@127.0.0.1:9/x/y"
	index := []string{"--index", filepath.Join(t.TempDir(), "nowhere")}
	for _, c := range []struct {
		args []string
		says string
	}{
		{append(index, "--method", "fixed"), "--method does not work with --index: set it"},
		{append(index, "--max-tokens", "9"), "--max-tokens does not work with"},
		{append(index, "--view", "content"), "--view does not work with"},
		{append(index, "--page-join", ""), "--page-join does not work with"},
		{append(index, "--password", "p"), "--password does not work with"},
		{append(index, "--dry-run"), "--dry-run does not work with"},
		{append(index, "--embedder", "meaning"), "--embedder, --base-url and --price do not work with --index"},
		{append(index, "--base-url", "https://api.example.org/v1"), "--embedder, --base-url and --price do not work with --index"},
		{append(index, "--key-file", "k"), "--key-file needs --remote"},
		{[]string{"--remote", collection, "--method", "fixed"}, "--method does not work with --remote: set it"},
		{[]string{"--remote", collection, "--overlap", "2"}, "--overlap does not work with"},
		{[]string{"--remote", collection, "--password", "p"}, "--password does not work with"},
		{[]string{"--remote", collection, "--dry-run"}, "--dry-run does not work with"},
		{[]string{"--remote", collection, "--enriched", "x.jsonl"}, "--enriched does not work with"},
		{[]string{"--key-file", "k", "a.txt"}, "--key-file needs --remote"},
	} {
		if r := run(t, "", append([]string{"search", "query"}, c.args...)...); r.status != 2 || !strings.Contains(r.err, c.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: %+v", c.args, r)
		}
	}
}

// The help of a command with many flags groups them, and lists each flag once.
func TestHelpInGroups(t *testing.T) {
	for command, groups := range map[string][]string{
		"search":    {"\nFlags:\n", "--queries", "\nSearch files:\n", "--enriched", "\nSearch files or a collection:\n", "--section", "\nSearch the index of a site:\n", "--index", "\nSearch a collection:\n", "--remote", "--key-file", "\nHow files are cut:\n", "--method", "\nVectors, and hosted models:\n", "--embedder", "--cache"},
		"eval grid": {"\nQuestions and texts:\n", "--data", "\nSettings to compare:\n", "--sizes", "--methods", "\nMeasures:\n", "--within", "\nOutput:\n", "--replay", "--csv", "\nAnswers of a model:\n", "--judge-model", "\nHow texts are cut:\n", "--overlap", "\nVectors, and hosted models:\n", "--dry-run"},
	} {
		_, help, _ := strings.Cut(ok(t, "", append(strings.Fields(command), "-h")...), "\nExamples:\n")
		for _, part := range groups {
			name := part
			if strings.HasPrefix(part, "--") {
				name = "  " + part
			}
			_, rest, there := strings.Cut(help, name)
			if !there {
				t.Errorf("seam %s -h has no %q where it belongs", command, part)
			}
			help = "\n" + rest
		}
	}
}

// A hit names the printed page of its passage, although its chunk begins pages before.
func TestSearchNamesPrintedPages(t *testing.T) {
	d := pdftest.Doc{Labels: "0 << /S /r >> 2 << /S /D /St 41 >>"}
	for _, words := range []string{"A mill stands by the river.", "Its wheel turns all day.", "The miller sleeps.", "A weir leads the water."} {
		d.Pages = append(d.Pages, pdftest.Page{Width: 595, Height: 842, Texts: []pdftest.Text{{X: 72, Y: 700, Size: 11, S: words}}})
	}
	dir := tree(t, map[string]string{"a.pdf": string(pdftest.Write(d))})
	r := runIn(t, dir, nil, "search", "weir", "a.pdf", "--mode", "keyword")
	if line, _, _ := strings.Cut(r.out, "\n"); !strings.HasPrefix(line, "1. a.pdf · p. 42 (sheet 4) · ") {
		t.Errorf("%+v", r)
	}
	r = runIn(t, dir, nil, "search", "weir", "a.pdf", "--mode", "keyword", "--json")
	if !strings.Contains(r.out, `"pages":[1,2,3,4],"labels":["i","ii","41","42"]`) || !strings.Contains(r.out, `"passagePage":4`) {
		t.Errorf("%+v", r)
	}
}
