package lexical_test

import (
	"context"
	"fmt"

	"seam/shared/embed/lexical"
	"seam/shared/vector"
)

// Texts that share words are similar. The vectors depend on this collection alone.
func ExampleEmbedder() {
	texts := []string{
		"The mill grinds corn.",
		"Corn for the mill comes by ship.",
		"A dancer turns on one foot.",
		"One foot of the dancer hurts.",
	}
	var e lexical.Embedder
	m, err := e.Embed(context.Background(), texts, nil)
	if err != nil {
		panic(err)
	}
	s := vector.Adjacent(m)
	fmt.Println(m.Rows, "rows")
	fmt.Println("mill and mill are nearer than mill and dancer:", s[0] > s[1])
	// Output:
	// 4 rows
	// mill and mill are nearer than mill and dancer: true
}
