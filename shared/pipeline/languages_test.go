package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/embed/builtin"
	"seam/shared/embed/lexical"
	"seam/shared/text"
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
	if byHand := plan(t, Settings{Embedder: builtin.Name}); s.Settle(byHand) != byHand || s.Unknown(byHand) == nil {
		t.Error("what was chosen by hand is not kept, or not noticed")
	}
	s.Replace(inLanguage(t, "en", "subjects"))
	if p := s.Settle(auto); p.Embedder != builtin.Name || s.Unknown(auto) != nil {
		t.Errorf("another version in English has %s", p.Embedder)
	}
}
