package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"seam/proxy/remote"
)

// stored is a chunk as a document of the index.
type stored struct {
	ID        uuid.UUID     `json:"id"`
	File      string        `json:"file"`
	Digest    string        `json:"digest"`
	Facets    []string      `json:"facets,omitempty"`
	Section   string        `json:"section,omitempty"`
	Start     int           `json:"start"`
	PageFirst int           `json:"page_first"`
	PageLast  int           `json:"page_last"`
	Titles    string        `json:"titles,omitempty"`
	Text      string        `json:"text"`
	Record    remote.Record `json:"record"` // without its text
	Embedding []float32     `json:"embedding,omitempty"`
}

// Upsert implements remote.Engine.
func (e *Engine) Upsert(ctx context.Context, chunks []remote.Chunk) error {
	var body bytes.Buffer
	lines := json.NewEncoder(&body)
	lines.SetEscapeHTML(false)
	for _, c := range chunks {
		s := stored{ID: c.ID, File: c.File, Digest: c.Digest, Facets: c.Facets(), Section: strings.ToLower(c.Section), Start: c.Start,
			Titles: strings.TrimSpace(c.Title + " " + c.Section), Text: c.Text, Record: c.Record}
		s.PageFirst, s.PageLast = c.Span()
		s.Record.Text = ""
		if !remote.Zero(c.Vector) { // a zero vector has no cosine
			s.Embedding = c.Vector
		}
		fmt.Fprintf(&body, `{"index":{"_id":%q}}`+"\n", c.ID)
		if err := lines.Encode(s); err != nil {
			return err
		}
	}
	return e.bulk(ctx, body.Bytes())
}

// Remove implements remote.Engine.
func (e *Engine) Remove(ctx context.Context, ids []uuid.UUID) error {
	var body bytes.Buffer
	for _, id := range ids {
		fmt.Fprintf(&body, `{"delete":{"_id":%q}}`+"\n", id)
	}
	return e.bulk(ctx, body.Bytes())
}

// bulk executes several actions, and returns the first error. Removing a chunk that does
// not exist is not an error.
func (e *Engine) bulk(ctx context.Context, body []byte) error {
	return e.do(ctx, bulkWithin, http.MethodPost, e.path(bulkPath), body, &bulked{})
}

// bulkPath limits how long a node that is cut off looks for the others, by default a
// minute.
const bulkPath = "/_bulk?timeout=15s"

// bulked is the response of a bulk request.
type bulked struct {
	Errors bool `json:"errors"`
	Items  []map[string]struct {
		Status int `json:"status"`
		Error  struct {
			Type   string `json:"type"`
			Reason string `json:"reason"`
		} `json:"error"`
	} `json:"items"`
}

// undone returns the first error, preferring permanent errors to temporary ones.
func (b *bulked) undone() (err error) {
	for _, item := range b.Items {
		for action, done := range item {
			f := &fault{done.Status, done.Error.Type, done.Error.Reason}
			switch {
			case done.Status < 300 || action == "delete" && done.Status == http.StatusNotFound:
			case done.Status < 500 && done.Status != http.StatusTooManyRequests:
				return f
			case err == nil:
				err = f
			}
		}
	}
	return err
}

// Delete implements remote.Engine.
func (e *Engine) Delete(ctx context.Context, file string) error {
	if err := e.Settle(ctx); err != nil { // newly written chunks must be deleted, too
		return err
	}
	held, err := e.Digests(ctx, file)
	if err != nil {
		return err
	}
	for ids := range slices.Chunk(slices.Collect(maps.Keys(held)), removed) {
		if err := e.Remove(ctx, ids); err != nil {
			return err
		}
	}
	return nil
}

// removed is how many chunks are removed at once.
const removed = 5000

// ofFile returns the query for the chunks of a document.
func ofFile(file string) map[string]any {
	return map[string]any{"term": map[string]any{"file": file}}
}
