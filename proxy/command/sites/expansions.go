package sites

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/site/shards"
)

// siteChunkJSON is a chunk of a page as --chunks writes it, so that a program can make
// expansions of it.
type siteChunkJSON struct {
	ID      string `json:"id"`
	URL     string `json:"url"`
	Title   string `json:"title"`
	Section string `json:"section,omitempty"`
	Text    string `json:"text"`
}

// idOf returns the id of a chunk, a hash of its text and the page's URL. It does not change
// when other chunks do.
func idOf(p *shards.Page, c shards.Chunk) string {
	sum := sha256.Sum256([]byte(p.URL + "\x00" + c.Text))
	return hex.EncodeToString(sum[:8])
}

// writeChunks writes the file of --chunks, if one is named.
func (x *indexer) writeChunks(cut []*shards.Page) error {
	if x.Chunks == "" {
		return nil
	}
	return terminal.WriteOut(x.Chunks, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for _, p := range cut {
			if p == nil {
				continue
			}
			for _, c := range p.Chunks {
				if err := terminal.WriteJSON(out, siteChunkJSON{idOf(p, c), p.URL, p.Title, strings.Join(c.Section, " › "), c.Text}); err != nil {
					return err
				}
			}
		}
		return out.Flush()
	})
}

// readExpansions reads a file of --expansions. It returns the weights of words by chunk id,
// or nil if name is empty.
func readExpansions(std terminal.IO, name string) (map[string]map[string]float64, error) {
	if name == "" {
		return nil, nil
	}
	b, err := files.ReadText(std, name, "words")
	if err != nil {
		return nil, err
	}
	all := map[string]map[string]float64{}
	d := json.NewDecoder(bytes.NewReader(b))
	for line := 1; ; line++ {
		var e struct {
			ID    string             `json:"id"`
			Terms map[string]float64 `json:"terms"`
		}
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil || e.ID == "" {
			return nil, fmt.Errorf(`%s: line %d is not of the form {"id","terms":{"word":weight}}`, name, line)
		}
		all[e.ID] = e.Terms
	}
}

// expand returns the pages with the expansions of their chunks.
func (x *indexer) expand(std terminal.IO, pages []*shards.Page, report *indexReport) ([]*shards.Page, error) {
	all, err := readExpansions(std, x.Expansions)
	if err != nil || all == nil {
		return pages, err
	}
	used := map[string]bool{}
	out := changed(pages, func(i, k int, c *shards.Chunk) {
		id := idOf(pages[i], *c)
		if words := all[id]; len(words) > 0 {
			c.Expansions, used[id] = words, true
			report.Expanded++
		}
	})
	report.Strangers = len(all) - len(used)
	return out, nil
}

// changed returns copies of the pages, with change applied to chunk k of page i. The
// originals, which are cached for the next run, are not modified.
func changed(cut []*shards.Page, change func(i, k int, c *shards.Chunk)) []*shards.Page {
	out := slices.Clone(cut)
	for i, p := range out {
		if p == nil {
			continue
		}
		own := *p
		own.Chunks = slices.Clone(p.Chunks)
		for k := range own.Chunks {
			change(i, k, &own.Chunks[k])
		}
		out[i] = &own
	}
	return out
}
