package weaviate

import (
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

func TestWeaviate(t *testing.T) { enginetest.Suite(t, started) }

func TestScale(t *testing.T) { enginetest.Scale(t, started) }

func TestCluster(t *testing.T) {
	enginetest.Cluster(t, func(t testing.TB) (remote.Engine, []*enginetest.Process) {
		address, options, nodes := enginetest.Weaviate(t, 3)
		return enginetest.Opened(t, address+"cluster"+options+"&replicas=3", open), nodes
	})
}

// started starts a node, and opens collections in it.
func started(t testing.TB) enginetest.Opener {
	address, options, _ := enginetest.Weaviate(t, 1)
	return func(t testing.TB, collection string) remote.Engine {
		return enginetest.Opened(t, address+collection+options, open)
	}
}

// open adapts Open to the tests of all engines.
func open(a remote.Address, key string) (remote.Engine, error) { return Open(a, key) }

func TestUgly(t *testing.T) {
	enginetest.Ugly(t, remote.Weaviate, open)
}

func TestTLS(t *testing.T) {
	address, _, _ := enginetest.Weaviate(t, 1)
	enginetest.TLS(t, address+"sealed", open)
}
