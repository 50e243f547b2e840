package config

import (
	"fmt"
	"slices"
	"strings"

	"seam/proxy/remote"
	"seam/shared/protocol"
)

// checkCollections checks the collections and all references to them.
func (l *Loaded) checkCollections() (all []error) {
	bad := func(key, format string, args ...any) { all = append(all, l.problem(key, format, args...)) }
	var names []string
	for i, c := range l.Collections {
		key := fmt.Sprintf("collections[%d]", i)
		if c.Name == "" || slices.Contains(names, c.Name) {
			bad(key+".name", "each collection needs a unique name")
		}
		names = append(names, c.Name)
		if _, err := remote.ParseAddress(c.Address); err != nil {
			bad(key+".address", "%v", err)
		}
		if c.KeyEnv != "" && c.KeyFile != "" {
			bad(key, "has key_env and key_file: leave one out")
		}
		if c.Hits < 0 || c.Hits > protocol.MaxHits {
			bad(key+".hits", "is %d: use 1 to %d", c.Hits, protocol.MaxHits)
		}
		if c.Within < 0 || c.AtOnce < 0 {
			bad(key, "within and at_once must be 0 or more")
		}
		for j, f := range c.Filters {
			if name, meta := strings.CutPrefix(f, "meta."); !slices.Contains([]string{"section", "types", "pages"}, f) && !(meta && name != "" && strings.ToLower(name) == name) {
				bad(fmt.Sprintf("%s.filters[%d]", key, j), "must be section, types, pages, or meta. with a lowercase name, like meta.author; not %q", f)
			}
		}
	}
	known := func(key, name string) {
		if name != "" && !slices.Contains(names, name) {
			bad(key, "unknown collection %q", name)
		}
	}
	known("collection", l.Collection)
	for i, s := range l.Sites {
		known(fmt.Sprintf("sites[%d].collection", i), s.Collection)
	}
	for i, c := range l.Session.Callers {
		known(fmt.Sprintf("session.callers[%d].collection", i), c.Collection)
	}
	return all
}
