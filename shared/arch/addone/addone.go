// Package addone has a test that adds things to a copy of the tree: a command, a document
// format, a method, an embedder, a message of the page, a panel among its settings and a
// search engine. It counts the files that each one touches, and compares them with those
// that the READMEs name.
package addone
