package enrich

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/llm"
)

func TestAskedAreShortAndNotTooMany(t *testing.T) {
	p := Passage{Page: "Nets", Section: "Tools › Needles", Text: "Needles are of bone."}
	m := &scripted{texts: []string{`{"questions":["What  is\na needle?", "", "` + strings.Repeat("long ", 100) + `", "What is a needle?", "Which bone?", "Who?"]}`}}
	got, err := Writer{LLM: m, Model: "m"}.Asked(t.Context(), p, 2)
	if err != nil || !slices.Equal(got, []string{"What is a needle?", "Which bone?"}) {
		t.Errorf("%q, %v", got, err)
	}
	if r := m.got[0]; r.Messages[0].Content != Default.Asked || r.Messages[1].Content != "Questions wanted: 2\n\nPage: Nets\nSection: Tools › Needles\n\nNeedles are of bone." || !r.JSON {
		t.Errorf("%+v", r)
	}
	for _, ugly := range []string{"", "no", "{}", `{"questions":[]}`, `{"questions":[1]}`, `{"questions":["` + strings.Repeat("x", longestQuestion+1) + `"]}`} {
		m := &scripted{texts: []string{ugly, ugly}}
		_, err := Writer{LLM: m, Model: "m", Retry: true}.Asked(t.Context(), p, 2)
		if _, none := llm.Unusable(err); !none || len(m.got) != 2 {
			t.Errorf("%q: %v after %d requests", ugly, err, len(m.got))
		}
	}
}

func TestHeadersAreShort(t *testing.T) {
	m := &scripted{texts: []string{"**Bone needles**\nThat is it.", strings.Repeat("é", 1000)}}
	w := Writer{LLM: m, Model: "m"}
	if got, err := w.Header(t.Context(), Passage{Page: "Nets", Text: strings.Repeat("é", longestPassage)}); got != "Bone needles" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got := m.got[0].Messages[1].Content; len(got) > longestPassage+20 || !strings.HasPrefix(got, "Page: Nets\néé") || strings.ContainsRune(got, '�') {
		t.Errorf("%d bytes", len(got))
	}
	if got, err := w.Header(t.Context(), Passage{Text: "x"}); len(got) != longestHeader || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
