package opensearch

import (
	"context"
	"errors"
	"testing"

	"seam/proxy/remote"
	"seam/proxy/remote/enginetest"
)

func TestCut(t *testing.T) {
	enginetest.Cut(t, func(t testing.TB, w *enginetest.Network) (func(...int) remote.Engine, func(context.Context) (int, error)) {
		w.OpenSearch(t)
		return func(nodes ...int) remote.Engine {
				return enginetest.Opened(t, "opensearch://"+w.Hosts(9200, nodes...)+"/cut?replicas=3&tls=off", open)
			}, func(ctx context.Context) (int, error) {
				var got struct {
					Nodes  int    `json:"number_of_nodes"`
					Status string `json:"status"`
				}
				err := enginetest.Ask(ctx, "http://"+w.Hosts(9200, 1)+"/_cluster/health", &got)
				if err == nil && got.Nodes == 3 && got.Status != "green" {
					err = errors.New("it has not caught up yet")
				}
				return got.Nodes, err
			}
	})
}
