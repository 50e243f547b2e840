package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// long reports whether to run the full numbers of the design (`make test-long`,
// SEAM_LONG=1) instead of a sample. The proxy runs in a separate process.
func long() bool { return os.Getenv("SEAM_LONG") != "" }

const soak = `
listen: 127.0.0.1:0
admin: 127.0.0.1:0
state: STATE
origins: [http://localhost:1]
providers:
  - name: scripted
    base_url: UPSTREAM
    models:
      - {id: e, kind: embed, dimensions: 256}
      - {id: c, kind: chat}
budget: {day: {tokens: 0, dollars: 0}}
limits: {connections: 20000, per_address: 20000, messages: 1000}
cache: {memory: 16MB, disk: 0}
log: {level: error}
`

// rss returns the resident memory of a process in MB.
func (p *process) rss() int {
	p.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		p.t.Skipf("skipping: the memory of a process cannot be read here: %v", err)
	}
	_, after, _ := strings.Cut(string(b), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(after)[0])
	if err != nil {
		p.t.Fatal(err)
	}
	return kb >> 10
}

// open opens n sessions, a few at a time.
func (p *process) open(n int) []*socket {
	p.t.Helper()
	all := make([]*socket, n)
	var next atomic.Int64
	var failed atomic.Value
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || failed.Load() != nil {
					return
				}
				s, err := p.session()
				if err != nil {
					failed.Store(err)
					return
				}
				all[i] = s
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		p.t.Fatal(err)
	}
	return all
}

// session is like connect, but returns an error, for many sessions at once.
func (p *process) session() (*socket, error) {
	s, _, err := p.dial("http://localhost:1")
	if err != nil {
		return nil, err
	}
	b, err := protocol.Encode(&protocol.Init{Client: "soak"})
	if err == nil {
		err = s.ws.Write(s.ctx, websocket.MessageText, b)
	}
	if err == nil {
		_, _, err = s.ws.Read(s.ctx)
	}
	return s, err
}

// many raises the limit of open files, or skips the test.
func many(t *testing.T, n int) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil || limit.Max < uint64(n) {
		t.Skipf("skipping: %d open files are allowed here, %d are needed", limit.Max, n)
	}
	limit.Cur = limit.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Skipf("skipping: %v", err)
	}
}

// Idle sockets cost little memory, and active ones are still served.
func TestSoakIdle(t *testing.T) {
	n, most := 500, 80
	if long() {
		n, most = 10_000, 256
	}
	many(t, n+200)
	_, file := setUp(t, soak, serveMany(t, &upstreamtest.Provider{Dims: 256}))
	p := start(t, file)
	before := p.rss()
	all := p.open(n)
	if code := all[n-1].embed(1, "still served"); code != "" {
		t.Errorf("beside %d idle sockets: %s", n, code)
	}
	rss := p.rss()
	t.Logf("%d idle sockets: %d MB, %d before", n, rss, before)
	if rss > most {
		t.Errorf("%d MB for %d idle sockets: at most %d", rss, n, most)
	}
	p.signal(syscall.SIGTERM)
	if code := all[0].closed(); code != websocket.StatusServiceRestart {
		t.Errorf("closed with %d", code)
	}
	if err := <-p.ended; err != nil {
		t.Error(err)
	}
}

// Many sockets that all work at once get correct results.
func TestSoakBusy(t *testing.T) {
	n, rounds := 50, 4
	if long() {
		n, rounds = 1000, 20
	}
	many(t, 4*n)
	_, file := setUp(t, soak, serveMany(t, &upstreamtest.Provider{Dims: 256}))
	p := start(t, file)
	all := p.open(n)
	var asked, wrong atomic.Int64
	var wg sync.WaitGroup
	for i, s := range all {
		wg.Go(func() {
			for r := range rounds {
				texts := []string{"shared by all", fmt.Sprintf("text %d of round %d", i, r)}
				if err := s.exchange(uint32(r+1), texts, r%2 == 1); err != nil {
					wrong.Add(1)
					t.Errorf("socket %d, round %d: %v", i, r, err)
					return
				}
				asked.Add(1)
			}
		})
	}
	wg.Wait()
	rss := p.rss()
	t.Logf("%d busy sockets: %d requests, %d wrong, %d MB", n, asked.Load(), wrong.Load(), rss)
	if rss > 256 {
		t.Errorf("%d MB", rss)
	}
}

// serveMany starts a provider that accepts many connections at once.
func serveMany(t *testing.T, p http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return "http://" + l.Addr().String() + "/v1"
}

// exchange requests vectors or an answer, and checks the result.
func (s *socket) exchange(id uint32, texts []string, chat bool) error {
	return s.exchangeAs(256, id, texts, chat)
}

// exchangeOf is exchange for vectors of dims numbers.
func (s *socket) exchangeOf(dims int, id uint32, texts []string) error {
	return s.exchangeAs(dims, id, texts, false)
}

func (s *socket) exchangeAs(dims int, id uint32, texts []string, chat bool) error {
	var m protocol.Message = &protocol.Embed{ID: id, Model: "e", Texts: texts}
	if chat {
		m = &protocol.Chat{ID: id, Model: "c", Template: "answer", Question: "?", Passages: texts}
	}
	b, err := protocol.Encode(m)
	if err != nil {
		return err
	}
	if err := s.ws.Write(s.ctx, websocket.MessageText, b); err != nil {
		return err
	}
	rows, answer := protocol.NewRows(len(texts)), ""
	for {
		kind, b, err := s.ws.Read(s.ctx)
		if err != nil {
			return err
		}
		if kind == websocket.MessageBinary {
			h, numbers, err := protocol.ParseFrame(b)
			if err != nil {
				return err
			}
			if err := rows.Add(h, numbers); err != nil {
				return err
			}
			if b, err = protocol.Encode(&protocol.Credit{ID: id, N: 1}); err == nil {
				err = s.ws.Write(s.ctx, websocket.MessageText, b)
			}
			if err != nil {
				return err
			}
			continue
		}
		m, _, err := protocol.DecodeServer(b)
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case *protocol.Delta:
			answer += m.Delta
		case *protocol.End:
			if chat && answer == "" {
				return fmt.Errorf("an empty answer")
			}
			for i, text := range texts {
				if want := upstreamtest.Vector(text, dims); !chat && (!rows.Complete() || rows.Data[i*dims+3] != want[3]) {
					return fmt.Errorf("the vector of %q is another's", text)
				}
			}
			return nil
		default:
			return fmt.Errorf("%+v", m)
		}
	}
}
