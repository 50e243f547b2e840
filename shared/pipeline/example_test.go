package pipeline_test

import (
	"context"
	"fmt"

	"seam/shared/pipeline"
	"seam/shared/text"
)

func ExampleSession_Run() {
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "sentences", Unit: "words", MaxTokens: 8})
	if err != nil {
		panic(err)
	}
	s := pipeline.NewSession(text.NewPlain("The mill turns. It grinds corn. Dancers turn, too."))
	r, err := s.Run(context.Background(), plan, pipeline.Hooks{})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Plan)
	for _, c := range r.Chunks {
		fmt.Printf("%d words: %s\n", c.Tokens, c.Of(r.Text.Text))
	}
	// Output:
	// sentences, reading view, builtin, at most 8 words
	// 3 words: The mill turns.
	// 3 words: It grinds corn.
	// 3 words: Dancers turn, too.
}

// Settings that contradict each other are refused with a reason for the user.
func ExampleNewPlan() {
	_, err := pipeline.NewPlan(pipeline.Settings{Method: "sections", Overlap: 10})
	fmt.Println(err)
	// Output: sections does not support an overlap
}
