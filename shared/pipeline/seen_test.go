package pipeline

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"seam/shared/chunk"
	"seam/shared/text"
)

// Saved results must be used for the same text, sentences, embedder and method under any
// other settings, and must not change any result.
func TestWhatWasSeenIsNotComputedAgain(t *testing.T) {
	d := nested()
	for _, embedder := range []string{"builtin", "lexical"} {
		first := NewSession(d)
		r := chunked(t, first, Settings{Embedder: embedder})
		seen := first.Seen(r)
		if seen == nil || len(seen.Numbers) != len(r.Sentences)-1 || len(seen.Lengths) != len(r.Sentences)+1 {
			t.Fatalf("%s: %+v", embedder, seen)
		}
		again := NewSession(d)
		again.Recall(seen)
		coarse := 2.0
		for _, set := range []Settings{{}, {Setting: &coarse}, {Count: 4}, {MaxTokens: 50, Overlap: 7}, {Unit: "words", MaxTokens: 50}, {Method: "percentile"}, {Method: "cluster"}, {Method: "fixed"}, {View: text.Content}} {
			set.Embedder = embedder
			p := plan(t, set)
			w, err := again.start(p, local)
			if err != nil {
				t.Fatal(err)
			}
			if a := again.seen.of(w.plan).analysis(w.r.Method, seen.Embedder, chunk.Input{View: r.Text, Sentences: seen.Sentences}); (a != nil) != (p.Method == "semantic" && p.View == text.Reading) {
				t.Errorf("%+v: recalled: %v", set, a != nil)
			}
			got, err := again.Run(context.Background(), p, local)
			if err != nil {
				t.Fatal(err)
			}
			want := chunked(t, NewSession(d), set)
			if !reflect.DeepEqual(got.Chunks, want.Chunks) || !reflect.DeepEqual(got.Found, want.Found) || !slices.Equal(got.Sentences, want.Sentences) {
				t.Errorf("%s, %+v: other results than those of a fresh session", embedder, set)
			}
		}
		if b, c := marshal(t, seen), marshal(t, again.Seen(chunked(t, again, Settings{Embedder: embedder}))); b != c {
			t.Errorf("it is seen otherwise after it was recalled:\n%s\n%s", b, c)
		}
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// Saved results of another version, embedder or unit must not be used.
func TestWhatIsNotRecalled(t *testing.T) {
	d := nested()
	first := NewSession(d)
	r := chunked(t, first, Settings{})
	seen := *first.Seen(r)
	old := seen
	old.Version--
	s := NewSession(d)
	if s.Recall(&old); s.seen != nil {
		t.Error("what an older version has seen is used")
	}
	in := chunk.Input{View: r.Text, Sentences: r.Sentences}
	if seen.of(r.Plan).analysis(r.Method, "another:1", in) != nil {
		t.Error("the analysis with another embedder is used")
	}
	short := seen
	short.Numbers = short.Numbers[1:]
	if short.of(r.Plan).analysis(r.Method, seen.Embedder, in) != nil {
		t.Error("numbers of other sentences are used")
	}
	if s.Recall(&seen); s.seen == nil {
		t.Error("nothing is recalled")
	}
	if s.Replace(text.NewPlain("Another text. Of two sentences.")); s.seen != nil {
		t.Error("what was seen of the version before is used")
	}
	if got := first.Seen(chunked(t, first, Settings{Method: "percentile"})); got != nil {
		t.Errorf("%+v of a method that takes no time", got)
	}
}
