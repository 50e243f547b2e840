package cut

import (
	"strings"

	"seam/proxy/spelling"
	"seam/shared/chunk"
)

// mostTypos is how many letters a name may be away from the one that was meant.
const mostTypos = 3

// nearest is the method that a name is meant for, empty where none is near: the first
// that begins with it, or of those with the fewest letters to change.
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
