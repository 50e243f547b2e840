package server

import (
	"seam/proxy/config"
	"seam/proxy/session"
)

// policiesOf is what sites and callers may do, where they may not do everything.
func policiesOf(c *config.Config) map[session.Group]session.Policy {
	all := map[session.Group]session.Policy{}
	for _, s := range c.Sites {
		all[session.SiteGroup(s.Origin)] = session.Policy{Models: s.Models, Requests: s.Requests, Tokens: s.Tokens}
	}
	for _, k := range c.Session.Callers {
		all[session.CallerGroup(k.Name)] = session.Policy{Models: k.Models, Prompts: k.Prompts, Requests: k.Requests, Tokens: k.Tokens}
	}
	return all
}
