package bundle

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	"seam/shared/pipeline"
)

// A bundle must restore a result without its curve, and the vectors of its chunks.
func TestResult(t *testing.T) {
	h := hooks(t)
	for _, method := range pipeline.Methods() {
		for _, headers := range []bool{false, true} {
			for i, d := range documents(t) {
				s := pipeline.NewSession(d)
				want := cut(t, s, pipeline.Settings{Method: method.Name, Headers: headers, Embedder: "builtin"}, h)
				rounded(d)
				it := ItemOf(s, want, Source{}, want.Plan.Embedder, model(t).ID())
				texts := make([]string, len(want.Chunks))
				for i := range texts {
					texts[i] = want.Headed(i)
				}
				var err error
				if it.OfChunks, err = model(t).Embed(context.Background(), texts, nil); err != nil {
					t.Fatal(err)
				}
				if len(texts) > 0 {
					it.Chunking.Searched = &Searched{model(t).ID(), it.OfChunks.Dim}
				} else {
					it.OfChunks.Dim = 0
				}
				it.Index = []byte("words of " + method.Name)
				all, err := readAll(write(t, i%2 == 0, []*Item{it}))
				if err != nil {
					t.Fatal(err)
				}
				if string(all[0].Index) != string(it.Index) {
					t.Errorf("%q of %q", all[0].Index, it.Index)
				}
				got, err := all[0].Result()
				if err != nil {
					t.Fatal(err)
				}
				if len(want.Chunks) > 0 && (!reflect.DeepEqual(got.Chunks, want.Chunks) || !reflect.DeepEqual(got.Headers, want.Headers)) || len(got.Chunks) != len(want.Chunks) {
					t.Errorf("%s of document %d: %+v\n%+v", method.Name, i, got.Chunks, want.Chunks)
				}
				if !reflect.DeepEqual(got.Text.Text, want.Text.Text) || got.Plan != want.Plan || !slices.Equal(got.Sentences, want.Sentences) {
					t.Errorf("%s of document %d is another text", method.Name, i)
				}
				for i := range got.Chunks {
					if got.Section(i) != want.Section(i) || got.Headed(i) != want.Headed(i) || !reflect.DeepEqual(got.Pages(i), want.Pages(i)) {
						t.Errorf("%s: chunk %d is another", method.Name, i)
					}
				}
				if len(texts) > 0 && (!reflect.DeepEqual(all[0].OfChunks, it.OfChunks) || *all[0].Chunking.Searched != *it.Chunking.Searched) {
					t.Errorf("%s: other vectors of chunks", method.Name)
				}
			}
		}
	}
	if _, err := (&Item{Document: documents(t)[0]}).Result(); err == nil {
		t.Error("a document that was not cut has a result")
	}
}

// Vectors that do not match the chunks must be refused by a writer and be damage to a
// reader.
func TestVectorsOfChunksThatDoNotFit(t *testing.T) {
	it := items(t, pipeline.Settings{})[0]
	it.OfChunks, it.Chunking.Searched = it.Vectors, &Searched{"m", it.Vectors.Dim}
	it.OfChunks.Rows = len(it.Chunking.Chunks)
	it.OfChunks.Data = it.OfChunks.Data[:it.OfChunks.Rows*it.OfChunks.Dim]
	b := write(t, true, []*Item{it})
	for name, change := range map[string]func(c *Chunking, u unpacked){
		"too many":   func(c *Chunking, _ unpacked) { c.Chunks = c.Chunks[1:] },
		"no member":  func(_ *Chunking, u unpacked) { delete(u.b, "documents/1/"+ofChunksName) },
		"no numbers": func(c *Chunking, _ unpacked) { c.Searched.Dimensions = 0 },
		"wider":      func(c *Chunking, _ unpacked) { c.Searched.Dimensions++ },
		"far wider":  func(c *Chunking, _ unpacked) { c.Searched.Dimensions = maxDimensions + 1 },
	} {
		u := unpack(t, b)
		var c Chunking
		if err := json.Unmarshal(u.b["documents/1/"+chunkingName], &c); err != nil {
			t.Fatal(err)
		}
		change(&c, u)
		u.b["documents/1/"+chunkingName], _ = marshal(c)
		kept := u.names[:0]
		for _, n := range u.names {
			if u.b[n] != nil {
				kept = append(kept, n)
			}
		}
		u.names = kept
		if _, err := readAll(u.pack(t, false)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
	it.Chunking.Searched.Dimensions--
	if it.check() == nil {
		t.Error("vectors of other dimensions can be written")
	}
	it.Chunking.Searched = nil
	if it.check() == nil {
		t.Error("vectors of nobody can be written")
	}
}
