package engine

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/static"
	"seam/shared/engine/rpc"
)

// model loads Seam's own model from its bytes, as the page does.
var model = sync.OnceValues(func() (embed.Embedder, error) {
	b, err := os.ReadFile(filepath.Join("..", "embed", "builtin", "model.bin"))
	if err != nil {
		return nil, err
	}
	return builtin.Load(b)
})

func loadModel(context.Context) (embed.Embedder, error) { return model() }

// shelf is a VectorStore in memory.
type shelf struct {
	mu      sync.Mutex
	vectors map[embed.Key][]float32
}

func (s *shelf) Get(_ context.Context, keys []embed.Key) ([][]float32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([][]float32, len(keys))
	for i, k := range keys {
		out[i] = s.vectors[k]
	}
	return out, nil
}

func (s *shelf) Put(_ context.Context, keys []embed.Key, vectors [][]float32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, k := range keys {
		s.vectors[k] = vectors[i]
	}
	return nil
}

func (s *shelf) Size(context.Context) (int, int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := int64(0)
	for _, v := range s.vectors {
		n += int64(4 * len(v))
	}
	return len(s.vectors), n, nil
}

func (s *shelf) Clear(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.vectors)
	return nil
}

// A later visit with another engine and the same store must send nothing. Once the store is
// cleared, it must send everything.
func TestVectorsForALaterVisit(t *testing.T) {
	proxy, store := newFakeProxy(t), &shelf{vectors: map[embed.Key][]float32{}}
	visit := func() (*page, int) {
		p := connected(t, proxy)
		p.engine.host.Vectors = store
		return p, p.open("a.txt", "file", plain())
	}
	var stored struct{ Vectors, Bytes int }
	p, doc := visit()
	p.must("cache", params{}, nil, &stored)
	if stored.Vectors != 0 {
		t.Errorf("%+v", stored)
	}
	p.must("chunk", params{"doc": doc, "embedder": hosted}, nil, nil)
	sent := len(proxy.texts())
	p.must("cache", params{}, nil, &stored)
	if stored.Vectors != sent || stored.Bytes != 4*dims*sent {
		t.Errorf("%+v of %d texts", stored, sent)
	}
	p, doc = visit()
	var quote previewReply
	p.must("preview", params{"doc": doc, "embedder": hosted}, nil, &quote)
	p.must("chunk", params{"doc": doc, "embedder": hosted}, nil, nil)
	if n := len(proxy.texts()); n != sent || quote.Missing != 0 {
		t.Errorf("%d texts sent again, %+v", n-sent, quote)
	}
	p.must("clear", params{}, nil, nil)
	p.must("cache", params{}, nil, &stored)
	p.must("preview", params{"doc": doc, "embedder": hosted}, nil, &quote)
	if stored.Vectors != 0 || quote.Missing != sent {
		t.Errorf("after clearing: %+v, %+v", stored, quote)
	}
}

// The model must be fetched once, when it is first needed. Other calls must be answered
// meanwhile. If it cannot be fetched, the error must name alternatives.
func TestBuiltinIsFetchedOnce(t *testing.T) {
	p, calls, fail := newPage(t), 0, true
	p.engine.host.Builtin = func(ctx context.Context) (embed.Embedder, error) {
		if calls++; fail {
			return nil, errors.New("model.bin broke off")
		}
		return model()
	}
	doc := p.open("a.txt", "file", plain())
	p.must("chunk", params{"doc": doc, "embedder": "lexical"}, nil, nil)
	p.must("chunk", params{"doc": doc, "method": "fixed", "unit": "chars", "maxTokens": 90}, nil, nil)
	if calls != 0 {
		t.Errorf("it was fetched for nothing")
	}
	if err := p.call("chunk", params{"doc": doc}, nil, nil); err == nil || err.Code != rpc.Offline || !strings.Contains(err.Message, "broke off") || !strings.Contains(err.Hint, "lexical") {
		t.Errorf("%+v", err)
	}
	fail = false
	p.must("chunk", params{"doc": doc}, nil, nil)
	p.must("chunk", params{"doc": doc, "embedder": builtin.Name, "setting": 50}, nil, nil)
	p.must("search", params{"query": "corn"}, nil, nil)
	if calls != 2 {
		t.Errorf("fetched %d times", calls)
	}
	if _, rows := p.recut(doc, "threshold", 0.5); len(rows) == 0 {
		t.Error("the line does not move")
	}
}

// A search must find texts by meaning without common words.
func TestSearchByMeaning(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte("The doctor examined the child.\n\nShe planted beans and carrots behind the house.\n\nThe train was an hour late."))
	p.must("chunk", params{"doc": doc, "method": "percentile", "setting": 0, "maxTokens": 12}, nil, nil)
	var r struct{ Hits []hitJSON }
	for query, says := range map[string]string{"physician": "doctor", "vegetables": "carrots", "railway": "train"} {
		p.must("search", params{"query": query, "k": 1, "mode": "dense"}, nil, &r)
		if len(r.Hits) != 1 || !strings.Contains(r.Hits[0].Text, says) {
			t.Errorf("%s: %+v", query, r.Hits)
		}
	}
}

// A query that the model sees only as letters must match nothing.
func TestSearchForNoWord(t *testing.T) {
	p := newPage(t)
	p.open("a.txt", "file", plain())
	var r struct{ Hits []hitJSON }
	for _, mode := range []string{"dense", "hybrid"} {
		if p.must("search", params{"query": "zyxwv", "mode": mode}, nil, &r); len(r.Hits) > 0 {
			t.Errorf("%s: %+v", mode, r.Hits)
		}
	}
}

func TestUnknownLanguage(t *testing.T) {
	p := newPage(t)
	german := strings.Repeat("Der Müller öffnete das Wehr und ließ das Wasser herein. Es war ein kalter Tag. ", 20)
	doc := p.open("a.txt", "file", []byte(german))
	var r chunkReply
	p.must("chunk", params{"doc": doc}, nil, &r)
	if r.Embedder != "lexical" || r.Unknown == nil || r.Unknown.Language != "German" || r.Unknown.Share < .9 {
		t.Errorf("%s, %+v", r.Embedder, r.Unknown)
	}
	if p.must("edit", params{"doc": doc, "action": "split", "at": strings.Index(german, "Es")}, nil, &r); r.Embedder != "lexical" || r.Unknown == nil {
		t.Errorf("edited: %s, %+v", r.Embedder, r.Unknown)
	}
	if p.must("chunk", params{"doc": doc, "embedder": "builtin"}, nil, &r); r.Embedder != "builtin" || r.Unknown == nil {
		t.Errorf("by hand: %s, %+v", r.Embedder, r.Unknown)
	}
	english := p.open("b.txt", "file", plain())
	if p.must("chunk", params{"doc": english, "embedder": "auto"}, nil, &r); r.Embedder != "builtin" || r.Unknown != nil {
		t.Errorf("English: %s, %+v", r.Embedder, r.Unknown)
	}
	for _, set := range []params{{"embedder": "lexical"}, {"method": "fixed"}} {
		set["doc"] = doc
		if p.must("chunk", set, nil, &r); r.Unknown != nil {
			t.Errorf("%v: %+v", set, r.Unknown)
		}
	}
}

// openFiles is the page's Host.OpenModel.
func openFiles(name string, files map[string][]byte) (embed.Embedder, error) {
	return static.OpenFiles(func(file string) ([]byte, error) {
		if b, ok := files[file]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}, name)
}

// modelFile returns a file of a small test model.
func modelFile(name string) []byte {
	b, err := os.ReadFile(filepath.Join("..", "embed", "static", "testdata", "bert", name))
	if err != nil {
		panic(err)
	}
	return b
}

// A user's own model must cut and search. Other files must be refused with an explanation.
func TestOwnModel(t *testing.T) {
	p := newPage(t)
	p.engine.host.OpenModel = openFiles
	names := []string{"model.safetensors", "tokenizer.json", "config.json"}
	var blobs [][]byte
	for _, name := range names {
		blobs = append(blobs, modelFile(name))
	}
	var made embedderJSON
	p.must("model", params{"name": "bert", "files": names}, blobs, &made)
	if made.Name != "static:bert" || !strings.Contains(made.Label, "bert") {
		t.Errorf("%+v", made)
	}
	doc := p.open("a.txt", "file", plain())
	var r chunkReply
	p.must("chunk", params{"doc": doc, "embedder": made.Name}, nil, &r)
	p.must("search", params{"query": "windmill"}, nil, nil)
	if r.Sentences < 20 || r.Unknown != nil {
		t.Errorf("%+v", r)
	}
	if _, rows := p.recut(doc, "threshold", *r.Threshold+.01); len(rows) == 0 {
		t.Error("the line does not move")
	}
	for what, call := range map[string]struct {
		files []string
		blobs [][]byte
	}{
		"no table":     {names[1:], blobs[1:]},
		"no tokenizer": {names[:1], blobs[:1]},
		"cut short":    {names, [][]byte{blobs[0][:len(blobs[0])/2], blobs[1], blobs[2]}},
		"swapped":      {names, [][]byte{blobs[1], blobs[0], blobs[2]}},
	} {
		if err := p.call("model", params{"name": "x", "files": call.files}, call.blobs, nil); err == nil || err.Code != rpc.BadModel || !strings.Contains(err.Hint, "tokenizer.json") {
			t.Errorf("%s: %+v", what, err)
		}
	}
	if err := p.call("chunk", params{"doc": doc, "embedder": "static:x"}, nil, nil); err == nil || err.Code != rpc.BadModel {
		t.Errorf("%+v", err)
	}
}
