package postgres

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"seam/proxy/remote"
)

// PostgreSQL ranks a chunk by how often the words occur in it, regardless of their rarity,
// and ranks every chunk that has any of them. Here each word is weighted by its rarity,
// taken from the table's statistics. Only chunks with all of the words or with the rarest
// are ranked.

// frequencies has the share of chunks in which each of the most common lexemes occurs, as
// counted by ANALYZE.
type frequencies struct {
	of     map[string]float64
	least  float64 // the smallest share listed; rarer lexemes are not
	chunks float64
	read   time.Time
}

// readAgain is how long cached frequencies are used.
const readAgain = 10 * time.Minute

// candidates is how many chunks are ranked at most for all words, and again for the rarest.
const candidates = 500

// lexeme is a word of a query in the form of the index.
type lexeme struct {
	word  string
	share float64 // of the chunks
	idf   float64
}

// lexemes returns the words of a query, the rarest first.
func (e *Engine) lexemes(ctx context.Context, text string) (all []lexeme, err error) {
	f, err := e.frequencies(ctx)
	if err != nil {
		return nil, err
	}
	var words []string
	err = e.pool.QueryRow(ctx, `SELECT coalesce(tsvector_to_array(to_tsvector(words::regconfig, $1)), '{}') FROM seam_collections WHERE name = $2`, text, e.address.Collection).Scan(&words)
	if err != nil {
		return nil, e.explain(err)
	}
	for _, w := range words {
		share, listed := f.of[w]
		if !listed {
			share = f.least / 2
		}
		n := share * f.chunks
		// The weight of BM25 (Robertson and Spärck Jones), which is above 0 for all words.
		all = append(all, lexeme{w, share, math.Log(1 + (f.chunks-n+.5)/(n+.5))})
	}
	slices.SortStableFunc(all, func(a, b lexeme) int { return cmp.Compare(a.share, b.share) })
	return all, nil
}

// frequencies reads the statistics of the table.
func (e *Engine) frequencies(ctx context.Context) (*frequencies, error) {
	if f := e.common.Load(); f != nil && time.Since(f.read) < readAgain {
		return f, nil
	}
	f := &frequencies{of: map[string]float64{}, read: time.Now()}
	err := e.pool.QueryRow(ctx, `SELECT greatest(reltuples, 1) FROM pg_class WHERE oid = to_regclass($1)`, e.table).Scan(&f.chunks)
	if err != nil {
		return nil, e.explain(err)
	}
	rows, err := e.pool.Query(ctx, `SELECT word, share FROM pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs[1:cardinality(most_common_elems::text::text[])]) AS c(word, share)
		WHERE schemaname = current_schema() AND tablename = $1 AND attname = 'words'`, e.address.Collection)
	if err != nil {
		return nil, e.explain(err)
	}
	var word string
	var share float64
	_, err = pgx.ForEachRow(rows, []any{&word, &share}, func() error {
		f.of[word] = share
		return nil
	})
	if err != nil {
		return nil, e.explain(err)
	}
	for _, share := range f.of {
		if f.least == 0 || share < f.least {
			f.least = share
		}
	}
	e.common.Store(f)
	return f, nil
}

// queueWords queues the query for chunks with the words asked.
func (e *Engine) queueWords(b *pgx.Batch, q remote.Query, k int, asked []lexeme, to *[]remote.Hit) {
	if len(asked) == 0 {
		return
	}
	args := pgx.NamedArgs{"k": k, "most": max(candidates, k)}
	where := conditions(q.Filter, args)
	if where != "" {
		where = " AND " + where
	}
	var all, rare, sum []string
	rows := 0.0
	chunks := e.common.Load().chunks
	for i, l := range asked {
		quoted := "'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(l.word) + "'"
		word, idf := fmt.Sprintf("word%d", i), fmt.Sprintf("idf%d", i)
		args[word], args[idf] = quoted, l.idf
		all = append(all, quoted)
		sum = append(sum, fmt.Sprintf("@%s::float8 * ts_rank(words, @%s::tsquery, 1)", idf, word))
		if rows += l.share * chunks; i == 0 || rows <= candidates {
			rare = append(rare, quoted)
		}
	}
	args["all"], args["rare"] = strings.Join(all, " & "), strings.Join(rare, " | ")
	b.Queue(fmt.Sprintf(`WITH ranked AS (
			(SELECT id, %[3]s AS score FROM %[1]s WHERE words @@ @all::tsquery%[2]s LIMIT @most) UNION (SELECT id, %[3]s FROM %[1]s WHERE words @@ @rare::tsquery%[2]s LIMIT @most)
			ORDER BY score DESC, id LIMIT @k)
		SELECT id, record, score FROM ranked JOIN %[1]s USING (id) ORDER BY score DESC, id`, e.table, where, strings.Join(sum, " + ")), args).Query(collect(to))
}
