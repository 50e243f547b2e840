package admission

import (
	"net/url"
	"slices"
	"strings"

	"seam/shared/protocol"
)

// Group is whose policy a session has, and what budgets and the report count by: the
// pages of a site ("site https://docs.example.org"), or a known caller ("caller ci").
// There are as many as the configuration names.
type Group string

// SiteGroup is the group of a site's pages. Two spellings of an origin are one.
func SiteGroup(origin string) Group {
	if u, err := url.Parse(origin); err == nil {
		origin = normal(u)
	}
	return Group("site " + origin)
}

// CallerGroup is the group of a known caller.
func CallerGroup(name string) Group { return Group("caller " + name) }

// Name is the group's for people: the site's origin, or the caller's name.
func (g Group) Name() string {
	_, name, _ := strings.Cut(string(g), " ")
	return name
}

// Policy is what a group may do. The zero value: everything that the proxy has.
type Policy struct {
	Models  []string         // that it may ask for; nil: all
	Prompts protocol.Prompts // who writes the prompts of a program of the group; "": as for everybody. Pages have no say of their own

	Requests int   // a minute of all its sessions, a third of them at once; 0: no limit
	Tokens   int64 // a minute that models read and write for all its sessions; 0: no limit
}

// Allows reports whether the group may ask for a model.
func (p Policy) Allows(model string) bool { return p.Models == nil || slices.Contains(p.Models, model) }
