package upstream_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/proxy/ranks"
	"seam/proxy/upstream"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/answer"
	"seam/shared/protocol"
	"seam/shared/text"
	"seam/shared/token"
)

// sources are texts of the project in four kinds of writing, from other files than the
// samples of package gauge.
func sources(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for kind, pattern := range map[string]string{
		"English": "../../*/README.md", "Chinese": "../../shared/sentence/testdata/languages/zh.*", "Arabic": "../../shared/sentence/testdata/languages/ar.*", "code": "../relay/*.go",
	} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		for _, name := range names {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if s := unmarked(string(b)); len(s) > 3000 {
				all[kind] = append(all[kind], s)
			}
		}
	}
	return all
}

// unmarked returns the sentences of a fixture without the marks around them.
func unmarked(s string) string {
	return strings.NewReplacer("\"\n\"", " ", "¦", "", "\\n", "\n").Replace(s)
}

// prompt returns a question with some passages of one source.
func prompt(r *rand.Rand, from []string) []protocol.ChatMessage {
	var passages []string
	for range 3 + r.IntN(5) {
		s := from[r.IntN(len(from))]
		size := min(len(s)/2, 700+r.IntN(1200))
		start := text.Edge(s, r.IntN(len(s)-size))
		passages = append(passages, s[start:text.Edge(s, start+size)])
	}
	return answer.Messages(answer.Templates["answer"], fmt.Sprintf("What does passage %d say?", r.IntN(1000)), passages, nil)
}

// server is a model with a tokenizer. Of prompts that are longer than its context it reads
// only a part, and says nothing of it.
type server struct {
	tokens  func(string) int
	keep    float64 // part of a prompt that is read; 0: all of it
	cut     int     // where: 0 at the front, 1 in the middle, 2 at the end
	warm    bool    // it counts only tokens that its cache does not have
	says    bool    // it says how many come from its cache
	earlier []string
	part    float64 // of the latest prompt's tokens that was read
}

func (s *server) count(messages []string) (int, int) {
	whole := strings.Join(messages, "\n")
	if s.keep > 0 && len(whole) > 1500 {
		rest := cutOut(whole, 1-s.keep, s.cut)
		s.part = float64(s.tokens(rest)) / float64(s.tokens(whole))
		whole = rest
	}
	n := s.tokens(whole) + 12
	if !s.warm {
		return n, 0
	}
	longest := 0
	for _, e := range s.earlier {
		i := 0
		for i < min(len(e), len(whole)) && e[i] == whole[i] {
			i++
		}
		longest = max(longest, i)
	}
	s.earlier = append(s.earlier, whole)
	cached := s.tokens(whole[:text.Edge(whole, longest)])
	if s.says {
		return n - cached, cached
	}
	return max(1, n-cached), 0
}

func cutOut(s string, part float64, where int) string {
	n := int(part * float64(len(s)))
	at := []int{0, (len(s) - n) / 2, len(s) - n}[where]
	return s[:text.Edge(s, at)] + s[text.Edge(s, at+n):]
}

// tokenizers returns three that differ: cl100k's and o200k's, and one that counts
// characters.
func tokenizers(t *testing.T) map[string]func(string) int {
	t.Helper()
	all := map[string]func(string) int{"characters": func(s string) int { return utf8.RuneCountInString(s)/3 + 1 }}
	for _, name := range []string{token.CL100K, token.O200K} {
		e, err := ranks.Open(name)
		if err != nil {
			t.Skip(err)
		}
		all[name] = e.Count
	}
	return all
}

// reads asks one question and returns its usage.
func reads(t *testing.T, c *upstream.Client, messages []protocol.ChatMessage) protocol.Usage {
	t.Helper()
	usage, _, err := c.Chat(context.Background(), "m", messages, protocol.Params{}, func(protocol.Part) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return usage
}

func modelAt(t *testing.T, s *upstreamtest.Server) *upstream.Client {
	t.Helper()
	c, err := upstream.New(upstream.Provider{Name: "near", BaseURL: s.BaseURL, Models: []upstream.Model{{Model: protocol.Model{ID: "m", Kind: protocol.Chatting}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// at starts a server of this kind, and returns a client of its model.
func (s *server) at(t *testing.T) *upstream.Client {
	t.Helper()
	p := upstreamtest.Start()
	t.Cleanup(p.Close)
	p.Count = s.count
	return modelAt(t, p)
}

var kinds = []string{"English", "Chinese", "Arabic", "code"}

// No whole prompt is called cut, also if the server counts only the tokens that its cache
// lacks.
func TestWholePrompts(t *testing.T) {
	from := sources(t)
	asked := 0
	for name, tokens := range tokenizers(t) {
		for how, model := range map[string]*server{"cold": {}, "warm": {warm: true}, "warm and says so": {warm: true, says: true}} {
			model.tokens = tokens
			c, r := model.at(t), rand.New(rand.NewPCG(7, 11))
			for i := 0; i < 112; i++ {
				messages := prompt(r, from[kinds[i%4]])
				again := 1
				if model.warm {
					again = 1 + r.IntN(2) // the same, then another question about the same passages
				}
				for range again {
					asked++
					if usage := reads(t, c, messages); usage.Sent > 0 {
						t.Errorf("%s, %s, %s: read %d of %d; %d tokens, %v", name, how, kinds[i%4], usage.Read, usage.Sent, tokens(contents(messages)), usage)
					}
					messages[len(messages)-1].Content += " And why?"
				}
			}
		}
	}
	t.Logf("%d whole prompts", asked)
}

// Every prompt is noticed that a server cuts by a fifth or more.
func TestCutPrompts(t *testing.T) {
	from := sources(t)
	asked, noticed := 0, 0
	for name, tokens := range tokenizers(t) {
		r := rand.New(rand.NewPCG(3, 5))
		model := &server{tokens: tokens}
		c := model.at(t)
		for i := range 120 {
			model.keep, model.cut = 0.85-0.65*r.Float64(), i/4%3
			usage := reads(t, c, prompt(r, from[kinds[i%4]]))
			if model.part > 0.8 {
				continue
			}
			if asked++; usage.Sent > 0 {
				noticed++
			} else {
				t.Logf("%s, %s: %.2f of a prompt read, not noticed", name, kinds[i%4], model.part)
			}
		}
	}
	t.Logf("%d of %d cut prompts are noticed", noticed, asked)
	if noticed < asked-asked/40 {
		t.Errorf("only %d of %d cut prompts are noticed", noticed, asked)
	}
}

func contents(messages []protocol.ChatMessage) (all string) {
	for _, m := range messages {
		all += m.Content + "\n"
	}
	return all
}
