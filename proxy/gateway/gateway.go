// Package gateway is the proxy's server for browsers: sessions of seam.v1 over websockets,
// or over HTTP if websockets are blocked. It relays requests for embeddings and answers to
// a Backend. It knows nothing about documents or the engine.
package gateway

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

// Backend performs requests. An error that is not a *protocol.Error is sent to the client
// as internal, without its text.
type Backend interface {
	// Embed returns one vector per text, in order.
	Embed(ctx context.Context, who Who, model string, texts []string, dimensions int) ([][]float32, protocol.Usage, error)
	// Chat calls emit with every part of the answer, and returns why it ended.
	Chat(ctx context.Context, who Who, c *protocol.Chat, emit func(protocol.Part) error) (protocol.Usage, string, error)
	// Models returns models with the contexts that their servers name.
	Models(ctx context.Context, models []protocol.Model) []protocol.Model
	// Collection returns the collection that a group with these models may search, or nil.
	Collection(g admission.Group, models []protocol.Model) *protocol.Collection
	// Search searches the collection of the group.
	Search(ctx context.Context, who Who, s *protocol.Search) ([]protocol.Hit, protocol.Usage, error)
	// Ended is called when a session sends no more requests.
	Ended(session string)
}

// Who identifies a request and its caller.
type Who struct {
	Session string
	Request uint32
	Caller  admission.Caller // pays for it
	Group   admission.Group  // sets the policy and budget
	Tokens  int64            // that the group may use in a minute; 0: no limit
	Models  []string         // that the group may use; nil: all
	User    string           // the client's name for its user, which the provider gets with texts
}

// Allow has the parts of OpenAI's interface that the operator allows.
type Allow struct {
	Tools  bool // tools, and messages with their calls and results
	Schema bool // answers of a JSON schema
	Images bool // in messages
	Stop   bool // texts that end an answer
}

// Config is the configuration of a gateway. Reload can change all of it.
type Config struct {
	Door    admission.Door
	Proxies admission.Proxies
	Models  []protocol.Model
	Limits  protocol.Limits
	Allow   Allow
	Body    int64 // bytes of a request over OpenAI's interface; 0: enough for the limits
	Prompts protocol.Prompts
	Answer  *protocol.Template // the template "answer" as announced to clients; nil: not announced
	Marked  *protocol.Template // the same for "answer-marked"

	Policies map[admission.Group]admission.Policy // of groups with restrictions

	Work      int           // bits of proof of work for a token, more under load; 0: none
	PerMinute int           // requests for tokens per address; 0: 30
	Age       time.Duration // of a session; 0: an hour

	InitWithin  time.Duration // 0: 5 seconds
	WriteWithin time.Duration // for one frame; 0: 10 seconds
	ReadWithin  time.Duration // for one message, from its first byte; 0: 10 seconds
	Messages    int           // per second and session; four times as many in a burst; 0: 50
	Connections int           // concurrent sessions; 0: 10,000
	PerCaller   int           // concurrent sessions per address, and requests over OpenAI's interface per address or token; 0: 20
	Waiting     int           // requests over OpenAI's interface that wait, per address or token; 0: none
	Wait        time.Duration // the longest that one waits
	Held        int           // bytes of texts, vectors and frames for all clients; 0: 96 MiB
	Log         *slog.Logger
	Addresses   Addresses
	Observer    Observer     // may be nil
	Tracer      trace.Tracer // of requests; nil: none
	Now         func() time.Time
	NewID       func() string // of a session; must be unguessable
}

func (c Config) filled() *Config {
	c.PerMinute = cmp.Or(c.PerMinute, 30)
	c.Age = cmp.Or(c.Age, time.Hour)
	c.InitWithin = cmp.Or(c.InitWithin, 5*time.Second)
	c.WriteWithin = cmp.Or(c.WriteWithin, 10*time.Second)
	c.ReadWithin = cmp.Or(c.ReadWithin, 10*time.Second)
	c.Messages = cmp.Or(c.Messages, 50)
	c.Connections = cmp.Or(c.Connections, 10_000)
	c.PerCaller = cmp.Or(c.PerCaller, 20)
	c.Held = cmp.Or(c.Held, defaultHeld)
	if c.Body == 0 {
		l := c.Limits // a character may be six bytes in JSON
		c.Body = max(1<<20, int64(6*max(3*l.Tokens, l.TextBytes, l.Context)+16*l.Texts))
	}
	if c.Observer == nil {
		c.Observer = noObserver{}
	}
	if c.Tracer == nil {
		c.Tracer = noop.Tracer{}
	}
	return &c
}

// Gateway serves sessions. Use New to make one.
type Gateway struct {
	now     atomic.Pointer[Config]
	backend Backend
	tokens  admission.Pace
	calls   admission.Pace // over OpenAI's interface
	paces   admission.Pace // requests of groups
	account *account
	tally   tally
	lengths sync.Map // model → dimensions of its vectors, as last seen

	*sessions
	posts map[string]*post // sessions over HTTP by their secret
}

// New returns a Gateway.
func New(config Config, backend Backend) *Gateway {
	g := &Gateway{backend: backend, account: newAccount(), posts: map[string]*post{}}
	g.sessions = newSessions(g.config)
	g.Reload(config)
	return g
}

// Reload changes the configuration. Open sessions follow it from their next request on,
// except for their message rate.
func (g *Gateway) Reload(config Config) {
	c := config.filled()
	g.account.limit(c.Held)
	g.now.Store(c)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.advanceAll()
}

func (g *Gateway) config() *Config { return g.now.Load() }

// Handler handles the paths of the protocol, and responds 404 to others.
func (g *Gateway) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+protocol.PathSocket, g.socket)
	for path, handle := range map[string]func(http.ResponseWriter, *http.Request, string){
		protocol.PathSession: g.token, protocol.PathInit: g.init, protocol.PathRequest: g.request,
	} {
		mux.HandleFunc("POST "+path, g.cross(handle, g.refuse))
		mux.HandleFunc("OPTIONS "+path, g.cross(nil, g.refuse))
	}
	g.openAI(mux)
	return mux
}

// Sessions returns the number of open sessions.
func (g *Gateway) Sessions() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.open)
}

// Drain refuses new sessions, so that a load balancer has time to use other servers.
func (g *Gateway) Drain() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.advanceAll()
}

// Shutdown refuses new sessions, lets requests finish until ctx ends, and ends every
// session. Sockets close with 1012, which makes clients reconnect.
func (g *Gateway) Shutdown(ctx context.Context) error {
	g.Drain()
	g.mu.Lock()
	open := make([]*peer, 0, len(g.open))
	for p := range g.open {
		open = append(open, p)
	}
	g.mu.Unlock()
	for _, p := range open {
		go p.drain(ctx, "the proxy restarts")
	}
	defer g.tally.flush()
	done := make(chan struct{})
	go func() { g.wg.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		<-done // drain ends every session then
		return ctx.Err()
	}
}

var errDraining = protocol.Errorf(protocol.ShuttingDown, "The proxy is restarting. Try again in a moment.")

const tooManyOfAddress = "per_address"

// refusal is the reason for refusing a request.
type refusal struct {
	status int
	why    string // for metrics
	*protocol.Error
}

// denied returns the refusal for an error of the door.
func denied(err error) *refusal {
	if errors.Is(err, admission.ErrForeign) {
		return &refusal{http.StatusForbidden, "foreign", protocol.Errorf(protocol.Forbidden,
			"This proxy serves only its own machine, but this request came for another host or through another server: to allow others, list that server in trusted_proxies and the sites in origins.")}
	}
	return &refusal{http.StatusForbidden, "origin", protocol.Errorf(protocol.Forbidden, "This proxy does not serve that site.")}
}

// clientError returns the error to send to the client.
func clientError(err error) *protocol.Error {
	var e *protocol.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, errSlow):
		return protocol.Errorf(protocol.SlowConsumer, "The client read the answer too slowly.")
	case errors.Is(err, context.Canceled):
		return protocol.Errorf(protocol.Cancelled, "The request was cancelled.")
	}
	return protocol.Errorf(protocol.Internal, "Something went wrong in the proxy.")
}
