package sites

import (
	"slices"

	"seam/shared/site"
)

// mostUnread is how many pages that could not be read an index names.
const mostUnread = 100

// unreadOf returns the paths of pages that could not be read, at most mostUnread of them. Pages
// that ask not to be indexed are not among them.
func unreadOf(known map[string]*knownPage) (names []string) {
	for name, k := range known {
		if k.Page == nil && !site.Generated(name) && k.Why != site.ErrNoIndex.Error() {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names[:min(len(names), mostUnread)]
}
