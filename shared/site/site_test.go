package site

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/pipeline"
	"seam/shared/site/shards"
)

// handbook reads and tidies the pages of testdata/site.
func handbook(t testing.TB) ([]*Page, map[string]string) {
	t.Helper()
	reader, err := NewReader(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var pages []*Page
	root := filepath.Join("testdata", "site")
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || Generated(name) {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		url, _ := filepath.Rel(root, name)
		p, err := reader.Read(Address(filepath.ToSlash(url)), b)
		if errors.Is(err, ErrNoIndex) {
			return nil
		}
		pages = append(pages, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return Tidy(pages)
}

// indexed builds the index of the handbook's pages in one language.
func indexed(t testing.TB, language string) (entry string, files shards.Files) {
	t.Helper()
	entry, files, err := shards.Build(language+"/", language, cutPages(t, language))
	if err != nil {
		t.Fatal(err)
	}
	return entry, files
}

// hooks gives the built-in embedder.
var hooks = pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) {
	b, err := os.ReadFile(filepath.Join("..", "embed", "builtin", "model.bin"))
	if err != nil {
		return nil, err
	}
	return builtin.Load(b)
}}

// cutPages returns the handbook's pages in one language, cut into chunks.
func cutPages(t testing.TB, language string) []shards.Page {
	t.Helper()
	plan, err := pipeline.NewPlan(Settings())
	if err != nil {
		t.Fatal(err)
	}
	var pages []shards.Page
	kept, _ := handbook(t)
	for _, p := range kept {
		if Primary(p.Language) != language {
			continue
		}
		cut, err := Cut(context.Background(), p, plan, hooks)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, *cut)
	}
	return pages
}

func open(t testing.TB, entry string, files shards.Files) *shards.Index {
	t.Helper()
	x, err := shards.Open(func(name string) ([]byte, error) {
		if b, ok := files[name]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}, entry)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestPages(t *testing.T) {
	pages, left := handbook(t)
	byURL := map[string]*Page{}
	for _, p := range pages {
		byURL[p.URL] = p
	}
	if byURL["secret.html"] != nil || byURL["all.html"] != nil || left["all.html"] == "" {
		t.Errorf("kept %v, left %v", slices.Sorted(maps.Keys(byURL)), left)
	}
	warp := byURL["guide/warp.html"]
	if warp.Title != "Warping" || strings.Contains(warp.Text, "Home") || strings.Contains(warp.Text, "made by weavers") {
		t.Errorf("title %q, text %q", warp.Title, warp.Text)
	}
	tension := byURL["api/tension.html"]
	var titles []string
	for _, h := range tension.Headings {
		titles = append(titles, h.Title)
	}
	want := "loom.tension|loom.tension.read_newton(beam)|loom.tension.setTarget(newton, beam=None)"
	if got := strings.Join(titles, "|"); got != want {
		t.Errorf("headings %s, want %s", got, want)
	}
	for _, a := range tension.Anchors {
		if a.ID == "loom.tension.setTarget" && !strings.HasPrefix(tension.Text[a.Start:], "loom.tension.setTarget(") {
			t.Errorf("its anchor stands at %q", tension.Text[a.Start:])
		}
	}
	if p := byURL["guide/patterns.html"]; p.Date != "2026-03-01" || len(p.Keywords) != 2 {
		t.Errorf("date %q, keywords %q", p.Date, p.Keywords)
	}
	if byURL["news.html"].Weight != .5 || byURL["api/shafts.html"].Filters["kind"][0] != "API" {
		t.Errorf("weight %v, filters %v", byURL["news.html"].Weight, byURL["api/shafts.html"].Filters)
	}
}

// Elements that Docusaurus adds around a page's text must be left out.
func TestReaderOfDocusaurus(t *testing.T) {
	r, err := NewReader(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Read("a.html", []byte(`<main><div class="theme-doc-version-banner alert">No longer maintained.</div><article><span class="theme-doc-version-badge badge">Version: 1.0</span><div class="tocCollapsible theme-doc-toc-mobile"><button>On this page</button></div><p>One`))
	if err != nil || p.Text != "One" {
		t.Errorf("%q, %v", p.Text, err)
	}
}

func TestReader(t *testing.T) {
	const page = `<title>T</title><body><div id=a data-seam-meta="image[data-src], kind:note" data-src=x.png>One</div><article>Two<p class=old>Three</article><div data-pagefind-body>Four</div>`
	for _, c := range []struct {
		body, ignore []string
		want         string
	}{
		{nil, nil, "Four"},
		{[]string{"article"}, nil, "Two\n\nThree"},
		{[]string{".none", "article"}, []string{".old"}, "Two"},
		{[]string{"body"}, []string{"article, [data-pagefind-body]"}, "One"},
	} {
		r, err := NewReader(c.body, c.ignore)
		if err != nil {
			t.Fatal(err)
		}
		p, err := r.Read("a.html", []byte(page))
		if err != nil || p.Text != c.want || p.Meta["image"] != "x.png" || p.Meta["kind"] != "note" {
			t.Errorf("%v, %v: %q, %v, %v; want %q", c.body, c.ignore, p.Text, p.Meta, err, c.want)
		}
	}
	if _, err := NewReader([]string{"p["}, nil); err == nil || !strings.Contains(err.Error(), `"p["`) {
		t.Errorf("a selector that is none: %v", err)
	}
}

// goldenQuery is the result of a query. web/widget's tests read the same file.
type goldenQuery struct {
	Language    string              `json:"language"`
	Query       string              `json:"query"`
	Typing      bool                `json:"typing,omitempty"`
	Filters     map[string][]string `json:"filters,omitempty"`
	Newest      bool                `json:"newest,omitempty"`
	Hits        []goldenHit         `json:"hits"`
	Count       int                 `json:"count"`
	Together    int                 `json:"together"`
	All         int                 `json:"all"`
	Unknown     []string            `json:"unknown,omitempty"`
	Corrections []shards.Correction `json:"corrections,omitempty"`
}

type goldenHit struct {
	URL    string  `json:"url"`
	Chunks []int   `json:"chunks"`
	Score  float64 `json:"score"`
}

var queries = []goldenQuery{
	{Language: "en", Query: "tension"},
	{Language: "en", Query: "how long must the warp be?"},
	{Language: "en", Query: "warping"},
	{Language: "en", Query: "threads break"},
	{Language: "en", Query: "loom.tension.setTarget"},
	{Language: "en", Query: "read_newton"},
	{Language: "en", Query: "maxTorque"},
	{Language: "en", Query: "max torque"},
	{Language: "en", Query: "wait for timeout"},
	{Language: "en", Query: "troubelshooting"},
	{Language: "en", Query: "selenoid"},
	{Language: "en", Query: "seril port"},
	{Language: "en", Query: "sol", Typing: true},
	{Language: "en", Query: "broken th", Typing: true},
	{Language: "en", Query: "shafts", Filters: map[string][]string{"kind": {"API"}}},
	{Language: "en", Query: "the loom", Newest: true},
	{Language: "en", Query: "loom bluetooth", Newest: true},
	{Language: "en", Query: "motif"},
	{Language: "en", Query: "the"},
	{Language: "en", Query: "is it on"},
	{Language: "en", Query: "selvedges"},
	{Language: "en", Query: "zebra xylophone"},
	{Language: "en", Query: "bluetooth zebra"},
	{Language: "en", Query: "ERROR 17!"},
	{Language: "en", Query: "weaver’s knot"},
	{Language: "en", Query: "𝔴 \U0001F9F5 İstanbul café"},
	{Language: "en", Query: "\"tension of the warp\""},
	{Language: "en", Query: "tension “the WARP” wind"},
	{Language: "en", Query: "\"warp the of\""},
	{Language: "en", Query: "\"unfinished warp"},
	{Language: "en", Query: "\"\" \"?\" reed"},
	{Language: "en", Query: ""},
	{Language: "de", Query: "Schlüssel"},
	{Language: "de", Query: "schluessel"},
	{Language: "de", Query: "schlussel"},
	{Language: "de", Query: "Länge der Kette"},
	{Language: "de", Query: "Haus Strasse"},
	{Language: "de", Query: "sicherheitsabschlatung"},
	{Language: "de", Query: "Abschaltungen"},
	{Language: "de", Query: "Sicherheit beim Weben"},
	{Language: "zh", Query: "经线 张力"},
	{Language: "zh", Query: "织布机"},
	{Language: "zh", Query: "线"},
	{Language: "ar", Query: "الخيط"},
	{Language: "ar", Query: "شدّ"},
}

// Results must match the golden file. The widget's search reads the same file and must
// agree in pages, chunks and scores, to the last bit.
func TestGolden(t *testing.T) {
	var all []goldenQuery
	open := func(language string) func() *shards.Index {
		entry, files := indexed(t, language)
		return func() *shards.Index { return open(t, entry, files) }
	}
	opens := map[string]func() *shards.Index{}
	for _, q := range queries {
		if opens[q.Language] == nil {
			opens[q.Language] = open(q.Language)
		}
		x := opens[q.Language]()
		found, err := x.Search(shards.Query{Text: q.Query, Typing: q.Typing, Filters: q.Filters, Newest: q.Newest})
		if err != nil {
			t.Fatalf("%s: %v", q.Query, err)
		}
		q.Count, q.Together, q.All, q.Unknown, q.Corrections, q.Hits = found.Count, found.Together, found.All, found.Unknown, found.Corrections, []goldenHit{}
		for _, h := range found.Hits {
			shown, err := x.Show(found, h.Chunks[0])
			if err != nil {
				t.Fatalf("%s: %v", q.Query, err)
			}
			q.Hits = append(q.Hits, goldenHit{shown.URL, h.Chunks, h.Score})
		}
		all = append(all, q)
	}
	compareGolden(t, "golden.json", all)
}

// compareGolden compares results with a file of testdata.
func compareGolden(t *testing.T, file string, got any) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(got); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("testdata", file)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("what is found has changed: UPDATE_GOLDEN=1 go test ./shared/site writes %s anew; look at what changes", name)
	}
}

// These pages must come first, because a reader expects them to.
func TestFirst(t *testing.T) {
	for _, c := range []struct{ language, query, url string }{
		{"en", "tension", "guide/tension.html#tension"},
		{"en", "how long must the warp be?", "guide/warp.html#length"},
		{"en", "loom.tension.setTarget", "api/tension.html#loom.tension.setTarget"},
		{"en", "max torque", "api/tension.html#loom.tension.setTarget"},
		{"en", "troubelshooting", "guide/troubleshooting.html#troubleshooting"},
		{"en", "thread breaks", "guide/mending.html#broken"},
		{"en", `"tension of the warp"`, "api/tension.html"},
		{"en", "motif", "guide/patterns.html"},
		{"de", "schluessel", "de/#schluessel"},
		{"zh", "断线", "zh/#xian"},
		{"ar", "المقطوع", "ar/#qat"},
	} {
		entry, files := indexed(t, c.language)
		x := open(t, entry, files)
		found, err := x.Search(shards.Query{Text: c.query})
		if err != nil || len(found.Hits) == 0 {
			t.Errorf("%s: %v, %v", c.query, found, err)
			continue
		}
		if shown, err := x.Show(found, found.Hits[0].Chunks[0]); err != nil || !strings.HasPrefix(shown.URL, c.url) {
			t.Errorf("%s: %+v, %v; want %s", c.query, shown, err, c.url)
		}
	}
}

// The same pages must give the same files, and a changed page must leave most files
// unchanged.
func TestDeterministic(t *testing.T) {
	entry, files := indexed(t, "en")
	for range 3 {
		again, other := indexed(t, "en")
		if again != entry || !maps.EqualFunc(files, other, bytes.Equal) {
			t.Fatal("the files differ from run to run")
		}
	}
}

// A damaged file must give an error that says so, never a panic.
func TestDamaged(t *testing.T) {
	entry, files := indexed(t, "en")
	for name, whole := range files {
		for _, damaged := range [][]byte{nil, whole[:len(whole)/2], append(bytes.Repeat([]byte{0x55}, 40), whole...)} {
			broken := maps.Clone(files)
			broken[name] = damaged
			x, err := shards.Open(func(name string) ([]byte, error) { return broken[name], nil }, entry)
			if err == nil {
				var found *shards.Found
				if found, err = x.Search(shards.Query{Text: "tension selenoid troubelshooting"}); err == nil {
					for _, h := range found.Hits {
						_, showErr := x.Show(found, h.Chunks[0])
						err = errors.Join(err, showErr)
					}
				}
			}
			if !errors.Is(err, shards.ErrDamaged) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Addresses must lead to their files.
func TestAddress(t *testing.T) {
	for name, want := range map[string]string{
		"index.html":           "./",
		"guide/index.html":     "guide/",
		"C#/index.html":        "C%23/",
		"C#.html":              "C%23.html",
		"100%.html":            "100%25.html",
		"what?.html":           "what%3F.html",
		`a\b.html`:             "a%5Cb.html",
		"std::vec.html":        "./std::vec.html",
		"guide/std::vec.html":  "guide/std::vec.html",
		"über uns/Straße.html": "über uns/Straße.html",
	} {
		if got := Address(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		u, err := url.Parse("https://example.org/docs/")
		if err != nil {
			t.Fatal(err)
		}
		at, err := u.Parse(Address(name))
		if file := strings.TrimSuffix(name, "index.html"); err != nil || at.Path != "/docs/"+file || at.Fragment != "" || at.RawQuery != "" {
			t.Errorf("%s leads to %v, %v", name, at, err)
		}
	}
}
