package agents

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"seam/proxy/command/sites"
	"seam/shared/site/shards"
)

// searchAsked and the types below are the inputs and outputs of the tools. Models read
// their descriptions.
type searchAsked struct {
	Query string `json:"query" jsonschema:"query: words, a question or a name; put a phrase in quotation marks"`
	K     int    `json:"k,omitempty" jsonschema:"number of pages, 1 to 50; default 8"`
}

type searchGiven struct {
	Count       int                 `json:"count" jsonschema:"number of pages with any of the words"`
	Hits        []agentHit          `json:"hits" jsonschema:"best first"`
	Unknown     []string            `json:"unknown,omitempty" jsonschema:"words that no page of the index has"`
	Corrections []shards.Correction `json:"corrections,omitempty" jsonschema:"words that no page of the index has, and the words searched for instead"`
	Unread      []string            `json:"unread,omitempty" jsonschema:"pages of the site that could not be read and may have these words"`
}

type agentHit struct {
	URL     string  `json:"url" jsonschema:"address relative to the site, with the section"`
	Title   string  `json:"title"`
	Section string  `json:"section,omitempty"`
	Text    string  `json:"text" jsonschema:"best matching part of the page"`
	Score   float64 `json:"score"`
}

type readAsked struct {
	URL string `json:"url" jsonschema:"a url of search"`
}

type readGiven struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

// mostHits is the limit of pages for a search call, and usualHits the default.
const mostHits, usualHits = 50, 8

// addSite adds the tools for a site's index to a server.
func addSite(server *mcp.Server, x *sites.SiteIndex) {
	s := &siteServer{index: x}
	mcp.AddTool(server, &mcp.Tool{Name: "search", Description: "Find the pages of the site that answer a query, best first.", Annotations: safe()}, s.search)
	mcp.AddTool(server, &mcp.Tool{Name: "read", Description: "Read the text of a page found by search.", Annotations: safe()}, s.read)
}

// siteServer answers calls one at a time, because an index is not safe for concurrent use.
type siteServer struct {
	mu    sync.Mutex
	index *sites.SiteIndex
}

func (s *siteServer) search(_ context.Context, _ *mcp.CallToolRequest, q searchAsked) (*mcp.CallToolResult, *searchGiven, error) {
	switch {
	case strings.TrimSpace(q.Query) == "":
		return nil, nil, errors.New("the query is empty")
	case q.K < 0 || q.K > mostHits:
		return nil, nil, fmt.Errorf("k is %d: use 1 to %d", q.K, mostHits)
	case q.K == 0:
		q.K = usualHits
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	found, err := s.index.Search(shards.Query{Text: q.Query, K: q.K}, false)
	if err != nil {
		return nil, nil, err
	}
	out := &searchGiven{Count: found.Count, Hits: []agentHit{}, Unknown: found.Unknown, Corrections: found.Corrections}
	for _, h := range found.Hits {
		shown, err := h.Index.Show(h.Found, h.Chunks[0])
		if err != nil {
			return nil, nil, err
		}
		out.Hits = append(out.Hits, agentHit{shown.URL, shown.Title, strings.Join(shown.Section, " › "), shown.Text, h.Score})
	}
	if len(out.Hits) == 0 || len(out.Unknown)+len(out.Corrections) > 0 {
		out.Unread = s.index.Unread
	}
	return nil, out, nil
}

func (s *siteServer) read(_ context.Context, _ *mcp.CallToolRequest, q readAsked) (*mcp.CallToolResult, *readGiven, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	title, text, err := s.index.Read(q.URL)
	if err != nil {
		return nil, nil, err
	}
	return nil, &readGiven{title, text}, nil
}
