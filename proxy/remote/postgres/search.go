package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"seam/proxy/remote"
)

// searchWithin bounds a search.
const searchWithin = 10 * time.Second

// Digests implements remote.Engine.
func (e *Engine) Digests(ctx context.Context, file string) (map[uuid.UUID]string, error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	rows, err := e.pool.Query(ctx, fmt.Sprintf(`SELECT id, digest FROM %s WHERE file = $1`, e.table), file)
	if err != nil {
		return nil, e.explain(err)
	}
	held := map[uuid.UUID]string{}
	var id [16]byte
	var digest string
	_, err = pgx.ForEachRow(rows, []any{&id, &digest}, func() error {
		held[id] = digest
		return nil
	})
	return held, e.explain(err)
}

// Documents implements remote.Engine.
func (e *Engine) Documents(ctx context.Context) ([]remote.Document, error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	rows, err := e.pool.Query(ctx, fmt.Sprintf(`SELECT file, count(*) FROM %s GROUP BY file ORDER BY file`, e.table))
	if err != nil {
		return nil, e.explain(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[remote.Document])
	return all, e.explain(err)
}

// Count implements remote.Engine.
func (e *Engine) Count(ctx context.Context) (n int, err error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	return n, e.explain(e.pool.QueryRow(ctx, `SELECT count(*) FROM `+e.table).Scan(&n))
}

// Search implements remote.Engine. The database makes both lists, and remote.Fuse merges
// them.
func (e *Engine) Search(ctx context.Context, q remote.Query) ([]remote.Hit, error) {
	ctx, cancel := context.WithTimeout(ctx, searchWithin)
	defer cancel()
	b := &pgx.Batch{}
	mode, k := q.ModeOf(), q.K
	if mode == remote.Hybrid {
		k = max(k, remote.FuseDepth)
	}
	var words, dense []remote.Hit
	if mode != remote.Keyword {
		e.queueDense(b, q, k, &dense)
	}
	if mode != remote.Dense {
		asked, err := e.lexemes(ctx, q.Words())
		if err != nil {
			return nil, err
		}
		e.queueWords(b, q, k, asked, &words)
	}
	if err := e.pool.SendBatch(ctx, b).Close(); err != nil {
		return nil, e.explain(err)
	}
	switch mode {
	case remote.Keyword:
		return words, nil
	case remote.Dense:
		return dense, nil
	}
	return remote.Fuse(words, dense, q.K), nil
}

// queueDense queues the query for the nearest chunks. An index finds the nearest of all
// vectors, and a filter might exclude every one of them. With a filter, therefore, all
// vectors that pass it are compared.
func (e *Engine) queueDense(b *pgx.Batch, q remote.Query, k int, to *[]remote.Hit) {
	args := pgx.NamedArgs{"vector": pgvector.NewVector(q.Vector), "k": k}
	where := conditions(q.Filter, args)
	from := e.table
	if where != "" {
		from = fmt.Sprintf(`(SELECT id, record, embedding FROM %s WHERE %s OFFSET 0) filtered`, e.table, where)
	}
	b.Queue(fmt.Sprintf(`SET hnsw.ef_search = %d`, min(1000, max(k, efSearch))))
	b.Queue(fmt.Sprintf(`SELECT id, record, 1 - (embedding <=> @vector) FROM %s WHERE embedding IS NOT NULL ORDER BY embedding <=> @vector LIMIT @k`, from), args).Query(collect(to))
}

// efSearch is how many candidates the index keeps during a search.
const efSearch = 100

// collect returns a function that reads hits.
func collect(to *[]remote.Hit) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var id [16]byte
		var record []byte
		var score float64
		_, err := pgx.ForEachRow(rows, []any{&id, &record, &score}, func() error {
			h := remote.Hit{ID: id, Score: score}
			if err := json.Unmarshal(record, &h.Record); err != nil {
				return fmt.Errorf("read a chunk: %w", err)
			}
			*to = append(*to, h)
			return nil
		})
		return err
	}
}

// conditions returns a filter as SQL.
func conditions(f remote.Filter, args pgx.NamedArgs) string {
	var all []string
	add := func(condition, name string, value any) {
		all, args[name] = append(all, condition), value
	}
	if f.File != "" {
		add("file = @file", "file", f.File)
	}
	for i, any := range f.Facets() {
		name := fmt.Sprintf("facet%d", i)
		add("facets && @"+name, name, any)
	}
	if f.Section != "" {
		add("strpos(section, @section) > 0", "section", strings.ToLower(f.Section))
	}
	if f.Pages[0] > 0 {
		add("page_last >= @first", "first", f.Pages[0])
	}
	if f.Pages[1] > 0 {
		add("page_first BETWEEN 1 AND @last", "last", f.Pages[1])
	}
	return strings.Join(all, " AND ")
}
