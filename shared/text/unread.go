package text

import "strings"

// certain are parts of notes after which no word is missing: hidden text and options, which a
// search knows, and encodings that are not guessed.
var certain = []string{"hidden text is ", "options of list boxes ", "as the file declares", "as chosen", "read as UTF-16", "NUL characters "}

// Unread returns the notes after which words of the file may be missing or wrong.
func (d *Document) Unread() (notes []string) {
next:
	for _, n := range d.Notes {
		for _, c := range certain {
			if strings.Contains(n, c) {
				continue next
			}
		}
		notes = append(notes, n)
	}
	return notes
}
