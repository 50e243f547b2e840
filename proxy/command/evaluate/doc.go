// Package evaluate implements seam eval, which measures chunks, searches and answers.
package evaluate
