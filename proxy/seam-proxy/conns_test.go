package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// rawFrom connects from 127.0.0.N and sends nothing.
func (p *process) rawFrom(n int) (net.Conn, error) {
	d := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(n))}, Timeout: hang}
	_, host, _ := strings.Cut(p.url, "://")
	c, err := d.Dial("tcp", host)
	if err == nil && strings.HasPrefix(p.url, "https:") {
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true})
	}
	return c, err
}

// For any request, a body that does not arrive, or arrives a byte at a time, ends its
// connection.
func TestSlowBodies(t *testing.T) {
	_, url := provider(t)
	_, file := setUp(t, common, url)
	plain := start(t, file)
	dir, file := setUp(t, common+"tls: {cert: DIR/cert.pem, key: DIR/key.pem}\n", url)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.ReplaceAll(string(b), "DIR", dir))
	certificate(t, dir, 1)
	sealed := start(t, file)
	var all sync.WaitGroup
	for name, head := range map[string]string{
		"a path that there is not": "POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
		"a refused origin":         "POST /v1/request HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\nContent-Length: 1000\r\n\r\n",
		"health":                   "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
		"a session":                "POST /v1/init HTTP/1.1\r\nHost: x\r\nOrigin: " + site + "\r\nContent-Length: 1000\r\n\r\n",
		"in chunks":                "POST /v1/init HTTP/1.1\r\nHost: x\r\nOrigin: " + site + "\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
		"no headers":               "POST /nothing HTTP/1.1\r\nHost: x\r\n",
		"not a word":               "",
	} {
		for i, p := range []*process{plain, sealed} {
			for _, drips := range []bool{false, true} {
				if drips && (name == "in chunks" || head == "") {
					continue
				}
				all.Go(func() {
					c, err := p.rawFrom(2 + i)
					if err != nil {
						t.Error(err)
						return
					}
					defer c.Close()
					if head != "" {
						io.WriteString(c, head)
					}
					if drips {
						go func() {
							for {
								if _, err := io.WriteString(c, "X"); err != nil {
									return
								}
								time.Sleep(300 * time.Millisecond)
							}
						}()
					}
					c.SetReadDeadline(time.Now().Add(40 * time.Second))
					if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
						t.Errorf("%s at %s, a byte at a time %v: the connection stays", name, p.url, drips)
					}
				})
			}
		}
	}
	all.Wait()
}

// More idle connections than there are descriptors do not lock other clients out.
func TestManyThatDoNothing(t *testing.T) {
	_, url := provider(t)
	many(t, 1000)
	_, file := setUp(t, common, url)
	p := startAs(t, file, exec.Command("sh", "-c", `ulimit -n 256; exec "$0" --config "$1"`, binary, file))
	for name, from := range map[string]func(i int) int{"one address": func(int) int { return 2 }, "many addresses": func(i int) int { return 2 + i%50 }} {
		for i := range 300 {
			c, err := p.rawFrom(from(i))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			io.WriteString(c, "POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n") // it may be closed
		}
		began := time.Now()
		resp, err := (&http.Client{Timeout: time.Minute, Transport: &http.Transport{}}).Get(p.url + "/healthz")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		resp.Body.Close()
		// A connection of the previous visitor may have been closed.
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		s := p.connect()
		if code := s.embed(1, "a visitor beside "+name); code != "" {
			t.Errorf("%s: %s", name, code)
		}
		open, err := os.ReadDir(filepath.Join("/proc", fmt.Sprint(p.cmd.Process.Pid), "fd"))
		t.Logf("300 connections of %s: %d descriptors are open; a visitor was served after %v", name, len(open), time.Since(began).Round(time.Millisecond))
		if err == nil && len(open) > 192 {
			t.Errorf("%s: %d descriptors are open", name, len(open))
		}
	}
	if resp, _ := p.post(protocol.PathSession, nil, protocol.SessionRequest{}); resp.StatusCode != 200 {
		t.Errorf("%d", resp.StatusCode)
	}
}

// A client that does not take its answer gets the error that it is too slow, not that it
// has cancelled. Other clients get no error.
func TestTooSlow(t *testing.T) {
	up, url := provider(t)
	_, file := setUp(t, strings.NewReplacer("tokens: 100000", "tokens: 9000000", "tokens: 50000", "tokens: 9000000").Replace(common)+"limits: {credits: 1}\n", url)
	p := start(t, file)
	words := make([]string, 300)
	for i := range words {
		words[i] = strings.Repeat("x", 9999) + " "
	}
	up.Play(upstreamtest.Script{Words: words})
	s := p.connect()
	s.send(&protocol.Chat{ID: 1, Model: "c", Template: "answer", Question: "?"})
	m := s.next()
	for protocol.TypeOf(m) == protocol.TypeDelta { // within its credit
		m = s.next()
	}
	if e, ok := m.(*protocol.Err); !ok || e.Code != protocol.SlowConsumer {
		t.Errorf("%+v", m)
	}
	p.wait(`"code":"slow_consumer"`, 1)
	if _, metrics := p.get(p.admin + "/metrics"); !strings.Contains(metrics, `seam_requests_total{code="slow_consumer",kind="chat",model="c"} 1`) {
		t.Error("no metric tells it")
	}
	if code := s.embed(2, "after that"); code != "" {
		t.Errorf("the session is not served any more: %s", code)
	}
}
