package engine

import (
	"strings"

	"seam/shared/chunk"
	"seam/shared/text"
)

// PageNumbers returns the numbers of all pages that c touches, ascending. It is
// never nil.
func PageNumbers(d *text.Document, c chunk.Chunk) []int {
	numbers := []int{}
	if c.First < 0 {
		return numbers
	}
	for i := c.First; i <= c.Last; i++ {
		numbers = append(numbers, d.Pages[i].Number)
	}
	return numbers
}

// Section returns the titles of the sections that c begins in, the outermost
// first: "2 Looms › 2.1 Shafts". It is empty where there are none, as in the
// content view.
func Section(d *text.Document, view text.ViewName, c chunk.Chunk) string {
	return strings.Join(d.SectionPath(view, c.Start), between)
}
