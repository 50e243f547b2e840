package process

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/site/shards"
	"seam/web/widget"
)

const handbook = "../../shared/site/testdata/site"

// indexed makes the index of the handbook in a new folder.
func indexed(t *testing.T, args ...string) (dir, printed string) {
	t.Helper()
	if _, err := widget.Files(); err != nil {
		t.Skip("skipping: the widget is not built: make widget")
	}
	dir = filepath.Join(t.TempDir(), "seam")
	return dir, ok(t, "", append([]string{"index", "--site", handbook, "--out", dir}, args...)...)
}

// filesIn returns all files below a folder with their contents.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		all[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestIndex(t *testing.T) {
	dir, printed := indexed(t, "--json")
	var report struct {
		Pages     int
		Languages []struct{ Language string }
		Left      map[string]string
		Bytes     int
		Dearest   struct {
			Query        string
			Bytes, Tried int
		}
	}
	if err := json.Unmarshal([]byte(printed), &report); err != nil {
		t.Fatal(err)
	}
	if report.Pages != 13 || len(report.Languages) != 4 || report.Languages[0].Language != "en" {
		t.Errorf("%+v", report)
	}
	if d := report.Dearest; d.Tried < 5 || d.Query == "" || d.Bytes < 1000 || d.Bytes >= report.Bytes {
		t.Errorf("dearest search %+v of %d bytes", d, report.Bytes)
	}
	if want := []string{"all.html", "search.html", "secret.html"}; !slices.Equal(slices.Sorted(maps.Keys(report.Left)), want) {
		t.Errorf("left out %v, want %v", report.Left, want)
	}
	files := filesIn(t, dir)
	if files["seam.json"] == "" || files["widget.js"] == "" {
		t.Errorf("files %v", slices.Sorted(maps.Keys(files)))
	}
	again, _ := indexed(t)
	if !maps.Equal(files, filesIn(t, again)) {
		t.Error("the same site made other files")
	}
	found := ok(t, "", "search", "--index", dir, "a thread breaks")
	if !strings.HasPrefix(found, "1. Mending · guide/mending.html#broken · ") {
		t.Errorf("found %s", found)
	}
	lines := ok(t, `{"id":7,"query":"max torque"}{"id":"x","query":"zebra"}`, "search", "--index", dir, "--queries", "-")
	if !strings.HasPrefix(lines, `{"id":7,"count":1,"hits":[{"url":"api/tension.html#loom.tension.setTarget"`) || !strings.Contains(lines, `{"id":"x","count":0,"hits":[],"unknown":["zebra"]}`) {
		t.Errorf("lines %s", lines)
	}
}

// A new index keeps the files of the previous one for pages that were opened with it, and
// removes older ones.
func TestIndexKeepsTheGenerationBefore(t *testing.T) {
	if _, err := widget.Files(); err != nil {
		t.Skip("skipping: the widget is not built: make widget")
	}
	site := t.TempDir()
	out := filepath.Join(site, "seam")
	build := func(word string) map[string]string {
		page := "<title>Page</title><main><h1>Page</h1><p>The word is " + word + ".</p></main>"
		if err := os.WriteFile(filepath.Join(site, "a.html"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		ok(t, "", "index", "--site", site, "--out", out)
		return filesIn(t, out)
	}
	has := func(files map[string]string, of map[string]string) (n int) {
		for name := range of {
			if strings.HasSuffix(name, ".bin") && files[name] != "" {
				n++
			}
		}
		return n
	}
	first := build("amber")
	second := build("basalt")
	if has(second, first) != has(first, first) {
		t.Error("files of the generation before are gone")
	}
	if !maps.Equal(second, build("basalt")) {
		t.Error("an index of the same pages changed files")
	}
	third := build("cobalt")
	for name := range second {
		if !strings.HasSuffix(name, ".bin") {
			continue
		}
		ofFirst, there := first[name] != "", third[name] != ""
		if ofFirst && there {
			t.Errorf("%s of two generations before is still there", name)
		}
		if !ofFirst && !there {
			t.Errorf("%s of the generation before is gone", name)
		}
	}
}

// Files for language models are written next to the pages, removed with them, and never
// replace a file of the site.
func TestIndexLLMs(t *testing.T) {
	if _, err := widget.Files(); err != nil {
		t.Skip("skipping: the widget is not built: make widget")
	}
	site := t.TempDir()
	looms(t, site, "amber", "basalt")
	own := filepath.Join(site, "basalt.html.md")
	if err := os.WriteFile(own, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(site, "seam")
	printed := ok(t, "", "index", "--site", site, "--out", out, "--llms")
	for _, says := range []string{"2 files for language models, listed by llms.txt", "kept the site's own: basalt.html.md"} {
		if !strings.Contains(printed, says) {
			t.Errorf("%q is not in %s", says, printed)
		}
	}
	files := filesIn(t, site)
	if files["basalt.html.md"] != "mine" || !strings.HasPrefix(files["amber.html.md"], "# The amber\n") || !strings.Contains(files["llms.txt"], "](amber.html.md)") {
		t.Errorf("own %q, amber %q, list %s", files["basalt.html.md"], files["amber.html.md"], files["llms.txt"])
	}
	if again := ok(t, "", "index", "--site", site, "--out", out, "--llms"); !maps.Equal(files, filesIn(t, site)) {
		t.Errorf("the same site made other files: %s", again)
	}
	if err := os.Remove(filepath.Join(site, "amber.html")); err != nil {
		t.Fatal(err)
	}
	ok(t, "", "index", "--site", site, "--out", out, "--llms")
	if files = filesIn(t, site); files["amber.html.md"] != "" || strings.Contains(files["llms.txt"], "amber") {
		t.Error("a page that is gone has left its Markdown")
	}
	ok(t, "", "index", "--site", site, "--out", out)
	if files = filesIn(t, site); files["llms.txt"] != "" || files["basalt.html.md"] != "mine" {
		t.Error("without --llms its files stay, or those of the site go")
	}
}

// looms writes a site with a page for each word.
func looms(t *testing.T, dir string, words ...string) {
	t.Helper()
	for _, word := range words {
		page := "<title>The " + word + "</title><main><h1>The " + word + "</h1><p>A loom has a " + word + ".</p></main>"
		if err := os.WriteFile(filepath.Join(dir, word+".html"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// After each change, the index of a watched site is the same as a new index of the site.
func TestIndexWatch(t *testing.T) {
	if _, err := widget.Files(); err != nil {
		t.Skip("skipping: the widget is not built: make widget")
	}
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "seam")
	looms(t, dir, "shuttle", "heddle")
	cmd, printed, errs := started(t, "index", "--site", dir, "--out", out, "--watch")
	next := func(want string) {
		t.Helper()
		if line, err := printed.ReadString('\n'); err != nil || !strings.Contains(line, want) {
			t.Fatalf("%q, %v, want %q; %s", line, err, want, errs)
		}
	}
	next(": 2 pages, 2 chunks")
	next("text left out")
	looms(t, dir, "treadle")
	next(": 3 pages, 3 chunks")
	if found := ok(t, "", "search", "--index", out, "treadle"); !strings.HasPrefix(found, "1. The treadle · treadle.html") {
		t.Errorf("found %s", found)
	}
	if err := os.Remove(filepath.Join(dir, "heddle.html")); err != nil {
		t.Fatal(err)
	}
	next(": 2 pages, 2 chunks")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || errs.Len() > 0 {
		t.Errorf("%v, %s", err, errs)
	}
	whole := filepath.Join(t.TempDir(), "seam")
	ok(t, "", "index", "--site", dir, "--out", whole)
	watched := filesIn(t, out)
	for name, content := range filesIn(t, whole) {
		if name != "generations.json" && watched[name] != content {
			t.Errorf("%s is another", name)
		}
	}
}

func TestIndexConfigured(t *testing.T) {
	dir, _ := indexed(t, "--exclude", "api/**", "--ignore", "h2")
	out := filepath.Join(t.TempDir(), "seam")
	config := file(t, "site.yaml", []byte("site: "+handbook+"\nout: "+out+"\nexclude: ['api/**']\nignore: [h2]\n"))
	ok(t, "", "index", "--config", config)
	if !maps.Equal(filesIn(t, dir), filesIn(t, out)) {
		t.Error("a file says other than the command line")
	}
	if r := run(t, "", "index"); r.status != 2 || !strings.Contains(r.err, "seam index --site public --out public/seam") {
		t.Errorf("status %d, %s", r.status, r.err)
	}
}

// The facets of an index follow the current --folders, not the folders at the time the
// pages were cut.
func TestIndexFolders(t *testing.T) {
	t.Setenv("SEAM_CACHE", t.TempDir())
	for _, c := range []struct{ folders, want string }{
		{"part", "part=api,guide"},
		{"'{part:a*}/**'", "part=api"},
		{"['{part:a*}/**', 'guide/{topic}/**', '{topic:g*}/**']", "part=api topic=guide"},
		{"'**/{section}/*.html'", "section=api,guide"},
	} {
		dir, _ := indexed(t, "--config", file(t, "seam-index.yaml", []byte("folders: "+c.folders+"\n")))
		read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, name)) }
		b, err := read("seam.json")
		if err != nil {
			t.Fatal(err)
		}
		var entry struct{ Indexes []struct{ Meta string } }
		if err := json.Unmarshal(b, &entry); err != nil {
			t.Fatal(err)
		}
		x, err := shards.Open(read, entry.Indexes[0].Meta)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range slices.Sorted(maps.Keys(x.Filters)) {
			if name != "kind" { // which pages state themselves
				got = append(got, name+"="+strings.Join(slices.Sorted(maps.Keys(x.Filters[name])), ","))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.folders, got, c.want)
		}
	}
}

func TestIndexErrors(t *testing.T) {
	if _, err := widget.Files(); err != nil {
		t.Skip("skipping: the widget is not built: make widget")
	}
	empty := t.TempDir()
	hollow := t.TempDir()
	if err := os.WriteFile(filepath.Join(hollow, "a.html"), []byte("<title>x</title><nav>y</nav><meta name=robots content=noindex>"), 0o644); err != nil {
		t.Fatal(err)
	}
	blocked := file(t, "blocked", nil)
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, "seam.json"), []byte(`{"version":1,"indexes":[{"meta":"../../etc/passwd"}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"no .html file in this folder; build the site first", []string{"index", "--site", empty, "--out", "x"}},
		{"no such file or directory", []string{"index", "--site", filepath.Join(empty, "none"), "--out", "x"}},
		{"no page has text to search", []string{"index", "--site", hollow, "--out", filepath.Join(empty, "o")}},
		{`the selector "p["`, []string{"index", "--site", handbook, "--out", "x", "--ignore", "p["}},
		{"docs/{version}/**", []string{"index", "--site", handbook, "--out", "x", "--folders", "guide/**"}},
		{"cannot be written", []string{"index", "--site", handbook, "--out", filepath.Join(blocked, "x")}},
		{"create an index with: seam index", []string{"search", "--index", empty, "x"}},
		{"--index takes only the query", []string{"search", "--index", empty, "x", "y.pdf"}},
		{"not in the index's folder", []string{"search", "--index", damaged, "x"}},
	} {
		r := run(t, "", c.args...)
		if r.status == 0 || !strings.Contains(r.err, c.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%v: status %d, %s; want %q", c.args, r.status, r.err, c.says)
		}
	}
}

// An index with meaning finds pages without any word of the query, reuses its vectors the
// next time, and names the languages that the encoder does not know.
func TestIndexByMeaning(t *testing.T) {
	t.Setenv("SEAM_CACHE", t.TempDir())
	const query = "strings snapping"
	if _, err := widget.Files(); err == nil { // a cache that cannot be written is not fatal
		r := run(t, "", "index", "--site", handbook, "--out", filepath.Join(t.TempDir(), "seam"), "--meaning", "--cache", filepath.Join(file(t, "no-folder", nil), "x"))
		if r.status != 0 || !strings.Contains(r.out, "(9 of them new)") || !strings.Contains(r.err, "cannot cache the vectors") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%+v", r)
		}
	}
	words, _ := indexed(t)
	if r := run(t, "", "search", "--index", words, query); r.status != 1 || !strings.HasPrefix(r.out, "nothing found") {
		t.Errorf("by words: %+v", r)
	}
	if r := run(t, "", "search", "--index", words, "--mode", "dense", query); r.status != 2 || !strings.Contains(r.err, "seam index --meaning") {
		t.Errorf("dense search of an index of words: %+v", r)
	}
	dir, printed := indexed(t, "--meaning")
	if !strings.Contains(printed, "by meaning: 9 chunks in 9 parts (9 of them new)") || !strings.Contains(printed, "by words only, because the encoder knows only English: ar, de, zh") {
		t.Errorf("the report: %s", printed)
	}
	again, printed := indexed(t, "--meaning")
	if !strings.Contains(printed, "by meaning: 9 chunks in 9 parts (0 of them new)") {
		t.Errorf("the report of the second time: %s", printed)
	}
	if !maps.Equal(filesIn(t, dir), filesIn(t, again)) {
		t.Error("the files differ from the first time")
	}
	for name, b := range filesIn(t, words) {
		if name != "seam.json" && name != "generations.json" && filesIn(t, dir)[name] != b {
			t.Errorf("%s is not as it is without meaning", name)
		}
	}
	for _, mode := range []string{"hybrid", "dense"} {
		if r := run(t, "", "search", "--index", dir, "--mode", mode, query); r.status != 0 || !strings.HasPrefix(r.out, "1. Mending") {
			t.Errorf("%s: %+v", mode, r)
		}
	}
	for _, query := range []string{"zxqvkj wqpz", "врач работает"} { // the letters of unknown words carry no meaning
		if r := run(t, "", "search", "--index", dir, query); r.status != 1 || !strings.HasPrefix(r.out, "nothing found") {
			t.Errorf("%s: %+v", query, r)
		}
	}
	if r := run(t, "", "search", "--index", dir, "--mode", "keyword", query); r.status != 1 || !strings.HasPrefix(r.out, "nothing found") {
		t.Errorf("keyword: %+v", r)
	}
	all := filesIn(t, dir)
	for name := range all {
		if strings.HasPrefix(name, "en/v.") {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("damaged"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if r := run(t, "", "search", "--index", dir, query); r.status != 2 || !strings.Contains(r.err, "en/v.") || strings.Count(r.err, "\n") > 2 {
		t.Errorf("damaged vectors: %+v", r)
	}
}
