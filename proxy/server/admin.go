package server

import (
	"encoding/json"
	"errors"
	"net"
	"net/http"

	"seam/proxy/admission"
)

// admin returns the handler of the admin address: metrics, status and health, the spending
// report, the kill switch and the purge of the cache.
func (s *server) admin() http.Handler {
	p, mux := s.parts.Load(), http.NewServeMux()
	s.health(mux)
	mux.Handle("GET /metrics", p.metrics.Handler())
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		spent, err := p.ledger.Spent()
		at, ok := p.lastReload()
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"sessions": p.gateway.Sessions(), "off": p.relay.IsOff(), "budget_readable": err == nil,
			"today": map[string]any{"tokens": spent.Tokens, "dollars": float64(spent.Micros) / 1e6}, "reloaded": at, "reload_ok": ok,
		})
	})
	mux.HandleFunc("GET /report", p.report)
	do := func(path string, f func() error, says string) {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, _ *http.Request) {
			if err := f(); err != nil {
				p.log.Error("admin", "path", path, "error", err)
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_, _ = w.Write([]byte(says + "\n"))
		})
	}
	do("/off", func() error { return p.switchOff(true) }, "off: all requests are refused and nothing is sent to a provider, even after a restart")
	do("/on", func() error { return p.switchOff(false) }, "on")
	do("/purge", p.purge, "purged: the cache is empty")
	return guard(mux)
}

// purge removes all cached vectors and answers.
func (p *parts) purge() error {
	p.cache.Purge()
	if p.answers != nil {
		p.answers.Purge()
	}
	if p.disk == nil {
		return nil
	}
	return p.disk.Purge()
}

// guard refuses requests from web pages in a browser on this machine. Such pages can reach
// loopback, but the browser's headers identify them.
func guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "" && r.Header.Get("Sec-Fetch-Site") != "none" || !admission.Loopback(host) {
			http.Error(w, "The admin address is for programs on this machine.", http.StatusForbidden)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

// health adds /healthz and /readyz.
func (s *server) health(mux *http.ServeMux) {
	answer := func(path string, check func() error) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("X-Content-Type-Options", "nosniff")
			if err := check(); err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
			_, _ = w.Write([]byte("ok\n"))
		})
	}
	answer("/healthz", func() error { return nil })
	answer("/readyz", func() error {
		switch {
		case s.draining.Load():
			return errors.New("draining")
		case s.parts.Load() == nil:
			return nil
		}
		return s.parts.Load().ready()
	})
}
