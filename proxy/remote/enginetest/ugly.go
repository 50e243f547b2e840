package enginetest

import (
	"context"
	"encoding/pem"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seam/proxy/remote"
)

// secret is a key that no error may show.
const secret = "hunter2-canary"

// Ugly tests an engine that is reached over HTTP against bad hosts: one with an untrusted
// certificate, one that rejects the key, one that never answers and one that answers with
// something else. One does not exist.
func Ugly(t *testing.T, scheme string, open func(a remote.Address, key string) (remote.Engine, error)) {
	at := func(t *testing.T, host, options string) remote.Engine {
		t.Helper()
		a, err := remote.ParseAddress(scheme + "://jane@" + host + "/ugly" + options)
		must(t, err)
		e, err := open(a, secret)
		must(t, err)
		t.Cleanup(func() { e.Close() })
		return e
	}
	within := func(limit time.Duration, e remote.Engine) map[string]error {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		defer cancel()
		_, err := e.Search(ctx, remote.Query{Text: "x", K: 1})
		ctx2, cancel2 := context.WithTimeout(t.Context(), limit)
		defer cancel2()
		return map[string]error{"search": err, "health": e.Health(ctx2)}
	}
	ask := func(e remote.Engine) map[string]error { return within(time.Minute, e) }
	t.Run("certificate", func(t *testing.T) {
		keys := 0
		server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				keys++
			}
			http.Error(w, "{}", http.StatusTeapot)
		}))
		defer server.Close()
		host := strings.TrimPrefix(server.URL, "https://")
		for what, err := range ask(at(t, host, "?tls=on")) {
			if err == nil || !strings.Contains(err.Error(), "certificate") || keys > 0 {
				t.Errorf("%s: %v, and the key was sent %d times", what, err, keys)
			}
		}
		ca := filepath.Join(t.TempDir(), "ca.pem")
		must(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
		for what, err := range ask(at(t, host, "?tls=on&ca="+ca)) {
			if err == nil || strings.Contains(err.Error(), "certificate") || keys == 0 {
				t.Errorf("with ca=, %s: %v, and the key was sent %d times", what, err, keys)
			}
		}
	})
	answers := func(status int, body string) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			w.Write([]byte(body))
		}))
		t.Cleanup(s.Close)
		return s
	}
	for name, tt := range map[string]struct {
		server *httptest.Server
		is     error
	}{
		"denied": {answers(http.StatusUnauthorized, `{"error":"no"}`), remote.ErrDenied},
		"busy":   {answers(http.StatusServiceUnavailable, `<html>busy</html>`), remote.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			for what, err := range ask(at(t, strings.TrimPrefix(tt.server.URL, "http://"), "")) {
				if !errors.Is(err, tt.is) || strings.Contains(err.Error(), secret) {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
	t.Run("another program", func(t *testing.T) {
		e := at(t, strings.TrimPrefix(answers(http.StatusOK, `<html>hello</html>`).URL, "http://"), "")
		if hits, err := e.Search(t.Context(), remote.Query{Text: "x", K: 1}); err == nil {
			t.Errorf("it finds %v", hits)
		}
		if s, err := e.Shape(t.Context()); err == nil {
			t.Errorf("it has the shape %v", s)
		}
	})
	t.Run("silent", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(t, err)
		defer l.Close()
		for what, err := range within(time.Second, at(t, l.Addr().String(), "")) { // the program does not accept, but the kernel does
			if !errors.Is(err, remote.ErrUnavailable) && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
	t.Run("away", func(t *testing.T) {
		for what, err := range ask(at(t, net.JoinHostPort("127.0.0.1", "9"), "")) {
			if !errors.Is(err, remote.ErrUnavailable) || strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %v", what, err)
			}
		}
	})
}
