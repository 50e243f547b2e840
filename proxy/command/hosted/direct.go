package hosted

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"seam/proxy/command/terminal"
	"seam/proxy/upstream"
	"seam/shared/answer"
	"seam/shared/embed/remote"
	"seam/shared/protocol"
	"seam/shared/protocol/client"
)

// hostedClient is the interface to hosted models. A proxy's client and direct implement it.
type hostedClient interface {
	remote.Client
	answer.Chatter
	Close()
}

var (
	_ hostedClient = (*client.Client)(nil)
	_ hostedClient = (*direct)(nil)
)

// openAI is the default address of the provider if only a key is given.
const openAI = "https://api.openai.com/v1"

// The limits of one call, equal to a proxy's defaults.
const (
	directTexts  = 256
	directTokens = 100_000
	DirectCalls  = 4 // simultaneous calls
	directAnswer = 1024
	directBytes  = 48 << 10 // bytes of passages
	directTurns  = 16       // turns of a history
	directTold   = 12 << 10 // bytes of a history
)

// contextWithin limits the time for questions about a model's context.
const contextWithin = 700 * time.Millisecond

// direct talks to a provider without a proxy, with the user's key. It is safe for
// concurrent use.
type direct struct {
	base, key string
	timeout   time.Duration // for a first byte; 0: the usual one

	// locate returns the address of a model and its full name. It is nil if all are at base.
	locate func(id string, kind protocol.Kind) (base, name string, err error)

	mu     sync.Mutex
	models map[string]*upstream.Client
}

// newDirect returns the client of the provider at base. key may be "". A key is sent only
// over https or to this machine.
func newDirect(base, key string, timeout time.Duration) (*direct, *url.URL, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return nil, nil, terminal.Usagef("--base-url needs the address of a provider, such as %s", openAI)
	}
	if key != "" && u.Scheme == "http" && !local(u.Hostname()) {
		return nil, nil, terminal.Usagef("--base-url %s://%s must use https, or OPENAI_API_KEY would be sent unencrypted: http is only for this machine", u.Scheme, u.Host)
	}
	if _, err := upstream.New(upstream.Provider{Name: u.Host, BaseURL: base}); err != nil {
		return nil, nil, terminal.UsageError{Err: err}
	}
	return &direct{base: base, key: key, timeout: timeout, models: map[string]*upstream.Client{}}, u, nil
}

func local(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && ip.IsLoopback()
}

// model returns the client of a model. It does not check the name, because only the
// provider knows its models.
func (d *direct) model(id string, kind protocol.Kind) (*upstream.Client, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	name := string(kind) + " " + id
	if d.models[name] == nil {
		base, known, err := d.base, id, error(nil)
		if d.locate != nil {
			if base, known, err = d.locate(id, kind); err != nil {
				return nil, err
			}
		}
		c, err := upstream.New(upstream.Provider{Name: "provider", BaseURL: base, Key: func() string { return d.key }, Timeouts: upstream.Timeouts{FirstByte: d.timeout},
			Models: []upstream.Model{{Model: protocol.Model{ID: id, Kind: kind}, Name: known}}})
		if err != nil {
			return nil, err
		}
		d.models[name] = c
	}
	return d.models[name], nil
}

// Hello returns the limits of a call. It does not connect.
func (d *direct) Hello(context.Context) (*protocol.Ack, error) {
	marked := answer.Templates[answer.Marked]
	return &protocol.Ack{Marked: &marked, Limits: protocol.Limits{Texts: directTexts, Tokens: directTokens, InFlight: DirectCalls, Answer: directAnswer, Context: directBytes, Turns: directTurns, History: directTold}}, nil
}

// Context implements answer.Chatter. It asks a provider nearby, if its server was not asked
// lately.
func (d *direct) Context(model string) int {
	c, err := d.model(model, protocol.Chatting)
	if err != nil {
		return 0
	}
	ctx, cancel := context.WithTimeout(context.Background(), contextWithin)
	defer cancel()
	return c.Context(ctx, model)
}

// Close closes idle connections.
func (d *direct) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.models {
		c.Close()
	}
}

// batches divides texts into ranges [from, to), one per call.
func batches(texts []string) (all [][2]int) {
	for from := 0; from < len(texts); {
		to, tokens := from, 0
		for ; to < len(texts) && to-from < directTexts; to++ {
			if tokens += client.Estimate(texts[to]); tokens > directTokens && to > from {
				break
			}
		}
		all = append(all, [2]int{from, to})
		from = to
	}
	return all
}

// Calls implements remote.Client.
func (d *direct) Calls(_ string, texts []string, _ int) (int, error) { return len(batches(texts)), nil }

// Embed implements remote.Client.
func (d *direct) Embed(ctx context.Context, model string, texts []string, dims int, got func(i int, v []float32) error) (usage protocol.Usage, err error) {
	c, err := d.model(model, protocol.Embedding)
	if err != nil {
		return usage, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var mu sync.Mutex // guards usage and calls of got
	var running sync.WaitGroup
	places := make(chan struct{}, DirectCalls)
	for _, b := range batches(texts) {
		places <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		running.Go(func() {
			defer func() { <-places }()
			vectors, spent, err := c.Embed(ctx, model, texts[b[0]:b[1]], dims)
			mu.Lock()
			defer mu.Unlock()
			usage.Tokens += spent.Tokens
			for i := 0; err == nil && i < len(vectors); i++ {
				err = got(b[0]+i, vectors[i])
			}
			if err != nil {
				stop(d.explain(err))
			}
		})
	}
	running.Wait()
	return usage, context.Cause(ctx)
}

// Chat implements answer.Chatter. If there are no messages, it fills in a template, as a
// proxy does.
func (d *direct) Chat(ctx context.Context, m *protocol.Chat, emit func(protocol.Part) error) (protocol.Usage, string, error) {
	c, err := d.model(m.Model, protocol.Chatting)
	if err != nil {
		return protocol.Usage{}, "", err
	}
	messages := m.Messages
	if len(messages) == 0 {
		t, ok := answer.Templates[m.Template]
		if !ok {
			return protocol.Usage{}, "", fmt.Errorf("unknown prompt %q", m.Template)
		}
		messages = answer.Messages(t, m.Question, m.Passages, m.History)
	}
	params := m.Params
	if params.MaxTokens == 0 {
		params.MaxTokens = directAnswer
	}
	usage, finish, err := c.Chat(ctx, m.Model, messages, params, emit)
	return usage, finish, d.explain(err)
}

// explain explains a refused key to the user, who has set it. With a proxy, that is the
// operator's concern.
func (d *direct) explain(err error) error {
	var failed *upstream.Error
	if !errors.As(err, &failed) || failed.Status() != http.StatusUnauthorized && failed.Status() != http.StatusForbidden {
		return err
	}
	if d.key == "" {
		return protocol.Errorf(protocol.Unauthorized, "the provider needs a key: put it into %s", keyVariable)
	}
	return protocol.Errorf(protocol.Unauthorized, "the provider rejected the key in %s", keyVariable)
}
