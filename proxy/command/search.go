package command

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"seam/proxy/command/collections"
	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/search"
)

type searchCommand struct {
	Args    []string `arg:"" optional:"" name:"query-and-files" help:"Query, then files or folders; with --queries, only files or folders."`
	K       int      `short:"k" default:"10" help:"Number of hits."`
	Mode    string   `default:"hybrid" enum:"hybrid,dense,keyword" help:"keyword (words), dense (vectors) or hybrid (both)."`
	Queries string   `help:"File of queries, lines {\"id\",\"query\"}; prints one line {\"id\",\"hits\"} per query."`
	JSON    bool     `name:"json" help:"Print the hits as one JSON object."`

	Enriched  []string `placeholder:"FILE" help:"Text that also finds the chunks: output of seam enrich knowledge or headers, or your own lines (see above). A bundle brings its own." group:"Search files:"`
	Diversity float64  `help:"Penalty for repeating a better hit, 0 to 1." group:"Search files:"`

	Pages   string            `placeholder:"FROM-TO" help:"Only chunks on these sheets of a file, counted from 1: 3-10, 7 or 12-." group:"Search files or a collection:"`
	Section string            `placeholder:"TITLE" help:"Only chunks under a heading that contains this." group:"Search files or a collection:"`
	Type    []string          `placeholder:"EXT" help:"Only files with one of these extensions: pdf,md." group:"Search files or a collection:"`
	Meta    map[string]string `placeholder:"NAME=VALUE" help:"Only files with this metadata: author, title, language, or a key of Markdown front matter." group:"Search files or a collection:"`

	Index string `placeholder:"DIR" help:"Search the index of a site from seam index, like its widget." group:"Search the index of a site:"`
	Lang  string `placeholder:"CODE" help:"Language of the reader, whose pages come first: de (default: the one with most pages). Other languages are searched for words that it lacks." group:"Search the index of a site:"`

	Remote                        string `placeholder:"ADDRESS" help:"Search a collection from seam push in a search engine." group:"Search a collection:"`
	collections.CollectionOptions `group:"Search a collection:"`

	files.FolderOptions `group:"Files in folders:"`

	cut.ChunkOptions `group:"How files are cut:"`
}

func (searchCommand) Help() string {
	return `Chunks all files, then prints the best matching chunks, ranked across all files.
In folders it reads ` + files.Formats.List("and") + ` files.
With --index it searches the index of a site, with --remote a collection; both take only the query, and no flags for cutting files.

Words in quotation marks must be adjacent. If no file has a word, seam searches for a close spelling or prints a note.
The score is a sum; "why" lists its parts: query words in the chunk and its titles, in its section and in its document, words
close together (proximity), and similarity (meaning). "passage" is the byte span in "text" of the best matching sentence.
A page is named by its printed number, followed by the number of its sheet if that differs: p. 103 (sheet 2). A hit names the
page of its best matching sentence, "passagePage". "pages" and --pages count sheets; "labels" are their printed numbers,
and one line of stderr says where --pages and the printed numbers of a file differ.

To find a chunk by your own words, such as a glossary's or people's questions, add "header":"THE WORDS" and "written":true to
its line of seam chunk --format jsonl, and pass the file with these lines to --enriched.

Seam caches texts and chunks on this machine (see seam cache -h), so that the next search reads only files that changed.

The exit status is 0 if something was found, 1 if nothing was found, and 2 if the search or a part of it failed.

Examples:
  seam search "why does explainability matter" report.pdf notes/
  seam search --json -k 3 --mode keyword "battery life" *.pdf
  seam search --section "limitations" --pages 10-20 --type pdf "sample size" papers/
  seam search --meta tags=release "breaking changes" posts/
  seam search --enriched knowledge.jsonl "who built it" manual.pdf   # made by seam enrich knowledge
  seam search --cache off "sample size" papers/                   # without the cache
  seam search --remote postgres://seam@localhost/postgres/manual "sample size"
  seam search --proxy https://seam.example.org --embedder openai:text-embedding-3-small "battery life" *.pdf`
}

func (c searchCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	err := c.run(ctx, std, b)
	if err == nil || errors.Is(err, terminal.ErrNothing) {
		return err
	}
	return terminal.Failure{Err: err}
}

// run searches and prints the hits. The error is terminal.ErrNothing if there are none.
func (c searchCommand) run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	if c.Remote != "" {
		return c.runRemote(ctx, std, b)
	}
	if c.Index != "" {
		return c.runIndex(std)
	}
	if c.Lang != "" {
		return terminal.Usagef("--lang needs --index: files and collections have no reader's language")
	}
	if c.KeyFile != "" {
		return terminal.Usagef("--key-file needs --remote: files need no key")
	}
	p, err := c.Plan()
	if err != nil {
		return err
	}
	query, names, err := c.asked()
	if err != nil {
		return err
	}
	filter, err := c.filter()
	if err != nil {
		return err
	}
	rows, err := cut.ReadWritten(std, c.Enriched)
	if err != nil {
		return err
	}
	files, err := c.InputsOf(std, names)
	if err != nil {
		return err
	}
	m, err := c.ChunkOptions.Open(ctx, std, b, p)
	if err != nil {
		return hosted.RetryHint(err)
	}
	defer m.Close()
	docs, searcher, failed, err := cut.Cutter{Ctx: ctx, Std: std, Options: c.ChunkOptions, Plan: p, Models: m, Compares: c.DryRun, Enriched: rows}.Index(files, index.Mode(c.Mode))
	if c.DryRun && (err == nil || errors.Is(err, terminal.ErrDry)) {
		return errors.Join(err, failed, c.dry(ctx, std, p, m, docs, query, err == nil))
	}
	if err != nil {
		return err
	}
	if c.Pages != "" {
		noteSheets(std, docs)
	}
	c.Mode = string(m.ModeFor(ctx, docs, index.Mode(c.Mode)))
	out := bufio.NewWriter(std.Out)
	unread, any := unreadOf(docs), false
	run := func(query string) (*foundJSON, error) {
		q := search.Query{Text: query, K: c.K, Mode: index.Mode(c.Mode), Filter: filter, Diversity: c.Diversity}
		found, err := searcher.Search(ctx, q, m.Hooks())
		if err != nil {
			return nil, hosted.RetryHint(err)
		}
		any = any || len(found.Hits) > 0
		m.ReportMissing(found)
		return &foundJSON{cut.HitsOf(docs, found.Hits), found.Unknown, found.Corrections, asideOf(docs, found.Aside), unread, failed != nil}, nil
	}
	if c.Queries != "" {
		err = c.runQueries(ctx, std, out, m, run)
	} else {
		var found *foundJSON
		if found, err = run(query); err == nil {
			err = c.print(std, out, docs, found)
		}
	}
	if err = errors.Join(err, out.Flush()); err != nil {
		return err // failed has been reported, so do not join it
	}
	return cmp.Or(failed, nothingIn(any))
}

// dry prints the requests of a search, and sends none. known is false if the texts that must
// be sent before the search are printed already.
func (c searchCommand) dry(ctx context.Context, std terminal.IO, p pipeline.Plan, m *cut.Models, docs []cut.Document, query string, known bool) error {
	queries := []string{query}
	if c.Queries != "" {
		all, err := c.readQueries(std)
		if err != nil {
			return err
		}
		queries = nil
		for _, q := range all {
			queries = append(queries, q.Query)
		}
	}
	mode := index.Mode(c.Mode)
	if known {
		mode = m.ModeFor(ctx, docs, mode)
	}
	sent, err := m.QuoteQueries(ctx, docs, p, mode, queries)
	if err != nil {
		return hosted.RetryHint(err)
	}
	if known && len(sent) == 0 {
		fmt.Fprintln(std.Out, "nothing would be sent")
	}
	return terminal.ErrDry
}

// noteSheets prints a line for the first document whose pages have other printed numbers than
// their sheets, because --pages counts sheets.
func noteSheets(std terminal.IO, docs []cut.Document) {
	for _, d := range docs {
		for _, p := range d.Result.Document.Pages {
			if p.Label != "" && p.Label != strconv.Itoa(p.Number) {
				fmt.Fprintf(std.Err, "seam: %s: --pages counts sheets: sheet %d has the printed number %s\n", terminal.Shown(d.Result.Document.Name), p.Number, terminal.Shown(p.Label))
				return
			}
		}
	}
}

// ofFiles returns the given flags that apply only to files.
func (c searchCommand) ofFiles() []string {
	flags := c.Decisions()
	for _, f := range []struct {
		name  string
		given bool
	}{{"--enriched", len(c.Enriched) > 0}, {"--diversity", c.Diversity != 0}, {"--password", c.Password != ""}, {"--dry-run", c.DryRun}} {
		if f.given {
			flags = append(flags, f.name)
		}
	}
	return flags
}

// asked returns the query and the names to search in. The query is empty with --queries.
func (c searchCommand) asked() (query string, names []string, err error) {
	names = c.Args
	if c.Queries == "" && len(names) == 0 {
		return "", nil, terminal.Usagef("give a query, then files or folders")
	}
	if c.Queries == "" {
		query, names = c.Args[0], c.Args[1:]
	}
	switch {
	case len(names) == 0:
		err = terminal.Usagef("give a file or folder to search, after the query %q", query)
	case c.Queries == "" && strings.TrimSpace(query) == "":
		err = terminal.Usagef("the query is empty")
	case c.K < 1:
		err = terminal.Usagef("-k %d: use 1 or more", c.K)
	}
	return query, names, err
}

// filter returns the options that restrict which chunks may be found.
func (c searchCommand) filter() (search.Filter, error) {
	f := search.Filter{Section: c.Section, Meta: c.Meta}
	for _, t := range c.Type {
		f.Formats = append(f.Formats, strings.ToLower(strings.TrimPrefix(strings.TrimSpace(t), ".")))
	}
	if !(c.Diversity >= 0 && c.Diversity <= 1) {
		return f, terminal.Usagef("--diversity %v: use 0 to 1", c.Diversity)
	}
	if c.Pages == "" {
		return f, nil
	}
	from, to, isRange := strings.Cut(c.Pages, "-")
	if !isRange {
		to = from
	}
	var err error
	for i, number := range []string{from, to} {
		if number = strings.TrimSpace(number); number != "" && err == nil {
			f.Pages[i], err = strconv.Atoi(number)
		}
	}
	if err != nil || from == "" || f.Pages[0] < 1 || to != "" && f.Pages[1] < f.Pages[0] {
		return f, terminal.Usagef("--pages %s: write 3-10, 7 or 12-", c.Pages)
	}
	return f, nil
}

type foundJSON struct {
	Hits        []cut.HitJSON       `json:"hits"`
	Unknown     []string            `json:"unknown,omitempty"`
	Corrections []search.Correction `json:"corrections,omitempty"`
	Aside       []asideJSON         `json:"aside,omitempty"`
	Unread      []unreadJSON        `json:"unread,omitempty"` // no hit is from these parts
	failed      bool                // some file was not read
}

// unreadJSON is a file with parts that were not read, or not surely.
type unreadJSON struct {
	File  string   `json:"file"`
	Notes []string `json:"notes"` // sentences about these parts
}

func unreadOf(docs []cut.Document) (out []unreadJSON) {
	for _, d := range docs {
		if notes := d.Result.Document.Unread(); len(notes) > 0 {
			out = append(out, unreadJSON{terminal.Called(d.Name), notes})
		}
	}
	return out
}

// asideJSON is a word of Unknown or Corrections that files have outside their chunks, for
// example in a running head.
type asideJSON struct {
	Word   string   `json:"word"`
	Files  []string `json:"files"`
	Hidden bool     `json:"hidden,omitempty"` // only in hidden text
}

func asideOf(docs []cut.Document, aside []search.Aside) (out []asideJSON) {
	for _, a := range aside {
		one := asideJSON{Word: a.Word, Hidden: a.Hidden}
		for _, i := range a.Sources {
			one.Files = append(one.Files, terminal.Called(docs[i].Name))
		}
		out = append(out, one)
	}
	return out
}

// lacks says of a word that no chunk has it. It claims nothing about text that was not read.
func (f *foundJSON) lacks(word string) string {
	for _, a := range f.Aside {
		if a.Word != word {
			continue
		}
		where := "text outside the chunks, such as running heads"
		if a.Hidden {
			where = "hidden text"
		}
		return fmt.Sprintf("the word %q is only in %s: %s", word, where, strings.Join(a.Files, ", "))
	}
	if f.failed || len(f.Unread) > 0 {
		return fmt.Sprintf("no text that could be read has the word %q", word)
	}
	return fmt.Sprintf("no file has the word %q", word)
}

// maxUnread is how many files with unread parts are named after a search.
const maxUnread = 5

// printUnread names the parts that were not read, after words that no chunk has.
func (f *foundJSON) printUnread(std terminal.IO) {
	for i, u := range f.Unread {
		if i == maxUnread {
			fmt.Fprintf(std.Err, "seam: text may be missing in %s, too\n", terminal.Count(len(f.Unread)-i, "more file"))
			break
		}
		fmt.Fprintf(std.Err, "seam: text may be missing: %s: %s\n", terminal.Shown(u.File), terminal.Visible(strings.Join(u.Notes, "; ")))
	}
}

func (c searchCommand) print(std terminal.IO, out *bufio.Writer, docs []cut.Document, found *foundJSON) error {
	if c.JSON {
		return terminal.WriteJSON(out, found)
	}
	for _, word := range found.Unknown {
		fmt.Fprintf(std.Err, "seam: %s\n", terminal.Visible(found.lacks(word)))
	}
	for _, word := range found.Corrections {
		fmt.Fprintf(std.Err, "seam: %s; searched for %q\n", terminal.Visible(found.lacks(word.Word)), word.Taken)
	}
	if len(found.Hits) == 0 {
		fmt.Fprintln(out, "nothing found")
	}
	if len(found.Hits) == 0 || len(found.Unknown)+len(found.Corrections) > 0 {
		found.printUnread(std)
	}
	for i, h := range found.Hits {
		shown := h.Text
		if h.Passage != nil {
			shown = h.Text[h.Passage.Start:]
		}
		fmt.Fprintf(out, "%d. %s%s · %.2f · %s\n   %s\n", i+1, h.File, h.Place(docs), h.Score, h.Why, cut.Preview(shown))
		if h.Written != "" {
			fmt.Fprintf(out, "   found by: %s\n", cut.Preview(h.Written))
		}
	}
	return nil
}

func (c searchCommand) readQueries(std terminal.IO) ([]cut.QueryLine, error) {
	b, err := files.ReadText(std, c.Queries, "queries")
	if err != nil {
		return nil, err
	}
	var all []cut.QueryLine
	d := json.NewDecoder(bytes.NewReader(b))
	for {
		var q cut.QueryLine
		if err := d.Decode(&q); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf(`%s: query %d is not of the form {"id","query"}: %w`, c.Queries, len(all)+1, err)
		}
		all = append(all, q)
	}
}

// runQueries prints the hits of every query. It asks for all their vectors together.
func (c searchCommand) runQueries(ctx context.Context, std terminal.IO, out *bufio.Writer, m *cut.Models, run func(string) (*foundJSON, error)) error {
	queries, err := c.readQueries(std)
	if err != nil {
		return err
	}
	if index.Mode(c.Mode) != index.Keyword {
		if err := m.PrepareQueries(ctx, c.Embedder, queries); err != nil {
			return hosted.RetryHint(err)
		}
	}
	for _, q := range queries {
		found, err := run(q.Query)
		if err != nil {
			return err
		}
		err = terminal.WriteJSON(out, struct {
			ID json.RawMessage `json:"id"`
			*foundJSON
		}{q.ID, found})
		if err != nil {
			return err
		}
	}
	return nil
}
