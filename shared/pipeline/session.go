package pipeline

import (
	"seam/shared/chunk"
	"seam/shared/embed/builtin"
	"seam/shared/embed/lexical"
	"seam/shared/text"
	"seam/shared/vector"
)

// Session is one document and what was computed of it: a Plan computes only what no
// earlier one has.
type Session struct {
	Document *text.Document // to change it call Replace

	joined    map[key]*text.View
	sentences map[key][]text.Span
	vectors   map[key]compared
	curves    map[key]analysed
	lengths   map[key]*chunk.Memo
	unknown   map[string]*Unknown // by the language that an embedder knows
	seen      *Seen               // of an earlier Session; nil: there was none
	hands     hands
	before    map[string][]compared // of the versions before, by the ID of their embedder
}

// analysed is what a method has seen in a text.
type analysed struct {
	chunk.Analysis
	vectors key // of those that it may hold
}

// compared is what follows from the vectors of sentences.
type compared struct {
	embedder     string // its ID
	similarities []float64
	vectors      vector.Matrix // none where they are too many to be kept
	texts        []string      // of the sentences, where there are vectors
}

func (c compared) bytes() int { return 4 * len(c.vectors.Data) }

// NewSession begins with a document and nothing computed.
func NewSession(d *text.Document) *Session {
	s := &Session{hands: hands{}, before: map[string][]compared{}}
	s.begin(d)
	return s
}

// begin forgets everything but what was done by hand.
func (s *Session) begin(d *text.Document) {
	s.Document = d
	s.joined = map[key]*text.View{}
	s.sentences = map[key][]text.Span{}
	s.vectors = map[key]compared{}
	s.curves = map[key]analysed{}
	s.lengths = map[key]*chunk.Memo{}
	s.unknown = map[string]*Unknown{}
	s.seen = nil
}

// view is the text of a plan.
func (s *Session) view(p Plan) *text.View {
	if !p.Join.Given {
		return s.Document.View(p.View)
	}
	key := p.textKey()
	if s.joined[key] == nil {
		s.joined[key] = p.Text(s.Document)
	}
	return s.joined[key]
}

// Unknown tells what the embedder of a plan does not know of the document's
// language: nil where that is little, or where the embedder is of no language. Of
// Auto it is what the built-in model does not know: why the embedder is another.
func (s *Session) Unknown(p Plan) *Unknown {
	kind, _ := EmbedderOf(p.Embedder)
	if kind.Language == "" {
		return nil
	}
	u, ok := s.unknown[kind.Language]
	if !ok {
		u = unknown(s.Document.View(text.Reading), kind.Language)
		s.unknown[kind.Language] = u
	}
	return u
}

// Settle makes the choices of a plan that need the document: which embedder Auto is,
// and a default minimum in characters. Whatever takes a plan follows what Settle makes
// of it.
func (s *Session) Settle(p Plan) Plan {
	foreign := (p.Embedder == Auto || p.Limits.English) && s.Unknown(Plan{Embedder: Auto}) != nil
	switch {
	case p.Embedder != Auto:
	case foreign:
		p.Embedder = lexical.Name
	default:
		p.Embedder = builtin.Name
	}
	if p.Limits.English && foreign {
		p.Limits.Min = max(1, int(float64(p.Limits.Min)*lettersPerCharacter(s.Document.View(p.View).Text)))
	}
	p.Limits.English = false
	return p
}

// known are the vectors of an embedder that are there, of other sentences of this text
// or of the version before.
func (s *Session) known(embedder string) []compared {
	known := s.before[embedder]
	for _, c := range s.vectors {
		if c.embedder == embedder {
			known = append(known[:len(known):len(known)], c)
		}
	}
	return known
}

// mostCached bounds the bytes of vectors that a session caches beside those it needs:
// 64 MB are 65,000 sentences of 256 numbers.
const mostCached = 64 << 20

// bound lets vectors go where there are too many: first all but those of key, then
// these, unless they are needed.
func (s *Session) bound(key key, needed bool) {
	size := 0
	for _, c := range s.vectors {
		size += c.bytes()
	}
	for _, list := range s.before {
		for _, c := range list {
			size += c.bytes()
		}
	}
	if size <= mostCached {
		return
	}
	clear(s.before)
	for k, c := range s.vectors {
		if k != key || !needed && c.bytes() > mostCached {
			s.vectors[k] = compared{embedder: c.embedder, similarities: c.similarities}
			s.forgetCurves(k)
		}
	}
}

// forgetCurves lets go of what methods have seen with these vectors.
func (s *Session) forgetCurves(vectors key) {
	for k, a := range s.curves {
		if a.vectors == vectors {
			delete(s.curves, k)
		}
	}
}
