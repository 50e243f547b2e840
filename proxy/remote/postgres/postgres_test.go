package postgres

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

func TestPostgres(t *testing.T) { enginetest.Suite(t, started) }

func TestScale(t *testing.T) { enginetest.Scale(t, started) }

// started starts a node, and opens collections in it.
func started(t testing.TB) enginetest.Opener {
	address, _ := enginetest.Postgres(t)
	return func(t testing.TB, collection string) remote.Engine {
		return enginetest.Opened(t, address+collection, open)
	}
}

// open adapts Open to the tests of all engines.
func open(a remote.Address, key string) (remote.Engine, error) { return Open(a, key) }

func TestTLS(t *testing.T) {
	address, _ := enginetest.Postgres(t)
	enginetest.TLS(t, address+"sealed", open)
}

// Vectors too long for a page or for an index are stored and found.
func TestLongVectors(t *testing.T) {
	address, _ := enginetest.Postgres(t)
	for _, dimensions := range []int{mostIndexed, 3072} {
		e := enginetest.Opened(t, fmt.Sprint(address, "long", dimensions), open).(*Engine)
		shape := remote.Shape{Version: remote.Version, Embedder: "x", Name: "x", Dimensions: dimensions, Metric: remote.Cosine, Words: "english"}
		if err := e.Create(t.Context(), shape); err != nil {
			t.Fatal(err)
		}
		var chunks []remote.Chunk
		for i := range 3 {
			c := remote.ChunkOf(remote.Record{File: "a.md", Chunk: fmt.Sprint("c", i), Text: strings.Repeat("some words ", 1000), End: 11000})
			c.Vector = make([]float32, dimensions)
			for at := range c.Vector {
				c.Vector[at] = float32((i+at)%3) - .5
			}
			chunks = append(chunks, c)
		}
		if err := errors.Join(e.Upsert(t.Context(), chunks), e.Settle(t.Context())); err != nil {
			t.Fatalf("%d numbers: %v", dimensions, err)
		}
		err := e.pool.AcquireFunc(t.Context(), func(conn *pgxpool.Conn) error { return e.makeIndex(t.Context(), conn, "long_index", len(chunks)) })
		if err != nil {
			t.Errorf("%d numbers: %v", dimensions, err)
		}
		hits, err := e.Search(t.Context(), remote.Query{Vector: chunks[1].Vector, Mode: remote.Dense, K: 1})
		if err != nil || len(hits) != 1 || hits[0].ID != chunks[1].ID {
			t.Errorf("%d numbers: %v, %v", dimensions, hits, err)
		}
	}
}

// A text with more words than PostgreSQL can index is stored whole, and found by its first
// words.
func TestLongText(t *testing.T) {
	address, _ := enginetest.Postgres(t)
	e := enginetest.Opened(t, address+"longtext", open)
	shape := remote.Shape{Version: remote.Version, Embedder: "x", Name: "x", Dimensions: 2, Metric: remote.Cosine, Words: "english"}
	if err := e.Create(t.Context(), shape); err != nil {
		t.Fatal(err)
	}
	text := strings.Builder{}
	text.WriteString("mills")
	for i := 0; text.Len() < 4<<20; i++ {
		fmt.Fprintf(&text, " ä%x", i*7919)
	}
	c := remote.ChunkOf(remote.Record{File: "a.txt", Chunk: "c", Text: text.String(), End: text.Len()})
	if err := errors.Join(e.Upsert(t.Context(), []remote.Chunk{c}), e.Settle(t.Context())); err != nil {
		t.Fatal(err)
	}
	hits, err := e.Search(t.Context(), remote.Query{Text: "mill", Mode: remote.Keyword, K: 1})
	if err != nil || len(hits) != 1 || hits[0].Text != c.Text {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}
