package weaviate

import (
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

func TestWeaviate(t *testing.T) {
	address, options, _ := enginetest.Weaviate(t, 1)
	enginetest.Suite(t, func(t testing.TB, collection string) remote.Engine {
		a, err := remote.ParseAddress(address + collection + options)
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
