// Package letters is an embedder without a model: texts are near that have the same runs of
// three letters.
package letters

import (
	"context"
	"hash/fnv"
	"strings"

	"seam/shared/embed"
	"seam/shared/token"
	"seam/shared/vector"
)

// Name is what the option --embedder calls it.
const Name = "letters"

const dim = 512

// Embedder makes the vectors. It has no state.
type Embedder struct{}

var _ embed.Embedder = Embedder{}

// ID returns the name of the embedder and its version.
func (Embedder) ID() string { return "letters-1" }

// Counter counts words.
func (Embedder) Counter() token.Counter { return token.EvenWords }

// Embed counts the runs of each text, each at the place that its hash names.
func (Embedder) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	m, err := vector.Make(len(texts), dim)
	if err != nil {
		return vector.Matrix{}, err
	}
	for i, t := range texts {
		if err := progress.Check(ctx, i, len(texts)); err != nil {
			return vector.Matrix{}, err
		}
		letters := []rune(strings.ToLower(t))
		for k := range max(0, len(letters)-2) {
			h := fnv.New32a()
			h.Write([]byte(string(letters[k : k+3])))
			m.Row(i)[h.Sum32()%dim]++
		}
	}
	vector.Normalize(m)
	return m, nil
}
