// Package eval measures how good chunks are: against known segments of a text
// (segmentation.go), and by what a search over them finds of known excerpts
// (retrieval.go). README.md defines every figure and names its source.
//
// Nothing here reads files, knows the time or calls chance: what is random takes a
// seed. All figures but the logarithm of BM25 are quotients of whole numbers or exact
// sums (statistics.go), so that they are the same on all targets.
package eval
