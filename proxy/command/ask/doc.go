// Package ask implements seam ask, which answers questions from documents.
package ask
