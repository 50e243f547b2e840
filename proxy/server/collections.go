package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"seam/proxy/admission"
	"seam/proxy/config"
	"seam/proxy/relay"
	"seam/proxy/remote"
)

// errNoEngines reports that the thin proxy was built without clients for search engines.
var errNoEngines = errors.New("collections: this program was built without search engines (12 MB): use `seam serve`, or build it with `go build -tags engines ./proxy/seam-proxy`")

// collectionsOf opens the collections. An engine that is down now may be available at the
// first search.
func (p *parts) collectionsOf(c *config.Config, s secrets) (shelf *relay.Collections, engines []remote.Engine, err error) {
	if len(c.Collections) == 0 {
		return nil, nil, nil
	}
	if p.engine == nil {
		return nil, nil, errNoEngines
	}
	named := map[string]*relay.Collection{}
	for i, k := range c.Collections {
		a, err := remote.ParseAddress(k.Address)
		var e remote.Engine
		if err == nil {
			e, err = p.engine(a, s.collections[i])
		}
		if err != nil {
			closeEngines(engines)
			return nil, nil, fmt.Errorf("collections[%d]: %w", i, err)
		}
		engines = append(engines, e)
		named[k.Name] = &relay.Collection{Name: k.Name, Engine: e, Hits: k.Hits, Filters: k.Filters, Within: k.Within, AtOnce: k.AtOnce}
		go learn(named[k.Name], p.log)
	}
	shelf = &relay.Collections{Of: map[admission.Group]*relay.Collection{}, Else: named[c.Collection]}
	for _, site := range c.Sites {
		shelf.Of[admission.SiteGroup(site.Origin)] = named[site.Collection]
	}
	for _, k := range c.Session.Callers {
		if k.Collection != "" {
			shelf.Of[admission.CallerGroup(k.Name)] = named[k.Collection]
		}
	}
	return shelf, engines, nil
}

// learn logs a warning at the start if a collection cannot be searched.
func learn(c *relay.Collection, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := c.Learn(ctx); err != nil {
		log.Warn("a collection cannot be searched yet", "collection", c.Name, "error", err)
	}
}

// closeEngines closes connections. Searches in progress on them fail.
func closeEngines(engines []remote.Engine) {
	for _, e := range engines {
		go e.Close()
	}
}
