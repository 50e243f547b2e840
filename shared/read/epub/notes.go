package epub

import (
	"fmt"
	"strconv"
	"strings"
)

// state is the state of a member of the zip file.
type state int

const (
	whole   state = iota
	damaged       // it cannot be unpacked, or is no page
	locked        // it is encrypted
	missing
)

// mostNames is the maximum number of names in a note.
const mostNames = 20

// notes returns a sentence for each reason for which pages were left out.
func (r *reader) notes() (out []string) {
	note := func(format string, names []string) {
		if len(names) == 0 {
			return
		}
		shown := make([]string, min(len(names), mostNames))
		for i := range shown {
			shown[i] = strconv.Quote(names[i])
		}
		if len(names) > len(shown) {
			shown = append(shown, fmt.Sprintf("… (%d)", len(names)))
		}
		out = append(out, fmt.Sprintf(format, strings.Join(shown, ", ")))
	}
	note("left out as damaged: %s", r.lost[damaged])
	note("left out as encrypted: %s", r.lost[locked])
	note("missing from the book: %s", r.lost[missing])
	return out
}
