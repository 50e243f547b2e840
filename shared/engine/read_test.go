package engine

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/embed/encoder"
	"seam/shared/engine/rpc"
)

// anEncoder returns a small encoder with random weights.
func anEncoder(context.Context) (embed.Embedder, error) {
	m, err := encoder.Open(os.DirFS(filepath.Join("..", "embed", "encoder", "testdata", "bert-f32-mean")), "random")
	if err != nil {
		return nil, err
	}
	return m.Embedder(), nil
}

// reader encodes by rule: a text is about the first topic that it names, and nothing else.
// So a text is found by its topic, whatever words it uses.
func reader(texts []string) []byte {
	topics := [][]string{{"physician", "doctor"}, {"greens", "beans"}, {"delay", "late"}}
	var all []float32
	for _, t := range texts {
		v := []float32{0, 0, 0, .1}
		for i, names := range topics {
			if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(t, n) }) {
				v[i] = 1
			}
		}
		length := float32(0)
		for _, x := range v {
			length += x * x
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(float64(length)))
		}
		all = append(all, v...)
	}
	return bytesOf(all)
}

const threeThings = "The doctor examined the child.\n\nShe planted beans and carrots behind the house.\n\nThe train was an hour late, and nobody knew why."

// readAll encodes all pending texts, a few at a time, and returns them.
func readAll(p *page, most int) (texts []string) {
	p.t.Helper()
	var r readReply
	p.must("read", params{"encoder": "encoder:rule@1", "texts": []string{}, "most": most, "keep": true}, nil, &r)
	for len(r.Texts) > 0 {
		if len(r.Texts) > most || r.Ready > 0 || r.Done >= r.Total {
			p.t.Fatalf("%+v", r)
		}
		texts = append(texts, r.Texts...)
		p.must("read", params{"encoder": "encoder:rule@1", "texts": r.Texts, "most": most, "keep": true}, [][]byte{reader(r.Texts)}, &r)
	}
	if r.Ready != 1 || r.Done != r.Total {
		p.t.Errorf("%+v after all was read", r)
	}
	return texts
}

// Encoded texts must be found by the encoder, with the sentence that answers. Texts encoded
// on an earlier visit, or unchanged by another cut, must not be encoded again.
func TestRead(t *testing.T) {
	store := &shelf{vectors: map[embed.Key][]float32{}}
	visit := func() (*page, int) {
		p := newPage(t)
		p.engine.host.Read = store
		doc := p.open("a.txt", "file", []byte(threeThings))
		p.must("chunk", params{"doc": doc, "method": "sentences", "maxTokens": 12}, nil, nil)
		return p, doc
	}
	p, doc := visit()
	ask := func(query string) searchReply {
		var r searchReply
		p.must("search", params{"query": query, "k": 1, "encoder": "encoder:rule@1"}, [][]byte{reader([]string{query})}, &r)
		return r
	}
	before := ask("greens")
	if texts := readAll(p, 2); len(texts) < 3 || !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "beans") }) {
		t.Errorf("read %q", texts)
	}
	for query, says := range map[string]string{"physician": "doctor", "greens": "beans", "delay": "late"} {
		r := ask(query)
		if len(r.Hits) != 1 || !strings.Contains(r.Hits[0].Text, says) || r.Hits[0].Passage == nil || r.Asked != query {
			t.Errorf("%s: %+v, before %+v", query, r, before)
		}
	}
	p.must("chunk", params{"doc": doc, "method": "fixed", "unit": "chars", "maxTokens": 400}, nil, nil)
	if texts := readAll(p, 9); len(texts) != 1 {
		t.Errorf("read again after another cut: %q", texts)
	}
	p, _ = visit()
	if texts := readAll(p, 9); len(texts) != 0 {
		t.Errorf("read again on another visit: %q", texts)
	}
	p.must("clear", params{}, nil, nil)
	if texts := readAll(p, 9); len(texts) == 0 {
		t.Error("nothing is read again after all was cleared")
	}
}

// Texts in another language must not be encoded, and invalid vectors must be refused.
// Vectors must not be stored if Keep is false.
func TestReadRefused(t *testing.T) {
	p, store := newPage(t), &shelf{vectors: map[embed.Key][]float32{}}
	p.engine.host.Read = store
	doc := p.open("b.txt", "file", []byte(strings.Repeat("Der Müller öffnete das Wehr und ließ das Wasser herein. Es war ein kalter Tag. ", 20)))
	p.must("chunk", params{"doc": doc}, nil, nil)
	var r readReply
	if p.must("read", params{"encoder": "encoder:rule@1", "most": 9}, nil, &r); r.Total != 0 || len(r.Texts) != 0 {
		t.Errorf("%+v", r)
	}
	nan := float32(math.NaN())
	for _, b := range [][]byte{{}, {1, 2, 3}, make([]byte, 12), bytesOf([]float32{1, nan})} {
		if err := p.call("read", params{"encoder": "encoder:rule@1", "texts": []string{"a", "b"}}, [][]byte{b}, nil); err == nil || err.Code != rpc.BadRequest {
			t.Errorf("%d bytes: %+v", len(b), err)
		}
	}
	p.must("read", params{"encoder": "encoder:rule@1", "texts": []string{"doctor"}}, [][]byte{reader([]string{"doctor"})}, nil)
	if len(store.vectors) != 0 {
		t.Error("vectors that are not to be kept are")
	}
}

// The encoder must be fetched once. If it cannot be fetched, the error must say what still
// works.
func TestEncode(t *testing.T) {
	p, fetched := newPage(t), 0
	if err := p.call("encode", params{"texts": []string{"a"}}, nil, nil); err == nil || err.Code != rpc.BadRequest {
		t.Errorf("%+v", err)
	}
	p.engine.host.Meaning = func(ctx context.Context) (embed.Embedder, error) {
		if fetched++; fetched == 1 {
			return nil, errors.New("meaning.bin broke off")
		}
		return anEncoder(ctx)
	}
	if err := p.call("encode", params{"texts": []string{"a"}}, nil, nil); err == nil || err.Code != rpc.Offline || !strings.Contains(err.Hint, "words") {
		t.Errorf("%+v", err)
	}
	var r encodeReply
	p.must("encode", params{"texts": []string{}}, nil, &r)
	p.must("encode", params{"texts": []string{"the road over the river", "the road"}, "query": true}, nil, &r)
	if v := floatsOf(p.last.blobs[0]); len(v) != 2*r.Dim || r.Dim == 0 || !strings.HasPrefix(r.Encoder, "encoder:random@") || fetched != 2 {
		t.Errorf("%d numbers, %+v, fetched %d times", len(v), r, fetched)
	}
	if p.must("encode", params{"texts": []string{"врач работает"}, "query": true}, nil, &r); len(p.last.blobs) != 0 || r.Dim != 0 {
		t.Errorf("a question that it does not know: %+v, %d blobs", r, len(p.last.blobs))
	}
	doc := p.open("a.txt", "file", []byte(threeThings))
	var cut chunkReply
	p.must("chunk", params{"doc": doc, "embedder": "meaning"}, nil, &cut)
	p.must("search", params{"query": "beans", "mode": "dense"}, nil, nil)
	if cut.Embedder != "meaning" || fetched != 2 {
		t.Errorf("cut by %s, fetched %d times", cut.Embedder, fetched)
	}
}
