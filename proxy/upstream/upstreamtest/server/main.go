// Command server runs the scripted provider as a program, for browser tests:
//
//	server --addr 127.0.0.1:9100 --script 'chunk-delay=50ms'
//
// It prints its base URL. --script applies to all requests. POST /script (one script per
// line) adds scripts to the queue. POST /by sets the responses to requests that contain
// certain texts. GET /requests lists the requests. A script in the queue that begins with
// "hold; " stops before its last word, or its vectors, until POST /release.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"seam/proxy/upstream/upstreamtest"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address on loopback; port 0 takes a free one")
	script := flag.String("script", "", "how to answer, see upstreamtest.ParseScript")
	dims := flag.Int("dims", 16, "dimensions of vectors")
	flag.Parse()
	if err := run(*addr, *script, *dims); err != nil {
		fmt.Fprintln(os.Stderr, "server:", err)
		os.Exit(1)
	}
}

func run(addr, script string, dims int) error {
	if host, _, err := net.SplitHostPort(addr); err != nil || !net.ParseIP(host).IsLoopback() {
		return fmt.Errorf("%s is no address on loopback", addr)
	}
	always, err := upstreamtest.ParseScript(script)
	if err != nil {
		return err
	}
	p := &upstreamtest.Provider{Dims: dims}
	p.Always(always)
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	fmt.Printf("http://%s/v1\n", listener.Addr())
	server := &http.Server{Handler: handler(p), ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

func handler(p *upstreamtest.Provider) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", p)
	var held gate
	mux.HandleFunc("POST /release", func(http.ResponseWriter, *http.Request) { held.release() })
	mux.HandleFunc("POST /script", func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<16))
		scripts, bad := parse(string(b), held.shut())
		if err := errors.Join(err, bad); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		p.Play(scripts...)
	})
	mux.HandleFunc("POST /by", func(w http.ResponseWriter, r *http.Request) {
		answer, err := by(http.MaxBytesReader(w, r.Body, 1<<16))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		p.By(answer)
	})
	mux.HandleFunc("GET /requests", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(list(p.Requests()))
	})
	return mux
}

// gate holds scripts until release. The zero gate is shut.
type gate struct {
	mu   sync.Mutex
	open chan struct{} // nil until a script waits
}

// shut returns a channel that the next release closes.
func (g *gate) shut() <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open == nil {
		g.open = make(chan struct{})
	}
	return g.open
}

func (g *gate) release() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open != nil {
		close(g.open)
		g.open = nil
	}
}

// parse parses scripts. A script that begins with "hold; " waits for held.
func parse(lines string, held <-chan struct{}) (scripts []upstreamtest.Script, err error) {
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		line, hold := strings.CutPrefix(line, "hold; ")
		s, err := upstreamtest.ParseScript(line)
		if err != nil {
			return nil, err
		}
		if hold {
			s.Hold = held
		}
		scripts = append(scripts, s)
	}
	return scripts, nil
}

// by parses a JSON list of rules. The first rule with texts that all occur in a request
// decides the response. Without rules all responses are good.
func by(from io.Reader) (func(*upstreamtest.Request) upstreamtest.Script, error) {
	var rules []struct {
		Has    []string `json:"has"`
		Script string   `json:"script"`
	}
	if err := json.NewDecoder(from).Decode(&rules); err != nil {
		return nil, err
	}
	scripts := make([]upstreamtest.Script, len(rules))
	for i, rule := range rules {
		var err error
		if scripts[i], err = upstreamtest.ParseScript(rule.Script); err != nil {
			return nil, err
		}
	}
	return func(r *upstreamtest.Request) upstreamtest.Script {
		for i, rule := range rules {
			if !slices.ContainsFunc(rule.Has, func(text string) bool { return !strings.Contains(string(r.Body), text) }) {
				return scripts[i]
			}
		}
		return upstreamtest.Script{}
	}, nil
}

type arrived struct {
	Path  string          `json:"path"`
	Model string          `json:"model"`
	Texts int             `json:"texts"`
	Gone  bool            `json:"gone"` // the client disconnected
	Done  bool            `json:"done"`
	Body  json.RawMessage `json:"body"`
}

func list(requests []*upstreamtest.Request) []arrived {
	all := []arrived{}
	for _, r := range requests {
		all = append(all, arrived{r.Path, r.Model, len(r.Texts), closed(r.Gone()), closed(r.Done()), r.Body})
	}
	return all
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
