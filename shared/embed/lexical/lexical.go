// Package lexical is an embedder without a model. It performs latent semantic analysis of
// the collection itself (Deerwester et al. 1990). Words that occur in the same sentences
// become similar. It knows nothing about words that the collection does not explain, and
// synonyms that never occur together stay unrelated. It needs no download and no training.
package lexical

import (
	"context"
	"math"
	"strings"

	"seam/shared/embed"
	"seam/shared/language"
	"seam/shared/token"
	"seam/shared/vector"
)

// Dim is the number of dimensions kept. The maximum is half the number of texts, or two
// thirds if terms are parts of words. Dim exceeds the number of topics in a document but is
// too small to keep every chance co-occurrence. Measured on 60 documents with known
// boundaries, method percentile: mean Pk .433, .425, .449, .442 for 16, 32, 48, 96.
const Dim = 32

// sampleSize is the maximum number of texts analysed, evenly spaced in the collection. The
// others are only projected.
const sampleSize = 2000

// Name is the embedder's name in the option --embedder.
const Name = "lexical"

const id = "lexical-lsa-2"

// Embedder is the lexical embedder. The zero value is not fitted: its Embed fits it to the
// texts it is given. Fit makes an embedder for a collection, which can compare later texts,
// such as queries.
type Embedder struct {
	words bool           // terms are whole words; otherwise those of token.EachTerm
	terms map[string]int // term -> column
	idf   []float64      // by column
	axes  []float64      // columns × rank: the right singular vectors
	rank  int
}

var (
	_ embed.Embedder = (*Embedder)(nil)
	_ embed.Fitter   = (*Embedder)(nil)
)

// ID returns the name and version of the method.
func (e *Embedder) ID() string { return id }

// Counter counts words, the tokens of this embedder, and estimates the tokens of a model in
// scripts where a word has several.
func (e *Embedder) Counter() token.Counter { return token.WordTokens }

// Embed projects texts onto the axes found by Fit.
func (e *Embedder) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	if e.terms == nil {
		fitted, err := e.fit(ctx, texts, progress)
		if err != nil {
			return vector.Matrix{}, err
		}
		e = fitted
	}
	m, err := vector.Make(len(texts), Dim)
	if err != nil {
		return vector.Matrix{}, err
	}
	sum := make([]float64, e.rank)
	for i, t := range texts {
		if i%256 == 0 {
			if err := progress.Check(ctx, len(texts)+i, 2*len(texts)); err != nil {
				return vector.Matrix{}, err
			}
		}
		clear(sum)
		for _, c := range e.weigh(e.counts(t, e.terms)) {
			for k, a := range e.axes[c.col*e.rank : (c.col+1)*e.rank] {
				sum[k] += float64(c.weight * a)
			}
		}
		row := m.Row(i)
		for k, s := range sum {
			row[k] = float32(s)
		}
	}
	vector.Normalize(m)
	return m, progress.Check(ctx, 2*len(texts), 2*len(texts))
}

// Fit analyses a collection of texts.
func (e *Embedder) Fit(ctx context.Context, texts []string, progress embed.Progress) (embed.Embedder, error) {
	return e.fit(ctx, texts, progress)
}

func (e *Embedder) fit(ctx context.Context, texts []string, progress embed.Progress) (*Embedder, error) {
	f := &Embedder{terms: map[string]int{}, words: english(texts)}
	var df []int
	var all [][]cell
	every := (len(texts) + sampleSize - 1) / sampleSize
	for i, t := range texts {
		if i%256 == 0 {
			if err := progress.Check(ctx, i/2, 2*len(texts)); err != nil {
				return nil, err
			}
		}
		row := f.counts(t, nil)
		cells := make([]cell, 0, len(row))
		for _, n := range row {
			col, ok := f.terms[n.term]
			if !ok {
				col = len(df)
				f.terms[n.term] = col
				df = append(df, 0)
			}
			df[col]++
			cells = append(cells, cell{col, float64(n.n)})
		}
		if i%every == 0 {
			all = append(all, cells)
		}
	}
	f.idf = make([]float64, len(df))
	for c, n := range df {
		f.idf[c] = vector.Ln(1 + float64(len(texts))/float64(n))
	}
	for i := range all {
		all[i] = f.scale(all[i])
	}
	err := f.analyse(ctx, all, func(done, total int) error {
		return progress.Report(len(texts)/2+done*len(texts)/(2*total), 2*len(texts))
	})
	return f, err
}

// cell is a non-zero number of the matrix of texts and terms.
type cell struct {
	col    int
	weight float64
}

type count struct {
	term string
	n    int
}

// counts returns the number of occurrences of each term in t, in order of first appearance.
// With known, it includes only terms that have a column.
func (e *Embedder) counts(t string, known map[string]int) []count {
	var out []count
	at := map[string]int{}
	add := func(term string) {
		if known != nil {
			if _, ok := known[term]; !ok {
				return
			}
		}
		i, ok := at[term]
		if !ok {
			i = len(out)
			at[term] = i
			out = append(out, count{term, 0})
		}
		out[i].n++
	}
	if e.words {
		for w := range token.EachWord(t) {
			add(Term(w.Of(t)))
		}
		return out
	}
	var buf [token.LongestTerm]byte
	token.EachTerm(t, buf[:0], func(term []byte) { add(string(term)) })
	return out
}

// english reports whether whole words are the best terms for texts: in English, where words
// have few forms. Truncated words are worse there: mean Pk .167 instead of .157.
func english(texts []string) bool {
	var sample strings.Builder
	every := (len(texts) + sampleSize - 1) / sampleSize
	for i := 0; i < len(texts); i += every {
		sample.WriteString(texts[i])
		sample.WriteByte('\n')
	}
	_, _, other := language.Unknown(sample.String(), "en")
	return !other
}

// Term returns the form under which a word is counted: lower case, without a plural s. It
// is not a stemmer. It only merges the most frequent pair of forms, and leaves other
// languages almost unchanged.
func Term(word string) string {
	w := strings.ToLower(word)
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	if n := len(w); n > 3 && w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i' {
		w = w[:n-1]
	}
	return w
}

func (e *Embedder) weigh(row []count) []cell {
	cells := make([]cell, len(row))
	for i, c := range row {
		cells[i] = cell{e.terms[c.term], float64(c.n)}
	}
	return e.scale(cells)
}

// scale converts counts to tf-idf weights, (1 + ln n)·idf, of length 1.
func (e *Embedder) scale(cells []cell) []cell {
	square := 0.0
	for i, c := range cells {
		w := float64((1 + vector.Ln(c.weight)) * e.idf[c.col])
		cells[i].weight = w
		square += float64(w * w)
	}
	if square > 0 {
		length := math.Sqrt(square)
		for i := range cells {
			cells[i].weight /= length
		}
	}
	return cells
}
