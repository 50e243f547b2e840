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
	return func(t testing.TB, collection string) remote.Engine { return opened(t, address+collection) }
}

// opened opens the collection of an address.
func opened(t testing.TB, address string) remote.Engine {
	a, err := remote.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open(a, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func TestTLS(t *testing.T) {
	address, _ := enginetest.Postgres(t)
	enginetest.TLS(t, address+"sealed", func(a remote.Address, key string) (remote.Engine, error) { return Open(a, key) })
}
