// Package collections pushes chunks to search engines and compares them with the chunks
// already there.
package collections
