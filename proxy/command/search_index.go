package command

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"seam/proxy/command/sites"
	"seam/proxy/command/terminal"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/site/shards"
)

// siteHitsJSON are hits of a site's index.
type siteHitsJSON struct {
	Count       int                 `json:"count"` // pages with any of the words
	Hits        []siteHitJSON       `json:"hits"`
	Unknown     []string            `json:"unknown,omitempty"`
	Corrections []shards.Correction `json:"corrections,omitempty"`
	Unread      []string            `json:"unread,omitempty"` // pages of the site that could not be read
}

type siteHitJSON struct {
	URL     string  `json:"url"`
	Title   string  `json:"title"`
	Section string  `json:"section,omitempty"` // titles, outermost first
	Excerpt string  `json:"excerpt"`
	Score   float64 `json:"score"`
	// Versions lists the versions of the page, newest first, the page itself among them.
	Versions []siteVersionJSON `json:"versions,omitempty"`
}

type siteVersionJSON struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// runIndex searches the index of a site, as its widget does.
func (c searchCommand) runIndex(std terminal.IO) error {
	var query string
	switch {
	case c.Pages != "" || c.Section != "" || len(c.Type) > 0 || len(c.Meta) > 0:
		return terminal.Usagef("--pages, --section, --type and --meta do not work with --index: leave them out")
	case len(c.Given()) > 0:
		return terminal.Usagef("%s does not work with --index: it is for folders of files", c.Given()[0])
	case len(c.ofFiles()) > 0:
		return terminal.Usagef("%s does not work with --index: set it in seam index", c.ofFiles()[0])
	case c.KeyFile != "":
		return terminal.Usagef("--key-file needs --remote: the index of a site needs no key")
	case c.Embedder != "" && c.Embedder != pipeline.Auto || c.BaseURL != "" || c.Price != nil:
		return terminal.Usagef("--embedder, --base-url and --price do not work with --index: it is always searched with its own model")
	case c.Queries == "" && len(c.Args) != 1:
		return terminal.Usagef("--index takes only the query")
	case c.Queries != "" && len(c.Args) > 0:
		return terminal.Usagef("--index with --queries takes no other arguments")
	case c.Queries == "":
		if query = c.Args[0]; strings.TrimSpace(query) == "" {
			return terminal.Usagef("the query is empty")
		}
	}
	if c.K < 1 {
		return terminal.Usagef("-k %d: use 1 or more", c.K)
	}
	x, err := sites.OpenIndex(c.Index, c.Lang)
	if err != nil {
		return err
	}
	if index.Mode(c.Mode) == index.Dense && !x.HasVectors() {
		return terminal.Usagef("--index %s has no vectors for --mode dense: rebuild it with seam index --meaning", c.Index)
	}
	out := bufio.NewWriter(std.Out)
	if c.Queries == "" {
		found, err := c.searchIndex(x, query)
		if err != nil {
			return err
		}
		return cmp.Or(errors.Join(c.printSite(std, out, found), out.Flush()), nothingIn(len(found.Hits) > 0))
	}
	queries, err := c.readQueries(std)
	if err != nil {
		return err
	}
	any := false
	for _, q := range queries {
		found, err := c.searchIndex(x, q.Query)
		if err != nil {
			return err
		}
		any = any || len(found.Hits) > 0
		if err := terminal.WriteJSON(out, struct {
			ID json.RawMessage `json:"id"`
			*siteHitsJSON
		}{q.ID, found}); err != nil {
			return err
		}
	}
	return cmp.Or(out.Flush(), nothingIn(any))
}

// nothingIn returns terminal.ErrNothing unless there is any hit.
func nothingIn(any bool) error {
	if any {
		return nil
	}
	return terminal.ErrNothing
}

// excerptLength is how many characters of a hit are shown.
const excerptLength = 240

func (c searchCommand) searchIndex(x *sites.SiteIndex, query string) (*siteHitsJSON, error) {
	q := shards.Query{Text: query, K: c.K, Dense: index.Mode(c.Mode) == index.Dense}
	found, err := x.Search(q, index.Mode(c.Mode) == index.Keyword)
	if err != nil {
		return nil, err
	}
	out := &siteHitsJSON{Count: found.Count, Hits: []siteHitJSON{}, Unknown: found.Unknown, Corrections: found.Corrections, Unread: x.Unread}
	for _, h := range found.Hits {
		s, err := h.Index.Show(h.Found, h.Chunks[0])
		if err != nil {
			return nil, fmt.Errorf("--index %s: %w", c.Index, err)
		}
		var versions []siteVersionJSON
		for _, v := range s.Versions {
			versions = append(versions, siteVersionJSON{v.Name, v.URL})
		}
		out.Hits = append(out.Hits, siteHitJSON{s.URL, s.Title, strings.Join(s.Section, " › "), h.Found.Excerpt(s.Text, excerptLength), h.Score, versions})
	}
	return out, nil
}

func (c searchCommand) printSite(std terminal.IO, out *bufio.Writer, found *siteHitsJSON) error {
	if c.JSON {
		return terminal.WriteJSON(out, found)
	}
	for _, word := range found.Unknown {
		fmt.Fprintf(std.Err, "seam: no page of the index has the word %q\n", word)
	}
	for _, word := range found.Corrections {
		fmt.Fprintf(std.Err, "seam: no page of the index has the word %q; searched for %q\n", word.Word, word.Taken)
	}
	if len(found.Hits) == 0 {
		fmt.Fprintln(out, "nothing found")
	}
	if n := len(found.Unread); n > 0 && (len(found.Hits) == 0 || len(found.Unknown)+len(found.Corrections) > 0) {
		more := ""
		if n > maxUnread {
			more = ", and others"
		}
		fmt.Fprintf(std.Err, "seam: the index lacks pages that could not be read: %s%s\n", terminal.Visible(strings.Join(found.Unread[:min(n, maxUnread)], ", ")), more)
	}
	for i, h := range found.Hits {
		fmt.Fprintf(out, "%d. %s · %s · %.2f\n   %s\n", i+1, h.Title, h.URL, h.Score, terminal.OneLine(h.Excerpt))
	}
	return nil
}
