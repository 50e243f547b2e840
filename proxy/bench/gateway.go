package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"

	"seam/shared/protocol"
)

// The gateway is compared with direct calls to the provider, and with a plain
// httputil.ReverseProxy. Provider and client are in this process, each proxy in its own.
// The three take turns with every single call.

const (
	benchDims  = 1536
	benchCalls = 2000 // of one text
	benchLarge = 300  // of 64 texts, and streams
)

// reverseMain runs this program as a plain reverse proxy.
func reverseMain(target string) error {
	u, err := url.Parse(target)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("models at http://%s\n", l.Addr())
	proxy := httputil.NewSingleHostReverseProxy(u)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // otherwise it prints each failed call
	return http.Serve(l, proxy)
}

// program starts a proxy and returns its address.
func program(name string, args ...string) (cmd *exec.Cmd, address string, err error) {
	cmd = exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, after, ok := strings.Cut(lines.Text(), "models at "); ok {
			go io.Copy(io.Discard, out)
			return cmd, after, nil
		}
	}
	return nil, "", fmt.Errorf("%s did not start", name)
}

// benchGateway prints the overhead of the gateway.
func benchGateway() error {
	dir, err := os.MkdirTemp("", "seam-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	vector := make([]byte, 0, 4*benchDims)
	for i := range benchDims {
		vector = binary.LittleEndian.AppendUint32(vector, math.Float32bits(float32(i)))
	}
	provider := &standIn{vector: base64.StdEncoding.EncodeToString(vector), gone: make(chan time.Time, 1)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go http.Serve(l, provider)
	base := "http://" + l.Addr().String()
	binary := filepath.Join(dir, "seam-proxy")
	if out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "./proxy/seam-proxy").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	reverse, reverseAt, err := program(self, "reverse", base)
	if err != nil {
		return err
	}
	defer reverse.Process.Kill()
	seam, pid, stop, err := openSeam(binary, filepath.Join(dir, "memory"), base, "0")
	if err != nil {
		return err
	}
	defer stop()
	disk, _, stopDisk, err := openSeam(binary, filepath.Join(dir, "disk"), base, "256MB")
	if err != nil {
		return err
	}
	defer stopDisk()
	return report(seam, disk, direct{reverseAt}, direct{base}, provider, pid)
}

// openSeam starts a proxy with that size of disk cache, and connects to it.
func openSeam(binary, dir, base, disk string) (side *gatewaySide, pid int, stop func(), err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, 0, nil, err
	}
	file := filepath.Join(dir, "seam-proxy.yaml")
	config := fmt.Sprintf("listen: 127.0.0.1:0\nstate: %s\norigins: [http://localhost:1]\nlimits: {messages: 100000}\nbudget: {day: {tokens: 0, dollars: 0}}\ncache: {memory: 8MB, disk: %s}\n"+
		"providers: [{name: p, base_url: '%s/v1', models: [{id: e, kind: embed}, {id: c, kind: chat}, {id: endless, kind: chat}]}]\nlog: {level: warn}\n", filepath.Join(dir, "state"), disk, base)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return nil, 0, nil, err
	}
	proxy, at, err := program(binary, "--config", file)
	if err != nil {
		return nil, 0, nil, err
	}
	ws, _, err := websocket.Dial(context.Background(), at+protocol.PathSocket, &websocket.DialOptions{
		HTTPHeader: http.Header{"Origin": {"http://localhost:1"}}, Subprotocols: []string{protocol.Subprotocol}})
	stop = func() {
		if ws != nil {
			ws.CloseNow()
		}
		_ = proxy.Process.Kill()
	}
	if err != nil {
		stop()
		return nil, 0, nil, err
	}
	ws.SetReadLimit(1 << 20)
	side = &gatewaySide{ws: ws}
	if err = side.send(&protocol.Init{Client: "bench"}); err == nil {
		err = side.until(protocol.TypeAck)
	}
	if err != nil {
		stop()
	}
	return side, proxy.Process.Pid, stop, err
}

func report(seam, disk *gatewaySide, reverse, straight direct, provider *standIn, pid int) error {
	fmt.Printf("\n%-34s %30s %22s %22s\n", "gateway, one connection, ms", "seam-proxy p50 / p99", "ReverseProxy", "direct")
	n := 0
	one := func(s side) error { n++; return s.embed([]string{fmt.Sprint("text ", n)}) }
	many := func(s side) error {
		texts := make([]string, 64)
		for i := range texts {
			n++
			texts[i] = fmt.Sprint("text ", n)
		}
		return s.embed(texts)
	}
	rest := func(s side) error { // everything after the first word
		if g, ok := s.(*gatewaySide); ok {
			return g.until(protocol.TypeEnd)
		}
		return nil
	}
	for _, job := range []struct {
		name   string
		calls  int
		do     func(side) error
		after  func(side) error
		within string
	}{
		{"one text, 1536 dimensions", benchCalls, one, nil, "0.1 / 1"},
		{"64 texts, 1536 dimensions", benchLarge, many, nil, "2"},
		{"first word of an answer", benchLarge, func(s side) error { return s.first() }, rest, "0.6"},
	} {
		sides := []side{seam, reverse, straight, disk}
		times, lost := make([][]float64, len(sides)), 0
		for i := range job.calls + 50 {
			for j, s := range sides {
				took, err := timed(func() error { return job.do(s) })
				if err == nil && job.after != nil {
					err = job.after(s)
				}
				if err != nil && j == 1 { // golang.org/issue/40747 or similar: the peer loses some calls
					lost++
					continue
				}
				if err != nil {
					return fmt.Errorf("%s: %w", job.name, err)
				}
				if i >= 50 {
					times[j] = append(times[j], took)
				}
			}
		}
		p := func(j int, q float64) float64 {
			slices.Sort(times[j])
			return times[j][min(len(times[j])-1, int(q*float64(len(times[j]))))]
		}
		fmt.Printf("%-34s %30s %22s %22s\n", job.name, fmt.Sprintf("%.3f / %.3f", p(0, .5), p(0, .99)), fmt.Sprintf("%.3f / %.3f", p(1, .5), p(1, .99)), fmt.Sprintf("%.3f / %.3f", p(2, .5), p(2, .99)))
		fmt.Printf("%-34s %30s %22s   (to be within %s)\n", "  added to direct", fmt.Sprintf("%+.3f / %+.3f", p(0, .5)-p(2, .5), p(0, .99)-p(2, .99)), fmt.Sprintf("%+.3f / %+.3f", p(1, .5)-p(2, .5), p(1, .99)-p(2, .99)), job.within)
		fmt.Printf("%-34s %30s\n", "  with the cache on disk", fmt.Sprintf("%+.3f / %+.3f", p(3, .5)-p(2, .5), p(3, .99)-p(2, .99)))
		if lost > 0 {
			fmt.Printf("  (ReverseProxy failed in %d of %d calls)\n", lost, job.calls+50)
		}
	}
	var repeated []float64
	for range benchLarge {
		took, err := timed(func() error { return seam.embed([]string{"the same again"}) })
		if err != nil {
			return err
		}
		repeated = append(repeated, took)
	}
	slices.Sort(repeated)
	fmt.Printf("%-34s %30.3f\n", "a text of the cache", repeated[len(repeated)/2])
	var cancels []float64
	for range 50 {
		seam.id++
		if err := seam.send(&protocol.Chat{ID: seam.id, Model: "endless", Messages: []protocol.ChatMessage{{Role: "user", Content: "?"}}}); err != nil {
			return err
		}
		if err := seam.until(protocol.TypeDelta); err != nil {
			return err
		}
		began := time.Now()
		if err := seam.send(&protocol.Cancel{ID: seam.id}); err != nil {
			return err
		}
		cancels = append(cancels, float64((<-provider.gone).Sub(began).Microseconds())/1000)
		if err := seam.until(protocol.TypeErr); err != nil {
			return err
		}
	}
	slices.Sort(cancels)
	fmt.Printf("%-34s %30s   (to be within 50)\n", "cancel reaches the provider", fmt.Sprintf("%.3f / %.3f", cancels[25], cancels[49]))
	if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); err == nil {
		_, after, _ := strings.Cut(string(b), "VmHWM:")
		after, _, _ = strings.Cut(after, "\n")
		fmt.Printf("%-34s %30s   (to be within 64 MB)\n", "most memory of seam-proxy", strings.TrimSpace(after))
	}
	return nil
}
