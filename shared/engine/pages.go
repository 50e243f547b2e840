package engine

import (
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
