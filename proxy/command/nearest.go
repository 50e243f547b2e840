package command

import (
	"strings"

	"seam/shared/chunk"
)

// mostTypos is how many letters a name may be away from the one that was meant.
const mostTypos = 3

// nearest is the method that a name is meant for, empty where none is near: the first
// of those with the fewest letters to change, or that begin with it.
func nearest(name string, methods []chunk.Method) (near string) {
	name = strings.ToLower(name)
	least := min(mostTypos, len(name)/2) + 1
	for _, m := range methods {
		typos := distance(name, m.Name)
		if len(name) > 2 && strings.HasPrefix(m.Name, name) {
			typos = 0
		}
		if typos < least {
			near, least = m.Name, typos
		}
	}
	return near
}

// distance is how many letters have to be put in, left out or changed (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
