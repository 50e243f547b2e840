package command

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"seam/shared/index"
	"seam/shared/site/shards"
)

// siteHitsJSON are hits of a site's index.
type siteHitsJSON struct {
	Count       int                 `json:"count"` // pages with any of the words
	Hits        []siteHitJSON       `json:"hits"`
	Unknown     []string            `json:"unknown,omitempty"`
	Corrections []shards.Correction `json:"corrections,omitempty"`
}

type siteHitJSON struct {
	URL     string   `json:"url"`
	Title   string   `json:"title"`
	Section []string `json:"section,omitempty"`
	Excerpt string   `json:"excerpt"`
	Score   float64  `json:"score"`
}

// runIndex searches the index of a site, as its widget does.
func (c searchCommand) runIndex(std IO) error {
	var query string
	switch {
	case c.Pages != "" || c.Section != "" || len(c.Type) > 0 || len(c.Meta) > 0:
		return usagef("--pages, --section, --type and --meta go with files and with --remote: the index of a site is searched as a whole")
	case c.Expansions != "" || len(c.Enriched) > 0 || c.Diversity != 0:
		return usagef("--expansions, --enriched and --diversity go with files: the index of a site has what seam index was given")
	case c.Queries == "" && len(c.Args) != 1:
		return usagef("--index searches the index of a site: name the query alone")
	case c.Queries != "" && len(c.Args) > 0:
		return usagef("--index with --queries takes no other argument")
	case c.Queries == "":
		if query = c.Args[0]; strings.TrimSpace(query) == "" {
			return usagef("the query is empty")
		}
	}
	if c.K < 1 {
		return usagef("-k %d: at least one hit is needed", c.K)
	}
	x, err := openIndex(c.Index)
	if err != nil {
		return err
	}
	if index.Mode(c.Mode) == index.Dense && x.vector == nil {
		return usagef("--index %s has no vectors, which --mode dense searches: make it with seam index --meaning", c.Index)
	}
	out := bufio.NewWriter(std.Out)
	if c.Queries == "" {
		found, err := c.searchIndex(x, query)
		if err != nil {
			return err
		}
		return errors.Join(c.printSite(std, out, found), out.Flush())
	}
	queries, err := c.readQueries(std)
	if err != nil {
		return err
	}
	for _, q := range queries {
		found, err := c.searchIndex(x, q.Query)
		if err != nil {
			return err
		}
		if err := writeJSON(out, struct {
			ID json.RawMessage `json:"id"`
			*siteHitsJSON
		}{q.ID, found}); err != nil {
			return err
		}
	}
	return out.Flush()
}

// openIndex opens the index of most pages in a folder.
func openIndex(dir string) (*siteIndex, error) {
	source := func(name string) ([]byte, error) {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return nil, fmt.Errorf("%s cannot be read: it is not in the index's folder", shown(name))
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", name, reason(err))
		}
		return b, nil
	}
	b, err := os.ReadFile(filepath.Join(dir, shards.EntryName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("--index %s: there is no %s in it; make one with: seam index --site DIR --out %s", dir, shards.EntryName, dir)
	case err != nil:
		return nil, fmt.Errorf("--index %s: %w", dir, reason(err))
	}
	entry, err := shards.ReadEntry(b)
	if err != nil {
		return nil, fmt.Errorf("--index %s: %w", dir, err)
	}
	x, err := shards.Open(source, entry.Indexes[0].Meta)
	if err != nil {
		return nil, fmt.Errorf("--index %s: %w", dir, err)
	}
	opened := &siteIndex{Index: x}
	if err := opened.openVectors(entry.Indexes[0]); err != nil {
		return nil, fmt.Errorf("--index %s: %w", dir, err)
	}
	return opened, nil
}

// excerptLength is how many characters of a hit are shown.
const excerptLength = 240

func (c searchCommand) searchIndex(x *siteIndex, query string) (*siteHitsJSON, error) {
	q := shards.Query{Text: query, K: c.K, Vector: x.vector, Dense: index.Mode(c.Mode) == index.Dense}
	if index.Mode(c.Mode) == index.Keyword {
		q.Vector = nil
	}
	found, err := x.Search(q)
	if err != nil {
		return nil, fmt.Errorf("--index %s: %w", c.Index, err)
	}
	out := &siteHitsJSON{Count: found.Count, Hits: []siteHitJSON{}, Unknown: found.Unknown, Corrections: found.Corrections}
	for _, h := range found.Hits {
		s, err := x.Show(found, h.Chunks[0])
		if err != nil {
			return nil, fmt.Errorf("--index %s: %w", c.Index, err)
		}
		out.Hits = append(out.Hits, siteHitJSON{s.URL, s.Title, s.Section, found.Excerpt(s.Text, excerptLength), h.Score})
	}
	return out, nil
}

func (c searchCommand) printSite(std IO, out *bufio.Writer, found *siteHitsJSON) error {
	if c.JSON {
		return writeJSON(out, found)
	}
	for _, word := range found.Unknown {
		fmt.Fprintf(std.Err, "seam: no page has the word %q\n", word)
	}
	for _, word := range found.Corrections {
		fmt.Fprintf(std.Err, "seam: no page has the word %q; looked for %q\n", word.Word, word.Taken)
	}
	if len(found.Hits) == 0 {
		fmt.Fprintln(out, "nothing found")
	}
	for i, h := range found.Hits {
		fmt.Fprintf(out, "%d. %s · %s · %.2f\n   %s\n", i+1, h.Title, h.URL, h.Score, oneLine(h.Excerpt))
	}
	return nil
}
