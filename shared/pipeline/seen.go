package pipeline

import (
	"strings"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/text"
	"seam/shared/token"
)

// Seen holds results of a Session that take long to compute but are small. With them, a
// later Session cuts the same document into the same chunks at once.
type Seen struct {
	Version   int // Version of this package
	View      text.ViewName
	Rule      chunk.Rule
	Sentences []text.Span

	Embedder string // ID of the embedder
	Method   string
	Numbers  []float64 // from the chunk.Restorer of Method

	Unit    string // name of the counter
	Lengths []int  // of the sentences, as in chunk.Memo; nil if they were not counted
}

// Key distinguishes the Seen values of one text by method, embedder, view and unit.
func (s *Seen) Key() string {
	key := []string{s.Method, s.Embedder, string(s.View)}
	if s.Lengths != nil {
		key = append(key, s.Unit)
	}
	return strings.Join(key, " ")
}

// of returns s if it fits the plan's text and sentences, and nil otherwise.
func (s *Seen) of(p Plan) *Seen {
	if s == nil || p.Join.Given || s.View != p.View || s.Rule != p.rule() {
		return nil
	}
	return s
}

// analysis restores the analysis of a method. It returns nil if s does not have it.
func (s *Seen) analysis(m chunk.Method, embedder string, in chunk.Input) chunk.Analysis {
	k, ok := m.Chunker.(chunk.Restorer)
	if s == nil || !ok || s.Embedder != embedder || s.Method != m.Name {
		return nil
	}
	a, err := k.Restore(in, s.Numbers)
	if err != nil {
		return nil // it is computed again
	}
	return a
}

// memo returns a memo with the saved lengths for a counter. own means the counter is the
// model's own, so the model must match, too. The memo is empty if s does not have the
// lengths.
func (s *Seen) memo(counter token.Counter, own bool, model embed.Embedder) *chunk.Memo {
	if s == nil || s.Lengths == nil || s.Unit != counter.Name() || own && s.Embedder != model.ID() {
		return &chunk.Memo{}
	}
	return chunk.Remembered(s.Sentences, s.Lengths)
}
