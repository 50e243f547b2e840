package cut

import (
	"strings"

	"seam/proxy/spelling"
	"seam/shared/chunk"
)

// mostTypos is the largest number of letters in which a name may differ from the intended
// one.
const mostTypos = 3

// nearest returns the method that a misspelled name probably means, or "" if there is no
// near one. The first method that begins with the name wins, otherwise the one with the
// fewest letters to change.
func nearest(name string, methods []chunk.Method) string {
	name = strings.ToLower(name)
	names := make([]string, len(methods))
	for i, m := range methods {
		names[i] = m.Name
		if len(name) > 2 && strings.HasPrefix(m.Name, name) {
			return m.Name
		}
	}
	return spelling.Nearest(name, names, min(mostTypos, len(name)/2))
}
