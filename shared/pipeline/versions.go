package pipeline

import (
	"strings"

	"seam/shared/chunk"
	"seam/shared/embed/remote"
	"seam/shared/text"
	"seam/shared/vector"
)

// Replace goes on with another version of the document. Vectors of sentences that
// are in it as they were are used again, and what was done by hand stays where its
// place still is; lost is how many changes had to be dropped.
func (s *Session) Replace(d *text.Document) (lost int) {
	lost = s.hands.rebase(d)
	for _, c := range s.vectors {
		s.before[c.embedder] = append(s.before[c.embedder], c)
	}
	s.begin(d)
	return lost
}

// Know takes vectors of texts by an embedder of an ID that were made before: what it gives
// to sentences of the same text, where ByText holds of it. It keeps the rows themselves.
func (s *Session) Know(embedder string, texts []string, vectors vector.Matrix) {
	s.before[embedder] = append(s.before[embedder], compared{embedder: embedder, vectors: vectors, texts: texts})
}

// ForgetHosted lets go of what came from a proxy.
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

// Kept are the vectors that are held of the sentences of a result, and the ID of their
// embedder: that of the result, else the first by its ID. Of none the matrix is empty.
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

// Seen tells of a result; nil where nothing of it takes long.
func (s *Session) Seen(r *Result) *Seen {
	k, dear := r.Method.Chunker.(chunk.Restorer)
	a, ok := s.curves[r.Plan.curveKey(r.embedder)]
	if !dear || !ok || r.Plan.Join.Given || len(r.Sentences) == 0 {
		return nil
	}
	return &Seen{Version, r.Plan.View, r.Plan.rule(), r.Sentences, r.embedder, r.Plan.Method, k.Numbers(a.Analysis), r.unit, r.memo.Lengths(r.Sentences)}
}

// Recall takes what an earlier Session has seen of the document. What another version of
// this package has seen is not used.
func (s *Session) Recall(seen *Seen) {
	if seen.Version == Version && len(seen.Sentences) > 0 {
		s.seen = seen
	}
}
