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

// writeWithin bounds one batch, and indexWithin the making of an index of vectors.
const (
	writeWithin = 2 * time.Minute
	indexWithin = 6 * time.Hour
)

// worthAnIndex is from how many vectors on an index of them is worth its errors: below,
// all of them are compared in some 10 ms.
const worthAnIndex = 20000

// mostIndexed is how many numbers a vector may have at most that pgvector makes an index of;
// one of so many fits into a row of a page of 8 kB, too.
const mostIndexed = 2000

// staged are the columns of the table that COPY fills; the words are made of the title,
// the sections and the text.
var staged = []string{"id", "file", "digest", "facets", "section", "page_first", "page_last", "record", "title", "body", "embedding"}

// Upsert implements remote.Engine: a COPY into a table of the transaction's own, and from
// there over what is held.
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
	return e.told(pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error {
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

// mostWords is how many bytes of a text are looked through for words: a tsvector has a
// megabyte at most, in which words have their places, too. Only chunks without a maximum are
// longer.
const mostWords = 400_000

// row is a chunk as staged has it. PostgreSQL's texts hold no NUL: a blank, which is as
// long, takes its place.
func row(c remote.Chunk) ([]any, error) {
	clean := func(s *string) { *s = strings.ReplaceAll(*s, "\x00", " ") }
	for _, s := range []*string{&c.File, &c.Chunk, &c.Title, &c.Section, &c.Header, &c.Text, &c.Reason} {
		clean(s)
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
	facets := append([]string{}, c.Facets()...) // no NULL
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
	return e.told(err)
}

// Delete implements remote.Engine.
func (e *Engine) Delete(ctx context.Context, file string) error {
	ctx, cancel := context.WithTimeout(ctx, writeWithin)
	defer cancel()
	_, err := e.pool.Exec(ctx, fmt.Sprintf(`DELETE FROM %s WHERE file = $1`, e.table), file)
	return e.told(err)
}

// Settle implements remote.Engine. An index of the vectors is made when there are enough
// of them: of all at once, which is several times as fast as of one after the other.
func (e *Engine) Settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, indexWithin)
	defer cancel()
	if _, err := e.pool.Exec(ctx, `ANALYZE `+e.table); err != nil {
		return e.told(err)
	}
	n, err := e.Count(ctx)
	if err != nil || e.address.Index == "exact" || n < worthAnIndex {
		return err
	}
	index := pgx.Identifier{e.address.Collection + "_vectors"}
	var there bool
	if err := e.pool.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, index.Sanitize()).Scan(&there); err != nil || there {
		return e.told(err)
	}
	return e.told(e.pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error { return e.makeIndex(ctx, conn, index.Sanitize(), n) }))
}

// makeIndex makes the index of n vectors, in memory as far as the server has it: what does
// not fit is put in one after the other. A server that has less than that (in a container,
// /dev/shm of 64 MB, which several workers share) makes it again with what it has by default,
// without workers. Longer vectors than an index takes have none: all of them are compared.
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

// bytesOfNode is what a vector of the index needs in memory beside its numbers: its
// neighbours, 32 and some more of 16 bytes, and what names its row.
const bytesOfNode = 1024
