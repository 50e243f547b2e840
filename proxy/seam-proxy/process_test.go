package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

const (
	site   = "https://docs.example.org"
	canary = "sk-canary-0123456789abcdef"
)

// hang is how long a test waits for expected events.
const hang = 3 * time.Minute

var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "seam-proxy")
	if err == nil {
		binary = filepath.Join(dir, "seam-proxy")
		var out []byte
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err = build.CombinedOutput(); err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// process is a running proxy and its output.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	file  string // its configuration
	url   string
	admin string
	ended chan error

	mu    sync.Mutex
	log   bytes.Buffer
	wrote chan struct{} // signals new text in log
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.wrote <- struct{}{}:
	default:
	}
	return p.log.Write(b)
}

func (p *process) logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

const common = `
listen: 127.0.0.1:0
admin: 127.0.0.1:0
state: STATE
origins: [https://docs.example.org]
session: {work: 4}
providers:
  - name: scripted
    base_url: UPSTREAM
    key_file: KEY
    models:
      - {id: e, kind: embed, dimensions: 16, price: 10}
      - {id: c, kind: chat, price: 10, price_out: 20}
budget: {day: {tokens: 100000}, address: {tokens: 50000}}
log: {level: debug}
drain: 2m
`

// setUp writes a configuration with its files.
func setUp(t *testing.T, yaml, upstream string) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "seam-proxy.yaml")
	write(t, filepath.Join(dir, "key"), canary+"\n")
	write(t, file, strings.NewReplacer("STATE", filepath.Join(dir, "state"), "UPSTREAM", upstream, "KEY", filepath.Join(dir, "key")).Replace(yaml))
	return dir, file
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// start runs the program until the test ends.
func start(t *testing.T, file string, flags ...string) *process {
	t.Helper()
	return startAs(t, file, exec.Command(binary, append(flags, "--config", file)...))
}

// startAs is start with a given command.
func startAs(t *testing.T, file string, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{t: t, cmd: cmd, file: file, ended: make(chan error, 1), wrote: make(chan struct{}, 1)}
	p.cmd.Stderr = p
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("the log:\n%s", p.logged())
		}
	})
	lines := bufio.NewScanner(io.TeeReader(out, p))
	for p.url == "" && lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), "kill switch are at "); ok {
			p.admin = strings.TrimSuffix(after, "/")
		}
		if _, after, ok := strings.Cut(lines.Text(), "models at "); ok {
			p.url = after
		}
	}
	go func() {
		io.Copy(p, out)
		p.ended <- p.cmd.Wait()
	}()
	if p.url == "" {
		t.Fatalf("it did not start: %v\n%s", <-p.ended, p.logged())
	}
	return p
}

// post sends JSON like a page of the site.
func (p *process) post(path string, header http.Header, body any) (*http.Response, string) {
	p.t.Helper()
	b, err := json.Marshal(body)
	if frame, ok := body.(protocol.Message); ok {
		b, err = protocol.Encode(frame)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, p.url+path, bytes.NewReader(b))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header = header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	if r.Header.Get("Origin") == "" {
		r.Header.Set("Origin", site)
	}
	return p.do(r)
}

func (p *process) do(r *http.Request) (*http.Response, string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	resp, err := http.DefaultTransport.RoundTrip(r.WithContext(ctx))
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp, string(b)
}

func (p *process) get(url string) (int, string) {
	p.t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	resp, body := p.do(r)
	return resp.StatusCode, body
}

// token does the work for a token and returns it.
func (p *process) token() string {
	p.t.Helper()
	return p.tokenOf(site)
}

// tokenOf is token for a page of that site.
func (p *process) tokenOf(origin string) string {
	p.t.Helper()
	from := http.Header{"Origin": {origin}}
	resp, body := p.post(protocol.PathSession, from, protocol.SessionRequest{})
	var reply protocol.SessionReply
	if err := json.Unmarshal([]byte(body), &reply); err != nil || resp.StatusCode != 200 || reply.Puzzle == nil {
		p.t.Fatalf("%d %s", resp.StatusCode, body)
	}
	ask := protocol.SessionRequest{Challenge: reply.Puzzle.Challenge}
	for !protocol.Solves(ask.Challenge, reply.Puzzle.Bits, ask.N) {
		ask.N++
	}
	_, body = p.post(protocol.PathSession, from, ask)
	if err := json.Unmarshal([]byte(body), &reply); err != nil || reply.Token == "" {
		p.t.Fatal(body)
	}
	return reply.Token
}

// socket is a session.
type socket struct {
	t   *testing.T
	ws  *websocket.Conn
	ctx context.Context
}

func (p *process) dial(origin string) (*socket, *http.Response, error) {
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	p.t.Cleanup(cancel)
	h := http.Header{}
	if origin != "" {
		h.Set("Origin", origin)
	}
	ws, resp, err := websocket.Dial(ctx, p.url+protocol.PathSocket, &websocket.DialOptions{HTTPHeader: h, Subprotocols: []string{protocol.Subprotocol}})
	if err != nil {
		return nil, resp, err
	}
	p.t.Cleanup(func() { ws.CloseNow() })
	ws.SetReadLimit(protocol.MaxReply)
	return &socket{p.t, ws, ctx}, resp, nil
}

func (p *process) connect() *socket {
	p.t.Helper()
	s, _, err := p.dial(site)
	if err != nil {
		p.t.Fatal(err)
	}
	s.send(&protocol.Init{Token: p.token(), Client: "test"})
	if m := s.next(); protocol.TypeOf(m) != protocol.TypeAck {
		p.t.Fatalf("%+v instead of ack", m)
	}
	return s
}

func (s *socket) send(m protocol.Message) {
	s.t.Helper()
	b, err := protocol.Encode(m)
	if err == nil {
		err = s.ws.Write(s.ctx, websocket.MessageText, b)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// next reads a text frame, and skips vectors before it.
func (s *socket) next() protocol.Message {
	s.t.Helper()
	for {
		kind, b, err := s.ws.Read(s.ctx)
		if err != nil {
			s.t.Fatal(err)
		}
		if kind == websocket.MessageBinary {
			continue
		}
		m, _, err := protocol.DecodeServer(b)
		if err != nil {
			s.t.Fatal(err)
		}
		return m
	}
}

// embed requests vectors, and returns the error code or "".
func (s *socket) embed(id uint32, texts ...string) protocol.Code {
	s.t.Helper()
	s.send(&protocol.Embed{ID: id, Model: "e", Texts: texts})
	if e, ok := s.next().(*protocol.Err); ok {
		return e.Code
	}
	return ""
}

func (s *socket) closed() websocket.StatusCode {
	for {
		if _, _, err := s.ws.Read(s.ctx); err != nil {
			return websocket.CloseStatus(err)
		}
	}
}

func provider(t *testing.T) (*upstreamtest.Provider, string) {
	t.Helper()
	p := &upstreamtest.Provider{Dims: 16}
	s := httptest.NewServer(p)
	t.Cleanup(s.Close)
	return p, s.URL + "/v1"
}

func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// wait waits until the log contains says that many times.
func (p *process) wait(says string, times int) {
	p.t.Helper()
	for end := time.After(hang); strings.Count(p.logged(), says) < times; {
		select {
		case <-p.wrote:
		case <-end:
			p.t.Fatalf("the log never says %q", says)
		}
	}
}
