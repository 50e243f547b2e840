package pipeline

import (
	"strings"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/text"
	"seam/shared/token"
)

// Seen is what a Session has computed of a text that takes long and is small: with it a
// later Session cuts the same document up at once, to the same chunks.
type Seen struct {
	Version   int // of this package
	View      text.ViewName
	Rule      chunk.Rule
	Sentences []text.Span

	Embedder string // its ID
	Method   string
	Numbers  []float64 // of the chunk.Restorer of Method

	Unit    string // the name of the counter
	Lengths []int  // of the sentences, as chunk.Memo has them; nil: they were not counted
}

// Key tells what is seen of one text by other means.
func (s *Seen) Key() string {
	key := []string{s.Method, s.Embedder, string(s.View)}
	if s.Lengths != nil {
		key = append(key, s.Unit)
	}
	return strings.Join(key, " ")
}

// of are the Seen of a text and its sentences: s, or nil where it is of others.
func (s *Seen) of(p Plan) *Seen {
	if s == nil || p.Join.Given || s.View != p.View || s.Rule != p.rule() {
		return nil
	}
	return s
}

// analysis is that of a method; nil where it was not seen.
func (s *Seen) analysis(m chunk.Method, embedder string, in chunk.Input) chunk.Analysis {
	k, ok := m.Chunker.(chunk.Restorer)
	if s == nil || !ok || s.Embedder != embedder || s.Method != m.Name {
		return nil
	}
	a, err := k.Restore(in, s.Numbers)
	if err != nil {
		return nil // it is made again
	}
	return a
}

// memo has the lengths that a counter gives, which is that of model where own is set; it is
// empty where they were not seen.
func (s *Seen) memo(counter token.Counter, own bool, model embed.Embedder) *chunk.Memo {
	if s == nil || s.Lengths == nil || s.Unit != counter.Name() || own && s.Embedder != model.ID() {
		return &chunk.Memo{}
	}
	return chunk.Remembered(s.Sentences, s.Lengths)
}
