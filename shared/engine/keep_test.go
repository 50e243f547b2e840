package engine

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"seam/shared/engine/rpc"
	"seam/shared/markup"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// drawer is a FileStore in a folder.
type drawer string

func (d drawer) path(name string) string { return filepath.Join(string(d), name) }

func (d drawer) Write(_ context.Context, name string, b []byte) error {
	return os.WriteFile(d.path(name), b, 0o600)
}

func (d drawer) Read(_ context.Context, name string) ([]byte, error) {
	return os.ReadFile(d.path(name))
}

func (d drawer) ReadParts(_ context.Context, parts []FilePart) ([][]byte, error) {
	out := make([][]byte, len(parts))
	for i, p := range parts {
		if b, err := os.ReadFile(d.path(p.Name)); err == nil {
			from := min(p.From, len(b))
			out[i] = b[from:min(len(b), from+p.Size)]
		}
	}
	return out, nil
}

// later simulates another visit: an engine that finds the files of an earlier one.
func later(t *testing.T, files drawer) *page {
	p := newPage(t)
	p.engine.host.Files = files
	return p
}

// With every method, a stored document must be cut as before, with its edits and without
// embedding again.
func TestAKeptDocumentComesBack(t *testing.T) {
	files := drawer(t.TempDir())
	p := later(t, files)
	doc := p.open("article.pdf", "document", text.Encode(article(t)))
	var cut, again chunkReply
	var key keepReply
	p.must("chunk", params{"doc": doc, "method": "cluster"}, nil, &cut)
	p.must("edit", params{"doc": doc, "action": "merge", "at": cut.Chunks[0].End, "when": 5, "by": "Ada"}, nil, &cut)
	p.must("keep", params{"doc": doc, "file": "1.document", "what": "document"}, nil, nil)
	p.must("keep", params{"doc": doc, "file": "1.vectors", "what": "vectors"}, nil, &key)
	if key.Key == "" || key.Bytes == 0 {
		t.Fatalf("no vectors were kept: %+v", key)
	}
	var unchanged keepReply
	if p.must("keep", params{"doc": doc, "file": "2.vectors", "what": "vectors", "has": key.Key}, nil, &unchanged); unchanged.Bytes != 0 || unchanged.Key != key.Key {
		t.Errorf("the same vectors are kept twice: %+v", unchanged)
	}
	var history historyReply
	p.must("history", params{"doc": doc, "since": 4}, nil, &history)
	if len(history.Changes) != 1 || history.Changes[0].By != "Ada" || history.Changes[0].When != 5 || len(history.Gone) != 1 || len(history.Came) != 0 {
		t.Errorf("%+v", history)
	}
	next := later(t, files)
	var opened openReply
	next.must("reopen", params{"name": "renamed.pdf", "file": "1.document", "vectors": "1.vectors", "log": history.Log}, nil, &opened)
	if opened.Name != "renamed.pdf" || opened.Pages == 0 {
		t.Errorf("%+v", opened)
	}
	next.must("chunk", params{"doc": opened.Doc, "method": "cluster"}, nil, &again)
	if again.Embedded != 0 || again.Reused != again.Sentences || !reflect.DeepEqual(again.Chunks, cut.Chunks) || again.Edits.Count != 1 {
		t.Errorf("%d embedded, %d reused, %+v", again.Embedded, again.Reused, again.Edits)
	}
	for _, m := range pipeline.Methods() {
		p.must("chunk", params{"doc": doc, "method": m.Name}, nil, &cut)
		next.must("chunk", params{"doc": opened.Doc, "method": m.Name}, nil, &again)
		if !reflect.DeepEqual(again.Chunks, cut.Chunks) {
			t.Errorf("%s: other chunks than before", m.Name)
		}
	}
	next.must("chunk", params{"doc": opened.Doc, "method": "cluster"}, nil, nil) // its text was edited
	next.must("edit", params{"doc": opened.Doc, "action": "undo", "step": history.Changes[0].ID}, nil, &again)
	if again.Edits.Count != 0 {
		t.Errorf("what was done on the visit before is not undone: %+v", again.Edits)
	}
}

// The page needs a document's elements for display, including on a later visit.
func TestElementsReachThePage(t *testing.T) {
	files := drawer(t.TempDir())
	d := text.NewPlain("😀 tea\nmilk")
	d.Elements = []text.Element{{Kind: text.List, Span: text.Span{End: 13}}, {Kind: text.Strong, Span: text.Span{Start: 5, End: 8}}}
	p := later(t, files)
	doc := p.open("a.html", "document", text.Encode(d))
	p.must("keep", params{"doc": doc, "file": "1.document", "what": "document"}, nil, nil)
	next := later(t, files)
	var again openReply
	next.must("reopen", params{"name": "a.html", "file": "1.document"}, nil, &again)
	for _, each := range []struct {
		*page
		doc int
	}{{p, doc}, {next, again.Doc}} {
		for _, view := range []text.ViewName{text.Reading, text.Content} { // both are the same here
			each.must("text", params{"doc": each.doc, "view": view}, nil, nil)
			if got, want := each.last.blobs[1], int32s([]int{int(text.List), 0, 11, int(text.Strong), 3, 6}); !bytes.Equal(got, want) {
				t.Errorf("%s: %v, want %v", view, got, want)
			}
		}
	}
}

// The marks of a Markdown text must be included, in UTF-16 units. Other texts have none.
func TestMarksReachThePage(t *testing.T) {
	p := later(t, drawer(t.TempDir()))
	for name, want := range map[string][][]byte{
		"a.md":  {int32s([]int{int(text.Strong), 3, 10}), int32s([]int{int(markup.Hidden), 3, 5, int(markup.Hidden), 8, 10})},
		"a.txt": {nil, nil},
	} {
		doc := p.open(name, "file", []byte("😀 **tea**"))
		p.must("text", params{"doc": doc}, nil, nil)
		for i, blob := range want {
			if got := p.last.blobs[1+i]; !bytes.Equal(got, blob) {
				t.Errorf("%s: blob %d is %v, want %v", name, 1+i, got, blob)
			}
		}
	}
}

// Missing or damaged files must be reported. Damaged vectors or a log of another text must
// not lose the document.
func TestDamagedFiles(t *testing.T) {
	files := drawer(t.TempDir())
	p := later(t, files)
	doc := p.open("a.txt", "file", []byte("One is here. Two is there. Three is nowhere."))
	p.must("chunk", params{"doc": doc, "method": "cluster"}, nil, nil)
	p.must("keep", params{"doc": doc, "file": "d", "what": "document"}, nil, nil)
	p.must("keep", params{"doc": doc, "file": "v", "what": "vectors"}, nil, nil)
	reopen := params{"name": "a.txt", "file": "d", "vectors": "v", "log": nil}
	spoil := func(name string) {
		t.Helper()
		b, err := os.ReadFile(files.path(name))
		if err != nil {
			t.Fatal(err)
		}
		b[len(b)/2] ^= 1
		if err := os.WriteFile(files.path(name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if p.must("keep", params{"file": "k", "what": "bytes"}, [][]byte{[]byte("key")}, nil); p.call("keep", params{"file": "k", "what": "bytes"}, nil, nil) == nil {
		t.Error("bytes that are not there are kept")
	}
	if b, err := os.ReadFile(files.path("k")); err != nil || string(b) != "key" {
		t.Errorf("%q, %v", b, err)
	}
	spoil("v")
	var opened openReply
	reopen["log"] = params{"reading": params{"steps": []params{{"id": 1, "came": []params{{"at": 4000, "edit": 1}}}}}}
	if p.must("reopen", reopen, nil, &opened); len(opened.Notes) != 2 || !strings.Contains(strings.Join(opened.Notes, " "), "vectors") {
		t.Errorf("%q", opened.Notes)
	}
	var cut chunkReply
	if p.must("chunk", params{"doc": opened.Doc, "method": "cluster"}, nil, &cut); len(cut.Chunks) != 2 || cut.Embedded == 0 {
		t.Errorf("%+v", cut)
	}
	spoil("d")
	if err := p.call("reopen", reopen, nil, nil); err == nil || err.Code != rpc.Damaged {
		t.Errorf("a damaged document: %+v", err)
	}
	if err := os.Remove(files.path("d")); err != nil {
		t.Fatal(err)
	}
	if err := p.call("reopen", reopen, nil, nil); err == nil || err.Code != rpc.Gone {
		t.Errorf("a document that is gone: %+v", err)
	}
}

// Vectors of another version of a document must not be used, whatever its number of
// sentences.
func TestVersionsAreKeptApart(t *testing.T) {
	p := later(t, drawer(t.TempDir()))
	doc := p.open("a.txt", "file", []byte("One is here. Two is there. Three is nowhere."))
	kept := map[string]string{}
	for _, body := range []string{"", "Ten is here. Two is there. Three is nowhere."} {
		if body != "" {
			p.must("open", params{"name": "a.txt", "kind": "file", "replace": doc}, [][]byte{[]byte(body)}, nil)
		}
		p.must("chunk", params{"doc": doc}, nil, nil)
		for _, what := range []string{"vectors", "seen"} {
			var first, again keepReply
			p.must("keep", params{"doc": doc, "file": what, "what": what, "has": kept[what]}, nil, &first)
			kept[what] = first.Key
			p.must("keep", params{"doc": doc, "file": what, "what": what, "has": kept[what]}, nil, &again)
			if first.Bytes == 0 || again.Bytes != 0 || again.Key != first.Key {
				t.Errorf("%s: %+v, then %+v", what, first, again)
			}
		}
	}
}

// full is a disk without space.
type full struct{ drawer }

func (full) Write(context.Context, string, []byte) error { return errors.New("there is no room left") }

func TestAFullDiskIsTold(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte("One is here."))
	keep := params{"doc": doc, "file": "d", "what": "document"}
	if err := p.call("keep", keep, nil, nil); err == nil || err.Code != rpc.Storage {
		t.Errorf("without files: %+v", err)
	}
	p.engine.host.Files = full{}
	if err := p.call("keep", keep, nil, nil); err == nil || err.Code != rpc.Storage || !strings.Contains(err.Message, "no room") {
		t.Errorf("on a full disk: %+v", err)
	}
	p.must("chunk", params{"doc": doc}, nil, nil)
}

// Slow results must also be stored. A reopened document must be cut to the same bytes
// without looking for topics again. If that data is damaged, it must be recomputed and
// stored again.
func TestWhatWasSeenIsKept(t *testing.T) {
	files := drawer(t.TempDir())
	p := later(t, files)
	doc := p.open("article.pdf", "document", text.Encode(article(t)))
	var cut, again chunkReply
	p.must("chunk", params{"doc": doc}, nil, &cut)
	blobs := p.last.blobs
	var seen, unchanged keepReply
	p.must("keep", params{"doc": doc, "file": "d", "what": "document"}, nil, nil)
	p.must("keep", params{"doc": doc, "file": "v", "what": "vectors"}, nil, nil)
	p.must("keep", params{"doc": doc, "file": "s", "what": "seen"}, nil, &seen)
	if seen.Bytes == 0 || seen.Key == "" {
		t.Fatalf("nothing is kept: %+v", seen)
	}
	has := params{"doc": doc, "file": "s2", "what": "seen", "has": seen.Key}
	if p.must("keep", has, nil, &unchanged); unchanged.Bytes != 0 || unchanged.Key != seen.Key {
		t.Errorf("the same is kept twice: %+v", unchanged)
	}
	reopen := params{"name": "article.pdf", "file": "d", "vectors": "v", "seen": "s", "log": nil}
	for _, damaged := range []bool{false, true} {
		if damaged {
			if err := os.WriteFile(files.path("s"), []byte("SEAMKEPT"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		next := later(t, files)
		var opened openReply
		next.must("reopen", reopen, nil, &opened)
		if recalled := next.engine.open[opened.Doc].kept["seen"] == seen.Key; recalled == damaged {
			t.Errorf("recalled: %v", recalled)
		}
		next.must("chunk", params{"doc": opened.Doc}, nil, &again)
		got := next.last.blobs
		again.Doc, again.Milliseconds, again.Cached, again.Embedded, again.Reused = cut.Doc, cut.Milliseconds, cut.Cached, cut.Embedded, cut.Reused
		if !reflect.DeepEqual(again, cut) || !reflect.DeepEqual(got, blobs) {
			t.Errorf("damaged %v: another answer than before", damaged)
		}
		has["doc"] = opened.Doc
		if next.must("keep", has, nil, &unchanged); (unchanged.Bytes != 0) != damaged {
			t.Errorf("damaged %v: %d bytes are kept again", damaged, unchanged.Bytes)
		}
	}
}
