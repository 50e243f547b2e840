// Package upstreamtest is a provider for tests. It speaks OpenAI's API and Azure's paths,
// and returns known vectors and answers. A script can make it slow, wrong or rude.
package upstreamtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// Provider is an http.Handler. Each request takes a script from a queue. If the queue is
// empty, the response is good.
type Provider struct {
	Dims int // of vectors, if a request does not set them; default 16

	// Gets has the responses to GET requests by path. Others are refused. None is recorded.
	Gets map[string]string
	// Count returns prompt_tokens for the contents of the messages, and the tokens among
	// them that came from a cache, or 0; default: Tokens.
	Count func(messages []string) (prompt, cached int)

	mu       sync.Mutex
	queue    []Script
	always   Script
	by       func(*Request) Script
	requests []*Request
}

// Request is a request that arrived.
type Request struct {
	Path   string
	Query  string
	Header http.Header
	Body   []byte

	Model      string
	Texts      []string // of embeddings
	Encoding   string   // encoding_format
	Dimensions int
	At         time.Time

	done chan struct{} // closed at the end of its handler
	gone chan struct{} // closed if the client disconnects before that
}

// Gone is closed if the client disconnects before its response is complete.
func (r *Request) Gone() <-chan struct{} { return r.gone }

// Done is closed when the request is answered or given up.
func (r *Request) Done() <-chan struct{} { return r.done }

// Server is a Provider that listens on loopback. Its BaseURL ends in /v1.
type Server struct {
	*Provider
	BaseURL string
	Origin  string // without /v1: the base URL for Azure

	http *httptest.Server
}

// Start starts a server; see Play for scripts. The caller must call Close.
func Start(scripts ...Script) *Server {
	p := &Provider{}
	p.Play(scripts...)
	h := httptest.NewServer(p)
	return &Server{Provider: p, BaseURL: h.URL + "/v1", Origin: h.URL, http: h}
}

// Close ends the server and the requests that are still open.
func (s *Server) Close() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Play adds scripts to the queue, one for each of the next requests.
func (p *Provider) Play(scripts ...Script) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.queue = append(p.queue, scripts...)
}

// Always sets the response when the queue is empty.
func (p *Provider) Always(s Script) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.always = s
}

// By sets a function that chooses the response when the queue is empty. It is not called
// concurrently.
func (p *Provider) By(answer func(*Request) Script) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.by = answer
}

// Requests returns the requests that have arrived, in order.
func (p *Provider) Requests() []*Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]*Request(nil), p.requests...)
}

func (p *Provider) record(r *Request) Script {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, r)
	switch {
	case len(p.queue) > 0:
	case p.by != nil:
		return p.by(r)
	default:
		return p.always
	}
	s := p.queue[0]
	p.queue = p.queue[1:]
	return s
}

// asked has the fields of a request, of both kinds.
type asked struct {
	Model         string          `json:"model"`
	Input         []string        `json:"input"`
	Encoding      string          `json:"encoding_format"`
	Dimensions    int             `json:"dimensions"`
	Stream        bool            `json:"stream"`
	StreamOptions json.RawMessage `json:"stream_options"`
	MaxTokens     int             `json:"max_tokens"`
	Temperature   *float64        `json:"temperature"`
	Messages      []struct {
		Content any `json:"content"`
	} `json:"messages"`
}

// ServeHTTP responds like a provider, and records the request.
func (p *Provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if body, ok := p.Gets[r.URL.Path]; ok && r.Method == http.MethodGet {
		io.WriteString(w, body)
		return
	}
	body, err := io.ReadAll(r.Body) // read all of it, because only then the server notices that a client disconnects
	if err != nil {
		return
	}
	var q asked
	if err := json.Unmarshal(body, &q); err != nil {
		http.Error(w, `{"error":{"message":"not JSON"}}`, http.StatusBadRequest)
		return
	}
	request := &Request{Path: r.URL.Path, Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body, Model: q.Model, Texts: q.Input, Encoding: q.Encoding,
		Dimensions: q.Dimensions, At: time.Now(), done: make(chan struct{}), gone: make(chan struct{})}
	a := &reply{w: w, r: r, q: q, dims: q.Dimensions, script: p.record(request), count: p.Count}
	if a.dims == 0 {
		a.dims = a.script.Dims
	}
	if a.dims == 0 {
		a.dims = p.Dims
	}
	if a.dims == 0 {
		a.dims = 16
	}
	defer close(request.done)
	defer func() {
		if r.Context().Err() != nil {
			close(request.gone)
		}
	}()
	a.serve()
}

func (a *reply) serve() {
	a.wait(a.script.HeaderDelay)
	for name, value := range a.script.Headers {
		a.w.Header().Set(name, value)
	}
	if a.script.RetryAfter != "" {
		a.w.Header().Set("Retry-After", a.script.RetryAfter)
	}
	switch path := a.r.URL.Path; {
	case a.r.Context().Err() != nil:
	case a.script.Fault == HangUp:
		a.hangUp()
	case a.script.Status != 0 && a.script.Status != http.StatusOK:
		a.fail(a.script.Status, a.script.Body)
	case strings.HasSuffix(path, "/embeddings"):
		a.embeddings()
	case strings.HasSuffix(path, "/chat/completions"):
		a.chat()
	default:
		a.fail(http.StatusNotFound, "")
	}
}
