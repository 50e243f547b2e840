package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/weaviate/weaviate-go-client/v5/weaviate"
	"github.com/weaviate/weaviate-go-client/v5/weaviate/filters"
	"github.com/weaviate/weaviate-go-client/v5/weaviate/graphql"
	"github.com/weaviate/weaviate/entities/models"

	"seam/proxy/remote"
)

// listed is how many rows of a list are requested at a time: the cluster returns 10,000 at
// most.
const listed = 5000

// row is an object as returned by GraphQL.
type row struct {
	Text       string `json:"text"`
	Digest     string `json:"digest"`
	Start      int    `json:"start"`
	Record     string `json:"record"`
	Additional struct {
		ID       uuid.UUID `json:"id"`
		Score    string    `json:"score"`
		Distance float64   `json:"distance"`
	} `json:"_additional"`
}

// field returns a GraphQL field with subfields.
func field(name string, below ...string) graphql.Field {
	f := graphql.Field{Name: name}
	for _, b := range below {
		f.Fields = append(f.Fields, graphql.Field{Name: b})
	}
	return f
}

// answer decodes a GraphQL answer. GraphQL reports errors with status 200. An answer from
// only some of the shards is an error, too.
func (e *Engine) answer(got *models.GraphQLResponse, kind string, to any) error {
	if len(got.Errors) > 0 {
		message := got.Errors[0].Message
		for _, passing := range []string{"unavailable", "not ready", "connect", "timeout", "deadline", "replica", "read-repair", "EOF", "broadcast"} {
			if strings.Contains(message, passing) {
				return remote.Unavailable(e.address, errors.New(message))
			}
		}
		return fmt.Errorf("%s: %w", e.address, &refusal{200, message})
	}
	b, err := json.Marshal(got.Data[kind])
	if err != nil {
		return err
	}
	var byClass map[string]json.RawMessage
	if err := json.Unmarshal(b, &byClass); err != nil {
		return fmt.Errorf("%s: unexpected answer: %w", e.address, err)
	}
	return json.Unmarshal(byClass[e.class], to)
}

// get queries objects.
func (e *Engine) get(ctx context.Context, c *weaviate.Client, build func(*graphql.GetBuilder) *graphql.GetBuilder) (rows []row, err error) {
	got, err := build(c.GraphQL().Get().WithClassName(e.class)).Do(ctx)
	if err != nil {
		return nil, err
	}
	return rows, e.answer(got, "Get", &rows)
}

// Digests implements remote.Engine.
func (e *Engine) Digests(ctx context.Context, file string) (map[uuid.UUID]string, error) {
	level, err := e.consistency(ctx)
	if err != nil {
		return nil, err
	}
	held := map[uuid.UUID]string{}
	for from := 0; ; {
		var rows []row
		err := e.do(ctx, askWithin, func(ctx context.Context, c *weaviate.Client) (err error) {
			rows, err = e.get(ctx, c, func(b *graphql.GetBuilder) *graphql.GetBuilder {
				start := filters.Where().WithPath([]string{"start"}).WithOperator(filters.GreaterThanEqual).WithValueInt(int64(from))
				if level != "" {
					b = b.WithConsistencyLevel(level)
				}
				return b.WithFields(field("digest"), field("start"), field("_additional", "id")).WithLimit(listed).
					WithSort(graphql.Sort{Path: []string{"start"}, Order: graphql.Asc}).
					WithWhere(filters.Where().WithOperator(filters.And).WithOperands([]*filters.WhereBuilder{ofFile(file), start}))
			})
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			held[r.Additional.ID], from = r.Digest, r.Start // objects with this start come again
		}
		if len(rows) < listed {
			return held, nil
		}
	}
}

// mostDocuments bounds the list of documents.
const mostDocuments = 1 << 20

// Documents implements remote.Engine.
func (e *Engine) Documents(ctx context.Context) (all []remote.Document, err error) {
	var groups []struct {
		GroupedBy struct {
			Value string `json:"value"`
		} `json:"groupedBy"`
		Meta struct {
			Count int `json:"count"`
		} `json:"meta"`
	}
	err = e.do(ctx, writeWithin, func(ctx context.Context, c *weaviate.Client) error {
		got, err := c.GraphQL().Aggregate().WithClassName(e.class).WithGroupBy("file").WithLimit(mostDocuments).WithFields(field("groupedBy", "value"), field("meta", "count")).Do(ctx)
		if err != nil {
			return err
		}
		return e.answer(got, "Aggregate", &groups)
	})
	for _, g := range groups {
		all = append(all, remote.Document{File: g.GroupedBy.Value, Chunks: g.Meta.Count})
	}
	slices.SortFunc(all, func(a, b remote.Document) int { return strings.Compare(a.File, b.File) })
	return all, err
}

// Count implements remote.Engine.
func (e *Engine) Count(ctx context.Context) (int, error) {
	var counts []struct {
		Meta struct {
			Count int `json:"count"`
		} `json:"meta"`
	}
	err := e.do(ctx, askWithin, func(ctx context.Context, c *weaviate.Client) error {
		got, err := c.GraphQL().Aggregate().WithClassName(e.class).WithFields(field("meta", "count")).Do(ctx)
		if err != nil {
			return err
		}
		return e.answer(got, "Aggregate", &counts)
	})
	if err != nil || len(counts) == 0 {
		return 0, err
	}
	return counts[0].Meta.Count, nil
}

// half is the weight of the vectors in a hybrid search.
const half = .5

// Search implements remote.Engine. The cluster merges both lists with relativeScoreFusion.
func (e *Engine) Search(ctx context.Context, q remote.Query) ([]remote.Hit, error) {
	mode, text, k := q.ModeOf(), q.Words(), q.K
	if text == "" && mode == remote.Hybrid {
		mode = remote.Dense
	} else if text == "" && mode == remote.Keyword {
		return nil, nil
	}
	// Wildcard characters cannot be searched for literally. More hits are fetched, and hits
	// without the section are filtered out afterwards.
	loose := strings.ContainsAny(q.Filter.Section, "*?")
	if loose {
		k *= 10
	}
	var rows []row
	err := e.do(ctx, searchWithin, func(ctx context.Context, c *weaviate.Client) (err error) {
		rows, err = e.get(ctx, c, func(b *graphql.GetBuilder) *graphql.GetBuilder {
			b = b.WithLimit(k).WithFields(field("text"), field("record"), field("_additional", "id", "score", "distance"))
			if w := where(q.Filter); w != nil {
				b = b.WithWhere(w)
			}
			gql := c.GraphQL()
			switch mode {
			case remote.Keyword:
				return b.WithBM25(gql.Bm25ArgBuilder().WithQuery(text).WithProperties("text", "titles"))
			case remote.Dense:
				return b.WithNearVector(gql.NearVectorArgBuilder().WithVector(q.Vector))
			}
			return b.WithHybrid(gql.HybridArgumentBuilder().WithQuery(text).WithVector(q.Vector).WithAlpha(half).
				WithProperties([]string{"text", "titles"}).WithFusionType(graphql.RelativeScore))
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	var hits []remote.Hit
	for _, r := range rows {
		h := remote.Hit{ID: r.Additional.ID, Score: 1 - r.Additional.Distance}
		if mode != remote.Dense {
			h.Score, _ = strconv.ParseFloat(r.Additional.Score, 64) // 0 if there is no score
		}
		if err := json.Unmarshal([]byte(r.Record), &h.Record); err != nil {
			return nil, fmt.Errorf("%s: read the chunk %s: %w", e.address, h.ID, err)
		}
		h.Text = r.Text
		if !loose || strings.Contains(strings.ToLower(h.Section), strings.ToLower(q.Filter.Section)) {
			hits = append(hits, h)
		}
	}
	return hits[:min(len(hits), q.K)], nil
}

// where returns a filter's conditions, or nil if it has none.
func where(f remote.Filter) *filters.WhereBuilder {
	var all []*filters.WhereBuilder
	on := func(property string, o filters.WhereOperator) *filters.WhereBuilder {
		w := filters.Where().WithPath([]string{property}).WithOperator(o)
		all = append(all, w)
		return w
	}
	if f.File != "" {
		all = append(all, ofFile(f.File))
	}
	for _, any := range f.Facets() {
		on("facets", filters.ContainsAny).WithValueText(any...)
	}
	if f.Section != "" {
		on("section", filters.Like).WithValueText("*" + remote.Printable(strings.ToLower(f.Section)) + "*")
	}
	if f.Pages[0] > 0 {
		on("pageLast", filters.GreaterThanEqual).WithValueInt(int64(f.Pages[0]))
	}
	if f.Pages[1] > 0 {
		on("pageFirst", filters.LessThanEqual).WithValueInt(int64(f.Pages[1]))
		on("pageFirst", filters.GreaterThanEqual).WithValueInt(1)
	}
	if len(all) < 2 {
		if len(all) == 1 {
			return all[0]
		}
		return nil
	}
	return filters.Where().WithOperator(filters.And).WithOperands(all)
}
