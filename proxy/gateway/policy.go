package gateway

import (
	"fmt"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

// modelsOf returns the models that a group may use.
func (c *Config) modelsOf(g admission.Group) []protocol.Model {
	policy := c.Policies[g]
	if policy.Models == nil {
		return c.Models
	}
	allowed := []protocol.Model{}
	for _, m := range c.Models {
		if policy.Allows(m.ID) {
			allowed = append(allowed, m)
		}
	}
	return allowed
}

// promptsOf returns who writes the prompts for a session of the group. The group's policy
// does not apply to pages, even with its token, because visitors control the prompts of a
// page.
func (c *Config) promptsOf(g admission.Group, origin string) protocol.Prompts {
	if policy := c.Policies[g]; policy.Prompts != "" && origin == "" {
		return policy.Prompts
	}
	return c.Prompts
}

// pace counts the request against the group's limit per minute.
func (r *running) pace() error {
	g := r.peer.who.Group
	most := r.config.Policies[g].Requests
	if most == 0 {
		return nil
	}
	if wait, ok := r.peer.gateway.paces.Allow(admission.Caller(g), most, r.config.Now()); !ok {
		return &protocol.Error{Code: protocol.RateLimited, Whose: protocol.Proxy, RetryAfter: wait,
			Message: fmt.Sprintf("%s may send %d requests per minute: try again in a moment.", g.Name(), most)}
	}
	return nil
}
