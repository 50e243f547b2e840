package pipeline

import (
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/text"
	"seam/shared/token"
)

// nested returns a document with nested sections. The last section has a long title.
func nested() *text.Document {
	body := "Looms\n\nThey weave. They weave well.\n\nShafts\n\nA shaft lifts the warp. " + strings.Repeat("It lifts it once more. ", 20) +
		"\n\nOf the many kinds of heddles that were ever made by hand\n\nA heddle has an eye. " + strings.Repeat("The warp goes through it. ", 20)
	d := text.NewPlain(body)
	d.Name = "crafts/weaving.and more.txt"
	at := func(s string) int { return strings.Index(body, s) }
	d.Sections = []text.Section{
		{Title: "Looms", Level: 1, Span: text.Span{End: len(body)}},
		{Title: "Shafts", Level: 2, Span: text.Span{Start: at("Shafts"), End: len(body)}},
		{Title: "Of the many kinds of heddles that were ever made by hand", Level: 3, Span: text.Span{Start: at("Of the many"), End: len(body)}},
	}
	return d
}

func TestHeaderOfADocument(t *testing.T) {
	d := nested()
	last := d.Sections[2].Start
	for _, tt := range []struct {
		change func()
		at     int
		want   string
	}{
		{func() {}, 0, "Looms"}, // the first heading is also the section's title, so it appears once
		{func() {}, last, "Looms › Shafts › Of the many kinds of heddles that were ever made by hand"},
		{func() { d.Title = "  Of\nweaving " }, last - 30, "Of weaving › Looms › Shafts"},
		{func() { d.Title = "Looms" }, 0, "Looms"},
		{func() { d.Title, d.Sections = "", nil }, last, "weaving.and more"},
		{func() { d.Name = "-" }, 0, ""},
		{func() { d.Name = "" }, 0, ""},
	} {
		tt.change()
		if got := strings.Join(titles(d, text.Reading, text.Span{Start: tt.at, End: tt.at}), between); got != tt.want {
			t.Errorf("at %d: %q, want %q", tt.at, got, tt.want)
		}
	}
}

// A chunk of two sections has both titles, and the first only once.
func TestHeaderOfTwoSections(t *testing.T) {
	d := text.NewPlain("Looms are old.\n\nShafts lift warps.\n")
	d.Sections = []text.Section{{Title: "Looms", Level: 1, Span: text.Span{End: 16}}, {Title: "Shafts", Level: 1, Span: text.Span{Start: 16, End: 35}}}
	for _, title := range []string{"", "Looms"} {
		d.Title = title
		if got := strings.Join(titles(d, text.Reading, text.Span{End: 35}), between); got != "Looms – Shafts" {
			t.Errorf("title %q: %q", title, got)
		}
	}
}

func TestHeaderIsShortenedFromTheLeft(t *testing.T) {
	parts := []string{"Looms", "Shafts", "Heddles"}
	for most, want := range map[int]string{40: "Looms › Shafts › Heddles", 24: "Looms › Shafts › Heddles", 23: "… › Shafts › Heddles", 15: "… › Heddles", 10: "", 0: ""} {
		got := header(parts, func(h string) bool { return token.Characters.Count(h) <= most })
		if got != want {
			t.Errorf("of %d characters: %q, want %q", most, got, want)
		}
	}
}

// The maximum must hold for header and text counted as one text. Spans stay exact, and IDs
// depend on the text alone.
func TestHeadersKeepTheMaximum(t *testing.T) {
	for name, d := range map[string]*text.Document{"nested": nested(), "article": article(t), "one word": text.NewPlain("word"), "ugly": text.NewPlain("a\x00b \xff\xfe. " + strings.Repeat("x", 300))} {
		if d.Name == "" {
			d.Name = "a name.txt"
		}
		s := NewSession(d)
		for _, m := range chunk.Methods() {
			for _, most := range []int{0, 1, 2, 7, 20, 60, 200} {
				for unit, counter := range map[string]token.Counter{"words": token.Words, "chars": token.Characters} {
					set := Settings{Method: m.Name, MaxTokens: most, Unit: unit, Headers: true}
					if m.Overlap && most > 10 {
						set.Overlap = 5
					}
					if m.TakeMin {
						least := most / 2
						set.MinTokens = &least
					}
					r := chunked(t, s, set)
					checkHeaders(t, fmt.Sprintf("%s, %s, %d %s", name, m.Name, most, unit), r, r.Plan.Limits.Max, counter)
				}
			}
		}
	}
}

func checkHeaders(t *testing.T, label string, r *Result, most int, counter token.Counter) {
	t.Helper()
	if len(r.Headers) != len(r.Chunks) {
		t.Fatalf("%s: %d headers of %d chunks", label, len(r.Headers), len(r.Chunks))
	}
	at := 0
	for i, c := range r.Chunks {
		h := r.Headers[i]
		switch {
		case c.Tokens != counter.Count(r.Headed(i)):
			t.Fatalf("%s: chunk %d says %d tokens, and has %d with %q", label, i, c.Tokens, counter.Count(r.Headed(i)), h)
		case most > 0 && c.Tokens > most:
			t.Fatalf("%s: chunk %d has %d tokens with %q", label, i, c.Tokens, h)
		case most > 0 && counter.Count(h) > most/2:
			t.Fatalf("%s: the header %q is longer than half of the chunk", label, h)
		case strings.ContainsAny(h, "\n\r"):
			t.Fatalf("%s: the header %q has two lines", label, h)
		case strings.TrimSpace(r.Text.Text[at:max(at, c.Start)]) != "":
			t.Fatalf("%s: text before chunk %d is lost", label, i)
		}
		at = c.End
	}
}

func TestHeadersWithEdits(t *testing.T) {
	s := NewSession(nested())
	set := Settings{Method: "sentences", Unit: "words", Headers: true}
	r := chunked(t, s, set)
	plain := chunked(t, s, Settings{Method: "sentences", Unit: "words"})
	if plain.Headers != nil || plain.Chunks[0].ID != r.Chunks[0].ID || plain.Chunks[0].Span != r.Chunks[0].Span {
		t.Errorf("without headers: %v, %+v", plain.Headers, plain.Chunks[0])
	}
	r, err := s.Edit(context.Background(), plan(t, set), Edit{Action: "merge", At: r.Chunks[0].End}, local)
	if err != nil {
		t.Fatal(err)
	}
	checkHeaders(t, "merged", r, 0, token.Words)
	set.MaxTokens = 12
	checkHeaders(t, "merged, with a maximum", chunked(t, s, set), 12, token.Words)
}

// Headers must be the same natively and as WebAssembly.
func TestHeadersSameEverywhere(t *testing.T) {
	h := sha256.New()
	for _, d := range []*text.Document{nested(), article(t)} {
		s := NewSession(d)
		for _, method := range []string{"sections", "recursive", "percentile"} {
			r := chunked(t, s, Settings{Method: method, MaxTokens: 40, Headers: true})
			for i, c := range r.Chunks {
				fmt.Fprintf(h, "%s %v %d %q\n", c.ID, c.Span, c.Tokens, r.Headers[i])
			}
		}
	}
	const want = "687712225c2eee4d7acd"
	if got := fmt.Sprintf("%x", h.Sum(nil)[:10]); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
