package enginetest

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
)

// Weaviate starts a cluster of n nodes. It returns their addresses, weaviate://host,host/,
// and the options to append after the name of a collection, ?grpc=port,port
func Weaviate(t testing.TB, n int) (address, options string, nodes []*Process) {
	t.Helper()
	installed(t, weaviate, true)
	ports, gossip, consensus := freePorts(t, 3*n), freePairs(t, n), freePairs(t, n)
	sites := make([]weaviateNode, n)
	for i := range sites {
		sites[i] = weaviateNode{loopback, ports[3*i], ports[3*i+1], ports[3*i+2], gossip[i], consensus[i]}
	}
	return startWeaviate(t, sites)
}

const weaviate = "weaviate/weaviate-server"

// weaviateNode is the site of a node, with its ports. Weaviate expects the data port to
// follow the gossip port, and uses another port after the consensus port.
type weaviateNode struct {
	site
	http, grpc, profile, gossip, raft int
}

func startWeaviate(t testing.TB, sites []weaviateNode) (address, options string, nodes []*Process) {
	t.Helper()
	server := installed(t, weaviate, true)
	var hosts, grpc, raft []string
	for i, s := range sites {
		hosts, grpc = append(hosts, fmt.Sprintf("%s:%d", s.client, s.http)), append(grpc, fmt.Sprint(s.grpc))
		raft = append(raft, fmt.Sprintf("weaviate-%d:%d", i, s.raft))
	}
	for i, s := range sites {
		dir := folder(t)
		env := []string{"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true", "AUTHENTICATION_APIKEY_ENABLED=true", "AUTHENTICATION_APIKEY_ALLOWED_KEYS=" + secret, "AUTHENTICATION_APIKEY_USERS=jane",
			"DEFAULT_VECTORIZER_MODULE=none", "ENABLE_MODULES=", "DISABLE_TELEMETRY=true", "LOG_LEVEL=warning",
			"QUERY_DEFAULTS_LIMIT=25", "PERSISTENCE_DATA_PATH=" + dir, fmt.Sprintf("CLUSTER_HOSTNAME=weaviate-%d", i), fmt.Sprintf("CLUSTER_IN_LOCALHOST=%t", s.peer == loopback.peer),
			"CLUSTER_ADVERTISE_ADDR=" + s.peer, fmt.Sprintf("GRPC_PORT=%d", s.grpc), fmt.Sprintf("CLUSTER_GOSSIP_BIND_PORT=%d", s.gossip), fmt.Sprintf("CLUSTER_DATA_BIND_PORT=%d", s.gossip+1),
			fmt.Sprintf("RAFT_PORT=%d", s.raft), fmt.Sprintf("RAFT_INTERNAL_RPC_PORT=%d", s.raft+1),
			"RAFT_JOIN=" + strings.Join(raft, ","), fmt.Sprintf("RAFT_BOOTSTRAP_EXPECT=%d", len(sites)), fmt.Sprintf("GO_PROFILING_PORT=%d", s.profile)}
		// For each search, BM25 reads the lengths of all texts not yet flushed to disk,
		// which by default happens after a minute. Flush sooner, so that the test measures
		// the state after that.
		env = append(env, "PERSISTENCE_MEMTABLES_FLUSH_DIRTY_AFTER_SECONDS=2")
		if i > 0 {
			env = append(env, fmt.Sprintf("CLUSTER_JOIN=%s:%d", sites[0].peer, sites[0].gossip))
		}
		p := s.start(t, dir, env, server, "--scheme", "http", "--host", s.client, "--port", fmt.Sprint(s.http), "--read-timeout=600s", "--write-timeout=600s")
		nodes = append(nodes, p)
		// The other nodes exit at once if the first is not listening yet.
		await(t, p, func(ctx context.Context) (err error) {
			s.run(func() {
				var c net.Conn
				if c, err = (&net.Dialer{}).DialContext(ctx, "tcp", fmt.Sprintf("%s:%d", s.peer, s.gossip)); err == nil {
					c.Close()
				}
			})
			return err
		})
	}
	for i, host := range hosts {
		await(t, nodes[i], func(ctx context.Context) error { return Ask(ctx, "http://"+host+"/v1/.well-known/ready", nil) })
	}
	return "weaviate://" + strings.Join(hosts, ",") + "/", "?grpc=" + strings.Join(grpc, ","), nodes
}
