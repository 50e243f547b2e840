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

// Collections are those behind a proxy, and who may search which: of each group one, so
// that no site sees another's.
type Collections struct {
	Of   map[admission.Group]*Collection // nil: none
	Else *Collection                     // of groups that are not there; nil: none
}

// of is the collection of a group, nil where there is none.
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
	Hits    int           // of one search, at most; 0: 20
	Filters []string      // that clients may use: section, types, pages, and meta. with a name
	Within  time.Duration // of a search; 0: 5 seconds
	AtOnce  int           // searches; 0: 32

	once  sync.Once
	slots chan struct{}
	shape atomic.Pointer[learned] // nil: not known yet
}

// learned is what a collection is of.
type learned struct {
	remote.Shape
	at time.Time
}

// learnAgain is how long that is taken to be so: an operator may make a collection anew.
const learnAgain = 5 * time.Minute

// defaultHits is how many passages a search returns that does not say.
const defaultHits = 10

// hosted begins the names of embedders that providers have.
const hosted = "openai:"

// Told is what clients are told of it.
func (c *Collection) Told(models []protocol.Model) *protocol.Collection {
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

// Learn asks the engine what the collection is of, if that is not known. Nothing is
// searched before.
func (c *Collection) Learn(ctx context.Context) error {
	if known := c.shape.Load(); known != nil && time.Since(known.at) < learnAgain {
		return nil
	}
	s, err := c.Engine.Shape(ctx)
	if err == nil && s == nil {
		err = errors.New("there is no such collection: seam push --to makes it")
	}
	if err == nil {
		err = s.Fits(remote.Shape{Version: s.Version, Embedder: s.Embedder, Dimensions: s.Dimensions, Metric: s.Metric, Name: s.Name})
	}
	if err == nil {
		c.shape.Store(&learned{*s, time.Now()})
	}
	return err
}

// Collection is what the clients of a group are told of the collection that they may
// search; nil: none.
func (r *Relay) Collection(g admission.Group, models []protocol.Model) *protocol.Collection {
	return r.now.Load().collections.of(g).Told(models)
}

// Search implements gateway.Backend. What goes wrong in the engine is the operator's to
// know; the visitor is told that it did.
func (r *Relay) Search(ctx context.Context, who gateway.Who, s *protocol.Search) ([]protocol.Hit, protocol.Usage, error) {
	c := r.now.Load().collections.of(who.Group)
	if c == nil {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.NotFound, "This proxy has no collection to search.")
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

// search asks the engine within its time, and no more searches at once than it takes.
func (r *Relay) search(ctx context.Context, who gateway.Who, c *Collection, q remote.Query) ([]protocol.Hit, protocol.Usage, error) {
	c.once.Do(func() { c.slots = make(chan struct{}, cmp.Or(c.AtOnce, 32)) })
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(c.Within, 5*time.Second))
	defer cancel()
	if !c.take(ctx) {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.Busy, "Too many search at the moment. Try again soon.")
	}
	defer func() { <-c.slots }()
	if err := c.Learn(ctx); err != nil {
		return nil, protocol.Usage{}, err
	}
	shape := c.shape.Load()
	if q.Vector != nil && len(q.Vector) != shape.Dimensions {
		return nil, protocol.Usage{}, protocol.Errorf(protocol.BadRequest, "The vector has %d numbers, and those of the collection have %d: it is by %s.", len(q.Vector), shape.Dimensions, shape.Name)
	}
	var usage protocol.Usage
	if id, ok := strings.CutPrefix(shape.Name, hosted); ok && q.Vector == nil && strings.TrimSpace(q.Text) != "" && r.embeds(who, id) {
		// Without it words are searched alone, as where a budget is spent: half of the time is theirs.
		end, _ := ctx.Deadline()
		embedding, cancel := context.WithTimeout(ctx, time.Until(end)/2)
		vectors, used, err := r.Embed(embedding, who, id, []string{q.Text}, 0)
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
		hits[i] = protocol.Hit{ID: h.ID.String(), Text: h.Text, Source: h.File, Page: first, Score: h.Score, Title: h.Title, Section: h.Section, Pages: h.Pages, Start: h.Start, End: h.End}
	}
	return hits, usage, nil
}

// take waits for a place among the searches; false where ctx ended before one was free.
func (c *Collection) take(ctx context.Context) bool {
	select {
	case c.slots <- struct{}{}: // also where ctx has ended by now: it is the engine that is late then
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

// embeds reports whether a model is there that the group may ask for.
func (r *Relay) embeds(who gateway.Who, id string) bool {
	_, there := r.now.Load().routes[id]
	return there && (who.Models == nil || slices.Contains(who.Models, id))
}

// filter is what a client asks for, if it may.
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
			return remote.Filter{}, protocol.Errorf(protocol.BadRequest, "The collection takes no filter by %.60q.", name)
		}
	}
	return remote.Filter{Section: f.Section, Types: f.Types, Pages: [2]int{f.From, f.To}, Meta: f.Meta}, nil
}
