package engine

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
)

var asked = []string{"What does the turner hold?", "hard wood", "Where do shavings fly?"}

// searched returns the chunks that a search finds for each question.
func (p *page) searched(doc int, mode string) (hits [][]int) {
	p.t.Helper()
	for _, q := range asked {
		var found searchReply
		p.must("search", params{"query": q, "k": 4, "docs": []int{doc}, "mode": mode}, nil, &found)
		of := []int{}
		for _, h := range found.Hits {
			of = append(of, h.Chunk)
		}
		hits = append(hits, of)
	}
	return hits
}

// retrieve with settings must find the same chunks as a search after cutting by them, and
// must change nothing.
func TestRetrieveFindsWhatASearchFinds(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte(strings.Join(pdftest.Paragraphs, "\n\n")))
	same := func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal) }
	for _, mode := range []string{"hybrid", "dense", "keyword"} {
		p.must("chunk", params{"doc": doc, "method": "sentences", "maxTokens": 40}, nil, nil)
		shown := p.searched(doc, mode)
		var current, other retrieveReply
		set := params{"method": "recursive", "maxTokens": 90}
		p.must("retrieve", params{"doc": doc, "settings": set, "questions": asked, "k": 4, "mode": mode}, nil, &other)
		p.must("retrieve", params{"doc": doc, "settings": nil, "questions": asked, "k": 4, "mode": mode}, nil, &current)
		if !same(current.Hits, shown) {
			t.Errorf("%s: as it is shown %v, and the search finds %v", mode, current.Hits, shown)
		}
		if again := p.searched(doc, mode); !same(again, shown) {
			t.Errorf("%s: the search found %v, and finds %v since", mode, shown, again)
		}
		p.must("chunk", params{"doc": doc, "method": "recursive", "maxTokens": 90}, nil, nil)
		if cut := p.searched(doc, mode); !same(other.Hits, cut) || same(cut, shown) {
			t.Errorf("%s: by other settings %v, and cut by them the search finds %v", mode, other.Hits, cut)
		}
	}
}

// Impossible requests must be refused with a reason. A search without hits must return an
// empty list.
func TestRetrieveRefuses(t *testing.T) {
	p := newPage(t)
	doc := p.open("a.txt", "file", []byte(strings.Join(pdftest.Paragraphs, "\n\n")))
	for what, bad := range map[string]params{
		"no such document": {"doc": doc + 1, "settings": nil, "questions": asked, "k": 4, "mode": ""},
		"not cut yet":      {"doc": doc, "settings": nil, "questions": asked, "k": 4, "mode": ""},
		"a mode":           {"doc": doc, "settings": params{}, "questions": asked, "k": 4, "mode": "by heart"},
		"hits":             {"doc": doc, "settings": params{}, "questions": asked, "k": -1, "mode": ""},
		"a setting":        {"doc": doc, "settings": params{"method": "nothing"}, "questions": asked, "k": 1, "mode": ""},
		"joined pages":     {"doc": doc, "settings": params{"pageJoin": ""}, "questions": asked, "k": 1, "mode": ""},
	} {
		if err := p.call("retrieve", bad, nil, nil); err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	var none retrieveReply
	p.must("retrieve", params{"doc": doc, "settings": params{}, "questions": []string{"", "zyxwv"}, "k": 3, "mode": "keyword"}, nil, &none)
	if len(none.Hits) != 2 || len(none.Hits[0])+len(none.Hits[1]) > 0 {
		t.Errorf("found %v", none.Hits)
	}
}

// Sentences must be more similar inside chunks if chunks are topics. Texts without vectors
// must not be sent to a hosted embedder.
func TestCohesionSendsNothing(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	doc := p.open("a.txt", "file", plain())
	var whole, other cohesionReply
	p.must("chunk", params{"doc": doc, "method": "recursive", "embedder": "builtin"}, nil, nil)
	p.must("cohesion", params{"doc": doc, "starts": [][]int{{0}, {0, 2}}}, nil, &whole)
	if w := whole.Ways; len(w) != 2 || w[0].Inside == nil || w[0].Between != nil || w[1].Between == nil {
		t.Errorf("%+v", whole)
	}
	p.must("chunk", params{"doc": doc, "method": "recursive", "embedder": hosted}, nil, nil)
	if err := p.call("cohesion", params{"doc": doc, "starts": [][]int{{0}}}, nil, nil); err == nil || !strings.Contains(err.Message, "sends nothing") || len(proxy.texts()) != 0 {
		t.Errorf("%v, and %d texts are sent", err, len(proxy.texts()))
	}
	p.must("chunk", params{"doc": doc, "method": "percentile", "embedder": hosted}, nil, nil)
	sent := len(proxy.texts())
	p.must("cohesion", params{"doc": doc, "starts": [][]int{{0}, {0, 2}}}, nil, &other)
	if len(proxy.texts()) != sent || *other.Ways[0].Inside == *whole.Ways[0].Inside {
		t.Errorf("%d texts are sent again; %v by either embedder", len(proxy.texts())-sent, *other.Ways[0].Inside)
	}
}
