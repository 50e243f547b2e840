package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"seam/shared/embed"
	"seam/shared/vector"
)

// textsIn returns the texts of a file: from JSON lines if it begins with a brace, otherwise
// one per line. queries marks those that are queries; nil means none.
func textsIn(b []byte) (texts []string, queries []bool, err error) {
	if !bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		for line := range strings.Lines(string(b)) {
			texts = append(texts, strings.TrimRight(line, "\r\n"))
		}
		return texts, nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(b))
	for {
		var line struct{ Text, Query *string }
		if err := d.Decode(&line); errors.Is(err, io.EOF) {
			return texts, queries, nil
		} else if err != nil {
			return nil, nil, fmt.Errorf("text %d is not valid JSON: %w", len(texts)+1, err)
		}
		switch {
		case line.Text != nil:
			texts = append(texts, *line.Text)
		case line.Query != nil:
			for len(queries) < len(texts) {
				queries = append(queries, false)
			}
			texts, queries = append(texts, *line.Query), append(queries, true)
			continue
		default:
			return nil, nil, fmt.Errorf(`text %d has neither "text" nor "query"`, len(texts)+1)
		}
		if queries != nil {
			queries = append(queries, false)
		}
	}
}

// apart yields the texts that are no queries, then the queries.
func apart(texts []string, queries []bool) iter.Seq2[bool, []string] {
	return func(yield func(bool, []string) bool) {
		if queries == nil {
			yield(false, texts)
			return
		}
		var of [2][]string
		for i, t := range texts {
			k := 0
			if queries[i] {
				k = 1
			}
			of[k] = append(of[k], t)
		}
		if yield(false, of[0]) {
			yield(true, of[1])
		}
	}
}

// roles is an embedder for texts of which some are queries.
type roles struct {
	embed.Embedder
	queries []bool // one per text; nil means none
}

// embed makes the vectors of texts, of which the first is number at of all.
func (r roles) embed(ctx context.Context, at int, texts []string, progress embed.Progress) (all vector.Matrix, err error) {
	if r.queries == nil {
		return r.Embed(ctx, texts, progress)
	}
	queries, done := r.queries[at:at+len(texts)], 0
	for query, some := range apart(texts, queries) {
		model := r.Embedder
		if query {
			model = embed.For(model, embed.Queries)
		}
		if len(some) == 0 {
			continue
		}
		if model == nil {
			return all, fmt.Errorf("%s has no vectors of queries", r.ID())
		}
		m, err := model.Embed(ctx, some, func(n, _ int) error { return progress(done+n, len(texts)) })
		if err != nil {
			return all, err
		}
		if all.Rows == 0 {
			all = vector.New(len(texts), m.Dim)
		}
		row := 0
		for i, is := range queries {
			if is == query {
				copy(all.Row(i), m.Row(row))
				row++
			}
		}
		done += len(some)
	}
	return all, nil
}
