package text

// Beginning returns t if it has at most the given number of characters, otherwise that many
// characters and an ellipsis.
func Beginning(t string, characters int) string {
	for at := range t {
		if characters--; characters < 0 {
			return t[:at] + "…"
		}
	}
	return t
}
