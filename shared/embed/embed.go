// Package embed turns texts into vectors. The Embedder interface is all that
// the rest of Seam knows of a model.
package embed

import (
	"context"

	"seam/shared/token"
	"seam/shared/vector"
)

// Embedder makes one vector of each text.
type Embedder interface {
	// ID names the model and its version; vectors of different IDs must not
	// be compared.
	ID() string
	// Counter measures texts in the model's own tokens.
	Counter() token.Counter
	// Embed returns one row of length 1 a text, in their order, or a row of
	// zeros where the model has nothing to say of a text. progress (which may
	// be nil) is called now and then; its error ends the work.
	Embed(ctx context.Context, texts []string, progress Progress) (vector.Matrix, error)
}

// Progress tells how much of a long piece of work is done. An error that it
// returns ends the work and is handed on.
type Progress func(done, total int) error

// Report calls p unless it is nil.
func (p Progress) Report(done, total int) error {
	if p == nil {
		return nil
	}
	return p(done, total)
}

// Check is Report where ctx has not ended; else its error.
func (p Progress) Check(ctx context.Context, done, total int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.Report(done, total)
}

// Knower is an embedder that can say whether it knows what a text is about.
type Knower interface {
	Embedder
	// Knows reports whether it knows at least half of a text's words. The vector of
	// another text tells nothing.
	Knows(text string) bool
}

// Knows is what e says of a text; true of an embedder that says nothing.
func Knows(e Embedder, text string) bool {
	k, ok := e.(Knower)
	return !ok || k.Knows(text)
}

// Fitter is an Embedder that has to see a collection before it can embed:
// statistics of its words, for example.
type Fitter interface {
	// Fit returns an embedder made from the texts of a collection.
	Fit(ctx context.Context, texts []string, progress Progress) (Embedder, error)
}

// ByText reports whether an embedder gives a text the same vector in any company:
// not where it is fitted to all of them, or goes by their order. An embedder whose vectors
// depend on the role as well says so by a method of that name.
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
	// Openings returns for each gap between neighbouring texts how much more
	// likely than at any gap a section begins behind it: the logarithm of its
	// odds, less that of any gap's. vectors are what Embed gives for the texts;
	// progress is as that of Embed.
	Openings(texts []string, vectors vector.Matrix, progress Progress) ([]float64, error)
}
