// Package spelling finds the name that a misspelt one probably means.
package spelling

// Nearest returns the first of the known names with the fewest letters to change, or "" if
// every one of them needs more than most.
func Nearest(name string, known []string, most int) string {
	near := ""
	for _, k := range known {
		if d := Distance(name, k); d <= most {
			near, most = k, d-1
		}
	}
	return near
}

// Distance returns how many bytes must be inserted, deleted or changed to turn a into b
// (Levenshtein 1966).
func Distance(a, b string) int {
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
