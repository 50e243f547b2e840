package token_test

import (
	"fmt"

	"seam/shared/token"
)

func ExampleCounter() {
	t := "Two mills, e.g. this one."
	for _, c := range []token.Counter{token.Words, token.Characters, token.Estimate} {
		fmt.Println(c.Name(), c.Count(t))
	}
	// Output:
	// words 5
	// chars 25
	// estimated tokens 7
}

// Fit returns the longest beginning of a text with at most three words.
func ExampleFit() {
	t := "Two mills, both of oak."
	fmt.Printf("%q\n", t[:token.Fit(token.Words, t, 3)])
	// Output: "Two mills, both "
}
