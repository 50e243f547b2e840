package hosted

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"seam/proxy/command/terminal"
	"seam/proxy/link"
	"seam/proxy/nearby"
	"seam/proxy/upstream/prefix"
	"seam/shared/embed/remote"
	"seam/shared/pipeline"
	"seam/shared/protocol"
)

// HostOptions are the options of every command that may use a proxy or provider.
type HostOptions struct {
	Proxy      string        `env:"SEAM_PROXY" placeholder:"URL" help:"Seam proxy that relays to hosted models."`
	ProxyToken string        `env:"SEAM_PROXY_TOKEN" placeholder:"TOKEN" help:"Your token for the proxy, from its operator."`
	BaseURL    string        `name:"base-url" placeholder:"URL" help:"Provider with OpenAI's API, used without a proxy; the key comes from OPENAI_API_KEY (default: OpenAI, if the key is set). --proxy takes precedence."`
	Local      bool          `help:"Use models on this machine: look once where Ollama (port 11434), llama.cpp (8080) and LM Studio (1234) usually listen. No key is sent. Takes precedence over --proxy."`
	Timeout    time.Duration `placeholder:"TIME" help:"Longest wait for the first byte of that provider's answer (default: 1m; 5m if it is on this machine or its network, because it may have to load the model)."`
}

// ProxyOptions are the options of every command that may request vectors.
type ProxyOptions struct {
	HostOptions
	prefix.Flags
	Price *float64 `placeholder:"DOLLARS" help:"Price at --base-url of a million input tokens, to print the cost before sending; a proxy knows its own prices."`
}

// Hosted reports whether a proxy or provider is configured.
func (o HostOptions) Hosted() bool {
	return o.Local || o.Proxy != "" || o.BaseURL != "" || os.Getenv(keyVariable) != ""
}

// keyVariable is the environment variable with the user's key for a provider.
const keyVariable = "OPENAI_API_KEY"

// HowHosted explains in errors how to configure a proxy or provider.
const HowHosted = "a proxy or provider: set --proxy URL or SEAM_PROXY, or --base-url URL with the key in OPENAI_API_KEY, or --local for a model on this machine"

// Proxy is a connected proxy, or a provider in its place.
type Proxy struct {
	URL, Host string
	ack       *protocol.Ack // nil for a provider, whose models are unknown
	Client    hostedClient
	price     *float64 // of a provider: dollars per million input tokens; nil if unknown
	prefixes  prefix.Flags
	local     []nearby.Server // found with --local
}

// Connect is like HostOptions.Connect, with the price from --price.
func (o ProxyOptions) Connect(ctx context.Context, b terminal.Build) (*Proxy, error) {
	if o.Price != nil && !(*o.Price >= 0 && *o.Price < 1e6) {
		return nil, terminal.Usagef("--price %v: give US dollars per million tokens, such as 0.02", *o.Price)
	}
	p, err := o.HostOptions.Connect(ctx, b)
	if err == nil {
		p.price, p.prefixes = o.Price, o.Flags
	}
	return p, err
}

// Connect connects to the proxy, or prepares requests to the provider. The caller must
// close the result.
func (o HostOptions) Connect(ctx context.Context, b terminal.Build) (*Proxy, error) {
	if o.Local {
		return o.connectLocal(ctx)
	}
	if o.Proxy == "" {
		base := strings.TrimRight(cmp.Or(o.BaseURL, openAI), "/")
		if o.Timeout < 0 {
			return nil, terminal.Usagef("--timeout %v: use a time like 10m", o.Timeout)
		}
		c, u, err := newDirect(base, strings.TrimSpace(os.Getenv(keyVariable)), o.Timeout)
		if err != nil {
			return nil, err
		}
		return &Proxy{URL: base, Host: u.Host, Client: c}, nil
	}
	c, err := link.Client(o.Proxy, strings.TrimSpace(o.ProxyToken), "seam "+string(b))
	if err != nil {
		return nil, terminal.UsageError{Err: err}
	}
	u, err := url.Parse(o.Proxy)
	if err != nil {
		return nil, terminal.UsageError{Err: err}
	}
	p := &Proxy{URL: o.Proxy, Host: u.Host, Client: c}
	if p.ack, err = c.Hello(ctx); err != nil {
		c.Close()
		return nil, fmt.Errorf("proxy %s: %w", u.Host, err)
	}
	return p, nil
}

// Close ends the connection, if there is one.
func (p *Proxy) Close() {
	if p != nil {
		p.Client.Close()
	}
}

// Model finds a model by its name, with or without the prefix.
func (p *Proxy) Model(name string, kind protocol.Kind) (protocol.Model, error) {
	id := strings.TrimPrefix(name, remote.Prefix)
	if p.local != nil {
		return p.localModel(id, kind)
	}
	if p.ack == nil {
		m := protocol.Model{ID: id, Kind: kind, Price: p.price}
		if kind == protocol.Embedding {
			m.Query, m.Passage = prefix.Given(id, p.prefixes.QueryPrefix, p.prefixes.PassagePrefix)
		}
		return m, nil
	}
	var names []string
	for _, m := range p.ack.Models {
		if m.Kind == kind && m.ID == id {
			if given := p.prefixes.QueryPrefix; given != nil {
				m.Query = *given
			}
			if given := p.prefixes.PassagePrefix; given != nil {
				m.Passage = *given
			}
			return m, nil
		}
		if m.Kind == kind {
			names = append(names, remote.Prefix+m.ID)
		}
	}
	if len(names) == 0 {
		return protocol.Model{}, terminal.Usagef("the proxy %s has no model for this", p.Host)
	}
	return protocol.Model{}, terminal.Usagef("the proxy %s has no model %q: choose one of %s", p.Host, name, strings.Join(names, ", "))
}

// LongestAnswer returns the most tokens of an answer.
func (p *Proxy) LongestAnswer(ctx context.Context) int {
	ack, err := p.Client.Hello(ctx)
	if err != nil {
		return directAnswer
	}
	return ack.Limits.Answer
}

// Quote is the amount about to be sent to a proxy.
type Quote struct {
	remote.Quote
	free    bool // all prices so far are known to be zero
	dollars float64
	model   string
}

// Add adds a document, if its embedder is hosted. Errors name the file.
func (q *Quote) Add(ctx context.Context, s *pipeline.Session, p pipeline.Plan, hooks pipeline.Hooks) error {
	if !p.Hosted() {
		return nil
	}
	one, err := s.Quote(ctx, p, hooks)
	if err != nil {
		return Named(s, err)
	}
	q.AddOne(p.Embedder, one)
	return nil
}

// AddOne adds the amount for one model.
func (q *Quote) AddOne(model string, one remote.Quote) {
	if q.model == "" {
		q.model, q.free = model, true
	}
	q.Missing, q.Tokens, q.Calls = q.Missing+one.Missing, q.Tokens+one.Tokens, q.Calls+one.Calls
	if one.Dollars == nil {
		q.free = false
	} else {
		q.dollars += *one.Dollars
	}
}

// Print prints what will be sent from this machine, if anything. With dry it prints what
// would be sent.
func (q *Quote) Print(std terminal.IO, p *Proxy, dry bool) {
	switch {
	case dry && q.Missing == 0:
		fmt.Fprintln(std.Out, "nothing would be sent")
	case dry:
		fmt.Fprintln(std.Out, "would send", q.say(p, terminal.Count(q.Missing, "text")))
	case q.Missing > 0:
		fmt.Fprintln(std.Err, "seam: sending", q.say(p, terminal.Count(q.Missing, "text")))
	}
}

// PrintQueries prints, for a dry run, the queries that would be sent, if any.
func (q *Quote) PrintQueries(std terminal.IO, p *Proxy) {
	switch {
	case q.Missing == 1:
		fmt.Fprintln(std.Out, "would send", q.say(p, "the query"))
	case q.Missing > 1:
		fmt.Fprintln(std.Out, "would send", q.say(p, fmt.Sprintf("%d queries", q.Missing)))
	}
}

// say returns a sentence with the content, receiver and price.
func (q *Quote) say(p *Proxy, content string) string {
	cost := "price unknown"
	switch {
	case q.free && q.dollars == 0:
		cost = "free"
	case q.free && q.dollars < 0.0001:
		cost = "less than $0.0001"
	case q.free:
		cost = "about $" + strconv.FormatFloat(q.dollars, 'f', 4, 64)
	}
	calls := "1 call"
	if q.Calls != 1 {
		calls = strconv.Itoa(q.Calls) + " calls"
	}
	if m, err := p.Model(q.model, protocol.Embedding); err == nil && m.Prefixes() != "" {
		cost += fmt.Sprintf("; each passage begins with %q, each query with %q", m.Passage, m.Query)
	}
	return fmt.Sprintf("%s (about %s) in %s to %s at %s: %s", content, terminal.Count(q.Tokens, "token"), calls, q.model, p.Host, cost)
}

// RetryHint adds the waiting time to an error if the proxy gave one.
func RetryHint(err error) error {
	var told *protocol.Error
	if errors.As(err, &told) && told.RetryAfter > 0 {
		return fmt.Errorf("%w (try again in %d seconds)", err, int(told.RetryAfter.Seconds()+1))
	}
	return err
}
