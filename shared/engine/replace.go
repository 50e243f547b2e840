package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/text"
	"seam/shared/vector"
)

// mostKept bounds the bytes of vectors that a session keeps beside those it needs:
// 64 MB are 65,000 sentences of 256 numbers.
const mostKept = 64 << 20

// errReplaced ends the work on a version that was replaced while it waited.
var errReplaced = errors.New("the document was replaced by another version meanwhile")

// Replace goes on with another version of the document. Vectors of sentences that
// are in it as they were are used again, and what was done by hand stays where its
// place still is; lost is how many changes had to be dropped.
func (s *Session) Replace(d *text.Document) (lost int) {
	lost = s.rebase(d)
	maps.Copy(s.old, s.curves)
	s.Document, s.curves = d, map[curveKey]curve{}
	s.sentences = map[sentenceKey][]text.Span{}
	s.memos = map[memoKey]*chunk.Memo{}
	s.unknown, s.found = map[text.ViewName]*Unknown{}, map[curveKey]chunk.Semantic{}
	return lost
}

// byText reports whether an embedder gives a text the same vector in any company:
// not where it is fitted to all of them, or goes by their order.
func byText(model embed.Embedder) bool {
	_, fitted := model.(embed.Fitter)
	_, roled := model.(embed.Roled)
	return !fitted && !roled
}

// rows are vectors that are there, by their texts.
type rows map[string][]float32

// known are the vectors of an embedder that the session has.
func (s *Session) known(embedder string) rows {
	known := rows{}
	for _, curves := range []map[curveKey]curve{s.old, s.curves} {
		for k, c := range curves {
			for i := 0; k.embedder == embedder && i < c.vectors.Rows; i++ {
				known[c.texts[i]] = c.vectors.Row(i)
			}
		}
	}
	return known
}

// embed makes the vectors that are not known, fresh of them, and puts all together.
func (known rows) embed(ctx context.Context, model embed.Embedder, texts []string, progress embed.Progress) (m vector.Matrix, fresh int, err error) {
	missing := texts
	if len(known) > 0 {
		missing = nil
		for _, t := range texts {
			if known[t] == nil {
				missing = append(missing, t)
			}
		}
	}
	if len(missing) > 0 {
		m, err = model.Embed(ctx, missing, progress)
		if err == nil && m.Rows != len(missing) {
			err = fmt.Errorf("%s made %d vectors of %d sentences", model.ID(), m.Rows, len(missing))
		}
	}
	if err != nil || len(missing) == len(texts) {
		return m, len(texts), err
	}
	made := m
	for _, row := range known {
		if made.Rows > 0 && made.Dim != len(row) { // a hosted model has changed
			return rows{}.embed(ctx, model, texts, progress)
		}
		m = vector.New(len(texts), len(row))
		break
	}
	next := 0
	for i, t := range texts {
		row := known[t]
		if row == nil {
			row = made.Row(next)
			next++
		}
		copy(m.Row(i), row)
	}
	return m, len(missing), nil
}

// bound lets vectors go where there are too many: first all but those of key, then
// these, unless they are needed.
func (s *Session) bound(key curveKey, needed bool) {
	size := 0
	for _, curves := range []map[curveKey]curve{s.old, s.curves} {
		for _, c := range curves {
			size += 4 * len(c.vectors.Data)
		}
	}
	if size <= mostKept {
		return
	}
	clear(s.old)
	for k, c := range s.curves {
		if k != key || !needed && 4*len(c.vectors.Data) > mostKept {
			s.curves[k] = curve{similarities: c.similarities}
		}
	}
}
