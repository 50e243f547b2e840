// Package embed turns texts into vectors. The rest of Seam knows a model only through the
// Embedder interface.
package embed

import (
	"context"

	"seam/shared/token"
	"seam/shared/vector"
)

// Embedder computes one vector per text.
type Embedder interface {
	// ID returns the model's name and version. Vectors with different IDs must not be
	// compared.
	ID() string
	// Counter returns a counter of the model's own tokens.
	Counter() token.Counter
	// Embed returns one row of length 1 per text, in order, or a row of zeros if the model
	// has no information about a text. progress, which may be nil, is called from time to
	// time. If it returns an error, the work stops with that error.
	Embed(ctx context.Context, texts []string, progress Progress) (vector.Matrix, error)
}

// Progress is called with the amount of work done. If it returns an error, the work stops
// with that error.
type Progress func(done, total int) error

// Report calls p unless it is nil.
func (p Progress) Report(done, total int) error {
	if p == nil {
		return nil
	}
	return p(done, total)
}

// Check calls Report if ctx has not ended. Otherwise it returns the error of ctx.
func (p Progress) Check(ctx context.Context, done, total int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.Report(done, total)
}

// Knower is an embedder that can tell how well it knows a text.
type Knower interface {
	Embedder
	// Knows reports whether the embedder knows at least half of a text's words. The vectors
	// of other texts carry no information.
	Knows(text string) bool
}

// Knows returns e.Knows(text) if e is a Knower, and true otherwise.
func Knows(e Embedder, text string) bool {
	k, ok := e.(Knower)
	return !ok || k.Knows(text)
}

// Fitter is an Embedder that must see a collection before it can embed, for example for
// word statistics.
type Fitter interface {
	// Fit returns an embedder fitted to the texts of a collection.
	Fit(ctx context.Context, texts []string, progress Progress) (Embedder, error)
}

// ByText reports whether an embedder gives a text the same vector regardless of other
// texts. An embedder that is fitted to a collection or depends on the order of texts does
// not. An embedder with vectors that also depend on the role implements a method of that
// name.
func ByText(e Embedder) bool {
	if says, ok := e.(interface{ ByText() bool }); ok {
		return says.ByText()
	}
	_, fitted := e.(Fitter)
	_, roled := e.(Roled)
	return !fitted && !roled
}

// OpeningModel is an Embedder that has learned how sections of a text begin.
type OpeningModel interface {
	Embedder
	// Openings returns, for each gap between neighbouring texts, how much more likely a
	// section begins after it than after an average gap, as a difference of log odds.
	// vectors is the result of Embed for the texts. progress works as in Embed.
	Openings(texts []string, vectors vector.Matrix, progress Progress) ([]float64, error)
}
