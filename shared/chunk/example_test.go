package chunk_test

import (
	"fmt"

	"seam/shared/chunk"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
)

// Four sentences with given similarities; the third begins a new topic.
func ExampleCut() {
	d := text.NewPlain("The mill turns. It grinds corn. Dancers turn, too. They stand on one foot.")
	v := d.View(text.Reading)
	m, err := chunk.Lookup("percentile")
	if err != nil {
		panic(err)
	}
	in := chunk.Input{View: v, Sentences: sentence.Split(v.Text), Similarities: []float64{0.8, 0.1, 0.7}}
	_, chunks, err := chunk.Cut(m.Chunker, in, chunk.Criterion{}, chunk.Limits{Counter: token.Words})
	if err != nil {
		panic(err)
	}
	for _, c := range chunks {
		fmt.Printf("%d words, %s: %s\n", c.Tokens, c.Reason, c.Of(v.Text))
	}
	// Output:
	// 6 words, distance 0.90, line at 0.84: The mill turns. It grinds corn.
	// 8 words, end: Dancers turn, too. They stand on one foot.
}
