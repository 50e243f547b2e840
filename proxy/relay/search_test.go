package relay

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"seam/proxy/admission"
	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/remote"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// engine returns preset answers, and records queries.
type engine struct {
	remote.Engine
	shape *remote.Shape
	err   error
	hangs bool
	asked []remote.Query
}

func (e *engine) Shape(context.Context) (*remote.Shape, error) { return e.shape, e.err }

func (e *engine) Search(ctx context.Context, q remote.Query) ([]remote.Hit, error) {
	e.asked = append(e.asked, q)
	if e.hangs {
		<-ctx.Done()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return []remote.Hit{{ID: uuid.Nil, Score: .5, Record: remote.Record{File: "a.pdf", Text: q.Text, Section: "One", Pages: []int{3, 4}, Start: 5, End: 9}}}, e.err
}

// shelf makes an engine the collection of alice's site, with two-dimensional vectors.
func shelf(t *testing.T, r rig, e *engine, change func(*Collection)) {
	t.Helper()
	if e.shape == nil {
		e.shape = &remote.Shape{Version: remote.Version, Embedder: "builtin:x", Name: "builtin", Dimensions: 2, Metric: remote.Cosine}
	}
	c := &Collection{Name: "manual", Engine: e, Hits: 12, Filters: []string{"section", "pages", "meta.author"}}
	if change != nil {
		change(c)
	}
	var providers []Provider
	for _, to := range r.now.Load().routes {
		providers = append(providers[:0], to[0].provider)
	}
	if err := r.Reload(providers, nil, &Collections{Of: map[admission.Group]*Collection{alice.Group: c}}); err != nil {
		t.Fatal(err)
	}
}

const vector = "AACAPwAAAAA="

func TestSearch(t *testing.T) {
	r := newRig(t, limit.Limits{}, nil)
	q := &protocol.Search{Text: "why", Vector: vector}
	if _, _, err := r.Search(t.Context(), alice, q); codeOf(err) != protocol.NotFound {
		t.Errorf("without a collection: %v", err)
	}
	e := &engine{}
	shelf(t, r, e, nil)
	hits, _, err := r.Search(t.Context(), alice, q)
	if err != nil || len(hits) != 1 || hits[0].Page != 3 || hits[0].Section != "One" || hits[0].Source != "a.pdf" || hits[0].End != 9 {
		t.Errorf("%+v: %v", hits, err)
	}
	if got := e.asked[0]; got.K != defaultHits || len(got.Vector) != 2 || got.Text != "why" {
		t.Errorf("asked %+v", got)
	}
	if _, _, err := r.Search(t.Context(), alice, &protocol.Search{Text: "why", K: 50}); err != nil || e.asked[1].K != 12 {
		t.Errorf("k is not capped: %+v, %v", e.asked[1], err)
	}
	stranger := alice
	stranger.Group = admission.SiteGroup("https://other.example")
	if _, _, err := r.Search(t.Context(), stranger, q); codeOf(err) != protocol.NotFound || len(e.asked) != 2 {
		t.Errorf("another site: %v", err)
	}
	if r.Collection(stranger.Group, nil) != nil {
		t.Error("another site is told of the collection")
	}
	if told := r.Collection(alice.Group, nil); told == nil || told.Dimensions != 2 || told.Hits != 12 || told.Embeds {
		t.Errorf("told %+v", told)
	}
	if _, _, err := r.Search(t.Context(), alice, &protocol.Search{Vector: "AACAPw=="}); codeOf(err) != protocol.BadRequest || !strings.Contains(err.Error(), "builtin") {
		t.Errorf("a vector of one number: %v", err)
	}
	r.Off(true)
	if _, _, err := r.Search(t.Context(), alice, q); codeOf(err) != protocol.ShuttingDown {
		t.Errorf("switched off: %v", err)
	}
}

func TestSearchFilters(t *testing.T) {
	r := newRig(t, limit.Limits{}, nil)
	e := &engine{}
	shelf(t, r, e, nil)
	allowed := &protocol.Filter{Section: "one", From: 2, To: 3, Meta: map[string][]string{"author": {"Jane"}}}
	if _, _, err := r.Search(t.Context(), alice, &protocol.Search{Text: "why", Filter: allowed}); err != nil {
		t.Fatal(err)
	}
	if f := e.asked[0].Filter; f.Section != "one" || f.Pages != [2]int{2, 3} || f.Meta["author"][0] != "Jane" || f.File != "" {
		t.Errorf("filter %+v", f)
	}
	for name, f := range map[string]*protocol.Filter{"types": {Types: []string{"pdf"}}, "meta.tenant": {Meta: map[string][]string{"tenant": {"other"}}}} {
		_, _, err := r.Search(t.Context(), alice, &protocol.Search{Text: "why", Filter: f})
		if codeOf(err) != protocol.BadRequest || !strings.Contains(err.Error(), name) || len(e.asked) != 1 {
			t.Errorf("a filter by %s: %v", name, err)
		}
	}
}

// Error messages of an engine are for the operator, not for visitors.
func TestSearchWithoutEngine(t *testing.T) {
	r := newRig(t, limit.Limits{}, nil)
	e := &engine{err: errors.New("dial 10.0.0.7:5432 as seam: refused")}
	shelf(t, r, e, nil)
	if _, _, err := r.Search(t.Context(), alice, &protocol.Search{Text: "why"}); codeOf(err) != protocol.UpstreamFailed || strings.Contains(err.Error(), "10.0.0.7") {
		t.Errorf("%v", err)
	}
	e.err = nil
	if _, _, err := r.Search(t.Context(), alice, &protocol.Search{Text: "why"}); err != nil {
		t.Errorf("it is back: %v", err)
	}
	slow := &engine{hangs: true}
	shelf(t, r, slow, func(c *Collection) { c.Within, c.AtOnce = time.Millisecond, 1 })
	if _, _, err := r.Search(t.Context(), alice, &protocol.Search{Text: "why"}); codeOf(err) != protocol.UpstreamFailed {
		t.Errorf("an engine that hangs: %v", err)
	}
}

// A provider that hangs leaves time for a search by words.
func TestSearchEmbedsInTime(t *testing.T) {
	r := newRig(t, limit.Limits{}, nil)
	shape := &remote.Shape{Version: remote.Version, Embedder: "openai:e", Name: "openai:e", Dimensions: 16, Metric: remote.Cosine}
	e := &engine{shape: shape}
	shelf(t, r, e, func(c *Collection) { c.Within = 200 * time.Millisecond })
	hold := make(chan struct{})
	defer close(hold)
	r.server.Always(upstreamtest.Script{Hold: hold})
	hits, _, err := r.Search(t.Context(), alice, &protocol.Search{Text: "why"})
	if err != nil || len(hits) != 1 || len(e.asked) != 1 || e.asked[0].Vector != nil {
		t.Errorf("%v; asked %+v, %v", hits, e.asked, err)
	}
}

// A query without a vector gets one if a provider has the model. Otherwise, or if the group
// may not use the model, the search uses only words.
func TestSearchEmbeds(t *testing.T) {
	r := newRig(t, limit.Limits{}, nil)
	vectors, _, err := r.Embed(t.Context(), alice, "e", []string{"other"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	shape := &remote.Shape{Version: remote.Version, Embedder: "openai:e", Name: "openai:e", Dimensions: len(vectors[0]), Metric: remote.Cosine}
	e := &engine{shape: shape}
	shelf(t, r, e, nil)
	_, usage, err := r.Search(t.Context(), alice, &protocol.Search{Text: "why"})
	if err != nil || len(e.asked[0].Vector) != shape.Dimensions || usage.Tokens == 0 {
		t.Errorf("asked %+v, %+v, %v", e.asked, usage, err)
	}
	if told := r.Collection(alice.Group, []protocol.Model{{ID: "e", Kind: protocol.Embedding}}); !told.Embeds {
		t.Errorf("told %+v", told)
	}
	other := alice
	other.Models = []string{"c"}
	if _, _, err := r.Search(t.Context(), other, &protocol.Search{Text: "how"}); err != nil || e.asked[1].Vector != nil {
		t.Errorf("a model that is not for it: %+v, %v", e.asked[1], err)
	}
}

var _ gateway.Backend = (*Relay)(nil)
