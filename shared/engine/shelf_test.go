package engine

import (
	"bytes"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
	"seam/shared/search"
	"seam/shared/text"
)

// shelfDoc is a document as shelve takes it.
type shelfDoc struct {
	Name string `json:"name"`
	File string `json:"file"`
	Head int    `json:"head"`
}

// shelvedDocs opens documents of several kinds, cuts them, and stores them. It returns them
// for shelve, with the numbers of the open ones.
func shelvedDocs(t *testing.T, p *page) (docs []shelfDoc, open []int) {
	t.Helper()
	add := func(name string, id int, settings params) {
		settings["doc"] = id
		p.must("chunk", settings, nil, nil)
		var kept keepReply
		p.must("keep", params{"doc": id, "file": name + ".index", "what": "index"}, nil, &kept)
		if kept.Bytes == 0 || kept.Head == 0 || kept.Head > kept.Bytes || kept.Key == "" {
			t.Fatalf("%s: %+v", name, kept)
		}
		docs, open = append(docs, shelfDoc{name, name + ".index", kept.Head}), append(open, id)
	}
	add("article.pdf", p.open("article.pdf", "document", text.Encode(article(t))), params{"method": "semantic"})
	add("turning.md", p.open("turning.md", "file", []byte("# Wood 🪵\n\n## Hölzer\n\n"+strings.Join(pdftest.Paragraphs, "\n\n## More\n\n"))), params{"method": "recursive", "maxTokens": 60})
	add("bees.txt", p.open("bees.txt", "file", []byte("Bees 🐝 dance in the hive. “They” choose a place together.\n\nA heddle has an eye.")), params{"method": "sentences", "maxTokens": 12})
	return docs, open
}

// A search must find the same in stored documents as in open ones, to the byte.
func TestShelvedDocumentsAreFoundAsOpenOnes(t *testing.T) {
	files := drawer(t.TempDir())
	p := later(t, files)
	docs, _ := shelvedDocs(t, p)
	next := later(t, files)
	var shelved shelveReply
	next.must("shelve", params{"docs": docs}, nil, &shelved)
	if !reflect.DeepEqual(shelved.Docs, []int{1, 2, 3}) {
		t.Fatalf("%v", shelved.Docs)
	}
	for _, query := range append([]string{"bees", "\"choose a place\"", "zyxwv", "medicine", "wood shavings heddle", "article", "Hölzer", "benttes", "Loom"}, asked...) {
		for _, mode := range []string{"hybrid", "dense", "keyword"} {
			ask := params{"query": query, "k": 8, "mode": mode, "diversity": .3}
			var want, got searchReply
			p.must("search", ask, nil, &want)
			next.must("search", ask, nil, &got)
			if !reflect.DeepEqual(want, got) {
				t.Errorf("%q, %s:\n%+v\n%+v", query, mode, want, got)
			}
			ask["docs"] = []int{2}
			var only searchReply
			next.must("search", ask, nil, &only)
			if slices.ContainsFunc(only.Hits, func(h hitJSON) bool { return h.Doc != 2 }) {
				t.Errorf("%q, %s: other documents than the one asked for", query, mode)
			}
		}
	}
}

// A stored document must lose its place to the opened one, and its number when it is closed.
func TestAShelvedDocumentIsOpenedAndClosed(t *testing.T) {
	files := drawer(t.TempDir())
	p := later(t, files)
	docs, open := shelvedDocs(t, p)
	p.must("keep", params{"doc": open[2], "file": "bees.document", "what": "document"}, nil, nil)
	next := later(t, files)
	var shelved shelveReply
	next.must("shelve", params{"docs": docs}, nil, &shelved)
	bees := func() (docs []int) {
		var found searchReply
		next.must("search", params{"query": "bees", "k": 8, "mode": "keyword"}, nil, &found)
		for _, h := range found.Hits {
			docs = append(docs, h.Doc)
		}
		return docs
	}
	if got := bees(); !slices.Equal(got, []int{3}) {
		t.Fatalf("found in %v", got)
	}
	var reopened openReply
	next.must("reopen", params{"name": "bees.txt", "file": "bees.document", "shelf": 3}, nil, &reopened)
	if got := bees(); !slices.Equal(got, []int{reopened.Doc}) {
		t.Errorf("after opening it, found in %v", got)
	}
	next.must("close", params{"doc": reopened.Doc}, nil, nil)
	if got := bees(); got != nil {
		t.Errorf("after closing it, found in %v", got)
	}
	next.must("close", params{"doc": 1}, nil, nil)
	if err := next.call("close", params{"doc": 1}, nil, nil); err == nil {
		t.Error("closed twice")
	}
}

// Files given together must give the same searches as files that are read. A damaged one is
// read itself.
func TestGivenFiles(t *testing.T) {
	files := drawer(t.TempDir())
	docs, _ := shelvedDocs(t, later(t, files))
	file := func(i int) []byte {
		b, err := os.ReadFile(files.path(docs[i].File))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	given := func(which ...int) (of []params) {
		for i, d := range docs {
			doc := params{"name": d.Name, "file": d.File, "head": d.Head}
			if slices.Contains(which, i) {
				doc["given"] = len(file(i))
			}
			of = append(of, doc)
		}
		return of
	}
	found := func(docs any, blobs ...[]byte) (of []searchReply) {
		t.Helper()
		p := later(t, files)
		var shelved shelveReply
		p.must("shelve", params{"docs": docs}, blobs, &shelved)
		if !slices.Equal(shelved.Docs, []int{1, 2, 3}) {
			t.Fatalf("%v", shelved.Docs)
		}
		for _, query := range append([]string{"bees", "wood shavings heddle"}, asked...) {
			var reply searchReply
			p.must("search", params{"query": query, "k": 8}, nil, &reply)
			of = append(of, reply)
		}
		return of
	}
	want := found(docs)
	all := slices.Concat(file(0), file(1), file(2))
	damaged := func(at int) []byte {
		b := bytes.Clone(all)
		b[at] ^= 1
		return b
	}
	for name, got := range map[string][]searchReply{
		"all":           found(given(0, 1, 2), all),
		"some":          found(given(0, 2), slices.Concat(file(0), file(2))),
		"damaged head":  found(given(0, 1, 2), damaged(len(file(0))+40)),
		"damaged texts": found(given(0, 1, 2), damaged(len(file(0))-1)),
		"short":         found(given(0, 1, 2), all[:len(all)-1]),
		"none":          found(given(0, 1, 2)),
	} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v\n%+v", name, got, want)
		}
	}
}

// A missing or damaged file must be reported: its head at once, its texts by the search that
// needs them. The other documents must still be found.
func TestDamagedShelves(t *testing.T) {
	files := drawer(t.TempDir())
	docs, _ := shelvedDocs(t, later(t, files))
	whole := map[string][]byte{}
	for _, d := range docs {
		whole[d.File], _ = os.ReadFile(files.path(d.File))
	}
	put := func(file string, b []byte) {
		if err := os.WriteFile(files.path(file), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first := docs[0]
	put(first.File, whole[first.File][:first.Head-1])
	put(docs[1].File, whole[docs[1].File][:docs[1].Head])
	p := later(t, files)
	var shelved shelveReply
	p.must("shelve", params{"docs": append(docs, shelfDoc{"x", "missing", 10})}, nil, &shelved)
	if !reflect.DeepEqual(shelved.Docs, []int{0, 1, 2, 0}) {
		t.Fatalf("%v", shelved.Docs)
	}
	var found searchReply
	p.must("search", params{"query": "wood bees", "mode": "keyword"}, nil, &found)
	if !slices.Equal(found.Lost, []int{1}) || len(found.Hits) == 0 || slices.ContainsFunc(found.Hits, func(h hitJSON) bool { return h.Doc != 2 }) {
		t.Errorf("%+v", found)
	}
	p.must("search", params{"query": "wood bees", "mode": "keyword"}, nil, &found)
	if len(found.Lost) > 0 {
		t.Errorf("lost again: %v", found.Lost)
	}
	// No change of one byte of a head is accepted, and no length.
	head := whole[first.File][:first.Head]
	for i := range head {
		b := slices.Clone(head)
		b[i] ^= 0x41
		if _, err := search.ReadShelf(b, "x"); err == nil {
			t.Fatalf("byte %d changed, and it is read", i)
		}
		if _, err := search.ReadShelf(head[:i], "x"); err == nil {
			t.Fatalf("%d bytes are read", i)
		}
	}
}

// The index of a document must be stored once per cut, and not at all if a model wrote texts
// about its parts.
func TestIndexIsStoredOncePerCut(t *testing.T) {
	p := later(t, drawer(t.TempDir()))
	doc := p.open("a.txt", "file", []byte(strings.Join(pdftest.Paragraphs, "\n\n")))
	keep := func(has string) (r keepReply) {
		p.must("keep", params{"doc": doc, "file": "a.index", "what": "index", "has": has}, nil, &r)
		return r
	}
	if r := keep(""); r.Bytes != 0 || r.Key != "" {
		t.Errorf("before the first cut: %+v", r)
	}
	p.must("chunk", params{"doc": doc, "method": "sentences", "maxTokens": 40}, nil, nil)
	first := keep("")
	if again := keep(first.Key); again.Bytes != 0 || again.Key != first.Key {
		t.Errorf("%+v, then %+v", first, again)
	}
	p.must("chunk", params{"doc": doc, "method": "recursive", "maxTokens": 90}, nil, nil)
	if other := keep(first.Key); other.Bytes == 0 || other.Key == first.Key {
		t.Errorf("%+v, then %+v", first, other)
	}
	p.must("written", params{"doc": doc, "statements": []params{{"view": "reading", "start": 0, "end": 20, "text": "Turning"}}}, nil, nil)
	if r := keep(""); r.Bytes != 0 || r.Key != "" {
		t.Errorf("with statements: %+v", r)
	}
}
