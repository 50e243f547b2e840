package weaviate

import (
	"context"
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

func TestCut(t *testing.T) {
	enginetest.Cut(t, func(t testing.TB, w *enginetest.Network) (func(...int) remote.Engine, func(context.Context) (int, error)) {
		w.Weaviate(t)
		return func(nodes ...int) remote.Engine {
				return opened(t, "weaviate://"+w.Hosts(8080, nodes...)+"/cut?replicas=3&tls=off")
			}, func(ctx context.Context) (healthy int, err error) {
				var got struct{ Nodes []struct{ Status string } }
				err = enginetest.Ask(ctx, "http://"+w.Hosts(8080, 1)+"/v1/nodes", &got)
				for _, n := range got.Nodes {
					if n.Status == "HEALTHY" {
						healthy++
					}
				}
				return healthy, err
			}
	})
}
