package engine

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/engine/rpc"
	"seam/shared/protocol"
)

// A collection must receive the query, with its vector if that can be made here, and no
// request for more hits than the proxy returns.
func TestCollection(t *testing.T) {
	model, err := loadModel(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	proxy := newFakeProxy(t)
	proxy.found = []protocol.Hit{{ID: "7", Text: "Ü: it holds a Chisel.", Source: "a/b.pdf", Page: 3, Pages: []int{3, 4}, Section: "Tools", Score: 0.75, Start: 120, End: 141}, {ID: "8", Text: "Else."}}
	for _, tt := range []struct {
		name, embedder, mode string
		embeds               bool
		vector, text         bool
		missing              int
		err                  string
	}{
		{"its own vectors", model.ID(), "hybrid", false, true, true, 0, ""},
		{"words alone", model.ID(), "keyword", false, false, true, 0, ""},
		{"vectors alone", model.ID(), "dense", false, true, false, 0, ""},
		{"another version", "builtin:other-1@012345678901", "hybrid", false, false, true, 1, ""},
		{"a model that is not here", "encoder:a@1", "hybrid", false, false, true, 1, ""},
		{"a model that the proxy has", "openai:e@26", "hybrid", true, false, true, 0, ""},
		{"not known yet", "", "", false, false, true, 0, ""},
		{"vectors alone of a model that is not here", "encoder:a@1", "dense", false, false, false, 0, "only by similarity"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			proxy.of, proxy.asked = &protocol.Collection{Name: "crafts", Hits: 2, Embedder: tt.embedder, Embeds: tt.embeds}, nil
			p := connected(t, proxy)
			var r searchReply
			fail := p.call("collection", params{"query": "chisels", "k": 9, "mode": tt.mode}, nil, &r)
			if tt.err != "" {
				if fail == nil || fail.Code != rpc.BadRequest || !strings.Contains(fail.Message, tt.err) || len(proxy.asked) > 0 {
					t.Fatal(fail, proxy.asked)
				}
				return
			}
			if fail != nil || len(proxy.asked) != 1 {
				t.Fatal(fail, proxy.asked)
			}
			asked := proxy.asked[0]
			v, err := asked.Query()
			if err != nil || (v != nil) != tt.vector || (asked.Text == "chisels") != tt.text || asked.K != 2 {
				t.Errorf("asked for %+v", asked)
			}
			if len(r.Missing) != tt.missing || len(r.Hits) != 2 {
				t.Errorf("%+v", r)
			}
			h := r.Hits[0]
			if h.Doc != 0 || h.Chunk != -1 || h.Name != "a/b.pdf" || h.Page != 3 || h.Start != 120 || h.End != 141 || !slices.Equal(h.Marks, [][2]int{{14, 20}}) || *h.Passage != [2]int{0, 21} || r.Hits[1].Name != "8" {
				t.Errorf("%+v", r.Hits)
			}
		})
	}
}

func TestCollectionThatIsNotThere(t *testing.T) {
	p := newPage(t)
	if err := p.call("collection", params{"query": "a"}, nil, nil); err == nil || err.Code != rpc.BadRequest || err.Hint == "" {
		t.Error(err)
	}
	proxy := newFakeProxy(t)
	p = connected(t, proxy)
	for query, want := range map[string]string{"a": "no collection", " ": "empty"} {
		if err := p.call("collection", params{"query": query}, nil, nil); err == nil || !strings.Contains(err.Message, want) {
			t.Error(err)
		}
	}
	proxy.of = &protocol.Collection{Name: "crafts", Hits: 2}
	p = connected(t, proxy)
	proxy.fail(false, protocol.Errorf(protocol.UpstreamFailed, "The collection cannot be searched at the moment. Try again soon."))
	if err := p.call("collection", params{"query": "a"}, nil, nil); err == nil || !strings.Contains(err.Message, "at the moment") {
		t.Error(err)
	}
}

// A query vector from another encoder must be passed on unchanged.
func TestCollectionByAnEncoder(t *testing.T) {
	proxy := newFakeProxy(t)
	proxy.of = &protocol.Collection{Name: "crafts", Hits: 2, Embedder: "encoder:a@1"}
	p := connected(t, proxy)
	v := []float32{1, 2, 3}
	p.must("collection", params{"query": "a", "encoder": "encoder:a@1"}, [][]byte{bytesOf(v)}, nil)
	if got, err := proxy.asked[0].Query(); err != nil || !slices.Equal(got, v) {
		t.Error(got, err)
	}
}
