package pipeline

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/text"
)

// With any method, the chunks passed to Made must match the final result.
func TestChunksAsTheyAreMade(t *testing.T) {
	d := nested()
	for _, m := range chunk.Methods() {
		for _, headers := range []bool{false, true} {
			set := Settings{Method: m.Name, MaxTokens: 40, Headers: headers}
			if m.Overlap {
				set.Overlap = 9
			}
			want := chunked(t, NewSession(d), set)
			var told []chunk.Chunk
			hooks := local
			hooks.Made = func(r *Result, i int) error {
				if r.Header(i) != want.Header(i) || r.Section(i) != want.Section(i) {
					t.Errorf("%s: chunk %d has the header %q of %q", m.Name, i, r.Header(i), r.Section(i))
				}
				told = append(told, r.Chunks[i])
				return nil
			}
			got, err := NewSession(d).Run(context.Background(), plan(t, set), hooks)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(told, want.Chunks) || !reflect.DeepEqual(got.Chunks, want.Chunks) || !reflect.DeepEqual(got.Headers, want.Headers) {
				t.Errorf("%s, headers %v: other chunks as they are made", m.Name, headers)
			}
		}
	}
}

// Methods without sentences must report chunks long before the end of the text, and an
// error from Made must stop the work.
func TestChunksComeBeforeTheEnd(t *testing.T) {
	d := text.NewPlain(strings.Repeat("A windmill turns its cap into the wind. ", 5000))
	errStop := errors.New("enough")
	for _, method := range []string{"recursive", "fixed"} {
		far := 0.0
		hooks := local
		hooks.ChunksAlone = true
		hooks.Progress = func(stage string, done, total int) error {
			if stage == StageChunks {
				far = float64(done) / float64(total)
			}
			return nil
		}
		hooks.Made = func(r *Result, i int) error {
			if i == 2 {
				return errStop
			}
			return nil
		}
		if _, err := NewSession(d).Run(context.Background(), plan(t, Settings{Method: method}), hooks); !errors.Is(err, errStop) || far > 0.1 {
			t.Errorf("%s: the third chunk comes at %.2f of the text: %v", method, far, err)
		}
	}
}

// Edits must be applied before Made is called.
func TestMadeByHandAndTold(t *testing.T) {
	s := NewSession(article(t))
	r := chunked(t, s, Settings{Method: "sections"})
	if _, err := s.Edit(context.Background(), r.Plan, Edit{Action: "merge", At: r.Chunks[0].End}, local); err != nil {
		t.Fatal(err)
	}
	told, hooks := 0, local
	hooks.Made = func(*Result, int) error { told++; return nil }
	if merged, err := s.Run(context.Background(), r.Plan, hooks); err != nil || told != len(merged.Chunks) || told != len(r.Chunks)-1 {
		t.Errorf("%d told of %d chunks: %v", told, len(r.Chunks), err)
	}
}
