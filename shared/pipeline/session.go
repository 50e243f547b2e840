package pipeline

import (
	"seam/shared/chunk"
	"seam/shared/embed/builtin"
	"seam/shared/embed/lexical"
	"seam/shared/text"
	"seam/shared/vector"
)

// Session is one document with everything computed for it. A Plan computes only what
// earlier plans have not.
type Session struct {
	Document *text.Document // call Replace to change it

	joined    map[key]*text.View
	sentences map[key][]text.Span
	vectors   map[key]compared
	curves    map[key]analysed
	lengths   map[key]*chunk.Memo
	unknown   map[string]*Unknown       // by the language an embedder knows
	scripts   map[text.ViewName]float64 // tokensPerWord
	seen      *Seen                     // from an earlier Session; nil if there was none
	hands     hands
	before    map[string][]compared // of earlier versions, by the ID of their embedder
}

// analysed is a method's analysis of a text.
type analysed struct {
	chunk.Analysis
	vectors key // key of the vectors it may hold
}

// compared holds the vectors of sentences and their similarities.
type compared struct {
	embedder     string // ID of the embedder
	similarities []float64
	vectors      vector.Matrix // empty if too large to keep
	texts        []string      // of the sentences, if there are vectors
}

func (c compared) bytes() int { return 4 * len(c.vectors.Data) }

// NewSession returns a Session for a document, with nothing computed.
func NewSession(d *text.Document) *Session {
	s := &Session{hands: hands{}, before: map[string][]compared{}}
	s.begin(d)
	return s
}

// begin discards everything except the edits.
func (s *Session) begin(d *text.Document) {
	s.Document = d
	s.joined = map[key]*text.View{}
	s.sentences = map[key][]text.Span{}
	s.vectors = map[key]compared{}
	s.curves = map[key]analysed{}
	s.lengths = map[key]*chunk.Memo{}
	s.unknown = map[string]*Unknown{}
	s.scripts = map[text.ViewName]float64{}
	s.seen = nil
}

// view returns the text of a plan.
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

// Unknown returns the part of the document that the plan's embedder does not know. It
// returns nil if that is little, or if the embedder is not tied to a language. For Auto it
// refers to the built-in model, and so explains why another embedder was chosen.
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

// Settle makes the choices of a plan that need the document: the embedder for Auto, and a
// method's own limits, in characters and in tokens of the lexical embedder. They then hold as
// much text in every script. Every method that takes a plan settles it first.
func (s *Session) Settle(p Plan) Plan {
	l := &p.Limits
	foreign := (p.Embedder == Auto || l.English || l.EnglishMax) && s.Unknown(Plan{Embedder: Auto}) != nil
	switch {
	case p.Embedder != Auto:
	case foreign:
		p.Embedder = lexical.Name
	default:
		p.Embedder = builtin.Name
	}
	if l.English && foreign {
		l.Min = max(1, int(float64(l.Min)*lettersPerCharacter(s.Document.View(p.View).Text)))
	}
	if l.EnglishMax && foreign && p.Embedder == lexical.Name {
		factor, known := s.scripts[p.View]
		if !known { // the page asks for the result of many settings
			factor = tokensPerWord(s.Document.View(p.View).Text)
			s.scripts[p.View] = factor
		}
		if m, err := p.method(); err == nil && l.Min == m.Min {
			l.Min = int(float64(l.Min) * factor)
		}
		l.Max = int(float64(l.Max) * factor)
	}
	l.English, l.EnglishMax = false, false
	return p
}

// known returns the cached vectors of an embedder: from other sentences of this text or
// from an earlier version.
func (s *Session) known(embedder string) []compared {
	known := s.before[embedder]
	for _, c := range s.vectors {
		if c.embedder == embedder {
			known = append(known[:len(known):len(known)], c)
		}
	}
	return known
}

// mostCached bounds the bytes of vectors in a session, apart from those it needs. 64 MB
// hold 65,000 sentences of 256 numbers.
const mostCached = 64 << 20

// bound drops vectors if there are too many: first all except those of key, then those of
// key unless they are needed.
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

// forgetCurves drops the analyses that use these vectors.
func (s *Session) forgetCurves(vectors key) {
	for k, a := range s.curves {
		if a.vectors == vectors {
			delete(s.curves, k)
		}
	}
}
