package opensearch

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"seam/proxy/remote"
)

// object is a JSON object.
type object = map[string]any

// listed is how many rows of a list are requested at a time: an index returns 10,000 at
// most.
const listed = 10000

// found is a response of _search.
type found struct {
	Hits struct {
		Hits []struct {
			ID     string          `json:"_id"`
			Score  float64         `json:"_score"`
			Source stored          `json:"_source"`
			Sort   json.RawMessage `json:"sort"`
		} `json:"hits"`
	} `json:"hits"`
	shards
	Aggregations struct {
		Files struct {
			After   json.RawMessage `json:"after_key"`
			Buckets []struct {
				Key struct {
					File string `json:"file"`
				} `json:"key"`
				Count int `json:"doc_count"`
			} `json:"buckets"`
		} `json:"files"`
	} `json:"aggregations"`
}

// shards reports which parts of the index have answered.
type shards struct {
	Shards struct {
		Failed   int `json:"failed"`
		Failures []struct {
			Reason struct {
				Type   string `json:"type"`
				Reason string `json:"reason"`
			} `json:"reason"`
		} `json:"failures"`
	} `json:"_shards"`
	TimedOut bool `json:"timed_out"`
}

// undone returns an error if only part of the index has answered. Otherwise a document on a
// missing shard would seem to be deleted.
func (s *shards) undone() error {
	if s.Shards.Failed == 0 && !s.TimedOut {
		return nil
	}
	f := &fault{http.StatusServiceUnavailable, "partial", "a part of the index did not answer"}
	if fs := s.Shards.Failures; len(fs) > 0 {
		f.kind, f.reason = fs[0].Reason.Type, fs[0].Reason.Reason
	}
	return f
}

// Which copy of a shard is asked. A node with its own copy should use it, because a node
// that was just cut off delays answers until the others have noticed. The list of stored
// chunks comes from the primary, which knows of every write.
const (
	local   = "preference=_local"
	primary = "preference=_primary"
)

// search searches the index. It tries again while the nodes answer that none of them has
// the index, which happens while they elect a new leader after one has gone.
func (e *Engine) search(ctx context.Context, preference string, body object) (*found, error) {
	within, cancel := context.WithTimeout(ctx, agreedWithin)
	defer cancel()
	for {
		var f found
		err := e.do(ctx, searchWithin, http.MethodPost, e.path("/_search?"+preference), body, &f)
		if err == nil {
			return &f, nil
		}
		if why := (*fault)(nil); !errors.As(err, &why) || why.status != http.StatusServiceUnavailable {
			return nil, err
		}
		select {
		case <-within.Done():
			return nil, err
		case <-time.After(agreedWithin / 20):
		}
	}
}

// agreedWithin is how long nodes take to elect a leader.
const agreedWithin = 10 * time.Second

// Digests implements remote.Engine.
func (e *Engine) Digests(ctx context.Context, file string) (map[uuid.UUID]string, error) {
	held := map[uuid.UUID]string{}
	body := object{"size": listed, "query": ofFile(file), "sort": []string{"start", "id"}, "_source": []string{"id", "digest"}, "track_total_hits": false}
	for {
		f, err := e.search(ctx, primary, body)
		if err != nil {
			return nil, err
		}
		for _, h := range f.Hits.Hits {
			held[h.Source.ID] = h.Source.Digest
			body["search_after"] = h.Sort
		}
		if len(f.Hits.Hits) < listed {
			return held, nil
		}
	}
}

// Documents implements remote.Engine.
func (e *Engine) Documents(ctx context.Context) (all []remote.Document, err error) {
	files := object{"size": listed, "sources": []object{{"file": object{"terms": object{"field": "file"}}}}}
	for {
		f, err := e.search(ctx, local, object{"size": 0, "aggs": object{"files": object{"composite": files}}})
		if err != nil {
			return nil, err
		}
		got := f.Aggregations.Files
		for _, b := range got.Buckets {
			all = append(all, remote.Document{File: b.Key.File, Chunks: b.Count})
		}
		if len(got.Buckets) < listed {
			return all, nil
		}
		files["after"] = got.After
	}
}

// Search implements remote.Engine. The cluster merges both lists by the average of their
// scores, scaled to 0 to 1.
func (e *Engine) Search(ctx context.Context, q remote.Query) ([]remote.Hit, error) {
	mode := q.ModeOf()
	filter := conditions(q.Filter)
	words := object{"bool": object{"filter": filter, "must": object{"multi_match": object{
		"query": q.Words(), "fields": []string{"text", "titles"}, "type": "most_fields"}}}}
	near := object{"vector": q.Vector, "k": max(q.K, remote.FuseDepth)}
	if len(filter) > 0 {
		near["filter"] = object{"bool": object{"filter": filter}}
	}
	dense := object{"knn": object{"embedding": near}}
	body := object{"size": q.K, "_source": []string{"id", "text", "record"}, "track_total_hits": false}
	switch mode {
	case remote.Keyword:
		body["query"] = words
	case remote.Dense:
		body["query"] = dense
	default:
		body["query"] = object{"hybrid": object{"queries": []object{words, dense}}}
		body["search_pipeline"] = object{"phase_results_processors": []object{{"normalization-processor": object{
			"normalization": object{"technique": "min_max"},
			"combination":   object{"technique": "arithmetic_mean", "parameters": object{"weights": []float64{.5, .5}}}}}}}
	}
	f, err := e.search(ctx, local, body)
	if err != nil {
		return nil, err
	}
	hits := make([]remote.Hit, len(f.Hits.Hits))
	for i, h := range f.Hits.Hits {
		hits[i] = remote.Hit{ID: h.Source.ID, Score: h.Score, Record: h.Source.Record}
		hits[i].Text = h.Source.Text
	}
	return hits, nil
}

// literal escapes the special characters of a wildcard.
var literal = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`)

// conditions returns the conditions of a filter.
func conditions(f remote.Filter) []object {
	all := []object{}
	if f.File != "" {
		all = append(all, ofFile(f.File))
	}
	for _, any := range f.Facets() {
		all = append(all, object{"terms": object{"facets": any}})
	}
	if f.Section != "" {
		all = append(all, object{"wildcard": object{"section": object{"value": "*" + literal.Replace(strings.ToLower(f.Section)) + "*"}}})
	}
	if f.Pages[0] > 0 {
		all = append(all, object{"range": object{"page_last": object{"gte": f.Pages[0]}}})
	}
	if f.Pages[1] > 0 {
		all = append(all, object{"range": object{"page_first": object{"gte": 1, "lte": f.Pages[1]}}})
	}
	return all
}
