package edit_test

import (
	"fmt"

	"seam/shared/chunk"
	"seam/shared/edit"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
)

// A boundary is added between two sentences of a chunk, and undone.
func ExampleOverlay() {
	v := text.NewPlain("The mill turns. It grinds corn. Dancers turn, too.").View(text.Reading)
	m, err := chunk.Lookup("recursive")
	if err != nil {
		panic(err)
	}
	limits := chunk.Limits{Counter: token.Words}
	_, plain, err := chunk.Cut(m.Chunker, chunk.Input{View: v, Sentences: sentence.Split(v.Text)}, chunk.Criterion{}, limits)
	if err != nil {
		panic(err)
	}
	o := edit.New(v.Text)
	show := func() {
		chunks, _, err := o.Apply(v, plain, limits)
		if err != nil {
			panic(err)
		}
		for _, c := range chunks {
			fmt.Printf("%q (%s)\n", c.Of(v.Text), c.Reason)
		}
	}
	if err := o.Split(edit.Cut{Plain: plain, Shown: plain}, 32); err != nil {
		panic(err)
	}
	show()
	if err := o.Undo(); err != nil {
		panic(err)
	}
	show()
	// Output:
	// "The mill turns. It grinds corn." (manual)
	// "Dancers turn, too." (end)
	// "The mill turns. It grinds corn. Dancers turn, too." (end)
}
