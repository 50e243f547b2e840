// Package addone has a test that adds things to a copy of the tree: a command, a document
// format, a method, an embedder, a message of the page, a settings panel and a search
// engine. It compares the files that each one touches with the files that the READMEs list.
package addone
