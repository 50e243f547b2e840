// Package enginetest starts search engines for tests, and tries what every engine has to
// do. The programs of the engines are looked for in the folder that SEAM_ENGINES names, into
// which proxy/remote/enginetest/install.sh puts them.
package enginetest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// installed is a file of the folder; without it the test is left out. Weaviate and
// OpenSearch are large and slow: their tests are those of make test-scale, which names the
// folder.
func installed(t testing.TB, pattern string, large bool) string {
	t.Helper()
	folder := os.Getenv("SEAM_ENGINES")
	if folder == "" && large {
		t.Skip("SEAM_ENGINES is not set: make test-scale sets it")
	}
	folder = cmp.Or(folder, "/var/tmp/seam-engines")
	found, _ := filepath.Glob(filepath.Join(folder, pattern))
	if len(found) == 0 {
		t.Skipf("%s is not installed in %s: proxy/remote/enginetest/install.sh does that", pattern, folder)
	}
	return found[0]
}

// Within bounds the start of an engine.
const Within = time.Minute

// Process is a program of an engine.
type Process struct {
	*exec.Cmd
	ended chan struct{}
	log   bytes.Buffer
}

// start runs a program until the test ends; as another user where the test is root, as
// servers refuse to be it.
func start(t testing.TB, dir string, env []string, name string, args ...string) *Process {
	t.Helper()
	p := &Process{Cmd: exec.Command(name, args...), ended: make(chan struct{})}
	p.Dir, p.Env, p.Stdout, p.Stderr = dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, env...), &p.log, &p.log
	p.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Credential: nobody()}
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = p.Wait()
		close(p.ended)
	}()
	t.Cleanup(p.Kill)
	return p
}

// Kill ends the process as a power cut would, with its children, and waits for that.
func (p *Process) Kill() {
	_ = syscall.Kill(-p.Process.Pid, syscall.SIGKILL)
	<-p.ended
}

// nobody is a user that is not root, where the test is.
func nobody() *syscall.Credential {
	if os.Getuid() != 0 {
		return nil
	}
	return &syscall.Credential{Uid: 65534, Gid: 65534}
}

// folder makes one that the engines' user can write to.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "seam-engine-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if c := nobody(); c != nil {
		if err := os.Chown(dir, int(c.Uid), int(c.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// freePorts are some that nothing listens on.
func freePorts(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

// freePairs are ports that nothing listens on, as little as on the ones behind them.
func freePairs(t testing.TB, n int) (ports []int) {
	t.Helper()
	for range 1000 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		port := l.Addr().(*net.TCPAddr).Port
		next, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1))
		if err != nil {
			continue
		}
		defer next.Close()
		if ports = append(ports, port); len(ports) == n {
			return ports
		}
	}
	t.Fatal("no two free ports stand together")
	return nil
}

// await asks until there is an answer, or the process has ended.
func await(t testing.TB, p *Process, ask func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Within)
	defer cancel()
	for {
		err := ask(ctx)
		if err == nil {
			return
		}
		select {
		case <-p.ended:
			t.Fatalf("%s has ended: %s", p.Path, p.log.Bytes())
		case <-ctx.Done():
			t.Fatalf("%s does not answer: %v: %s", p.Path, err, p.log.Bytes())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Postgres starts PostgreSQL with pgvector, and returns its address, ready for a database
// and a collection: postgres://user@host/database/
func Postgres(t testing.TB) (address string, p *Process) {
	t.Helper()
	bin := filepath.Dir(installed(t, "pg/lib/python3*/site-packages/pgserver/pginstall/bin/postgres", false))
	dir := folder(t)
	data := filepath.Join(dir, "data")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "seam", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
	initdb.SysProcAttr = &syscall.SysProcAttr{Credential: nobody()}
	initdb.Dir = dir
	if b, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v: %s", err, b)
	}
	port := freePorts(t, 1)[0]
	p = start(t, dir, nil, filepath.Join(bin, "postgres"), "-D", data, "-p", fmt.Sprint(port), "-k", dir, "-c", "listen_addresses=127.0.0.1")
	await(t, p, func(ctx context.Context) error {
		ready := exec.CommandContext(ctx, filepath.Join(bin, "pg_isready"), "-h", "127.0.0.1", "-p", fmt.Sprint(port), "-d", "postgres")
		return ready.Run()
	})
	return fmt.Sprintf("postgres://seam@127.0.0.1:%d/postgres/", port), p
}

// OpenSearch starts a cluster of n nodes, and returns their addresses: opensearch://host,host/
func OpenSearch(t testing.TB, n int) (address string, nodes []*Process) {
	t.Helper()
	home := installed(t, "opensearch/opensearch-*/.ready", true)
	home = filepath.Dir(home)
	ports := freePorts(t, 2*n)
	var seeds, names, hosts []string
	for i := range n {
		seeds, names = append(seeds, fmt.Sprintf("127.0.0.1:%d", ports[2*i])), append(names, fmt.Sprintf("n%d", i))
		hosts = append(hosts, fmt.Sprintf("127.0.0.1:%d", ports[2*i+1]))
	}
	for i := range n {
		dir := folder(t)
		config := filepath.Join(dir, "config")
		if err := os.CopyFS(config, os.DirFS(filepath.Join(home, "config"))); err != nil {
			t.Fatal(err)
		}
		settings := fmt.Sprintf("cluster.name: seam-test\nnode.name: %s\nnetwork.host: 127.0.0.1\nhttp.port: %d\ntransport.port: %d\npath.data: %[4]s/data\npath.logs: %[4]s/logs\n"+
			"discovery.seed_hosts: [%[5]s]\ncluster.initial_cluster_manager_nodes: [%[6]s]\ncluster.routing.allocation.disk.threshold_enabled: false\n",
			names[i], ports[2*i+1], ports[2*i], dir, strings.Join(seeds, ","), strings.Join(names, ","))
		// The options of the JVM name files of logs that are not there.
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
		nodes = append(nodes, start(t, dir, []string{"OPENSEARCH_PATH_CONF=" + config, "OPENSEARCH_JAVA_OPTS=-Xms768m -Xmx768m", "OPENSEARCH_JAVA_HOME=" + javaHome(t)}, "bash", filepath.Join(home, "bin/opensearch")))
	}
	for i, host := range hosts {
		await(t, nodes[i], func(ctx context.Context) error {
			return answers(ctx, fmt.Sprintf("http://%s/_cluster/health?wait_for_nodes=%d&timeout=30s", host, n))
		})
	}
	return "opensearch://" + strings.Join(hosts, ",") + "/", nodes
}

// javaHome is the folder of the installed Java.
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

// own gives a folder with all in it to the engines' user.
func own(t testing.TB, dir string) {
	c := nobody()
	if c == nil {
		return
	}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, int(c.Uid), int(c.Gid))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// answers reports whether an address answers with a success.
func answers(ctx context.Context, address string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New(response.Status)
	}
	return nil
}

// Weaviate starts a cluster of n nodes, and returns their addresses with what stands behind
// the name of a collection: weaviate://host,host/ and ?grpc=port,port
func Weaviate(t testing.TB, n int) (address, options string, nodes []*Process) {
	t.Helper()
	server := installed(t, "weaviate/weaviate-server", true)
	const each = 3
	ports, gossip, consensus := freePorts(t, each*n), freePairs(t, n), freePairs(t, n)
	port := func(node, which int) string {
		switch {
		case which < each:
			return fmt.Sprint(ports[each*node+which])
		case which < each+2: // nodes take the port of data to be behind that of gossip
			return fmt.Sprint(gossip[node] + which - each)
		}
		return fmt.Sprint(consensus[node] + which - each - 2)
	}
	var hosts, grpc, raft []string
	for i := range n {
		hosts, grpc = append(hosts, "127.0.0.1:"+port(i, 0)), append(grpc, port(i, 1))
		raft = append(raft, fmt.Sprintf("weaviate-%d:%s", i, port(i, 5)))
	}
	for i := range n {
		dir := folder(t)
		env := []string{"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true", "DEFAULT_VECTORIZER_MODULE=none", "ENABLE_MODULES=", "DISABLE_TELEMETRY=true", "LOG_LEVEL=warning",
			"QUERY_DEFAULTS_LIMIT=25", "PERSISTENCE_DATA_PATH=" + dir, fmt.Sprintf("CLUSTER_HOSTNAME=weaviate-%d", i), "CLUSTER_IN_LOCALHOST=true", "CLUSTER_ADVERTISE_ADDR=127.0.0.1",
			"GRPC_PORT=" + port(i, 1), "CLUSTER_GOSSIP_BIND_PORT=" + port(i, 3), "CLUSTER_DATA_BIND_PORT=" + port(i, 4), "RAFT_PORT=" + port(i, 5), "RAFT_INTERNAL_RPC_PORT=" + port(i, 6),
			"RAFT_JOIN=" + strings.Join(raft, ","), fmt.Sprintf("RAFT_BOOTSTRAP_EXPECT=%d", n), "GO_PROFILING_PORT=" + port(i, 2)}
		// BM25 reads the lengths of all texts that are not on disk yet, for each search: what is
		// measured is what comes after, by default a minute later.
		env = append(env, "PERSISTENCE_MEMTABLES_FLUSH_DIRTY_AFTER_SECONDS=2")
		if i > 0 {
			env = append(env, "CLUSTER_JOIN=localhost:"+port(0, 3))
		}
		p := start(t, dir, env, server, "--scheme", "http", "--host", "127.0.0.1", "--port", port(i, 0), "--read-timeout=600s", "--write-timeout=600s")
		nodes = append(nodes, p)
		// The others end at once where the first does not listen yet.
		await(t, p, func(ctx context.Context) error {
			c, err := (&net.Dialer{}).DialContext(ctx, "tcp", "127.0.0.1:"+port(i, 3))
			if err == nil {
				c.Close()
			}
			return err
		})
	}
	for i, host := range hosts {
		await(t, nodes[i], func(ctx context.Context) error { return answers(ctx, "http://"+host+"/v1/.well-known/ready") })
	}
	return "weaviate://" + strings.Join(hosts, ",") + "/", "?grpc=" + strings.Join(grpc, ","), nodes
}
