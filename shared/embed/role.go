package embed

import "errors"

// Role is the purpose for which texts are embedded.
type Role string

const (
	Sentences Role = "sentences" // of a document, to compare with their neighbours
	Chunks    Role = "chunks"    // to be found
	Queries   Role = "queries"   // to find chunks
)

// Roled is an Embedder with vectors that depend on the role of a text, for example vectors
// made elsewhere with a list for each role.
type Roled interface {
	Embedder
	// As returns the embedder for texts in a role, or nil if there is none.
	As(Role) Embedder
}

// ErrNone reports that an Embedder has no vector for any of the texts.
var ErrNone = errors.New("no vectors")

// For returns the embedder for texts in a role, or nil if e has none.
func For(e Embedder, r Role) Embedder {
	if roled, ok := e.(Roled); ok {
		return roled.As(r)
	}
	return e
}
