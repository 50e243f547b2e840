package link

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// The browser's transport (wasm/bridge/network) is tested with the same proxy, over a
// websocket and over HTTP. Node replaces the browser.
func TestWasm(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles a program")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node")
	}
	program := filepath.Join(t.TempDir(), "network.test")
	build := exec.Command("go", "test", "-c", "-o", program, "seam/wasm/bridge/network")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, text := range texts(500) {
		for _, x := range upstreamtest.Vector(text, 16) {
			h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
	}
	for _, overHTTP := range []bool{false, true} {
		r := newRig(t)
		if overHTTP {
			whole := r.Handler()
			r.Handle(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
				if strings.HasSuffix(q.URL.Path, protocol.PathSocket) {
					http.NotFound(w, q)
					return
				}
				whole.ServeHTTP(w, q)
			}))
		}
		run := exec.Command(filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "go_js_wasm_exec"), program, "-test.v")
		// The environment must be small: a large one does not fit into the memory where
		// Go's js port puts it.
		run.Env = []string{"HOME=" + os.Getenv("HOME"), "PATH=" + os.Getenv("PATH"), "NODE_OPTIONS=--experimental-websocket", "SEAM_TEST_PROXY=" + r.URL, "SEAM_TEST_TOKEN=" + linktest.Token,
			"SEAM_TEST_SUM=" + hex.EncodeToString(h.Sum(nil)), "SEAM_TEST_ANSWER=" + strings.Join(upstreamtest.Words, "")}
		out, err := run.CombinedOutput()
		if err != nil || strings.Contains(string(out), "SKIP") {
			t.Errorf("over HTTP %v: %v\n%s", overHTTP, err, out)
		}
		if n := r.Sockets.Load(); n != 2 { // one per test, whether it opens or not
			t.Errorf("over HTTP %v: %d websockets", overHTTP, n)
		}
	}
}
