// Package weaviate stores collections in Weaviate: a class for each, with its shape in the
// description of the class.
package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/weaviate/weaviate-go-client/v5/weaviate"
	"github.com/weaviate/weaviate-go-client/v5/weaviate/fault"
	"github.com/weaviate/weaviate/entities/models"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"seam/proxy/remote"
)

// Engine is a collection in a cluster.
type Engine struct {
	address remote.Address
	class   string
	hosts   []*host
	turn    *remote.Hosts
	http    *http.Transport

	level atomic.Pointer[string] // quorum, or "" without replicas; nil if not known yet
}

// Open returns an Engine, which connects on first use. key is an API key, or empty if the
// cluster needs none.
//
// Batches go over gRPC if there is no TLS. With TLS they go over HTTP: for gRPC, the client
// accepts any certificate and would send the key to any host.
func Open(a remote.Address, key string) (*Engine, error) {
	secure, err := a.TLSConfig()
	if err != nil {
		return nil, err
	}
	e := &Engine{address: a, class: strings.ToUpper(a.Collection[:1]) + a.Collection[1:],
		http: remote.Transport(secure), turn: remote.NewHosts(len(a.Hosts), false)}
	for i, name := range a.Hosts {
		h := &host{made: make(chan struct{})}
		c := weaviate.Config{Host: name, Scheme: "https", ConnectionClient: &http.Client{Transport: bounded{e.http}}, Timeout: writeWithin}
		if key != "" {
			c.Headers = map[string]string{"authorization": "Bearer " + key}
		}
		if !a.TLS {
			c.Scheme = "http"
			alone, _, _ := net.SplitHostPort(name)
			if h.batches, err = newBatches(net.JoinHostPort(alone, strconv.Itoa(a.GRPC[i%len(a.GRPC)])), key); err != nil {
				return nil, fmt.Errorf("%s: %w", a, err)
			}
		}
		h.config = c
		e.hosts = append(e.hosts, h)
	}
	return e, nil
}

// host is a host of the cluster. Its client is made on first use, because that requests the
// version, which can take any time.
type host struct {
	config  weaviate.Config
	batches *batches // nil with TLS
	once    sync.Once
	made    chan struct{} // closed once the fields below are set
	client  *weaviate.Client
	err     error
}

func (h *host) open(ctx context.Context) (*weaviate.Client, error) {
	h.once.Do(func() {
		go func() {
			h.client, h.err = weaviate.NewClient(h.config)
			close(h.made)
		}()
	})
	select {
	case <-h.made:
		return h.client, h.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// bounded sets a deadline on requests of the client that have none: the requests for the
// version.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if _, ok := r.Context().Deadline(); ok {
		return b.RoundTripper.RoundTrip(r)
	}
	ctx, cancel := context.WithCancel(r.Context())
	time.AfterFunc(healthWithin, cancel)
	return b.RoundTripper.RoundTrip(r.WithContext(ctx))
}

// Close implements remote.Engine.
func (e *Engine) Close() error {
	e.http.CloseIdleConnections()
	for _, h := range e.hosts {
		if h.batches != nil {
			h.batches.conn.Close()
		}
	}
	return nil
}

// Time limits for one host to answer.
const (
	healthWithin = 5 * time.Second
	askWithin    = 30 * time.Second
	writeWithin  = 2 * time.Minute
	batchWithin  = 40 * time.Second
	searchWithin = 5 * time.Second
)

// do calls ask with the client of a host, and with the next host's if that one is not
// available.
func (e *Engine) do(ctx context.Context, within time.Duration, ask func(ctx context.Context, c *weaviate.Client) error) error {
	return e.each(ctx, within, func(ctx context.Context, h *host) error {
		client, err := h.open(ctx)
		if err != nil {
			return err
		}
		return ask(ctx, client)
	})
}

func (e *Engine) each(ctx context.Context, within time.Duration, ask func(context.Context, *host) error) error {
	return e.turn.Ask(ctx, within, func(ctx context.Context, n int) error { return e.explain(ask(ctx, e.hosts[n])) })
}

// explain turns an error of the client into a sentence.
func (e *Engine) explain(err error) error {
	var f *fault.WeaviateClientError
	if u := remote.Unverified(e.address, err); u != nil {
		return u
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled) || errors.Is(err, remote.ErrUnavailable) || errors.Is(err, remote.ErrDenied) || errors.As(err, new(*refusal)):
		return err
	case errors.As(err, &f) && f.DerivedFromError != nil:
		return e.explain(f.DerivedFromError)
	case errors.As(err, &f):
		return e.answered(f.StatusCode, messageOf(f.Msg))
	}
	if s, ok := status.FromError(err); ok && s.Code() != codes.Unknown {
		switch s.Code() {
		case codes.Unauthenticated, codes.PermissionDenied:
			return remote.Denied(e.address, errors.New(s.Message()))
		case codes.Unavailable, codes.DeadlineExceeded, codes.ResourceExhausted, codes.Aborted, codes.Internal:
			return remote.Unavailable(e.address, errors.New(s.Message()))
		}
		return fmt.Errorf("%s: %s", e.address, s.Message())
	}
	return remote.Unavailable(e.address, err)
}

// answered turns an error response into a sentence.
func (e *Engine) answered(code int, message string) error {
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return remote.Denied(e.address, errors.New(message))
	case code >= 500 || code == http.StatusTooManyRequests:
		return remote.Unavailable(e.address, fmt.Errorf("%s (status %d)", message, code))
	}
	return fmt.Errorf("%s: %w", e.address, &refusal{code, message})
}

// refusal is an error that the engine would return again for the same request.
type refusal struct {
	code    int
	message string
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (status %d)", r.message, r.code) }

// messageOf returns the message of a response, which may be JSON.
func messageOf(body string) string {
	var told struct {
		Error []struct {
			Message string `json:"message"`
		} `json:"error"`
		Message string `json:"message"`
	}
	if json.Unmarshal([]byte(body), &told) == nil {
		if len(told.Error) > 0 {
			return told.Error[0].Message
		}
		if told.Message != "" {
			return told.Message
		}
	}
	return body
}

// description is the JSON in the description of a class.
type description struct {
	Seam *remote.Shape `json:"seam"`
}

// Shape implements remote.Engine.
func (e *Engine) Shape(ctx context.Context) (*remote.Shape, error) {
	class, err := e.described(ctx)
	if r := (*refusal)(nil); errors.As(err, &r) && r.code == http.StatusNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var d description
	if json.Unmarshal([]byte(class.Description), &d) != nil || d.Seam == nil {
		return nil, fmt.Errorf("%s: the cluster has a class %s that is not a Seam collection: choose another name", e.address, e.class)
	}
	return d.Seam, nil
}

// described returns the class from the cluster.
func (e *Engine) described(ctx context.Context) (class *models.Class, err error) {
	err = e.do(ctx, askWithin, func(ctx context.Context, c *weaviate.Client) (err error) {
		class, err = c.Schema().ClassGetter().WithClassName(e.class).Do(ctx)
		return err
	})
	return class, err
}

// quorum is the consistency level for writes and for listing stored chunks: more than half
// of the replicas, so that at least one of them knows of every write. A class without
// replicas does not support it.
const quorum = "QUORUM"

// consistency returns quorum if there are replicas, otherwise "".
func (e *Engine) consistency(ctx context.Context) (string, error) {
	if level := e.level.Load(); level != nil {
		return *level, nil
	}
	class, err := e.described(ctx)
	if err != nil {
		return "", err
	}
	level := ""
	if class.ReplicationConfig != nil && class.ReplicationConfig.Factor > 1 {
		level = quorum
	}
	e.level.Store(&level)
	return level, nil
}

// Create implements remote.Engine.
func (e *Engine) Create(ctx context.Context, s remote.Shape) error {
	about, err := json.Marshal(description{&s})
	if err != nil {
		return err
	}
	class := &models.Class{
		Class: e.class, Description: string(about), Vectorizer: "none", VectorIndexType: "hnsw",
		VectorIndexConfig: map[string]any{"distance": s.Metric, "maxConnections": 16, "efConstruction": 64}, // same as pgvector
		ReplicationConfig: replication(e.address.Replicas),
		ShardingConfig:    map[string]any{"desiredCount": e.address.Shards},
		Properties:        properties(),
	}
	if s.Words != "english" { // by default English stop words are skipped
		class.InvertedIndexConfig = &models.InvertedIndexConfig{Stopwords: &models.StopwordConfig{Preset: "none"}}
	}
	err = e.do(ctx, writeWithin, func(ctx context.Context, c *weaviate.Client) error {
		return c.Schema().ClassCreator().WithClass(class).Do(ctx)
	})
	if r := (*refusal)(nil); errors.As(err, &r) && strings.Contains(r.message, "already exists") {
		_, err = e.Shape(ctx)
	}
	return err
}

// replication replicates to that many nodes. A node that was away catches up from the
// others by itself, which is off by default, and removed chunks stay removed.
func replication(nodes int) *models.ReplicationConfig {
	r := &models.ReplicationConfig{Factor: int64(nodes)}
	if nodes > 1 {
		r.AsyncEnabled, r.DeletionStrategy = true, models.ReplicationConfigDeletionStrategyTimeBasedResolution
	}
	return r
}

// properties returns the properties of a class. Words are searched in the text and the
// titles, the others are for filters, and the record is only returned.
func properties() []*models.Property {
	yes, no := true, false
	words := func(name string) *models.Property {
		return &models.Property{Name: name, DataType: []string{"text"}, Tokenization: "word", IndexSearchable: &yes, IndexFilterable: &no}
	}
	exact := func(name, kind string) *models.Property {
		return &models.Property{Name: name, DataType: []string{kind}, Tokenization: "field", IndexSearchable: &no, IndexFilterable: &yes}
	}
	number := func(name string) *models.Property {
		return &models.Property{Name: name, DataType: []string{"int"}, IndexFilterable: &no, IndexRangeFilters: &yes}
	}
	kept := func(name string) *models.Property {
		return &models.Property{Name: name, DataType: []string{"text"}, Tokenization: "field", IndexSearchable: &no, IndexFilterable: &no}
	}
	return []*models.Property{words("text"), words("titles"), exact("file", "text"), exact("facets", "text[]"), exact("section", "text"),
		number("start"), number("pageFirst"), number("pageLast"), kept("digest"), kept("record")}
}

// Health implements remote.Engine.
func (e *Engine) Health(ctx context.Context) error {
	return e.do(ctx, healthWithin, func(ctx context.Context, c *weaviate.Client) error {
		if ready, err := c.Misc().ReadyChecker().Do(ctx); err != nil || ready {
			return err
		}
		// The checker returns the same for a refused key as for a starting node.
		if _, err := c.Misc().MetaGetter().Do(ctx); err != nil {
			return err
		}
		return remote.Unavailable(e.address, errors.New("it is not ready"))
	})
}

// Settle implements remote.Engine: Weaviate finds writes at once.
func (e *Engine) Settle(context.Context) error { return nil }
