// Package addone has a test that adds a command, a document format, a method and an embedder
// to a copy of the tree. It counts the files that each one touches, and compares them with
// those that the READMEs name.
package addone
