package gateway

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

// now returns the number of bytes counted, and the highest number so far.
func (a *account) now() (used, highest int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.used, a.highest
}

// connectFrom opens a session from the address 127.0.0.N of this machine, with small socket
// buffers.
func connectFrom(t *testing.T, url string, n int) *client {
	t.Helper()
	d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(n))}, Control: func(_, _ string, c syscall.RawConn) (err error) {
		if e := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) }); e != nil {
			err = e
		}
		return err
	}}
	transport := &http.Transport{DialContext: d.DialContext}
	t.Cleanup(transport.CloseIdleConnections)
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	t.Cleanup(cancel)
	ws, _, err := websocket.Dial(ctx, url+protocol.PathSocket, &websocket.DialOptions{HTTPClient: &http.Client{Transport: transport},
		HTTPHeader: http.Header{"Origin": {site}}, Subprotocols: []string{protocol.Subprotocol}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.CloseNow() })
	ws.SetReadLimit(4 << 20)
	c := &client{t, ws, ctx}
	c.send(&protocol.Init{Client: "test"})
	if _, ok := c.next().(*protocol.Ack); !ok {
		t.Fatal("no ack")
	}
	return c
}

// Clients that ask for much and read nothing or give no credit do not make the proxy exceed
// its limit, and other clients are still served.
func TestHeldInAll(t *testing.T) {
	const most, dims, texts = 24 << 20, 1536, 256
	cfg := config(t)
	cfg.Held, cfg.PerCaller, cfg.Messages = most, 1000, 1000
	cfg.Limits.Credits = 16
	var performed atomic.Int64 // bytes of vectors
	g, url := serve(t, cfg, script{embed: func(ctx context.Context, all []string) ([][]float32, error) {
		performed.Add(int64(4 * dims * len(all)))
		return ofLength(dims)(ctx, all)
	}})
	var hostile sync.WaitGroup
	var all []*client
	for i := range 36 {
		c := connectFrom(t, url, 2+i%6)
		all = append(all, c)
		hostile.Go(func() {
			for id := uint32(1); ; id++ {
				m := &protocol.Embed{ID: id, Model: "e", Texts: make([]string, texts)}
				data, err := protocol.Encode(m)
				if err != nil || c.ws.Write(c.ctx, websocket.MessageText, data) != nil {
					return // it was cut
				}
				if id%4 == 0 { // its four places are taken, so it gets no answers
					return
				}
			}
		})
		if i%3 == 0 { // reads, and gives no credit
			hostile.Go(func() { c.closed() })
		}
	}
	honest := connectFrom(t, url, 99)
	for id := uint32(1); id <= 20; id++ {
		honest.send(&protocol.Embed{ID: id, Model: "e", Texts: make([]string, 64)})
		for ended := false; !ended; {
			kind, data, err := honest.ws.Read(honest.ctx)
			if err != nil {
				t.Fatalf("request %d: %v", id, err)
			}
			if kind == websocket.MessageBinary {
				honest.send(&protocol.Credit{ID: id, N: 1})
				continue
			}
			m, _, err := protocol.DecodeServer(data)
			if err != nil {
				t.Fatal(err)
			}
			if _, ended = m.(*protocol.End); !ended {
				t.Fatalf("request %d of a client that reads: %+v", id, m)
			}
		}
	}
	used, highest := g.account.now()
	t.Logf("%d MB were held at most, %d MB are; %d MB of vectors were asked for", highest>>20, used>>20, performed.Load()>>20)
	if highest > most || highest < most/2 {
		t.Errorf("%d bytes were held at most: limit %d", highest, most)
	}
	for _, c := range all {
		c.ws.CloseNow()
	}
	hostile.Wait()
	honest.ws.CloseNow()
	g.wg.Wait() // of the sessions
	if used, _ := g.account.now(); used != 0 || len(g.account.callers) != 0 || len(g.account.writers) != 0 {
		t.Errorf("%d bytes of %d addresses and %d writers are held for nobody", used, len(g.account.callers), len(g.account.writers))
	}
}

// Nothing is requested from a provider for a client that does not take its answers.
func TestNothingForWhoDoesNotRead(t *testing.T) {
	cfg := config(t)
	cfg.Limits.Credits, cfg.Limits.InFlight = 1, 2
	asked := make(chan int, 10)
	g, url := serve(t, cfg, script{embed: func(ctx context.Context, all []string) ([][]float32, error) {
		asked <- len(all)
		return ofLength(1536)(ctx, all)
	}})
	c := connect(t, url)
	c.send(&protocol.Embed{ID: 1, Model: "e", Texts: make([]string, 256)}) // seven frames, credit for one
	<-asked
	if kind, _, err := c.ws.Read(c.ctx); err != nil || kind != websocket.MessageBinary {
		t.Fatal(kind, err)
	}
	for bytes := 0; bytes <= untaken; time.Sleep(time.Millisecond) { // wait until the other frames are queued
		if c.ctx.Err() != nil {
			t.Fatalf("%d bytes wait", bytes)
		}
		g.mu.Lock()
		for p := range g.open {
			bytes, _ = p.link.(*conn).out.waits(time.Now())
		}
		g.mu.Unlock()
	}
	c.send(&protocol.Embed{ID: 2, Model: "e", Texts: make([]string, 3)})
	c.send(&protocol.Ping{})
	if _, ok := c.next().(*protocol.Pong); !ok { // request 2 has begun by now
		t.Fatal("no pong")
	}
	c.send(&protocol.Cancel{ID: 2})
	c.failed(2, protocol.Cancelled)
	if len(asked) > 0 {
		t.Error("a request was performed for a client that does not read")
	}
	c.send(&protocol.Embed{ID: 3, Model: "e", Texts: make([]string, 3)})
	c.send(&protocol.Credit{ID: 1, N: 100})
	if n := <-asked; n != 3 {
		t.Errorf("%d texts", n)
	}
}

// An answer that exceeds the limit is refused at once, without waiting for room.
func TestNeverHeld(t *testing.T) {
	cfg := config(t)
	cfg.Held = 1 << 20
	_, url := serve(t, cfg, script{embed: ofLength(8)})
	c := connect(t, url)
	c.send(&protocol.Embed{ID: 1, Model: "e", Texts: make([]string, 256), Dimensions: 3072})
	c.failed(1, protocol.TooLarge)
	c.send(&protocol.Embed{ID: 2, Model: "e", Texts: make([]string, 2)})
	if kind, _, err := c.ws.Read(c.ctx); err != nil || kind != websocket.MessageBinary {
		t.Errorf("%v frame: %v", kind, err)
	}
}

// For any sequence of reserving, giving back, cutting and cancelling, the account never
// exceeds its limit and ends at zero.
func TestAccount(t *testing.T) {
	for seed := range uint64(30) {
		synctest.Test(t, func(t *testing.T) {
			a := newAccount()
			a.limit(1 << 20)
			var all sync.WaitGroup
			var granted, refused atomic.Int64
			for n := range 40 {
				all.Go(func() {
					r := rand.New(rand.NewPCG(seed, uint64(n)))
					to := tab{a, admission.Caller(fmt.Sprint(n % 7))}
					for range 20 {
						ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.IntN(5000))*time.Millisecond)
						bytes := r.IntN(400 << 10)
						if to.reserve(ctx, bytes) == nil {
							granted.Add(1)
							time.Sleep(time.Duration(r.IntN(1000)) * time.Millisecond)
							to.give(bytes)
						} else {
							refused.Add(1)
						}
						cancel()
					}
				})
			}
			all.Wait()
			if used, highest := a.now(); used != 0 || highest > 1<<20 || len(a.callers) != 0 || a.waiting != 0 || granted.Load() == 0 || refused.Load() == 0 {
				t.Errorf("seed %d: %d bytes left, %d at most, %d waiting, %d granted, %d refused", seed, used, highest, a.waiting, granted.Load(), refused.Load())
			}
		})
	}
}
