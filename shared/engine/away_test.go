package engine

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/engine/rpc"
	"seam/shared/pdftext/pdftest"
	"seam/shared/protocol"
)

// Without the proxy, documents cut with a hosted model must be found by words, and others
// as usual. The reply must say so, but only if such documents are searched.
func TestSearchWithoutTheProxy(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	a := p.open("a.txt", "file", []byte("A lighthouse keeper lives alone; his lamp turns all night. Zebras zigzag. Lamps burn oil."))
	b := p.open("b.txt", "file", plain())
	p.must("chunk", params{"doc": a, "embedder": hosted, "setting": 60, "maxTokens": 15}, nil, nil)
	p.must("chunk", params{"doc": b, "embedder": "lexical", "maxTokens": 40}, nil, nil)
	type reply struct {
		Hits    []hitJSON
		Missing []missingJSON
	}
	search := func(mode, query string, docs ...int) (r reply) {
		t.Helper()
		p.must("search", params{"query": query, "mode": mode, "k": 1000, "docs": docs}, nil, &r)
		return r
	}
	whole := search("hybrid", "zebra lamps", a, b)
	proxy.fail(false, protocol.Errorf(protocol.UpstreamRefused, "The provider has refused the proxy's key."))
	want := []missingJSON{{hosted, "The provider has refused the proxy's key."}}
	of := func(r reply, doc int) (n int) {
		for _, h := range r.Hits {
			if h.Doc == doc {
				n++
			}
		}
		return n
	}
	before := len(proxy.texts())
	if r := search("hybrid", "zebra lamp turns", a, b); !slices.Equal(r.Missing, want) || len(r.Hits) == 0 || r.Hits[0].Doc != a || strings.Contains(r.Hits[0].Why, "meaning") || of(r, b) == 0 {
		t.Errorf("by words: %+v", r)
	}
	if r := search("hybrid", "zebra lamp turns", a); !slices.Equal(r.Missing, want) || of(r, a) == 0 {
		t.Errorf("alone: %+v", r)
	}
	if r := search("dense", "zebra lamp turns lathe", a, b); !slices.Equal(r.Missing, want) || of(r, a) > 0 || of(r, b) == 0 {
		t.Errorf("by similarity: %+v", r)
	}
	if r := search("hybrid", "the lathe", b); len(r.Missing) > 0 || len(r.Hits) == 0 {
		t.Errorf("without it: %+v", r)
	}
	if r := search("keyword", "zebra lamp turns", a, b); len(r.Missing) > 0 || of(r, a) == 0 {
		t.Errorf("by keyword: %+v", r)
	}
	if err := p.call("search", params{"query": "zebra lamp turns", "mode": "dense", "docs": []int{a}}, nil, nil); err == nil || err.Code != rpc.Refused {
		t.Errorf("there is nothing else: %v", err)
	}
	if sent := proxy.texts()[before:]; slices.Contains(sent, "the lathe") {
		t.Errorf("%q was sent", sent)
	}
	proxy.fail(false, nil)
	if r := search("hybrid", "zebra lamps", a, b); len(r.Missing) > 0 || !reflect.DeepEqual(r, whole) {
		t.Errorf("when it is back: %+v\nwant %+v", r, whole)
	}
}

// On a later visit, stored vectors must work without the proxy, and a missing vector must
// give an error that says so. When the proxy is back, it must be used again.
func TestStoredVectorsWithoutTheProxy(t *testing.T) {
	proxy := newFakeProxy(t)
	store := &shelf{vectors: map[embed.Key][]float32{}}
	visit := func() *page {
		p := newPage(t)
		p.engine.host.Dial, p.engine.host.Vectors = proxy.dialer(), store
		return p
	}
	first := visit()
	first.must("connect", params{"url": "https://one.example.org", "token": ""}, nil, nil)
	var cut, again chunkReply
	first.must("chunk", params{"doc": first.open("a.txt", "file", plain()), "embedder": hosted}, nil, &cut)
	sent := len(proxy.texts())

	proxy.fail(true, nil)
	p := visit()
	known := params{"url": "https://one.example.org", "token": "", "known": []protocol.Model{{ID: strings.TrimPrefix(hosted, "openai:"), Kind: protocol.Embedding}}}
	p.must("connect", known, nil, nil)
	doc := p.open("a.txt", "file", plain())
	var preview previewReply
	if p.must("preview", params{"doc": doc, "embedder": hosted}, nil, &preview); preview.Missing != 0 || preview.Texts == 0 {
		t.Errorf("%+v", preview)
	}
	if p.must("chunk", params{"doc": doc, "embedder": hosted}, nil, &again); again.Embedded != 0 || !reflect.DeepEqual(again.Chunks, cut.Chunks) {
		t.Errorf("%d embedded, other chunks than before", again.Embedded)
	}
	var found searchReply
	if p.must("search", params{"query": strings.Fields(pdftest.Paragraphs[0])[1]}, nil, &found); len(found.Missing) != 1 || found.Missing[0].Embedder != hosted {
		t.Errorf("%+v", found)
	}
	for _, method := range []string{"percentile", "cluster", "fixed"} {
		p.must("chunk", params{"doc": doc, "embedder": hosted, "method": method}, nil, nil)
	}
	other := p.open("b.txt", "file", []byte("Another text. It was never sent."))
	for _, method := range []string{"preview", "chunk"} {
		if err := p.call(method, params{"doc": other, "embedder": hosted}, nil, nil); err == nil || err.Code != rpc.Offline {
			t.Errorf("%s: %+v", method, err)
		}
	}
	if err := p.call("preview", params{"doc": doc, "embedder": "openai:unheard"}, nil, nil); err == nil || err.Code != rpc.BadRequest {
		t.Errorf("a model that nobody knows: %+v", err)
	}
	if n := len(proxy.texts()); n != sent {
		t.Errorf("%d texts were sent", n-sent)
	}

	proxy.fail(false, nil)
	p.must("connect", params{"url": "https://one.example.org", "token": ""}, nil, nil)
	if p.must("preview", params{"doc": other, "embedder": hosted}, nil, &preview); preview.Missing != 2 || preview.Dollars == nil {
		t.Errorf("%+v", preview)
	}
	if p.must("chunk", params{"doc": doc, "embedder": hosted}, nil, &again); again.Embedded != 0 {
		t.Errorf("%d embedded again", again.Embedded)
	}
}
