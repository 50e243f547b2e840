// Package evaluate is seam eval: measures chunks, searches and answers.
package evaluate
