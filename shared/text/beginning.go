package text

// Beginning is t where it has at most so many characters, else its first ones and an ellipsis.
func Beginning(t string, characters int) string {
	for at := range t {
		if characters--; characters < 0 {
			return t[:at] + "…"
		}
	}
	return t
}
