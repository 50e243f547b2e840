// Package opensearch stores collections in OpenSearch: an index of the k-NN plugin for
// each, with its shape in the _meta of the mapping.
package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/opensearch-project/opensearch-go/v4"

	"seam/proxy/remote"
)

// Engine is a collection in a cluster.
type Engine struct {
	address remote.Address
	clients []*opensearch.Client // one per host: a client for all would keep using a host that was cut off
	turn    *remote.Hosts
	stop    context.CancelFunc
}

// Open returns an Engine, which connects on first use. key is the password of the address's
// user.
func Open(a remote.Address, key string) (*Engine, error) {
	secure, err := a.TLSConfig()
	if err != nil {
		return nil, err
	}
	scheme := map[bool]string{true: "https://", false: "http://"}[a.TLS]
	ctx, stop := context.WithCancel(context.Background())
	e := &Engine{address: a, stop: stop, turn: remote.NewHosts(len(a.Hosts), true)}
	for _, h := range a.Hosts {
		client, err := opensearch.NewClient(opensearch.Config{
			Addresses: []string{scheme + h}, Username: a.User, Password: key, Context: ctx,
			Transport:           remote.Transport(secure),
			DisableRetry:        true,  // another host is tried instead
			CompressRequestBody: a.TLS, // without TLS, compressing costs more than sending
		})
		if err != nil {
			stop()
			return nil, fmt.Errorf("%s: %w", a, err)
		}
		e.clients = append(e.clients, client)
	}
	return e, nil
}

// Close implements remote.Engine.
func (e *Engine) Close() error {
	e.stop()
	return nil
}

// maxAnswer bounds the bytes read of a response.
const maxAnswer = 256 << 20

// fault is an error response.
type fault struct {
	status       int
	kind, reason string
}

func (f *fault) Error() string { return fmt.Sprintf("%s (%s, status %d)", f.reason, f.kind, f.status) }

// do sends a request to a host, and to the next if that one is unavailable, each with the
// given time limit. It decodes the response into to, unless to is nil. body is nil, bytes,
// or a value to encode as JSON.
func (e *Engine) do(ctx context.Context, within time.Duration, method, path string, body, to any) error {
	return e.turn.Ask(ctx, within, func(ctx context.Context, host int) error {
		b, err := e.ask(ctx, e.clients[host], method, path, body)
		if err != nil {
			return e.explain(err)
		}
		if to == nil {
			return nil
		}
		if err := json.Unmarshal(b, to); err != nil {
			return fmt.Errorf("%s: unexpected answer: %w", e.address, err)
		}
		if a, ok := to.(interface{ undone() error }); ok {
			return e.explain(a.undone())
		}
		return nil
	})
}

// explain turns an error into a sentence.
func (e *Engine) explain(err error) error {
	var f *fault
	if u := remote.Unverified(e.address, err); u != nil {
		return u
	}
	switch {
	case err == nil || errors.Is(err, context.Canceled):
		return err
	case !errors.As(err, &f) || f.status >= 500 || f.status == http.StatusTooManyRequests:
		return remote.Unavailable(e.address, err)
	case f.status == http.StatusUnauthorized || f.status == http.StatusForbidden:
		return remote.Denied(e.address, f)
	}
	return fmt.Errorf("%s: %w", e.address, err)
}

func (e *Engine) ask(ctx context.Context, client *opensearch.Client, method, path string, body any) ([]byte, error) {
	content, ok := body.([]byte)
	kind := "application/x-ndjson"
	if !ok && body != nil {
		kind = "application/json"
		var err error
		if content, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", kind)
	}
	response, err := client.Stream(r)
	if err != nil {
		return nil, plain(err)
	}
	defer response.Body.Close()
	b, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 300 {
		return b, nil
	}
	return nil, faultOf(response.StatusCode, b)
}

// plain removes the URL, which may hold secrets, from an HTTP error.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func faultOf(status int, b []byte) error {
	var told struct {
		Error struct {
			Type      string `json:"type"`
			Reason    string `json:"reason"`
			RootCause []struct {
				Reason string `json:"reason"`
			} `json:"root_cause"`
		} `json:"error"`
	}
	f := &fault{status: status, kind: http.StatusText(status), reason: "it refused"}
	if json.Unmarshal(b, &told) == nil && told.Error.Type != "" {
		f.kind, f.reason = told.Error.Type, told.Error.Reason
		if roots := told.Error.RootCause; len(roots) > 0 {
			f.reason = roots[0].Reason
		}
	}
	return f
}

// Time limits for one host to answer.
const (
	healthWithin = 5 * time.Second
	askWithin    = 30 * time.Second
	writeWithin  = 2 * time.Minute
	bulkWithin   = 40 * time.Second
	searchWithin = 5 * time.Second
)

// refreshed is how often new chunks become findable without Settle. Each refresh makes a
// segment with its own graph. With the default of every second, a push takes twice as long;
// it settles once, at the end.
const refreshed = "30s"

// path returns a path below the index.
func (e *Engine) path(rest string) string { return "/" + e.address.Collection + rest }

// mapping returns the settings and mappings of a new index.
func (e *Engine) mapping(s remote.Shape) map[string]any {
	analyzer := s.Words
	type object = map[string]any
	text := object{"type": "text", "analyzer": analyzer}
	return object{
		"settings": object{"index": object{"knn": true, "number_of_shards": e.address.Shards, "number_of_replicas": e.address.Replicas - 1, "refresh_interval": refreshed}},
		"mappings": object{
			"_meta":   object{"seam": s},
			"dynamic": "strict",
			"properties": object{
				"id": object{"type": "keyword"}, "file": object{"type": "keyword"}, "digest": object{"type": "keyword", "index": false},
				"facets": object{"type": "keyword"}, "section": object{"type": "wildcard"}, "start": object{"type": "integer"},
				"page_first": object{"type": "integer"}, "page_last": object{"type": "integer"},
				"titles": text, "text": text,
				"record": object{"type": "object", "enabled": false},
				"embedding": object{"type": "knn_vector", "dimension": s.Dimensions,
					"method": object{"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}},
			},
		},
	}
}

// Shape implements remote.Engine.
func (e *Engine) Shape(ctx context.Context) (*remote.Shape, error) {
	var got map[string]struct {
		Mappings struct {
			Meta struct {
				Seam *remote.Shape `json:"seam"`
			} `json:"_meta"`
		} `json:"mappings"`
	}
	err := e.do(ctx, askWithin, http.MethodGet, e.path("/_mapping"), nil, &got)
	if f := (*fault)(nil); errors.As(err, &f) && f.status == http.StatusNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, index := range got { // the name differs if the collection is an alias
		if index.Mappings.Meta.Seam == nil {
			return nil, fmt.Errorf("%s: the cluster has an index of that name that is not a Seam collection: choose another name", e.address)
		}
		return index.Mappings.Meta.Seam, nil
	}
	return nil, nil
}

// Create implements remote.Engine.
func (e *Engine) Create(ctx context.Context, s remote.Shape) error {
	err := e.do(ctx, writeWithin, http.MethodPut, e.path(""), e.mapping(s), nil)
	if f := (*fault)(nil); errors.As(err, &f) && f.kind == "resource_already_exists_exception" {
		_, err = e.Shape(ctx)
	}
	return err
}

// Health implements remote.Engine.
func (e *Engine) Health(ctx context.Context) error {
	return e.do(ctx, healthWithin, http.MethodGet, "/", nil, nil)
}

// Settle implements remote.Engine.
func (e *Engine) Settle(ctx context.Context) error {
	return e.do(ctx, writeWithin, http.MethodPost, e.path("/_refresh"), nil, nil)
}

// Count implements remote.Engine.
func (e *Engine) Count(ctx context.Context) (int, error) {
	var got struct {
		Count int `json:"count"`
		shards
	}
	err := e.do(ctx, askWithin, http.MethodGet, e.path("/_count?"+local), nil, &got)
	return got.Count, err
}
