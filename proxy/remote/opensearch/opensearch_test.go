package opensearch

import (
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

func TestOpenSearch(t *testing.T) { enginetest.Suite(t, started(t)) }

func TestScale(t *testing.T) { enginetest.Scale(t, started(t)) }

// started starts one node, and opens collections in it.
func started(t *testing.T) func(t testing.TB, collection string) remote.Engine {
	address, _ := enginetest.OpenSearch(t, 1)
	return func(t testing.TB, collection string) remote.Engine {
		a, err := remote.ParseAddress(address + collection)
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
}
