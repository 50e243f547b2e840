package relay

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"seam/proxy/admission"
	"seam/proxy/gateway"
	"seam/proxy/remote"
	"seam/shared/protocol"
)

// Collections are the searchable collections of a proxy by group. A group has one at most,
// so that no site sees another's.
type Collections struct {
	Of   map[admission.Group]*Collection // nil: none
	Else *Collection                     // for groups that are not listed; nil: none
}

// of returns the collection of a group, or nil.
func (c *Collections) of(g admission.Group) *Collection {
	if c == nil {
		return nil
	}
	if one, ok := c.Of[g]; ok {
		return one
	}
	return c.Else
}

// Collection is a collection that clients may search. It is safe for concurrent use.
type Collection struct {
	Name    string
	Engine  remote.Engine
	Hits    int           // limit per search; 0: 20
	Filters []string      // that clients may use: section, types, pages, and meta. with a name
	Within  time.Duration // time limit of a search; 0: 5 seconds
	AtOnce  int           // limit of concurrent searches; 0: 32

	once  sync.Once
	slots chan struct{}
	shape atomic.Pointer[learned] // nil: not known yet
}

// learned is the shape of a collection and when it was read.
type learned struct {
	remote.Shape
	at time.Time
}

// learnAgain is how long a shape is used before it is read again, because an operator may
// rebuild a collection.
const learnAgain = 5 * time.Minute

// defaultHits is the default number of hits of a search.
const defaultHits = 10

// hosted is the prefix of the names of hosted embedders.
const hosted = "openai:"

// Describe returns the description of the collection for clients.
func (c *Collection) Describe(models []protocol.Model) *protocol.Collection {
	if c == nil {
		return nil
	}
	told := &protocol.Collection{Name: c.Name, Hits: c.most(), Filters: c.Filters}
	if s := c.shape.Load(); s != nil {
		told.Embedder, told.Dimensions = s.Embedder, s.Dimensions
		for _, m := range models {
			told.Embeds = told.Embeds || m.Kind == protocol.Embedding && s.Name == hosted+m.ID
		}
	}
	return told
}

func (c *Collection) most() int { return min(cmp.Or(c.Hits, 20), protocol.MaxHits) }

// Learn reads the shape of the collection, unless it is known. Searches need it.
func (c *Collection) Learn(ctx context.Context) error {
	if known := c.shape.Load(); known != nil && time.Since(known.at) < learnAgain {
		return nil
	}
	s, err := c.Engine.Shape(ctx)
	if err == nil && s == nil {
		err = errors.New("the collection does not exist: create it with seam push --to")
	}
	if err == nil {
		err = s.Fits(remote.Shape{Version: s.Version, Embedder: s.Embedder, Dimensions: s.Dimensions, Metric: s.Metric, Name: s.Name})
	}
	if err == nil {
		c.shape.Store(&learned{*s, time.Now()})
	}
	return err
}

// Collection returns the description of the collection that a group may search, or nil.
func (r *Relay) Collection(g admission.Group, models []protocol.Model) *protocol.Collection {
	return r.now.Load().collections.of(g).Describe(models)
}

// Search implements gateway.Backend. Errors of the engine are logged for the operator; the
// visitor gets a general message.
func (r *Relay) Search(ctx context.Context, who gateway.Who, s *protocol.Search) ([]protocol.Hit, protocol.Usage, error) {
	c := r.now.Load().collections.of(who.Group)
	if c == nil {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.NotFound, "This proxy has no collection.")
	}
	if r.off.Load() {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.ShuttingDown, "The operator of this proxy has switched it off.")
	}
	filter, err := c.filter(s.Filter)
	if err != nil {
		return nil, protocol.Usage{}, err
	}
	vector, err := s.Query()
	if err != nil {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.BadRequest, "%v", err)
	}
	began := time.Now()
	hits, usage, err := r.search(ctx, who, c, remote.Query{Text: s.Text, Vector: vector, K: min(cmp.Or(s.K, defaultHits), c.most()), Filter: filter})
	var told *protocol.Error
	if err != nil && !errors.As(err, &told) && ctx.Err() == nil {
		r.log.Error("a collection cannot be searched", "collection", c.Name, "error", err)
		err = protocol.Errorf(protocol.UpstreamFailed, "The collection cannot be searched at the moment. Try again soon.")
	}
	r.observer.Searched(c.Name, codeOfCall(err), time.Since(began))
	return hits, usage, err
}

// search searches the engine within the limits of time and concurrency.
func (r *Relay) search(ctx context.Context, who gateway.Who, c *Collection, q remote.Query) ([]protocol.Hit, protocol.Usage, error) {
	c.once.Do(func() { c.slots = make(chan struct{}, cmp.Or(c.AtOnce, 32)) })
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.Within, 5*time.Second))
	defer cancel()
	if !c.take(ctx) {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.Busy, "Too many searches at the moment. Try again soon.")
	}
	defer func() { <-c.slots }()
	if err := c.Learn(ctx); err != nil {
		return nil, protocol.Usage{}, err
	}
	shape := c.shape.Load()
	if q.Vector != nil && len(q.Vector) != shape.Dimensions {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.BadRequest, "The vector has %d numbers, but the collection has vectors of %d, from %s.", len(q.Vector), shape.Dimensions, shape.Name)
	}
	var usage protocol.Usage
	if id, ok := strings.CutPrefix(shape.Name, hosted); ok && q.Vector == nil && strings.TrimSpace(q.Text) != "" && r.embeds(who, id) {
		// If this fails, for example because a budget is spent, the search uses only words.
		// Half of the time is reserved for that.
		end, _ := ctx.Deadline()
		embedding, cancel := context.WithTimeout(ctx, time.Until(end)/2)
		text := q.Text
		if m := r.now.Load().routes[id][0].model; strings.HasSuffix(shape.Embedder, m.Prefixes()) {
			text = m.Query + text // as the passages of this collection have theirs
		}
		vectors, used, err := r.Embed(embedding, who, id, []string{text}, 0)
		if cancel(); err == nil && len(vectors[0]) == shape.Dimensions {
			q.Vector, usage = vectors[0], used
		}
	}
	found, err := c.Engine.Search(ctx, q)
	if err != nil {
		return nil, usage, err
	}
	hits := make([]protocol.Hit, len(found))
	for i, h := range found {
		first, _ := h.Span()
		hits[i] = protocol.Hit{ID: h.ID.String(), Text: h.Text, Source: h.File, Page: first, Score: h.Score, Title: h.Title, Section: h.Section, Part: h.Part, Pages: h.Pages, Start: h.Start, End: h.End}
	}
	return hits, usage, nil
}

// take waits for a free slot. It returns false if ctx ends first.
func (c *Collection) take(ctx context.Context) bool {
	select {
	case c.slots <- struct{}{}: // succeeds even if ctx has ended, so that the engine reports the delay
		return true
	default:
	}
	select {
	case c.slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// embeds reports whether the group may use a model that exists.
func (r *Relay) embeds(who gateway.Who, id string) bool {
	_, there := r.now.Load().routes[id]
	return there && (who.Models == nil || slices.Contains(who.Models, id))
}

// filter returns the filter of a client, or an error if it is not allowed.
func (c *Collection) filter(f *protocol.Filter) (remote.Filter, error) {
	if f == nil {
		return remote.Filter{}, nil
	}
	asked := map[string]bool{"section": f.Section != "", "types": f.Types != nil, "pages": f.From > 0 || f.To > 0}
	for name := range f.Meta {
		asked["meta."+name] = true
	}
	for _, name := range c.Filters {
		delete(asked, name)
	}
	for name, is := range asked {
		if is {
			return remote.Filter{}, protocol.Errorf(protocol.BadRequest, "The collection cannot be filtered by %.60q.", name)
		}
	}
	return remote.Filter{Section: f.Section, Types: f.Types, Pages: [2]int{f.From, f.To}, Meta: f.Meta}, nil
}
