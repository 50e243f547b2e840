package postgres

import (
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

func TestPostgres(t *testing.T) { enginetest.Suite(t, started) }

func TestScale(t *testing.T) { enginetest.Scale(t, started) }

// started starts one node, and opens collections in it.
func started(t testing.TB) enginetest.Opener {
	address, _ := enginetest.Postgres(t)
	return func(t testing.TB, collection string) remote.Engine {
		return enginetest.Opened(t, address+collection, open)
	}
}

// open is Open for the tests of all engines.
func open(a remote.Address, key string) (remote.Engine, error) { return Open(a, key) }

func TestTLS(t *testing.T) {
	address, _ := enginetest.Postgres(t)
	enginetest.TLS(t, address+"sealed", open)
}
