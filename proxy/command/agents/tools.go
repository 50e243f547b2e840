package agents

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"seam/proxy/command/cut"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
)

// Limits of a call.
const (
	mostRead   = 30_000 // bytes of text
	mostChunks = 50
	longest    = 4_000 // bytes of a query or a quotation
)

type listGiven struct {
	Documents []listed `json:"documents"`
	Failed    []string `json:"failed,omitempty" jsonschema:"files that could not be read"`
}

type listed struct {
	File      string   `json:"file" jsonschema:"name for the other tools"`
	Title     string   `json:"title,omitempty"`
	Pages     int      `json:"pages" jsonschema:"number of pages; 1 for a text without pages"`
	Bytes     int      `json:"bytes" jsonschema:"length of the text"`
	Language  string   `json:"language,omitempty"`
	Unread    []string `json:"unread,omitempty" jsonschema:"parts that could not be read"`
	Sentences int      `json:"sentences"`
}

type filesAsked struct {
	Query string   `json:"query" jsonschema:"words, a question or a name; put a phrase in quotation marks"`
	K     int      `json:"k,omitempty" jsonschema:"number of passages, 1 to 50; default 8"`
	Files []string `json:"files,omitempty" jsonschema:"search only these documents; default all"`
}

type filesGiven struct {
	Hits    []place  `json:"hits" jsonschema:"best first"`
	Unknown []string `json:"unknown,omitempty" jsonschema:"words that no text that was read has"`
	Failed  []string `json:"failed,omitempty" jsonschema:"files that could not be read and were not searched"`
}

// place is a part of a document. Offsets are bytes of its text.
type place struct {
	File    string  `json:"file"`
	Start   int     `json:"start" jsonschema:"offset in bytes of the document's text, for read"`
	End     int     `json:"end"`
	Pages   []int   `json:"pages,omitempty"`
	Section string  `json:"section,omitempty"`
	Text    string  `json:"text"`
	Score   float64 `json:"score,omitempty"`
	Reason  string  `json:"reason,omitempty" jsonschema:"why a chunk ends here"`
}

type partAsked struct {
	File  string `json:"file" jsonschema:"a file of list or search"`
	Start int    `json:"start,omitempty" jsonschema:"offset in bytes; default 0"`
	Bytes int    `json:"bytes,omitempty" jsonschema:"length, at most 30000, which is the default"`
}

type partGiven struct {
	place
	Length int `json:"length" jsonschema:"bytes of the whole text"`
	Next   int `json:"next,omitempty" jsonschema:"start of the rest, if there is more"`
}

type cutAsked struct {
	File      string   `json:"file" jsonschema:"a file of list or search"`
	Method    string   `json:"method,omitempty" jsonschema:"semantic (default), sections, sentences, page, recursive, fixed, percentile and others"`
	Threshold *float64 `json:"threshold,omitempty" jsonschema:"number of the method"`
	MaxTokens int      `json:"maxTokens,omitempty" jsonschema:"maximum length of a chunk"`
	From      int      `json:"from,omitempty" jsonschema:"index of the first chunk to return; default 0"`
}

type cutGiven struct {
	Chunks []place `json:"chunks" jsonschema:"at most 50"`
	Count  int     `json:"count" jsonschema:"number of all chunks"`
	Next   int     `json:"next,omitempty" jsonschema:"index of the next chunk, if there is one"`
}

type citeAsked struct {
	File  string `json:"file" jsonschema:"a file of list or search"`
	Quote string `json:"quote" jsonschema:"words of the document, verbatim; white space does not matter"`
}

// addTo adds the tools for documents to a server.
func (l *library) addTo(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{Name: "list", Description: "List the documents.", Annotations: safe()}, tool(l, l.list))
	mcp.AddTool(server, &mcp.Tool{Name: "search", Description: "Find the passages that answer a query, best first.", Annotations: safe()}, tool(l, l.search))
	mcp.AddTool(server, &mcp.Tool{Name: "read", Description: "Read a part of a document's text.", Annotations: safe()}, tool(l, l.read))
	mcp.AddTool(server, &mcp.Tool{Name: "chunk", Description: "Cut a document into chunks by meaning or by another method.", Annotations: safe()}, tool(l, l.chunk))
	mcp.AddTool(server, &mcp.Tool{Name: "cite", Description: "Find the exact place of a quotation in a document. An error means that the document does not have these words.", Annotations: safe()}, tool(l, l.cite))
}

// tool returns a handler that reads changed files first.
func tool[In, Out any](l *library, answer func(context.Context, In) (*Out, error)) mcp.ToolHandlerFor[In, *Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, *Out, error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if err := l.refresh(); err != nil {
			return nil, nil, err
		}
		out, err := answer(ctx, in)
		return nil, out, err
	}
}

func (l *library) list(context.Context, struct{}) (*listGiven, error) {
	out := &listGiven{Documents: []listed{}, Failed: l.failed}
	for _, d := range l.docs {
		out.Documents = append(out.Documents, listed{d.Name, d.Title, len(d.Pages), len(d.Result.Text.Text), d.Language, d.Document.Unread(), len(d.Result.Sentences)})
	}
	return out, nil
}

func (l *library) search(ctx context.Context, q filesAsked) (*filesGiven, error) {
	switch {
	case strings.TrimSpace(q.Query) == "":
		return nil, errors.New("the query is empty")
	case len(q.Query) > longest:
		return nil, fmt.Errorf("the query has %d bytes: use at most %d", len(q.Query), longest)
	case q.K < 0 || q.K > mostHits:
		return nil, fmt.Errorf("k is %d: use 1 to %d", q.K, mostHits)
	case q.K == 0:
		q.K = usualHits
	}
	for _, name := range q.Files {
		if _, err := l.document(name); err != nil {
			return nil, err
		}
	}
	k := q.K
	if len(q.Files) > 0 {
		k = len(l.docs) * mostHits // hits of other documents are dropped below
	}
	found, err := l.searcher.Search(ctx, search.Query{Text: q.Query, K: k, Mode: l.models.ModeFor(ctx, l.docs, index.Hybrid)}, l.models.Hooks())
	if err != nil {
		return nil, err
	}
	out := &filesGiven{Hits: []place{}, Unknown: found.Unknown, Failed: l.failed}
	for _, h := range cut.HitsOf(l.docs, found.Hits) {
		if len(out.Hits) == q.K {
			break
		}
		if len(q.Files) == 0 || slices.Contains(q.Files, h.File) {
			out.Hits = append(out.Hits, place{h.File, h.Start, h.End, h.Pages, h.Section, h.Text, h.Score, ""})
		}
	}
	return out, nil
}

func (l *library) read(_ context.Context, q partAsked) (*partGiven, error) {
	d, err := l.document(q.File)
	if err != nil {
		return nil, err
	}
	t := d.Result.Text.Text
	switch {
	case q.Start < 0 || q.Start > len(t):
		return nil, fmt.Errorf("start is %d: the text has %d bytes", q.Start, len(t))
	case q.Bytes < 0 || q.Bytes > mostRead:
		return nil, fmt.Errorf("bytes is %d: use 1 to %d", q.Bytes, mostRead)
	case q.Bytes == 0:
		q.Bytes = mostRead
	}
	from, to := onRune(t, q.Start), onRune(t, min(len(t), q.Start+q.Bytes))
	if to == from && to < len(t) {
		_, size := utf8.DecodeRuneInString(t[from:])
		to += size
	}
	out := &partGiven{place: placeOf(d, text.Span{Start: from, End: to}), Length: len(t)}
	if to < len(t) {
		out.Next = to
	}
	return out, nil
}

// onRune moves an offset back to the beginning of a letter.
func onRune(t string, at int) int {
	for at > 0 && at < len(t) && !utf8.RuneStart(t[at]) {
		at--
	}
	return at
}

func placeOf(d cut.Document, s text.Span) place {
	pages, _ := d.Result.PagesIn(s)
	if len(d.Pages) < 2 {
		pages = nil
	}
	return place{File: d.Name, Start: s.Start, End: s.End, Pages: pages, Section: strings.Join(d.SectionTitles(d.Result.Plan.View, s), " › "), Text: s.Of(d.Result.Text.Text)}
}

func (l *library) chunk(ctx context.Context, q cutAsked) (*cutGiven, error) {
	d, err := l.document(q.File)
	if err != nil {
		return nil, err
	}
	o := l.options
	o.Method, o.Threshold = q.Method, q.Threshold
	if q.MaxTokens < 0 || q.From < 0 {
		return nil, errors.New("maxTokens and from must not be negative")
	}
	o.MaxTokens = cut.Positive(q.MaxTokens)
	plan, err := o.Plan()
	if err != nil {
		return nil, err
	}
	r, err := pipeline.NewSession(d.Document).Run(ctx, plan, l.models.Hooks())
	if err != nil {
		return nil, err
	}
	made := cut.Document{Document: d.Document, Result: r}
	out := &cutGiven{Chunks: []place{}, Count: len(r.Chunks)}
	for i := q.From; i < len(r.Chunks) && len(out.Chunks) < mostChunks; i++ {
		p := placeOf(made, r.Chunks[i].Span)
		p.Reason = r.Chunks[i].Reason.String()
		out.Chunks = append(out.Chunks, p)
	}
	if end := q.From + len(out.Chunks); end < len(r.Chunks) {
		out.Next = end
	}
	return out, nil
}

func (l *library) cite(_ context.Context, q citeAsked) (*place, error) {
	d, err := l.document(q.File)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(q.Quote)
	switch {
	case len(words) == 0:
		return nil, errors.New("the quotation is empty")
	case len(q.Quote) > longest:
		return nil, fmt.Errorf("the quotation has %d bytes: use at most %d", len(q.Quote), longest)
	}
	s, ok := find(d.Result.Text.Text, words)
	if !ok {
		return nil, fmt.Errorf("%s does not have these words in this order in the text that was read", q.File)
	}
	p := placeOf(d, s)
	return &p, nil
}

// find returns the first place of words that are separated by any white space.
func find(t string, words []string) (text.Span, bool) {
	for at := 0; ; {
		i := strings.Index(t[at:], words[0])
		if i < 0 {
			return text.Span{}, false
		}
		start := at + i
		if end, ok := follows(t, start, words); ok {
			return text.Span{Start: start, End: end}, true
		}
		at = start + 1
	}
}

// follows returns the end of words that begin at an offset.
func follows(t string, at int, words []string) (end int, ok bool) {
	for i, w := range words {
		if i > 0 {
			rest := strings.TrimLeftFunc(t[at:], unicode.IsSpace)
			if len(rest) == len(t)-at {
				return 0, false
			}
			at = len(t) - len(rest)
		}
		if !strings.HasPrefix(t[at:], w) {
			return 0, false
		}
		at += len(w)
	}
	return at, true
}
