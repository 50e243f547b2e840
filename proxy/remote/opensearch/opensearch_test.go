package opensearch

import (
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

func TestOpenSearch(t *testing.T) { enginetest.Suite(t, started) }

func TestScale(t *testing.T) { enginetest.Scale(t, started) }

func TestCluster(t *testing.T) {
	enginetest.Cluster(t, func(t testing.TB) (remote.Engine, []*enginetest.Process) {
		address, nodes := enginetest.OpenSearch(t, 3)
		return opened(t, address+"cluster?replicas=3"), nodes
	})
}

// started starts one node, and opens collections in it.
func started(t testing.TB) enginetest.Opener {
	address, _ := enginetest.OpenSearch(t, 1)
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

func TestUgly(t *testing.T) {
	enginetest.Ugly(t, remote.OpenSearch, func(a remote.Address, key string) (remote.Engine, error) { return Open(a, key) })
}

func TestTLS(t *testing.T) {
	address, _ := enginetest.OpenSearch(t, 1)
	enginetest.TLS(t, address+"sealed", func(a remote.Address, key string) (remote.Engine, error) { return Open(a, key) })
}
