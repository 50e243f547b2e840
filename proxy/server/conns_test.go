package server

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"
)

// hang is how long a test waits for expected events.
const hang = time.Minute

// Connections that are not sessions are bounded, per address and in all. The oldest is
// closed first, sessions stay, and closed ones are no longer counted.
func TestConns(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := newConns(l, 128, func(ip net.IP) bool { return ip[len(ip)-1] == 9 })
	var idle atomic.Int32 // number of times that a connection became idle
	state := func(one net.Conn, to http.ConnState) {
		if onState(one, to); to == http.StateIdle {
			idle.Add(1)
		}
	}
	s := &http.Server{ConnState: state, Handler: timed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/session" {
			if taken, _, err := http.NewResponseController(w).Hijack(); err == nil {
				io.WriteString(taken, "yours\n")
			}
			return
		}
		io.WriteString(w, "answer")
	}))}
	go s.Serve(c)
	defer s.Close()
	dial := func(n int, path string) net.Conn {
		d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(n))}}
		one, err := d.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { one.Close() })
		if path == "" {
			return one
		}
		fmt.Fprintf(one, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
		one.SetReadDeadline(time.Now().Add(hang))
		if _, err := bufio.NewReader(one).ReadString('s'); err != nil {
			t.Fatalf("no answer: %v", err)
		}
		return one
	}
	until := func(says string, ok func() bool) {
		t.Helper()
		for end := time.Now().Add(hang); ; time.Sleep(time.Millisecond) {
			c.mu.Lock()
			done := ok()
			all, loose := len(c.all), c.count
			c.mu.Unlock()
			if done {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %d connections, %d of them no session", says, all, loose)
			}
		}
	}
	sessions := []net.Conn{dial(2, "/session"), dial(3, "/session")}
	first := dial(2, "/")
	until("at rest", func() bool { return c.count == 1 && idle.Load() == 1 }) // becoming idle counts as activity
	for range c.each + 3 {
		dial(2, "/")
	}
	until("of one address", func() bool { return c.count == c.each && len(c.all) == c.each+2 })
	first.SetReadDeadline(time.Now().Add(hang))
	if _, err := io.Copy(io.Discard, first); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the oldest stays")
	}
	for range c.each + 1 {
		dial(9, "") // many visitors
	}
	until("of many visitors", func() bool { return c.count == 2*c.each+1 })
	for i := range c.inAll {
		dial(100+i, "")
	}
	until("of many addresses", func() bool {
		return c.count == c.inAll && len(c.loose) == c.inAll && len(c.all) == c.inAll+len(sessions)
	})
	for _, one := range sessions {
		if _, err := io.WriteString(one, "x"); err != nil {
			t.Error(err)
		}
	}
	s.Close()
	until("closed", func() bool { return c.count == 0 && len(c.all) == len(sessions) && len(c.loose) == 0 })
}

func TestShare(t *testing.T) {
	for descriptors, want := range map[int][3]int{64: {8, 4, 2}, 256: {192, 64, 16}, 1024: {896, 298, 74}, 65536: {57344, 1024, 256}} {
		open, loose, each := share(descriptors)
		if got := [3]int{open, loose, each}; got != want {
			t.Errorf("%d descriptors: %d, want %d", descriptors, got, want)
		}
	}
}
