// Package upstream is the proxy's client for providers of embeddings and answers with
// OpenAI's API: OpenAI, Nebius, Azure, Ollama, llama.cpp, vLLM. It handles these
// differences:
//
//   - base64 vectors: requested by default. Numbers are understood if a server
//     sends them anyway. A server that refuses base64 is asked for numbers
//     from then on.
//   - usage in streams: requested by default, but not from a server that refuses
//     it. If none is reported (Ollama, older llama.cpp), it is estimated.
//   - reasoning models: they need max_completion_tokens and no temperature. A
//     model that refuses a probe for that reason gets this from then on.
//   - reasoning inside of answers or in fields of its own: see the package reasoning
//   - the end of a stream: a finish_reason or [DONE]. Without either, the stream
//     was cut short.
//   - errors inside of a stream (vLLM, OpenRouter), and comments to keep it alive
//   - Azure: deployment, api-version, api-key, first chunks without choices
//   - vectors without "index": their order counts
//
// Nothing here logs, and no text of a provider appears in an error message: see Error.
package upstream

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"seam/proxy/upstream/reasoning"
	"seam/shared/protocol"
)

// Client is a client of one provider. It is safe for concurrent use.
type Client struct {
	provider  Provider
	models    map[string]*model
	transport *transport
}

// model is a Model with the quirks learnt about its server.
type model struct {
	Model
	quirks *quirks
	limit  *gate // rate limit; providers count each model's separately
	away   *gate // whether the provider is reachable, for this model

	reading reading // of prompts

	thinksFirst atomic.Bool // its last answer began with reasoning without a mark
}

// New returns a client, and does not connect yet. Errors name the setting.
func New(p Provider) (*Client, error) {
	p.fill()
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("provider %q: %w", p.Name, err)
	}
	c := &Client{provider: p, models: map[string]*model{}}
	for _, m := range p.Models {
		orDefault(&m.Name, m.ID)
		if err := m.check(&p); err != nil {
			return nil, fmt.Errorf("provider %q: %w", p.Name, err)
		}
		if c.models[m.ID] != nil {
			return nil, fmt.Errorf("provider %q: two models have the id %q", p.Name, m.ID)
		}
		known := &model{Model: m, quirks: newQuirks(), limit: newGate(true, p.Retry.Wait), away: newGate(false, coolFirst)}
		known.thinksFirst.Store(reasoning.Begins(m.Name))
		c.models[m.ID] = known
	}
	c.transport = newTransport(&c.provider)
	return c, nil
}

// Close closes idle connections. Calls in progress continue.
func (c *Client) Close() {
	(&http.Client{Transport: c.transport.base}).CloseIdleConnections()
}

func (c *Client) model(id string, kind protocol.Kind) (*model, *Error) {
	m := c.models[id]
	if m == nil || m.Kind != kind {
		return nil, fail(protocol.UnknownModel, "This provider has no such model.")
	}
	return m, nil
}

// embeddingsURL returns the URL for embeddings. go-openai builds only its own and the one
// for chat.
func (c *Client) embeddingsURL(m *model) string {
	p := &c.provider
	if p.API != Azure {
		return p.BaseURL + "/embeddings"
	}
	return p.BaseURL + "/openai/deployments/" + p.deployment(m.Name) + "/embeddings?api-version=" + url.QueryEscape(p.APIVersion)
}

// sign sets the headers common to all requests. It asks for the key each time.
func (p *Provider) sign(h http.Header) {
	h.Del("Authorization")
	h.Del("Api-Key")
	h.Del("Connection") // go-openai's; HTTP/2 has none
	h.Set("User-Agent", "seam")
	if p.Organization != "" {
		h.Set("OpenAI-Organization", p.Organization)
	}
	switch key := p.key(); {
	case key == "":
	case p.API == Azure:
		h.Set("Api-Key", key)
	default:
		h.Set("Authorization", "Bearer "+key)
	}
}

// Wait returns how long a model should not be asked, because its rate limit is used up or
// the provider is away. 0 means that it may be asked now.
func (c *Client) Wait(id string) time.Duration {
	m := c.models[id]
	if m == nil {
		return 0
	}
	return max(m.away.wait(), m.limit.wait())
}

// LacksVersion reports whether the base URL needs a /v1 at its end. It asks the server if the
// URL has no path.
func (c *Client) LacksVersion(ctx context.Context) bool {
	return lacksVersion(ctx, &http.Client{Transport: c.transport.base, CheckRedirect: noRedirect}, &c.provider)
}

// Name returns the name of the provider.
func (c *Client) Name() string { return c.provider.Name }

// NameOf returns the provider's name of a model, or "" if the model is unknown.
func (c *Client) NameOf(id string) string {
	if m := c.models[id]; m != nil {
		return m.Name
	}
	return ""
}

// Context returns the number of tokens of a model's context: the server's word if it gives
// one, otherwise the configured one, or 0.
func (c *Client) Context(ctx context.Context, id string) int {
	m := c.models[id]
	if m == nil {
		return 0
	}
	if n := m.reading.contextOf(ctx, c, m); n > 0 {
		return n
	}
	return m.Model.Context
}
