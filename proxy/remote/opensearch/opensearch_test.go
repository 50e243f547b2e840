package opensearch

import (
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

func TestOpenSearch(t *testing.T) {
	address, _ := enginetest.OpenSearch(t, 1)
	enginetest.Suite(t, func(t testing.TB, collection string) remote.Engine {
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
	})
}
