package server

import (
	"math"

	"seam/proxy/admission"
	"seam/proxy/config"
	"seam/proxy/limit"
)

// policiesOf returns the policies of sites and callers with restrictions.
func policiesOf(c *config.Config) map[admission.Group]admission.Policy {
	all := map[admission.Group]admission.Policy{}
	for _, s := range c.Sites {
		all[admission.SiteGroup(s.Origin)] = admission.Policy{Models: s.Models, Requests: s.Requests, Tokens: s.Tokens}
	}
	for _, k := range c.Session.Callers {
		all[admission.CallerGroup(k.Name)] = admission.Policy{Models: k.Models, Prompts: k.Prompts, Requests: k.Requests, Tokens: k.Tokens}
	}
	return all
}

// limitsOf returns the spending limits of all callers together, and of sites and callers
// with their own budgets.
func limitsOf(c *config.Config) limit.Limits {
	amount := func(tokens int64, dollars float64) limit.Amount {
		return limit.Amount{Tokens: tokens, Micros: int64(math.Round(dollars * 1e6))}
	}
	b := c.Budget
	all := limit.Limits{Session: amount(b.Session.Tokens, b.Session.Dollars), Caller: amount(b.Address.Tokens, b.Address.Dollars),
		Day: amount(b.Day.Tokens, b.Day.Dollars), Groups: map[string]limit.Budget{}}
	group := func(g admission.Group, r config.WindowBudget) {
		if r != (config.WindowBudget{}) {
			all.Groups[string(g)] = limit.Budget{Amount: amount(r.Tokens, r.Dollars), Window: limit.Window(r.Window)}
		}
	}
	for _, s := range c.Sites {
		group(admission.SiteGroup(s.Origin), s.Budget)
	}
	for _, k := range c.Session.Callers {
		group(admission.CallerGroup(k.Name), k.Budget)
	}
	return all
}
