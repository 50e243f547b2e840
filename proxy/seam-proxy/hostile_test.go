package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
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

// Bombs, floods, giants, silence and clients that do not read neither exhaust memory nor
// block other clients.
func TestHostileClients(t *testing.T) {
	n := 20
	if long() {
		n = 200
	}
	many(t, 10*n)
	_, file := setUp(t, soak, serveMany(t, &upstreamtest.Provider{Dims: 256}))
	p := start(t, file)
	var sockets []*socket
	for range n {
		sockets = append(sockets, p.open(4)...)
	}
	var wg sync.WaitGroup
	for i := 0; i < len(sockets); i += 4 {
		giant, flood, greedy, bomb := sockets[i], sockets[i+1], sockets[i+2], sockets[i+3]
		wg.Go(func() { // 8 MB in one message
			giant.ws.Write(giant.ctx, websocket.MessageText, make([]byte, 8<<20))
			code := giant.closed() // -1: cut during the write; bad message: because of the floods it arrived too late
			if code != websocket.StatusMessageTooBig && code != protocol.CloseBadMessage && code != -1 {
				t.Errorf("a giant: closed with %d", code)
			}
		})
		wg.Go(func() {
			for flood.ws.Write(flood.ctx, websocket.MessageText, []byte(`{"type":"ping"}`)) == nil {
			}
		})
		wg.Go(func() { // requests all it may and reads nothing
			for id := uint32(1); id <= 100; id++ {
				texts := make([]string, 200)
				for j := range texts {
					texts[j] = fmt.Sprint("text ", j) // cached from the second time
				}
				b, err := protocol.Encode(&protocol.Embed{ID: id, Model: "e", Texts: texts})
				if err != nil || greedy.ws.Write(greedy.ctx, websocket.MessageText, b) != nil {
					return
				}
			}
		})
		wg.Go(func() { // only the server may send binary frames
			bomb.ws.Write(bomb.ctx, websocket.MessageBinary, make([]byte, 60_000))
			if code := bomb.closed(); code != protocol.CloseBadMessage && code != -1 {
				t.Errorf("a binary frame: closed with %d", code)
			}
		})
	}
	silent := make([]net.Conn, n)
	for i := range silent { // only the upgrade, then nothing
		c, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://localhost:1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"+
			"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: %s\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n", protocol.PathSocket, protocol.Subprotocol)
		silent[i] = c
	}
	highest := 0
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for watching := true; watching; {
		select {
		case <-done:
			watching = false
		case <-time.After(100 * time.Millisecond):
		}
		highest = max(highest, p.rss())
		if s, err := p.session(); err != nil || s.embed(1, "an honest client") != "" {
			t.Fatalf("an honest client is not served: %v", err)
		} else {
			s.ws.CloseNow()
		}
	}
	for i, c := range silent {
		c.SetReadDeadline(time.Now().Add(hang))
		b, _ := io.ReadAll(c) // ends when the proxy has closed it
		if !strings.HasPrefix(string(b), "HTTP/1.1 101") || strings.Contains(string(b), "permessage-deflate") {
			t.Fatalf("silent client %d: %.200q", i, b)
		}
	}
	t.Logf("%d hostile clients of each of five kinds: %d MB at most", n, highest)
	if highest > 256 {
		t.Errorf("%d MB", highest)
	}
}

// dialFrom opens a session from the address 127.0.0.N of this machine, with small buffers,
// so that unread data waits in the proxy.
func (p *process) dialFrom(n int) (*socket, error) {
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	p.t.Cleanup(cancel)
	d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(n))}, Control: func(_, _ string, c syscall.RawConn) (err error) {
		if e := c.Control(func(fd uintptr) { err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) }); e != nil {
			err = e
		}
		return err
	}}
	ws, _, err := websocket.Dial(ctx, p.url+protocol.PathSocket, &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: &http.Transport{DialContext: d.DialContext, DisableKeepAlives: true}},
		HTTPHeader: http.Header{"Origin": {"http://localhost:1"}}, Subprotocols: []string{protocol.Subprotocol}})
	if err != nil {
		return nil, err
	}
	p.t.Cleanup(func() { ws.CloseNow() })
	ws.SetReadLimit(protocol.MaxReply)
	s := &socket{p.t, ws, ctx}
	b, err := protocol.Encode(&protocol.Init{Client: "soak"})
	if err == nil {
		err = ws.Write(ctx, websocket.MessageText, b)
	}
	if err == nil {
		_, _, err = ws.Read(ctx)
	}
	return s, err
}

// Unread answers are bounded over all sessions. 122 sockets of six addresses request cached
// vectors as often as they may, and reconnect when they are cut. The process stays within
// its memory, and other clients are served.
func TestSoakUnread(t *testing.T) {
	const sockets, addresses, dims, most = 122, 6, 1536, 512
	rounds := 10
	if long() {
		rounds = 200
	}
	many(t, 2000)
	yaml := strings.NewReplacer("dimensions: 256", "dimensions: 1536", "memory: 16MB", "memory: 64MB").Replace(soak)
	_, file := setUp(t, yaml, serveMany(t, &upstreamtest.Provider{Dims: dims}))
	p := start(t, file)
	texts := make([]string, 256)
	for i := range texts {
		texts[i] = fmt.Sprint("text ", i)
	}
	warm, err := p.session()
	if err != nil {
		t.Fatal(err)
	}
	ask := func(s *socket, id uint32) error {
		b, err := protocol.Encode(&protocol.Embed{ID: id, Model: "e", Texts: texts})
		if err == nil {
			err = s.ws.Write(s.ctx, websocket.MessageText, b)
		}
		return err
	}
	if err := warm.exchangeOf(dims, 1, texts); err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var hostile sync.WaitGroup
	var opened atomic.Int64
	for i := range sockets {
		hostile.Go(func() {
			for {
				s, err := p.dialFrom(2 + i%addresses)
				if err == nil {
					opened.Add(1)
					for id := uint32(1); err == nil && id <= 4; id++ {
						err = ask(s, id)
					}
					for err == nil { // until it is cut
						select {
						case <-stop:
							err = net.ErrClosed
						case <-time.After(200 * time.Millisecond):
							err = s.ws.Write(s.ctx, websocket.MessageText, []byte(`{"type":"pong"}`))
						}
					}
					s.ws.CloseNow()
				}
				select {
				case <-stop:
					return
				case <-time.After(10 * time.Millisecond): // it was refused or cut
				}
			}
		})
	}
	highest, busy := 0, 0
	honest := texts[:32]
	for id := uint32(2); id < uint32(rounds)+2; id++ {
		for {
			err := warm.exchangeOf(dims, id, honest)
			if err == nil {
				break
			}
			if busy++; !strings.Contains(err.Error(), "busy") || busy > 10*rounds {
				t.Fatalf("a client that reads: %v", err)
			}
			time.Sleep(time.Second) // as the error requires
		}
		highest = max(highest, p.rss())
		time.Sleep(50 * time.Millisecond) // until memory is measured again
	}
	close(stop)
	p.cmd.Process.Kill() // some are blocked in a write
	hostile.Wait()
	t.Logf("%d sockets that read nothing, opened %d times: %d MB at most; a client beside them was told busy %d times in %d requests", sockets, opened.Load(), highest, busy, rounds)
	if highest > most {
		t.Errorf("%d MB: at most %d", highest, most)
	}
}
