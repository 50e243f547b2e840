package eval

import (
	"cmp"
	"slices"
)

// Range is a part of a text in characters (code points), not bytes, as in Chroma's
// evaluation.
type Range struct{ Start, End int }

// Len returns the number of characters.
func (r Range) Len() int { return r.End - r.Start }

// Passage is a chunk of the text with index Text.
type Passage struct {
	Text int
	Range
}

// Retrieval measures how much of the known excerpts was found, and how much else. Each
// figure is from 0 to 1; higher is better.
type Retrieval struct {
	Recall    float64 // |∪(c∩r)| / Σ|r|
	Precision float64 // |∪(c∩r)| / Σ|c|
	IoU       float64 // |∪(c∩r)| / (Σ|c| + |part of r in no c|)
	Omega     float64 // see Omega; measures what could be found, rather than what was
}

// Retrieve judges the passages got for a question with the excerpts refs of one text as its
// answer. A passage of another text counts only in the denominators. Without characters in
// the excerpts, or without passages, the result is 0. Omega is not set. Source: Chroma's
// chunking_evaluation, BaseEvaluation._scores_from_dataset_and_retrievals.
func Retrieve(of int, refs []Range, got []Passage) Retrieval {
	var hits []Range
	left, long := refs, 0
	for _, p := range got {
		long += p.Len()
		if p.Text == of {
			for _, r := range refs {
				if m, ok := meet(p.Range, r); ok {
					left, hits = minus(left, m), append(hits, m)
				}
			}
		}
	}
	found := total(union(hits))
	return Retrieval{Recall: share(found, total(refs)), Precision: share(found, long), IoU: share(found, long+total(left))}
}

// Omega returns the IoU of all chunks of a text that touch an excerpt, as if a search had
// found exactly those: |∪(c∩r)| / |∪c ∪ part of r in no c|. A chunk that ends where an
// excerpt begins touches it, as in the source. If no chunk touches one, it returns 0.
// Source: Chroma's chunking_evaluation, BaseEvaluation._full_precision_score.
func Omega(of int, refs []Range, all []Passage) float64 {
	var hits, touching []Range
	left := refs
	for _, p := range all {
		if p.Text != of {
			continue
		}
		for _, r := range refs {
			if m, ok := meet(p.Range, r); ok {
				left, hits, touching = minus(left, m), append(hits, m), append(touching, p.Range)
			}
		}
	}
	return share(total(union(hits)), total(union(append(touching, left...))))
}

func share(part, whole int) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func total(list []Range) (sum int) {
	for _, r := range list {
		sum += r.Len()
	}
	return sum
}

// union returns the ranges sorted, merging those that overlap or touch.
func union(list []Range) []Range {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Range) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End)) })
	var out []Range
	for _, r := range list {
		if n := len(out); n > 0 && r.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, r.End)
			continue
		}
		out = append(out, r)
	}
	return out
}

// meet returns the common part of two ranges. Ranges that touch share a range of length 0.
func meet(a, b Range) (Range, bool) {
	m := Range{max(a.Start, b.Start), min(a.End, b.End)}
	return m, m.Start <= m.End
}

// minus removes cut from every range.
func minus(list []Range, cut Range) []Range {
	var out []Range
	for _, r := range list {
		if r.End < cut.Start || r.Start > cut.End {
			out = append(out, r)
			continue
		}
		if r.Start < cut.Start {
			out = append(out, Range{r.Start, cut.Start})
		}
		if r.End > cut.End {
			out = append(out, Range{cut.End, r.End})
		}
	}
	return out
}
