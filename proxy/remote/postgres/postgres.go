// Package postgres stores collections in PostgreSQL with pgvector: a table for each, with
// its shape in the table seam_collections.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"seam/proxy/remote"
)

// Engine is a collection in a database.
type Engine struct {
	address remote.Address
	pool    *pgxpool.Pool
	table   string // quoted

	common atomic.Pointer[frequencies]
}

// Open returns an Engine, which connects on first use. key is the password; if it is empty,
// the password is looked up as in psql, in PGPASSWORD and ~/.pgpass.
func Open(a remote.Address, key string) (*Engine, error) {
	c, err := pgxpool.ParseConfig(dsn(a))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a, err)
	}
	if key != "" {
		c.ConnConfig.Password = key
	}
	c.ConnConfig.DialFunc = remote.Dialer().DialContext
	// Otherwise the planner, which underestimates the cost of matching words, scans the
	// whole table for words that occur in a tenth of it.
	c.ConnConfig.RuntimeParams["enable_seqscan"] = "off"
	c.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		there, err := extended(ctx, conn)
		if err != nil || !there {
			return err
		}
		return pgxvector.RegisterTypes(ctx, conn)
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a, err)
	}
	return &Engine{address: a, pool: pool, table: pgx.Identifier{a.Collection}.Sanitize()}, nil
}

// connectWithin bounds the wait for one host.
const connectWithin = 5 * time.Second

// dsn converts an address to the form of libpq.
func dsn(a remote.Address) string {
	var hosts, ports []string
	for _, h := range a.Hosts {
		host, port, _ := net.SplitHostPort(h)
		hosts, ports = append(hosts, host), append(ports, port)
	}
	quote := func(s string) string {
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
	}
	s := fmt.Sprintf("host=%s port=%s dbname=%s connect_timeout=%d application_name=seam", quote(strings.Join(hosts, ",")), quote(strings.Join(ports, ",")), quote(a.Database), int(connectWithin.Seconds()))
	if a.User != "" {
		s += " user=" + quote(a.User)
	}
	switch {
	case !a.TLS:
		s += " sslmode=disable"
	case a.CA != "":
		s += " sslmode=verify-full sslrootcert=" + quote(a.CA)
	default:
		s += " sslmode=verify-full"
	}
	return s
}

func extended(ctx context.Context, conn *pgx.Conn) (there bool, err error) {
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector')`).Scan(&there)
	return there, err
}

// explain turns an error of the database into a sentence.
func (e *Engine) explain(err error) error {
	var db *pgconn.PgError
	if u := remote.Unverified(e.address, err); u != nil {
		return u
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled):
		return err
	case !errors.As(err, &db):
		return remote.Unavailable(e.address, err)
	case strings.HasPrefix(db.Code, "28") || db.Code == "42501": // authorization, insufficient privilege
		return remote.Denied(e.address, errors.New(db.Message))
	case strings.HasPrefix(db.Code, "08") || strings.HasPrefix(db.Code, "57P") || strings.HasPrefix(db.Code, "53") || strings.HasPrefix(db.Code, "40") || db.Code == "55P03" || db.Code == "25006": // connection, shutdown, resources, rollback, lock, read-only
		return remote.Unavailable(e.address, errors.New(db.Message))
	}
	return fmt.Errorf("%s: %s", e.address, db.Message)
}

// askWithin bounds every request except writes.
const askWithin = 30 * time.Second

// Shape implements remote.Engine.
func (e *Engine) Shape(ctx context.Context) (*remote.Shape, error) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	var s remote.Shape
	err := e.pool.QueryRow(ctx, `SELECT version, embedder, embedder_name, dimensions, metric, words FROM seam_collections WHERE name = $1`, e.address.Collection).
		Scan(&s.Version, &s.Embedder, &s.Name, &s.Dimensions, &s.Metric, &s.Words)
	var db *pgconn.PgError
	if errors.Is(err, pgx.ErrNoRows) || errors.As(err, &db) && db.Code == "42P01" { // undefined table
		return nil, nil
	}
	if err != nil {
		return nil, e.explain(err)
	}
	return &s, nil
}

// Create implements remote.Engine.
func (e *Engine) Create(ctx context.Context, s remote.Shape) error {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	err := pgx.BeginFunc(ctx, e.pool, func(tx pgx.Tx) error {
		// Concurrent calls of Create would conflict in the catalogue.
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(7308332)`); err != nil {
			return err
		}
		if err := e.createVector(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS seam_collections (name text PRIMARY KEY, version int NOT NULL, embedder text NOT NULL,
			embedder_name text NOT NULL, dimensions int NOT NULL, metric text NOT NULL, words text NOT NULL, made timestamptz NOT NULL DEFAULT now())`); err != nil {
			return err
		}
		made, err := tx.Exec(ctx, `INSERT INTO seam_collections VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`,
			e.address.Collection, s.Version, s.Embedder, s.Name, s.Dimensions, s.Metric, s.Words)
		if err != nil || made.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, fmt.Sprintf(`CREATE TABLE %[1]s (
			id uuid PRIMARY KEY, file text NOT NULL, digest text NOT NULL, facets text[] NOT NULL, section text NOT NULL, page_first int NOT NULL, page_last int NOT NULL,
			record jsonb NOT NULL, words tsvector NOT NULL, embedding vector(%[2]d))`, e.table, s.Dimensions))
		if err != nil {
			return err
		}
		// Keep vectors in their rows, and let the other columns of long rows be stored
		// elsewhere: most searches read only vectors. Longer vectors do not fit into a row.
		if s.Dimensions <= mostIndexed {
			if _, err = tx.Exec(ctx, fmt.Sprintf(`ALTER TABLE %s ALTER COLUMN embedding SET STORAGE PLAIN`, e.table)); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, fmt.Sprintf(`CREATE INDEX ON %[1]s USING hash (file); CREATE INDEX ON %[1]s USING gin (words); CREATE INDEX ON %[1]s USING gin (facets)`, e.table))
		return err
	})
	if db := (*pgconn.PgError)(nil); errors.As(err, &db) && db.Code == "42P07" {
		return fmt.Errorf("%s: the database has a table of that name that is not a Seam collection: choose another name", e.address)
	}
	if err == nil {
		e.pool.Reset() // existing connections do not know the type yet
	}
	return e.explain(err)
}

func (e *Engine) createVector(ctx context.Context, tx pgx.Tx) error {
	there, err := extended(ctx, tx.Conn())
	if err != nil || there {
		return err
	}
	_, err = tx.Exec(ctx, `CREATE EXTENSION vector`)
	return err
}

// Health implements remote.Engine.
func (e *Engine) Health(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectWithin*time.Duration(len(e.address.Hosts)))
	defer cancel()
	return e.explain(e.pool.Ping(ctx))
}

// Close implements remote.Engine.
func (e *Engine) Close() error {
	e.pool.Close()
	return nil
}
