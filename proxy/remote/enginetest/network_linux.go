package enginetest

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Network connects nodes by two bridges, and every node's network has an end in each. The
// nodes reach each other by the inner one, and this process reaches them by the outer one.
// The outer addresses are in the range for benchmarks, which leads nowhere else. The inner
// addresses are loopback addresses, which the kernel is set to route: a node of OpenSearch
// checks the limits of the whole machine if others reach it by any other address.
type Network struct{ nodes []*node }

// node is the network of one node. A thread of this process belongs to it, and starts the
// programs that run in it.
type node struct {
	thread int
	work   chan func()
}

// apartEnv has the name of the test that runs in its own network.
const apartEnv = "SEAM_TEST_APART"

// Apart runs a test again in a new process with its own network. The network and everything
// in it end with that process, in any case. The test is skipped if the user lacks the
// rights for this.
func Apart(t *testing.T, test func(*testing.T)) {
	t.Helper()
	if os.Getenv(apartEnv) == t.Name() {
		test(t)
		return
	}
	if _, err := exec.LookPath("ip"); err != nil || os.Getuid() != 0 {
		t.Skip("a network between nodes is cut by root, with the program ip: this user is not, or it is not installed")
	}
	// A child dies with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v", "-test.count=1", "-test.timeout=15m")
	again.Env = append(os.Environ(), apartEnv+"="+t.Name())
	again.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	out, err := again.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	again.Stderr = again.Stdout
	if err := again.Start(); errors.Is(err, syscall.EPERM) {
		t.Skipf("a network of its own is not allowed here: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	skipped := false
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := lines.Text()
		skipped = skipped || strings.HasPrefix(line, "--- SKIP")
		if line != "PASS" && !strings.HasPrefix(line, "=== ") {
			t.Log(line)
		}
	}
	if err := again.Wait(); err != nil {
		t.Error(err)
	} else if skipped {
		t.SkipNow()
	}
}

// NewNetwork connects n nodes, in the network made by Apart.
func NewNetwork(t testing.TB, n int) *Network {
	t.Helper()
	if os.Getenv(apartEnv) == "" {
		t.Fatal("NewNetwork is for what runs Apart")
	}
	ip(t, "link set lo up")
	for wire, name := range wires {
		ip(t, "link add %s type bridge", name)
		ip(t, "link set %s address %s up", name, hardware(wire, 0))
	}
	ip(t, "addr add %s/24 dev %s", addressOf(outer, 0), wires[outer])
	w := &Network{}
	for i := range n {
		w.nodes = append(w.nodes, newNode())
		w.nodes[i].run(func() {
			ip(t, "link set lo up")
			ip(t, "addr del 127.0.0.1/8 dev lo")
			ip(t, "addr add 127.0.0.1/32 dev lo")
			// The makers of the engines advise this: connections to a vanished host end
			// after some seconds instead of a quarter of an hour.
			must(t, os.WriteFile("/proc/sys/net/ipv4/tcp_retries2", []byte("5"), 0))
		})
		for wire, name := range wires {
			ip(t, "link add %s%d type veth peer name %s address %s netns %d", name, i, name, hardware(wire, i+1), w.nodes[i].thread)
			ip(t, "link set %s%d master %s up", name, i, name)
			w.nodes[i].run(func() {
				ip(t, "addr add %s/24 dev %s", addressOf(wire, i+1), name)
				ip(t, "link set %s up", name)
				must(t, os.WriteFile("/proc/sys/net/ipv4/conf/"+name+"/route_localnet", []byte("1"), 0))
				for k := range n + 1 {
					if k != i+1 {
						known(t, wire, k)
					}
				}
			})
		}
		known(t, outer, i+1)
	}
	return w
}

// The two bridges.
const (
	inner = iota
	outer
)

var wires = [...]string{"inner", "outer"}

// addressOf returns the address of a node on a wire. Nodes count from 1; 0 is this process.
func addressOf(wire, node int) string {
	return fmt.Sprintf("%s.%d", [...]string{"127.18.0", "198.18.0"}[wire], 10+node)
}

func hardware(wire, node int) string { return fmt.Sprintf("02:00:00:00:%02x:%02x", wire, node) }

// known enters a node's hardware address into the network of the thread. Otherwise a failed
// lookup would report that the node has gone, but packets must vanish silently.
func known(t testing.TB, wire, node int) {
	ip(t, "neigh replace %s lladdr %s dev %s nud permanent", addressOf(wire, node), hardware(wire, node), wires[wire])
}

// ip runs the program ip in the network of the thread.
func ip(t testing.TB, format string, args ...any) {
	t.Helper()
	command := fmt.Sprintf(format, args...)
	if b, err := exec.Command("ip", strings.Fields(command)...).CombinedOutput(); err != nil {
		t.Errorf("ip %s: %v: %s", command, err, b)
	}
}

// newNode starts a thread with its own network, which lasts as long as the process.
func newNode() *node {
	n := &node{work: make(chan func())}
	made := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := unix.Unshare(unix.CLONE_NEWNET)
		n.thread = unix.Gettid()
		made <- err
		for f := range n.work {
			f()
		}
	}()
	if err := <-made; err != nil {
		panic(err) // Apart has done the same
	}
	return n
}

// run calls f in the network of the node.
func (n *node) run(f func()) {
	done := make(chan struct{})
	n.work <- func() {
		defer close(done)
		f()
	}
	<-done
}

// Part cuts a node off from the others; this process still reaches it.
func (w *Network) Part(t testing.TB, node int) { ip(t, "link set inner%d nomaster", node) }

// Vanish cuts a node off from everything: packets to and from it are lost.
func (w *Network) Vanish(t testing.TB, node int) {
	w.Part(t, node)
	ip(t, "link set outer%d nomaster", node)
}

// Heal ends a cut.
func (w *Network) Heal(t testing.TB, node int) {
	for _, name := range wires {
		ip(t, "link set %s%d master %s", name, node, name)
	}
}

// Hosts returns the hosts of an address for some nodes.
func (w *Network) Hosts(port int, nodes ...int) string {
	var all []string
	for _, n := range nodes {
		all = append(all, fmt.Sprintf("%s:%d", addressOf(outer, n+1), port))
	}
	return strings.Join(all, ",")
}

func (w *Network) site(node int) site {
	return site{client: addressOf(outer, node+1), peer: addressOf(inner, node+1), run: w.nodes[node].run}
}

// OpenSearch starts a node of OpenSearch in each node of the network.
func (w *Network) OpenSearch(t testing.TB) {
	t.Helper()
	var sites []openSearchNode
	for i := range w.nodes {
		sites = append(sites, openSearchNode{w.site(i), 9300, 9200})
	}
	_, nodes := startOpenSearch(t, sites)
	logOnFailure(t, nodes)
}

// Weaviate starts a node of Weaviate in each node of the network.
func (w *Network) Weaviate(t testing.TB) {
	t.Helper()
	var sites []weaviateNode
	for i := range w.nodes {
		sites = append(sites, weaviateNode{w.site(i), 8080, 50051, 6060, 7100, 8300})
	}
	_, _, nodes := startWeaviate(t, sites)
	logOnFailure(t, nodes)
}

// logOnFailure prints the last log lines of nodes if the test fails.
func logOnFailure(t testing.TB, nodes []*Process) {
	t.Cleanup(func() {
		for i, p := range nodes {
			if p.Kill(); t.Failed() {
				var said []string
				for line := range strings.Lines(p.log.String()) {
					if !strings.Contains(line, "[INFO ]") && !strings.HasPrefix(line, "\t") {
						said = append(said, line)
					}
				}
				t.Logf("node %d: %s", i, strings.Join(said[max(0, len(said)-30):], ""))
			}
		}
	})
}
