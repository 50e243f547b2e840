package config

import (
	"fmt"
	"slices"

	"seam/proxy/admission"
	"seam/proxy/limit"
	"seam/shared/protocol"
)

// mostRate is the highest limit per minute.
const mostRate = 1_000_000_000

// checkGroups checks the policies of sites and callers.
func (l *Loaded) checkGroups() (all []error) {
	bad := func(key, format string, args ...any) { all = append(all, l.problem(key, format, args...)) }
	known := map[admission.Group]bool{}
	for _, o := range l.Origins {
		known[admission.SiteGroup(o)] = true
	}
	seen := map[admission.Group]bool{}
	for i, s := range l.Sites {
		key, group := fmt.Sprintf("sites[%d]", i), admission.SiteGroup(s.Origin)
		switch {
		case !known[group]:
			bad(key+".origin", "%q is missing from origins, so its pages cannot connect", s.Origin)
		case seen[group]:
			bad(key+".origin", "%q is listed twice", s.Origin)
		}
		seen[group] = true
		all = append(all, l.checkGroup(key, s.Models, s.Budget, s.Requests, s.Tokens)...)
	}
	names := map[string]bool{}
	for i, c := range l.Session.Callers {
		key := fmt.Sprintf("session.callers[%d]", i)
		if c.Name == "" || names[c.Name] || (c.TokenEnv == "") == (c.TokenFile == "") {
			bad(key, "needs a unique name, and either token_env or token_file")
		}
		names[c.Name] = true
		if c.Prompts != "" && c.Prompts != protocol.ByClient && c.Prompts != protocol.ByServer {
			bad(key+".prompts", "must be client or server, not %q", c.Prompts)
		}
		all = append(all, l.checkGroup(key, c.Models, c.Budget, c.Requests, c.Tokens)...)
	}
	return all
}

// checkGroup checks the settings common to sites and callers.
func (l *Loaded) checkGroup(key string, models []string, b WindowBudget, requests int, tokens int64) (all []error) {
	bad := func(at, format string, args ...any) { all = append(all, l.problem(key+at, format, args...)) }
	if models != nil && len(models) == 0 {
		bad(".models", "is empty: list models, or leave it out to allow all")
	}
	for i, id := range models {
		if !slices.ContainsFunc(l.Providers, func(p Provider) bool {
			return slices.ContainsFunc(p.Models, func(m Model) bool { return m.ID == id })
		}) {
			bad(fmt.Sprintf(".models[%d]", i), "no provider has the model %q", id)
		}
	}
	if b.Tokens < 0 || !(b.Dollars >= 0 && b.Dollars <= 1e9) {
		bad(".budget", "is not a valid budget: use 0 or more")
	}
	if b.Window != "" && b.Tokens == 0 && b.Dollars == 0 {
		bad(".budget", "has a window but no amount: set tokens or dollars")
	}
	if !limit.Window(b.Window).Valid() {
		bad(".budget.window", "must be hour, day, week or month, not %q", b.Window)
	}
	if requests < 0 || requests > mostRate {
		bad(".requests", "must be 0 to %d", mostRate)
	}
	if tokens < 0 || tokens > mostRate {
		bad(".tokens", "must be 0 to %d", mostRate)
	}
	return all
}
