package pipeline

import (
	"context"
	"strings"
	"testing"

	"seam/shared/pdftext/pdftest"
	"seam/shared/text"
)

// The two views of a PDF must have separate edits.
func TestEditsBelongToTheirView(t *testing.T) {
	s := NewSession(article(t))
	r := chunked(t, s, Settings{Method: "sections"})
	if _, err := s.Edit(context.Background(), r.Plan, Edit{Action: "merge", At: r.Chunks[0].End}, local); err != nil {
		t.Fatal(err)
	}
	for view, want := range map[text.ViewName]int{text.Reading: 1, text.Content: 0} {
		if got := chunked(t, s, Settings{Method: "sentences", View: view}).Edits.Count; got != want {
			t.Errorf("%s: %d edits, want %d", view, got, want)
		}
	}
}

func TestStopInTheMiddle(t *testing.T) {
	s := NewSession(text.NewPlain(strings.Join(pdftest.Paragraphs, "\n\n")))
	ctx, cancel := context.WithCancel(context.Background())
	hooks := Hooks{Progress: func(stage string, _, _ int) error {
		if stage == StageVectors {
			cancel()
		}
		return ctx.Err()
	}}
	if _, err := s.Run(ctx, plan(t, Settings{}), hooks); err == nil {
		t.Error("it went on")
	}
	chunked(t, s, Settings{}) // works again after a stop
}
