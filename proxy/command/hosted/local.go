package hosted

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"seam/proxy/command/terminal"
	"seam/proxy/nearby"
	"seam/proxy/upstream"
	"seam/proxy/upstream/prefix"
	"seam/shared/embed/remote"
	"seam/shared/protocol"
)

// connectLocal finds the models on this machine. It sends nothing else, and no key.
func (o HostOptions) connectLocal(ctx context.Context) (*Proxy, error) {
	switch {
	case o.BaseURL != "":
		return nil, terminal.Usagef("--local and --base-url exclude each other: leave one out")
	case o.Timeout < 0:
		return nil, terminal.Usagef("--timeout %v: use a time like 10m", o.Timeout)
	}
	p := &Proxy{Host: "this machine", local: nearby.Find(ctx, "")}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	with := 0
	for _, s := range p.local {
		if len(s.Models) > 0 {
			with++
			p.URL, p.Host = s.BaseURL(), s.Address
		}
	}
	switch {
	case with == 0:
		return nil, errors.New("found no model on this machine: " + nearby.Explain(p.local))
	case with > 1:
		p.URL, p.Host = "", "this machine"
	}
	p.Client = newLocal(p.local, o.Timeout)
	return p, nil
}

// newLocal returns a client of the servers of this machine.
func newLocal(servers []nearby.Server, timeout time.Duration) *direct {
	return &direct{timeout: timeout, models: map[string]*upstream.Client{}, locate: func(name string, kind protocol.Kind) (base, known string, err error) {
		s, m, err := locate(servers, name, kind)
		return s.BaseURL(), m.Name, err
	}}
}

// locate finds a model by its name, or the only one of a kind if name is "".
func locate(servers []nearby.Server, name string, kind protocol.Kind) (nearby.Server, nearby.Model, error) {
	option := "--model NAME"
	if kind == protocol.Embedding {
		option = "--embedder openai:NAME"
	}
	s, m, err := nearby.Choose(servers, name, kind, option)
	if err != nil {
		err = terminal.UsageError{Err: err}
	}
	return s, m, err
}

// localModel returns a model of this machine.
func (p *Proxy) localModel(id string, kind protocol.Kind) (protocol.Model, error) {
	_, found, err := locate(p.local, id, kind)
	if err != nil {
		return protocol.Model{}, err
	}
	free := 0.0
	m := protocol.Model{ID: id, Kind: kind, Price: &free, PriceOut: &free}
	if kind == protocol.Embedding {
		m.Query, m.Passage = prefix.Given(found.Name, p.prefixes.QueryPrefix, p.prefixes.PassagePrefix)
	}
	return m, nil
}

// OnlyModel returns the name of the only model on this machine that answers questions, and
// says which one it is.
func (p *Proxy) OnlyModel(std terminal.IO) (string, error) {
	s, m, err := locate(p.local, "", protocol.Chatting)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintf(std.Err, "seam: using %s of %s\n", m.Name, s.Place())
	return m.Name, err
}

// Address returns the address that serves an embedding model. It is part of the key of its
// stored vectors.
func (p *Proxy) Address(name string) string {
	if p.local == nil {
		return p.URL
	}
	s, _, err := locate(p.local, strings.TrimPrefix(name, remote.Prefix), protocol.Embedding)
	if err != nil {
		return ""
	}
	return s.BaseURL()
}
