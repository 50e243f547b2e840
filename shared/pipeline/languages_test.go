package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/embed/builtin"
	"seam/shared/embed/lexical"
	"seam/shared/text"
	"seam/shared/token"
)

// written lists the languages of testdata/languages. XX-subjects.txt has three paragraphs
// about bread, tides and bicycles; XX-one.txt has three about tea.
var written = strings.Fields("zh ja ko ar he hi th ru el de fr tr en")

func inLanguage(t *testing.T, code, kind string) *text.Document {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "languages", code+"-"+kind+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	return text.NewPlain(string(b))
}

// endWithParagraphs reports whether each chunk ends at the end of a paragraph.
func endWithParagraphs(r *Result) bool {
	for _, c := range r.Chunks {
		rest := r.Text.Text[c.End:]
		if strings.TrimSpace(rest) != "" && !strings.HasPrefix(rest, "\n\n") {
			return false
		}
	}
	return true
}

// In every language, three subjects must give three chunks, and a single subject must not
// be cut at every paragraph.
func TestSubjectsInEveryLanguage(t *testing.T) {
	for _, code := range written {
		embedder := lexical.Name
		if code == "en" {
			embedder = builtin.Name
		}
		s := NewSession(inLanguage(t, code, "subjects"))
		r := chunked(t, s, Settings{})
		if len(r.Chunks) != 3 || !endWithParagraphs(r) || r.Plan.Embedder != embedder {
			t.Errorf("%s: three subjects are %d chunks by %s", code, len(r.Chunks), r.Plan.Embedder)
		}
		r = chunked(t, s, Settings{Unit: "chars"})
		if !endWithParagraphs(r) || len(r.Chunks) < 3 {
			t.Errorf("%s: in characters %d chunks, by %s", code, len(r.Chunks), r.Plan)
		}
		for _, least := range []*int{nil, number(0)} {
			r = chunked(t, NewSession(inLanguage(t, code, "one")), Settings{MinTokens: least})
			if len(r.Chunks) > 2 || !endWithParagraphs(r) {
				t.Errorf("%s: one subject is %d chunks", code, len(r.Chunks))
			}
		}
	}
}

// The default embedder must be one that knows the document. Results and caches must use
// that embedder's name.
func TestAutoIsSettledByTheDocument(t *testing.T) {
	s := NewSession(inLanguage(t, "ru", "subjects"))
	auto := plan(t, Settings{})
	if u := s.Unknown(auto); u == nil || u.Language != "Russian" || u.Share < .9 {
		t.Errorf("unknown: %+v", u)
	}
	asked, named := chunked(t, s, Settings{}), chunked(t, s, Settings{Embedder: lexical.Name})
	if asked.Plan != named.Plan || len(named.Cached) == 0 || asked.cuts() != named.cuts() {
		t.Errorf("%s, then %s with %v", asked.Plan, named.Plan, named.Cached)
	}
	if s.Unknown(named.Plan) != nil {
		t.Error("lexical is said not to know a language")
	}
	if byHand := plan(t, Settings{Embedder: builtin.Name, MaxTokens: 512}); s.Settle(byHand) != byHand || s.Unknown(byHand) == nil {
		t.Error("what was chosen by hand is not kept, or not noticed")
	}
	s.Replace(inLanguage(t, "en", "subjects"))
	if p := s.Settle(auto); p.Embedder != builtin.Name || s.Unknown(auto) != nil {
		t.Errorf("another version in English has %s", p.Embedder)
	}
}

// The method's own limits must hold as much text in every script. In tokens of the lexical
// embedder they are as many times larger as the script needs more tokens for a word. Limits
// from the user must stay.
func TestOwnLimitsHoldAsMuchInEveryScript(t *testing.T) {
	versions := NewSession(inLanguage(t, "ar", "subjects"))
	for _, code := range written {
		s := NewSession(inLanguage(t, code, "subjects"))
		p := s.Settle(plan(t, Settings{Embedder: lexical.Name}))
		if s.Settle(p) != p {
			t.Errorf("%s: settled twice, it is %s", code, s.Settle(p))
		}
		versions.Replace(inLanguage(t, code, "subjects"))
		for range 2 {
			if q := versions.Settle(plan(t, Settings{Embedder: lexical.Name})); q != p {
				t.Errorf("%s: as another version it is %s, not %s", code, q, p)
			}
		}
		body := s.Document.View(text.Reading).Text
		words := float64(p.Limits.Max) / float64(token.WordTokens.Count(body)) * float64(token.EvenWords.Count(body))
		if words < chunk.DefaultMax-1 || words > chunk.DefaultMax+1 {
			t.Errorf("%s: the maximum of %d tokens is %.0f words", code, p.Limits.Max, words)
		}
		latin := strings.Contains("de en fr tr", code)
		if latin != (p.Limits.Max == chunk.DefaultMax) || latin != (p.Limits.Min == chunk.DefaultMin) {
			t.Errorf("%s: %s", code, p)
		}
		for _, given := range []Settings{{Embedder: lexical.Name, MaxTokens: 512, MinTokens: number(32)}, {Embedder: lexical.Name, Unit: "words"}, {Embedder: builtin.Name}} {
			q := plan(t, given)
			if l := s.Settle(q).Limits; l.Max != q.Limits.Max || l.Min != q.Limits.Min {
				t.Errorf("%s: %s was settled as %d to %d", code, q, l.Min, l.Max)
			}
		}
		r := chunked(t, s, Settings{Embedder: lexical.Name})
		if !r.Estimated() || chunked(t, s, Settings{Embedder: lexical.Name, Unit: "words"}).Estimated() || chunked(t, s, Settings{Embedder: builtin.Name}).Estimated() {
			t.Errorf("%s: the lengths of %s are not reported as estimates", code, r.Plan)
		}
	}
}
