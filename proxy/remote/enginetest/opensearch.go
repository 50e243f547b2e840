package enginetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// OpenSearch starts a cluster of n nodes, and returns their addresses:
// opensearch://host,host/
func OpenSearch(t testing.TB, n int) (address string, nodes []*Process) {
	t.Helper()
	installed(t, openSearch, true)
	sites := make([]openSearchNode, n)
	for i, ports := 0, freePorts(t, 2*n); i < n; i++ {
		sites[i] = openSearchNode{loopback, ports[2*i], ports[2*i+1]}
	}
	return startOpenSearch(t, sites)
}

const openSearch = "opensearch/opensearch-*/.ready"

// openSearchNode is the site of a node, with its ports for other nodes and for clients.
type openSearchNode struct {
	site
	peers, clients int
}

func startOpenSearch(t testing.TB, sites []openSearchNode) (address string, nodes []*Process) {
	t.Helper()
	home := filepath.Dir(installed(t, openSearch, true))
	var seeds, names, hosts []string
	for i, s := range sites {
		seeds, names = append(seeds, fmt.Sprintf("%s:%d", s.peer, s.peers)), append(names, fmt.Sprintf("n%d", i))
		hosts = append(hosts, fmt.Sprintf("%s:%d", s.client, s.clients))
	}
	for i, s := range sites {
		dir := folder(t)
		config := filepath.Join(dir, "config")
		if err := os.CopyFS(config, os.DirFS(filepath.Join(home, "config"))); err != nil {
			t.Fatal(err)
		}
		settings := fmt.Sprintf("cluster.name: seam-test\nnode.name: %s\nhttp.host: %s\nhttp.port: %d\ntransport.host: %s\ntransport.port: %d\npath.data: %[6]s/data\npath.logs: %[6]s/logs\n"+
			"discovery.seed_hosts: [%[7]s]\ncluster.initial_cluster_manager_nodes: [%[8]s]\ncluster.routing.allocation.disk.threshold_enabled: false\n",
			names[i], s.client, s.clients, s.peer, s.peers, dir, strings.Join(seeds, ","), strings.Join(names, ","))
		// Nodes notice a vanished node after 10 s instead of 30.
		for _, check := range []string{"leader", "follower"} {
			settings += fmt.Sprintf("cluster.fault_detection.%[1]s_check.timeout: 5s\ncluster.fault_detection.%[1]s_check.retry_count: 2\n", check)
		}
		// Remove JVM options that name log files in missing folders.
		options, err := os.ReadFile(filepath.Join(config, "jvm.options"))
		if err != nil {
			t.Fatal(err)
		}
		options = regexp.MustCompile(`(?m)^.*(gc\.log|logs/).*$`).ReplaceAll(options, nil)
		for name, content := range map[string][]byte{"opensearch.yml": []byte(settings), "jvm.options": options} {
			if err := os.WriteFile(filepath.Join(config, name), content, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		own(t, dir)
		nodes = append(nodes, s.start(t, dir, []string{"OPENSEARCH_PATH_CONF=" + config, "OPENSEARCH_JAVA_OPTS=-Xms768m -Xmx768m", "OPENSEARCH_JAVA_HOME=" + javaHome(t)}, "bash", filepath.Join(home, "bin/opensearch")))
	}
	for i, host := range hosts {
		await(t, nodes[i], func(ctx context.Context) error {
			return Ask(ctx, fmt.Sprintf("http://%s/_cluster/health?wait_for_nodes=%d&timeout=30s", host, len(sites)), nil)
		})
	}
	return "opensearch://" + strings.Join(hosts, ",") + "/", nodes
}

// javaHome returns the folder of the installed Java.
func javaHome(t testing.TB) string {
	java, err := exec.LookPath("java")
	if err == nil {
		java, err = filepath.EvalSymlinks(java)
	}
	if err != nil {
		t.Skipf("Java is not installed: %v", err)
	}
	return filepath.Dir(filepath.Dir(java))
}
