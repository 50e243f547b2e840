package command

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"seam/proxy/link"
	"seam/shared/embed"
	"seam/shared/embed/remote"
	"seam/shared/engine"
	"seam/shared/protocol"
	"seam/shared/protocol/client"
)

// proxyOptions are the options of every command that may ask a proxy.
type proxyOptions struct {
	Proxy      string `env:"SEAM_PROXY" placeholder:"URL" help:"A proxy of Seam, which relays to hosted models."`
	ProxyToken string `env:"SEAM_PROXY_TOKEN" placeholder:"TOKEN" help:"Your own token for it, from its operator."`
}

// proxy is one that is connected.
type proxy struct {
	host      string
	ack       *protocol.Ack
	client    *client.Client
	embedders map[string]embed.Embedder
}

// open connects to the proxy. Close it in the end.
func (o proxyOptions) open(ctx context.Context, b build) (*proxy, error) {
	c, err := link.Client(o.Proxy, o.ProxyToken, "seam "+string(b))
	if err != nil {
		return nil, usageError{err}
	}
	u, err := url.Parse(o.Proxy)
	if err != nil {
		return nil, usageError{err}
	}
	p := &proxy{host: u.Host, client: c, embedders: map[string]embed.Embedder{}}
	if p.ack, err = c.Hello(ctx); err != nil {
		c.Close()
		return nil, fmt.Errorf("proxy %s: %w", u.Host, err)
	}
	return p, nil
}

// openFor connects if the settings need a proxy; nil if they do not.
func (o proxyOptions) openFor(ctx context.Context, b build, s engine.Settings) (*proxy, error) {
	if !s.Hosted() {
		return nil, nil
	}
	return o.open(ctx, b)
}

// close ends the connection, if there is one.
func (p *proxy) close() {
	if p != nil {
		p.client.Close()
	}
}

// hooks are what the engine needs of a proxy, if there is one.
func (p *proxy) hooks() engine.Hooks {
	if p == nil {
		return engine.Hooks{}
	}
	return engine.Hooks{Embedder: func(name string) (embed.Embedder, error) {
		if e := p.embedders[name]; e != nil {
			return e, nil
		}
		m, err := p.model(name, protocol.Embedding)
		if err != nil {
			return nil, err
		}
		e := remote.New(p.client, m, 0)
		p.embedders[name] = e
		return e, nil
	}}
}

// model finds a model by its name, with or without the prefix.
func (p *proxy) model(name string, kind protocol.Kind) (protocol.Model, error) {
	var names []string
	for _, m := range p.ack.Models {
		if m.Kind == kind && m.ID == strings.TrimPrefix(name, remote.Prefix) {
			return m, nil
		}
		if m.Kind == kind {
			names = append(names, remote.Prefix+m.ID)
		}
	}
	if len(names) == 0 {
		return protocol.Model{}, usagef("the proxy %s has no model for this", p.host)
	}
	return protocol.Model{}, usagef("the proxy %s has no such model as %q: choose one of %s", p.host, name, strings.Join(names, ", "))
}

// quote is what a proxy is about to be sent.
type quote struct {
	remote.Quote
	free    bool // no price is unknown so far
	dollars float64
	model   string
}

// add adds a document; only the texts of hosted embedders are to be sent. An error
// names the file.
func (q *quote) add(s *engine.Session, set engine.Settings, hooks engine.Hooks) error {
	if !set.Hosted() {
		return nil
	}
	one, err := s.Quote(set, hooks)
	if err != nil {
		return named(s, err)
	}
	if q.model == "" {
		q.model, q.free = set.Embedder, true
	}
	q.Missing, q.Tokens = q.Missing+one.Missing, q.Tokens+one.Tokens
	if one.Dollars == nil {
		q.free = false
	} else {
		q.dollars += *one.Dollars
	}
	return nil
}

// print tells the user what will leave this machine, if anything does.
func (q *quote) print(std IO, p *proxy) {
	if q.Missing == 0 {
		return
	}
	cost := "price unknown"
	switch {
	case q.free && q.dollars < 0.0001:
		cost = "less than $0.0001"
	case q.free:
		cost = "about $" + strconv.FormatFloat(q.dollars, 'f', 4, 64)
	}
	fmt.Fprintf(std.Err, "seam: sending %d texts of about %d tokens to %s at %s: %s\n", q.Missing, q.Tokens, q.model, p.host, cost)
}

// retryHint adds to an error when it is worth trying again, where the proxy said.
func retryHint(err error) error {
	var told *protocol.Error
	if errors.As(err, &told) && told.RetryAfter > 0 {
		return fmt.Errorf("%w (try again in %d seconds)", err, int(told.RetryAfter.Seconds()+1))
	}
	return err
}
