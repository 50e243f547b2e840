package command

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"seam/proxy/command/collections"
	"seam/proxy/command/cut"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/remote"
	"seam/shared/embed"
	"seam/shared/pipeline"
)

// remoteHitsJSON are hits of a collection in a search engine.
type remoteHitsJSON struct {
	Hits []remoteHitJSON `json:"hits"`
}

// unread returns the files of the hits that have parts that were not read when they were pushed.
func (r *remoteHitsJSON) unread() (out []unreadJSON) {
	for _, h := range r.Hits {
		if len(h.Unread) > 0 && !slices.ContainsFunc(out, func(u unreadJSON) bool { return u.File == h.File }) {
			out = append(out, unreadJSON{h.File, h.Unread})
		}
	}
	return out
}

// remoteHitJSON is like hitJSON. The score is the engine's.
type remoteHitJSON struct {
	ID    string  `json:"id"`   // of the chunk, as everywhere
	UUID  string  `json:"uuid"` // of the chunk in the engine
	Score float64 `json:"score"`
	remote.Record
}

// runRemote searches a collection.
func (c searchCommand) runRemote(ctx context.Context, std terminal.IO, b terminal.Build) error {
	var query string
	switch {
	case c.Index != "":
		return terminal.Usagef("--index and --remote exclude each other: choose one")
	case len(c.Given()) > 0:
		return terminal.Usagef("%s does not work with --remote: it is for folders of files", c.Given()[0])
	case len(c.ofFiles()) > 0:
		return terminal.Usagef("%s does not work with --remote: set it in seam push", c.ofFiles()[0])
	case c.Queries == "" && len(c.Args) != 1:
		return terminal.Usagef("--remote takes only the query")
	case c.Queries != "" && len(c.Args) > 0:
		return terminal.Usagef("--remote with --queries takes no other arguments")
	case c.Queries == "":
		if query = c.Args[0]; strings.TrimSpace(query) == "" {
			return terminal.Usagef("the query is empty")
		}
	}
	if c.K < 1 || c.K > mostRemote {
		return terminal.Usagef("-k %d: use 1 to %d for a collection", c.K, mostRemote)
	}
	f, err := c.filter()
	if err != nil {
		return err
	}
	to, err := c.CollectionOptions.Open(ctx, c.Remote)
	if err != nil {
		return err
	}
	defer to.Close()
	if to.Known == nil {
		return fmt.Errorf("%s does not exist: create it with seam push --to", to.Address)
	}
	q := remote.Query{K: c.K, Mode: remote.Mode(c.Mode), Filter: remote.Filter{Types: f.Formats, Section: f.Section, Pages: f.Pages, Meta: map[string][]string{}}}
	for name, value := range f.Meta {
		q.Filter.Meta[name] = []string{value}
	}
	model, done, err := c.queryModel(ctx, std, b, to)
	if err != nil {
		return hosted.RetryHint(err)
	}
	defer done()
	find := func(text string) (*remoteHitsJSON, error) {
		q.Text, q.Vector = text, nil
		if model != nil {
			v, err := model.Embed(ctx, []string{text}, nil)
			if err != nil {
				return nil, hosted.RetryHint(err)
			}
			q.Vector = v.Row(0)
		}
		hits, err := to.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		out := &remoteHitsJSON{Hits: []remoteHitJSON{}}
		for _, h := range hits {
			out.Hits = append(out.Hits, remoteHitJSON{h.Record.Chunk, h.ID.String(), h.Score, h.Record})
		}
		return out, nil
	}
	return c.printRemote(std, query, find)
}

// mostRemote is the greatest number of hits requested from a collection.
const mostRemote = 1000

// printRemote prints the hits of the query, or of each query in a file.
func (c searchCommand) printRemote(std terminal.IO, query string, find func(string) (*remoteHitsJSON, error)) error {
	out := bufio.NewWriter(std.Out)
	if c.Queries == "" {
		found, err := find(query)
		if err != nil {
			return err
		}
		if c.JSON {
			return cmp.Or(errors.Join(terminal.WriteJSON(out, found), out.Flush()), nothingIn(len(found.Hits) > 0))
		}
		if len(found.Hits) == 0 {
			fmt.Fprintln(out, "nothing found")
		}
		for i, h := range found.Hits {
			pages := ""
			if len(h.Pages) > 0 {
				pages = cut.Printed(h.Pages, h.Labels)
			}
			section := ""
			if h.Section != "" {
				section = " · " + h.Section
			}
			fmt.Fprintf(out, "%d. %s%s · %.3f%s\n   %s\n", i+1, terminal.Shown(h.File), pages, h.Score, section, cut.Preview(h.Text))
		}
		(&foundJSON{Unread: found.unread()}).printUnread(std)
		return cmp.Or(out.Flush(), nothingIn(len(found.Hits) > 0))
	}
	queries, err := c.readQueries(std)
	if err != nil {
		return err
	}
	any := false
	for _, q := range queries {
		found, err := find(q.Query)
		if err != nil {
			return errors.Join(err, out.Flush())
		}
		any = any || len(found.Hits) > 0
		if err := terminal.WriteJSON(out, struct {
			ID json.RawMessage `json:"id"`
			*remoteHitsJSON
		}{q.ID, found}); err != nil {
			return err
		}
	}
	return cmp.Or(out.Flush(), nothingIn(any))
}

// queryModel opens the model that embedded a collection, or returns nil for a keyword
// search.
func (c searchCommand) queryModel(ctx context.Context, std terminal.IO, b terminal.Build, to *collections.Collection) (embed.Embedder, func(), error) {
	nothing := func() {}
	if remote.Mode(c.Mode) == remote.Keyword {
		return nil, nothing, nil
	}
	if c.Embedder == pipeline.Auto {
		c.Embedder = to.Known.Name
	}
	if kind, _ := pipeline.EmbedderOf(c.Embedder); kind.Hosted && !c.Hosted() && remote.Mode(c.Mode) == remote.Hybrid {
		fmt.Fprintf(std.Err, "seam: searched by keyword only: %s, the model of the collection, needs %s\n", c.Embedder, hosted.HowHosted)
		return nil, nothing, nil
	}
	p, err := c.Plan()
	if err != nil {
		return nil, nothing, err
	}
	m, err := c.ChunkOptions.Open(ctx, std, b, p)
	if err != nil {
		return nil, nothing, err
	}
	model, err := m.Embedder(p.Embedder)
	if err == nil {
		err = to.Fits(remote.Shape{Version: remote.Version, Embedder: model.ID(), Name: p.Embedder, Metric: remote.Cosine}, *to.Known)
	}
	if err == nil {
		if model = embed.For(model, embed.Queries); model == nil {
			err = terminal.Usagef("%s cannot embed queries: use another embedder, or --mode keyword", p.Embedder)
		}
	}
	if err != nil {
		m.Close()
		return nil, nothing, err
	}
	return model, m.Close, nil
}
