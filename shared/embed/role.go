package embed

import "errors"

// Role says what texts are embedded for.
type Role string

const (
	Sentences Role = "sentences" // of a document, to be compared with their neighbours
	Chunks    Role = "chunks"    // to be found
	Queries   Role = "queries"   // to find them
)

// Roled is an Embedder whose vectors depend on what a text is: vectors made
// elsewhere, of which there is a list for each.
type Roled interface {
	Embedder
	// As is the embedder for texts of one role, nil where there is none.
	As(Role) Embedder
}

// ErrNone says that an Embedder has a vector for none of the texts.
var ErrNone = errors.New("no vectors")

// For is the embedder for texts of one role, nil where e has none.
func For(e Embedder, r Role) Embedder {
	if roled, ok := e.(Roled); ok {
		return roled.As(r)
	}
	return e
}
