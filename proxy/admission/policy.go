package admission

import (
	"net/url"
	"slices"
	"strings"

	"seam/shared/protocol"
)

// Group identifies a policy, and is the unit of budgets and the report: the pages of a site
// ("site https://docs.example.org"), or a known caller ("caller ci"). The configuration
// names all groups.
type Group string

// SiteGroup returns the group of a site's pages, after normalizing the origin.
func SiteGroup(origin string) Group {
	if u, err := url.Parse(origin); err == nil {
		origin = normal(u)
	}
	return Group("site " + origin)
}

// CallerGroup returns the group of a known caller.
func CallerGroup(name string) Group { return Group("caller " + name) }

// Name returns the group's name for people: the site's origin, or the caller's name.
func (g Group) Name() string {
	_, name, _ := strings.Cut(string(g), " ")
	return name
}

// Policy has the permissions of a group. The zero value permits everything that the proxy
// offers.
type Policy struct {
	Models  []string         // that it may use; nil: all
	Prompts protocol.Prompts // who writes the prompts of the group's programs; "": the general setting. It does not apply to pages

	Requests int   // per minute for all its sessions, a third of them in a burst; 0: no limit
	Tokens   int64 // per minute that models read and write for all its sessions; 0: no limit
}

// Allows reports whether the group may use a model.
func (p Policy) Allows(model string) bool { return p.Models == nil || slices.Contains(p.Models, model) }
