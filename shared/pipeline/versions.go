package pipeline

import (
	"strings"

	"seam/shared/chunk"
	"seam/shared/embed/remote"
	"seam/shared/text"
	"seam/shared/vector"
)

// Replace continues with another version of the document. It reuses the vectors of
// unchanged sentences and keeps edits with a place in the new version. lost is the number
// of edits dropped.
func (s *Session) Replace(d *text.Document) (lost int) {
	lost = s.hands.rebase(d)
	for _, c := range s.vectors {
		s.before[c.embedder] = append(s.before[c.embedder], c)
	}
	s.begin(d)
	return lost
}

// Know adds existing vectors of texts, made by the embedder with the given ID. They are
// used for sentences with the same text if the embedder is ByText. Know keeps the rows
// without copying them.
func (s *Session) Know(embedder string, texts []string, vectors vector.Matrix) {
	s.before[embedder] = append(s.before[embedder], compared{embedder: embedder, vectors: vectors, texts: texts})
}

// ForgetHosted drops all vectors that came from a proxy.
func (s *Session) ForgetHosted() {
	for k, c := range s.vectors {
		if strings.HasPrefix(c.embedder, remote.Prefix) {
			delete(s.vectors, k)
			s.forgetCurves(k)
		}
	}
	if s.seen != nil && strings.HasPrefix(s.seen.Embedder, remote.Prefix) {
		s.seen = nil
	}
	for embedder := range s.before {
		if strings.HasPrefix(embedder, remote.Prefix) {
			delete(s.before, embedder)
		}
	}
}

// Kept returns the vectors held for the sentences of a result, and the ID of their
// embedder. It prefers the embedder of the result, otherwise the first by ID. The matrix is
// empty if there are none.
func (s *Session) Kept(r *Result) (embedder string, vectors vector.Matrix) {
	for k, c := range s.vectors {
		if k != r.Plan.vectorKey(c.embedder) || c.vectors.Rows != len(r.Sentences) || c.vectors.Rows == 0 {
			continue
		}
		if c.embedder == r.embedder {
			return c.embedder, c.vectors
		}
		if embedder == "" || c.embedder < embedder {
			embedder, vectors = c.embedder, c.vectors
		}
	}
	return embedder, vectors
}

// Seen returns the saved form of a result, or nil if nothing in it takes long to compute.
func (s *Session) Seen(r *Result) *Seen {
	k, dear := r.Method.Chunker.(chunk.Restorer)
	a, ok := s.curves[r.Plan.curveKey(r.embedder)]
	if !dear || !ok || r.Plan.Join.Given || len(r.Sentences) == 0 {
		return nil
	}
	return &Seen{Version, r.Plan.View, r.Plan.rule(), r.Sentences, r.embedder, r.Plan.Method, k.Numbers(a.Analysis), r.unit, r.memo.Lengths(r.Sentences)}
}

// Recall takes the results that an earlier Session saved for the document. It ignores
// results of another version of this package.
func (s *Session) Recall(seen *Seen) {
	if seen.Version == Version && len(seen.Sentences) > 0 {
		s.seen = seen
	}
}
