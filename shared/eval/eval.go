// Package eval measures the quality of chunks. It compares them with known segments of a
// text (segmentation.go), and judges the results of a search over them against known
// excerpts (retrieval.go). README.md defines every figure and names its source.
//
// The package reads no files and no clock, and random results take a seed. Except for the
// logarithm in BM25, all figures are quotients of whole numbers or exact sums
// (statistics.go), so they are the same on all targets.
package eval
