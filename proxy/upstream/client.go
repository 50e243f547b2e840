// Package upstream is the proxy's side towards providers of embeddings and
// answers that speak OpenAI's API: OpenAI, Nebius, Azure, Ollama, llama.cpp,
// vLLM. What differs between them and is handled:
//
//   - base64 vectors: asked for; a server that sends numbers nevertheless is
//     understood, one that refuses is asked for numbers from then on
//   - usage in streams: asked for; where the request is refused for it, it is
//     asked for no more; where none comes (Ollama, older llama.cpp), it is
//     estimated
//   - reasoning models: they want max_completion_tokens and no temperature; one
//     that says so to a question of our own gets it from then on
//   - the end of a stream: a finish_reason or [DONE] is one, anything else is a
//     stream cut short
//   - errors inside of a stream (vLLM, OpenRouter), and comments to keep it alive
//   - Azure: deployment, api-version, api-key, first chunks without choices
//   - a missing "index" of a vector: its place counts
//
// Nothing here logs, and no text of a provider leaves by the message of an
// error: see Error.
package upstream

import (
	"fmt"
	"net/http"
	"net/url"
	"time"

	"seam/shared/protocol"
)

// Client talks to one provider. It is safe for concurrent use.
type Client struct {
	provider  Provider
	models    map[string]*model
	transport *transport
}

// model is a Model and what was learnt about its server.
type model struct {
	Model
	quirks *quirks
	limit  *gate // its rate limit: providers count each model's
}

// New makes a client and connects to nothing yet. Errors name the setting.
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
		c.models[m.ID] = &model{m, newQuirks(), newGate(true, p.Retry.Wait)}
	}
	c.transport = newTransport(&c.provider)
	return c, nil
}

// Close closes idle connections. Calls under way go on.
func (c *Client) Close() {
	(&http.Client{Transport: c.transport.base}).CloseIdleConnections()
}

func (c *Client) model(id string, kind protocol.Kind) (*model, *Error) {
	m := c.models[id]
	if m == nil || m.Kind != kind {
		return nil, fail(protocol.UnknownModel, "This provider has no such model for that.")
	}
	return m, nil
}

// embeddingsURL is what go-openai makes for itself and for chat alone.
func (c *Client) embeddingsURL(m *model) string {
	p := &c.provider
	if p.API != Azure {
		return p.BaseURL + "/embeddings"
	}
	return p.BaseURL + "/openai/deployments/" + p.deployment(m.Name) + "/embeddings?api-version=" + url.QueryEscape(p.APIVersion)
}

// sign sets the headers that are the same for all requests. The key is asked
// for anew each time.
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

// Wait is for how long a model is not to be asked: its rate limit is used up, or
// the provider is away. 0: it may be asked now.
func (c *Client) Wait(id string) time.Duration {
	m := c.models[id]
	if m == nil {
		return 0
	}
	return max(c.transport.away.wait(), m.limit.wait())
}

// NameOf is the provider's name of a model; "" for one that there is not.
func (c *Client) NameOf(id string) string {
	if m := c.models[id]; m != nil {
		return m.Name
	}
	return ""
}
