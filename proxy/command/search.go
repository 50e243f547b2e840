package command

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"seam/shared/embed"
	"seam/shared/embed/precomputed"
	"seam/shared/embed/remote"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/search"
)

type searchCommand struct {
	Args    []string `arg:"" name:"query-and-files" help:"The query, then files or folders; with --queries files alone."`
	K       int      `short:"k" default:"10" help:"How many hits."`
	Mode    string   `default:"hybrid" enum:"hybrid,dense,keyword" help:"keyword (BM25), dense (vectors) or both fused."`
	Queries string   `help:"File of queries, lines of {\"id\",\"query\"}; prints a line of {\"id\",\"hits\"} for each."`
	JSON    bool     `name:"json" help:"Print the hits as one JSON object."`
	chunkOptions
}

func (searchCommand) Help() string {
	return `Cuts all files up, then finds the chunks that answer best, over all files together.
In a folder it reads the files of ` + formats.List("and") + `.

Examples:
  seam search "why does explainability matter" report.pdf notes/
  seam search --json -k 3 --mode keyword "battery life" *.pdf
  seam search --proxy https://seam.example.org --embedder openai:text-embedding-3-small "battery life" *.pdf`
}

func (c searchCommand) Run(ctx context.Context, std IO, b build) error {
	p, err := c.plan()
	if err != nil {
		return err
	}
	query, names := "", c.Args
	if c.Queries == "" {
		query, names = c.Args[0], c.Args[1:]
	}
	switch {
	case len(names) == 0:
		return usagef("name a file or a folder to search in, after the query %q", query)
	case c.Queries == "" && strings.TrimSpace(query) == "":
		return usagef("the query is empty")
	case c.K < 1:
		return usagef("-k %d: at least one hit is needed", c.K)
	}
	files, err := inputsOf(std, names)
	if err != nil {
		return err
	}
	m, err := c.open(ctx, std, b, p)
	if err != nil {
		return retryHint(err)
	}
	defer m.close()
	docs, searcher, failed, err := cutter{ctx: ctx, std: std, options: c.chunkOptions, plan: p, models: m}.index(files)
	if err != nil {
		return err
	}
	c.Mode = string(m.modeFor(ctx, docs, index.Mode(c.Mode)))
	out := bufio.NewWriter(std.Out)
	run := func(query string) ([]hitJSON, error) {
		found, err := searcher.Search(ctx, query, c.K, index.Mode(c.Mode), m.hooks())
		return hitsOf(docs, found), retryHint(err)
	}
	if c.Queries != "" {
		err = c.runQueries(ctx, std, out, m, run)
	} else {
		var hits []hitJSON
		if hits, err = run(query); err == nil {
			err = c.print(out, docs, hits)
		}
	}
	return errors.Join(err, out.Flush(), failed)
}

// index cuts files up, and makes what searches their chunks.
func (c cutter) index(files []input) (docs []document, found *search.Searcher, failed error, err error) {
	c.searched, c.models.queries = true, true
	if docs, failed, err = c.files(files); err != nil {
		return nil, nil, nil, retryHint(err)
	}
	results := make([]*pipeline.Result, len(docs))
	for i, d := range docs {
		results[i] = d.result
	}
	meter := newMeter(c.ctx, c.std, "all files")
	defer meter.clear()
	hooks := c.models.hooks()
	hooks.Progress = meter.report
	if found, err = search.NewSearcher(c.ctx, results, hooks); err != nil {
		return nil, nil, nil, fmt.Errorf("index %d files: %w", len(files), err)
	}
	return docs, found, failed, nil
}

type hitJSON struct {
	File  string  `json:"file"`
	Start int     `json:"start"`
	End   int     `json:"end"`
	Page  int     `json:"page"`
	Pages []int   `json:"pages"`
	Score float64 `json:"score"`
	Why   string  `json:"why"`
	Text  string  `json:"text"`
	doc   int
}

func hitsOf(docs []document, found []search.Hit) []hitJSON {
	hits := make([]hitJSON, len(found))
	for i, f := range found {
		c := docs[f.Source].chunk(f.Chunk)
		hits[i] = hitJSON{docs[f.Source].Name, c.Start, c.End, c.Page, c.Pages, f.Score, f.Why, c.Text, f.Source}
	}
	return hits
}

func (c searchCommand) print(out *bufio.Writer, docs []document, hits []hitJSON) error {
	if c.JSON {
		return writeJSON(out, struct {
			Hits []hitJSON `json:"hits"`
		}{hits})
	}
	if len(hits) == 0 {
		fmt.Fprintln(out, "nothing found")
	}
	for i, h := range hits {
		fmt.Fprintf(out, "%d. %s%s · %.3f · %s\n   %s\n", i+1, h.File, onPages(docs[h.doc], h.Pages), h.Score, h.Why, preview(h.Text))
	}
	return nil
}

// previewLength is how many characters of a hit are shown.
const previewLength = 300

func preview(t string) string {
	r := []rune(oneLine(t))
	if len(r) > previewLength {
		return string(r[:previewLength]) + "…"
	}
	return string(r)
}

// queryLine is one of the file of queries.
type queryLine struct {
	ID    json.RawMessage `json:"id"`
	Query string          `json:"query"`
}

func (c searchCommand) readQueries(std IO) ([]queryLine, error) {
	b, err := readInput(std, c.Queries)
	if err != nil {
		return nil, err
	}
	var all []queryLine
	d := json.NewDecoder(bytes.NewReader(b))
	for {
		var q queryLine
		if err := d.Decode(&q); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf(`%s: query %d is not {"id","query"}: %w`, c.Queries, len(all)+1, err)
		}
		all = append(all, q)
	}
}

// runQueries prints the hits of every query. Their vectors are asked for together.
func (c searchCommand) runQueries(ctx context.Context, std IO, out *bufio.Writer, m *models, run func(string) ([]hitJSON, error)) error {
	queries, err := c.readQueries(std)
	if err != nil {
		return err
	}
	if index.Mode(c.Mode) != index.Keyword {
		if err := m.prepareQueries(ctx, c.Embedder, queries); err != nil {
			return retryHint(err)
		}
	}
	for _, q := range queries {
		hits, err := run(q.Query)
		if err != nil {
			return err
		}
		err = writeJSON(out, struct {
			ID   json.RawMessage `json:"id"`
			Hits []hitJSON       `json:"hits"`
		}{q.ID, hits})
		if err != nil {
			return err
		}
	}
	return nil
}

// prepareQueries asks a hosted model for all vectors at once, which are then kept,
// and tells vectors made elsewhere of which queries their rows are.
func (m *models) prepareQueries(ctx context.Context, name string, queries []queryLine) error {
	texts := make([]string, len(queries))
	for i, q := range queries {
		texts[i] = q.Query
	}
	switch e := m.opened[name].(type) {
	case *remote.Embedder:
		_, err := e.Embed(ctx, texts, nil)
		return err
	case *precomputed.Vectors:
		return e.Bind(embed.Queries, texts)
	}
	return nil
}
