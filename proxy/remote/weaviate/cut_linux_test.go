package weaviate

import (
	"context"
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

// A node of Weaviate (1.35.2) joins the others only when it starts. A node that was cut off
// until they have forgotten it must be restarted. The cuts here are shorter.
func TestCut(t *testing.T) {
	enginetest.Cut(t, func(t testing.TB, w *enginetest.Network) (func(...int) remote.Engine, func(context.Context) (int, error)) {
		w.Weaviate(t)
		return func(nodes ...int) remote.Engine {
			return enginetest.Opened(t, "weaviate://"+w.Hosts(8080, nodes...)+"/cut?replicas=3&tls=off", open)
		}, nil
	})
}
