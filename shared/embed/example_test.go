package embed_test

import (
	"context"
	"fmt"

	"seam/shared/embed"
	"seam/shared/token"
	"seam/shared/vector"
)

// lengths is an embedder that considers only the length of a text.
type lengths struct{}

func (lengths) ID() string             { return "lengths 1" }
func (lengths) Counter() token.Counter { return token.Characters }
func (lengths) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	m := vector.New(len(texts), 2)
	for i, t := range texts {
		if err := progress.Check(ctx, i, len(texts)); err != nil {
			return vector.Matrix{}, err
		}
		copy(m.Row(i), []float32{1, float32(token.Characters.Count(t))})
	}
	vector.Normalize(m)
	return m, nil
}

// Vectors of texts seen before are not computed again.
func ExampleNewLocal() {
	cached := embed.NewLocal(lengths{}, 1<<20)
	for _, texts := range [][]string{{"a mill", "a ship"}, {"a ship", "a dancer"}} {
		m, made, err := cached.EmbedCounted(context.Background(), texts, nil)
		if err != nil {
			panic(err)
		}
		fmt.Println(m.Rows, "vectors,", made, "made")
	}
	// Output:
	// 2 vectors, 2 made
	// 2 vectors, 1 made
}
