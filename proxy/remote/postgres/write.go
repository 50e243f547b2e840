package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"

	"seam/proxy/remote"
)

// writeWithin bounds a batch, and indexWithin the creation of a vector index.
const (
	writeWithin = 2 * time.Minute
	indexWithin = 6 * time.Hour
)

// worthAnIndex is the number of vectors from which the speed of an index is worth its
// errors. With fewer, comparing all of them takes some 10 ms.
const worthAnIndex = 20000

// mostIndexed is the most dimensions for which pgvector can create an index. Such a vector
// also fits into a row of an 8 kB page.
const mostIndexed = 2000

// staged lists the columns that COPY fills. The column of words is computed from the title,
// the sections and the text.
var staged = []string{"id", "file", "digest", "facets", "section", "page_first", "page_last", "record", "title", "body", "embedding"}

// Upsert implements remote.Engine. It copies into a temporary table of the transaction, and
// from there into the collection.
func (e *Engine) Upsert(ctx context.Context, chunks []remote.Chunk) error {
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	rows := make([][]any, len(chunks))
	for i, c := range chunks {
		var err error
		if rows[i], err = row(c); err != nil {
			return err
		}
	}
	return e.explain(pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `CREATE TEMP TABLE staged (id uuid, file text, digest text, facets text[], section text, page_first int, page_last int,
			record jsonb, title text, body text, embedding vector) ON COMMIT DROP`)
		if err != nil {
			return err
		}
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"staged"}, staged, pgx.CopyFromRows(rows)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, fmt.Sprintf(`INSERT INTO %s SELECT id, file, digest, facets, section, page_first, page_last, record,
			setweight(to_tsvector(c.words::regconfig, title), 'B') || to_tsvector(c.words::regconfig, body), embedding
			FROM staged, (SELECT words FROM seam_collections WHERE name = $1) c
			ON CONFLICT (id) DO UPDATE SET file = EXCLUDED.file, digest = EXCLUDED.digest, facets = EXCLUDED.facets, section = EXCLUDED.section,
			page_first = EXCLUDED.page_first, page_last = EXCLUDED.page_last, record = EXCLUDED.record, words = EXCLUDED.words, embedding = EXCLUDED.embedding`, e.table), e.address.Collection)
		return err
	}))
}

// mostWords is how many bytes of a text are indexed for words: a tsvector, which also
// stores word positions, is limited to a megabyte. Only chunks without a maximum length are
// longer.
const mostWords = 400_000

// row returns a chunk as the columns of staged. PostgreSQL's texts cannot hold NUL, so a
// space replaces it, which has the same length.
func row(c remote.Chunk) ([]any, error) {
	clean := func(s *string) { *s = strings.ReplaceAll(*s, "\x00", " ") }
	for _, s := range []*string{&c.File, &c.Chunk, &c.Title, &c.Section, &c.Header, &c.Text, &c.Reason} {
		clean(s)
	}
	c.Labels = slices.Clone(c.Labels)
	for i := range c.Labels {
		clean(&c.Labels[i])
	}
	meta := map[string][]string{}
	for name, values := range c.Meta {
		values = slices.Clone(values)
		for i := range values {
			clean(&values[i])
		}
		clean(&name)
		meta[name] = values
	}
	c.Meta = meta
	record, err := json.Marshal(c.Record)
	if err != nil {
		return nil, err
	}
	facets := append([]string{}, c.Facets()...) // not NULL
	first, last := c.Span()
	var embedding any
	if c.Vector != nil {
		embedding = pgvector.NewVector(c.Vector)
	}
	body := c.Text
	if len(body) > mostWords {
		body = strings.ToValidUTF8(body[:mostWords], "")
	}
	return []any{[16]byte(c.ID), c.File, c.Digest, facets, strings.ToLower(c.Section), first, last, record, c.Title + " " + c.Section, body, embedding}, nil
}

// Remove implements remote.Engine.
func (e *Engine) Remove(ctx context.Context, ids []uuid.UUID) error {
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	all := make([][16]byte, len(ids))
	for i, id := range ids {
		all[i] = id
	}
	_, err := e.pool.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE id = ANY($1)`, e.table), all)
	return e.explain(err)
}

// Delete implements remote.Engine.
func (e *Engine) Delete(ctx context.Context, file string) error {
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	_, err := e.pool.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE file = $1`, e.table), file)
	return e.explain(err)
}

// Settle implements remote.Engine. It creates the vector index once there are enough
// vectors. Building it at once is several times faster than adding the vectors one by one.
func (e *Engine) Settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, indexWithin)
	defer cancel()
	if _, err := e.pool.Exec(ctx, `ANALYZE `+e.table); err != nil {
		return e.explain(err)
	}
	n, err := e.Count(ctx)
	if err != nil || e.address.Index == "exact" || n < worthAnIndex {
		return err
	}
	index := pgx.Identifier{e.address.Collection + "_vectors"}
	var there bool
	if err := e.pool.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, index.Sanitize()).Scan(&there); err != nil || there {
		return e.explain(err)
	}
	return e.explain(e.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error { return e.makeIndex(ctx, conn, index.Sanitize(), n) }))
}

// makeIndex creates the index of n vectors in memory, as far as the server has enough.
// pgvector adds the rest one by one, which is slower. If the server has less memory than
// requested (in a container, /dev/shm has 64 MB, shared by several workers), makeIndex
// tries again with the default memory and without workers. Vectors too long for an index
// get none, and searches compare all of them.
func (e *Engine) makeIndex(ctx context.Context, conn *pgxpool.Conn, index string, n int) error {
	var dimensions, cached int
	err := conn.QueryRow(ctx, `SELECT dimensions, pg_size_bytes(current_setting('effective_cache_size')) >> 20 FROM seam_collections WHERE name = $1`, e.address.Collection).Scan(&dimensions, &cached)
	if err != nil || dimensions > mostIndexed {
		return err
	}
	create := fmt.Sprintf(`CREATE INDEX IF NOT EXISTS %s ON %s USING hnsw (embedding vector_cosine_ops)`, index, e.table)
	memory := min(max(1024, cached/2), n*(4*dimensions+bytesOfNode)>>20+64)
	_, err = conn.Exec(ctx, fmt.Sprintf(`SET maintenance_work_mem = '%dMB'; %s; RESET maintenance_work_mem`, memory, create))
	if db := (*pgconn.PgError)(nil); errors.As(err, &db) && strings.HasPrefix(db.Code, "53") { // resources
		_, err = conn.Exec(ctx, fmt.Sprintf(`SET max_parallel_maintenance_workers = 0; %s; RESET max_parallel_maintenance_workers`, create))
	}
	return err
}

// bytesOfNode is the memory that a vector needs in the index in addition to its numbers:
// its neighbours, a little more than 32 of 16 bytes each, and the id of its row.
const bytesOfNode = 1024
