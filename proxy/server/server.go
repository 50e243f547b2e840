// Package server runs a complete proxy as a process: from a configuration to listeners,
// with reload, drain and an admin address. It can serve the page, too.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"seam/proxy/admission"
	"seam/proxy/config"
)

// closeWithin is how long connections may take to close when no request is in progress.
const closeWithin = 3 * time.Second

// versionWithin limits the time to find out at the start whether a base URL lacks its /v1.
const versionWithin = 10 * time.Second

type server struct {
	Options
	hidden   hidden
	log      *slog.Logger
	parts    atomic.Pointer[parts] // nil if there is no provider
	cert     atomic.Pointer[tls.Certificate]
	draining atomic.Bool
	trusted  atomic.Pointer[admission.Proxies]
	local    local

	mu     sync.Mutex     // held to change or read config while the server runs
	config *config.Loaded // with the models of this machine that the page has taken
}

// Run serves until ctx ends, then drains: it refuses new sessions, lets requests in
// progress finish, and closes sockets with 1012.
func Run(ctx context.Context, o Options) error {
	s := &server{Options: o}
	s.local.server = s
	var err error
	if s.config, err = o.Source.Load(); err != nil {
		return err
	}
	secrets, err := readSecrets(&s.config.Config)
	if err != nil {
		return err
	}
	if !s.config.Relays() && o.Page == nil {
		return errors.New("providers: no provider to relay to: set --config, or --base-url and --embed-model")
	}
	if o.Check {
		return s.check(secrets)
	}
	s.hidden.set(secrets)
	s.cert.Store(secrets.cert)
	s.log = newLog(o.Err, s.config.Log, &s.hidden)
	if s.config.Note != "" {
		s.log.Warn(s.config.Note)
	}
	for _, name := range s.config.Unknown {
		s.log.Warn("unknown variable", "variable", name)
	}
	listener, err := listen(s.config.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	s.ownOrigins(&s.config.Config, listener.Addr())
	defer s.closeParts()
	if s.config.Relays() {
		p, err := open(&s.config.Config, secrets, o, s.log)
		if err != nil {
			return err
		}
		s.parts.Store(p)
	}
	s.local.open(listener.Addr())
	return s.serve(ctx, listener)
}

func (s *server) closeParts() {
	p := s.parts.Load()
	if p == nil {
		return
	}
	if err := p.close(); err != nil {
		s.log.Error("closing", "error", err)
	}
}

// check does everything that a start does before it listens.
func (s *server) check(secrets secrets) error {
	if _, _, err := providersOf(&s.config.Config, secrets); err != nil {
		return err
	}
	if s.config.Relays() {
		dir, err := statePath(&s.config.Config)
		if err != nil {
			return err
		}
		files := []string{cacheFile, budgetFile}
		if s.config.Budget.Book.Redis != "" {
			files = files[:1]
			if err := checkRedis(&s.config.Config, secrets.book, s.Out); err != nil {
				return err
			}
		}
		if err := checkState(dir, s.Out, files...); err != nil {
			return err
		}
	}
	if s.config.Note != "" {
		fmt.Fprintf(s.Err, "Note: %s.\n", s.config.Note)
	}
	for _, name := range s.config.Unknown {
		fmt.Fprintf(s.Out, "Note: the variable %s is unknown and ignored.\n", name)
	}
	kind := "for this machine only"
	if s.config.Public() {
		kind = "public"
	}
	fmt.Fprintf(s.Out, "The configuration is valid: %d models, %s, prompts from the %s.\n", len(modelsOf(&s.config.Config)), kind, s.config.PromptsBy())
	return nil
}

// ownOrigins allows the served page to connect on loopback, under each name of this
// machine.
func (s *server) ownOrigins(c *config.Config, addr net.Addr) {
	if s.Page == nil || c.Public() {
		return
	}
	c.Origins = append(c.Origins, s.ownNames(addr)...)
}

// ownNames returns the origins of the served page on this machine.
func (s *server) ownNames(addr net.Addr) (all []string) {
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return nil
	}
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]"} {
		all = append(all, "http://"+host+":"+port)
	}
	return all
}

// handler returns the handler for all paths.
func (s *server) handler() (http.Handler, error) {
	mux := http.NewServeMux()
	s.health(mux)
	var page http.Handler = http.NotFoundHandler()
	if s.Page != nil {
		var err error
		if page, err = s.Page(s.offers); err != nil {
			return nil, err
		}
		mux.Handle("/", page)
	}
	mux.HandleFunc("/v1/", func(w http.ResponseWriter, r *http.Request) {
		if p := s.parts.Load(); p != nil {
			p.handler.ServeHTTP(w, r)
			return
		}
		page.ServeHTTP(w, r)
	})
	s.local.handle(mux)
	return mux, nil
}

func (s *server) offers() Offers {
	s.mu.Lock()
	defer s.mu.Unlock()
	return Offers{Relays: s.parts.Load() != nil, Collection: s.config.Collection != "", Nearby: s.local.token != "" && !s.config.Public(), Origins: s.config.Origins}
}

func (s *server) serve(ctx context.Context, listener net.Listener) error {
	handler, err := s.handler()
	if err != nil {
		return err
	}
	main := s.httpServer(timed(handler))
	main.ConnState = onState
	s.trust()
	listener = newConns(listener, descriptors(), s.trusts)
	scheme := "http"
	if s.config.TLS.Cert != "" {
		scheme = "https"
		listener = tls.NewListener(listener, &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, // websockets need HTTP/1.1
			GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.cert.Load(), nil }})
	}
	failed := make(chan error, 3)
	go func() { failed <- main.Serve(listener) }()
	servers := []*http.Server{main}
	if s.parts.Load() != nil {
		beside, err := s.beside(failed)
		defer func() {
			for _, b := range beside {
				b.Close()
			}
		}()
		if err != nil {
			return err
		}
		servers = append(servers, beside...)
	}
	hangup := make(chan os.Signal, 1)
	if s.parts.Load() != nil && s.Source.File != "" { // otherwise the signal ends the process, for example when a terminal is closed
		signal.Notify(hangup, syscall.SIGHUP)
		defer signal.Stop(hangup)
	}
	s.announce(scheme, listener.Addr())
	if p := s.parts.Load(); p != nil {
		checking, stop := context.WithTimeout(ctx, versionWithin)
		defer stop()
		go p.checkVersions(checking)
	}
	for {
		select {
		case err := <-failed:
			return fmt.Errorf("serve: %w", err)
		case <-hangup:
			s.reload(listener.Addr())
			continue
		case <-ctx.Done():
		}
		break
	}
	s.drain(servers...)
	fmt.Fprintln(s.Out, "stopped")
	return nil
}

// beside serves the admin address and the metrics address, if they are set.
func (s *server) beside(failed chan<- error) (all []*http.Server, err error) {
	add := func(l net.Listener, h http.Handler) {
		server := s.httpServer(h)
		server.ReadTimeout, server.WriteTimeout = bodyWithin, chunkWithin
		all = append(all, server)
		go func() { failed <- server.Serve(l) }()
	}
	if s.config.Admin != "" {
		l, err := listenAdmin(s.config.Admin)
		if err != nil {
			return all, err
		}
		at := s.config.Admin
		if l.Addr().Network() == "tcp" {
			at = "http://" + l.Addr().String() + "/"
		}
		add(l, s.admin())
		fmt.Fprintf(s.Out, "%s: metrics and the kill switch are at %s\n", s.Name, at)
	}
	if s.config.Metrics != "" {
		l, err := listen(s.config.Metrics)
		if err != nil {
			return all, err
		}
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", s.parts.Load().metrics.Handler())
		add(newConns(l, min(descriptors(), 256), func(net.IP) bool { return false }), mux)
		all[len(all)-1].ConnState = onState
		fmt.Fprintf(s.Out, "%s: metrics are at http://%s/metrics\n", s.Name, l.Addr())
	}
	return all, nil
}

func (s *server) httpServer(h http.Handler) *http.Server {
	headers := 8 << 10
	if s.Page != nil {
		headers = 32 << 10 // browsers send the cookies of everything on localhost
	}
	return &http.Server{
		Handler: h, ReadHeaderTimeout: headersWithin, IdleTimeout: time.Minute, MaxHeaderBytes: headers,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), // a public server has many broken handshakes
	}
}

func (s *server) announce(scheme string, addr net.Addr) {
	if s.Page != nil {
		fmt.Fprintf(s.Out, "Seam is at %s://%s/%s (Ctrl-C stops it)\n", scheme, addr, s.fragment())
	}
	p := s.parts.Load()
	if p == nil {
		return
	}
	fmt.Fprintf(s.Out, "%s: relays %d models at %s://%s\n", s.Name, len(modelsOf(&s.config.Config)), scheme, addr)
	if !s.config.Public() {
		fmt.Fprintf(s.Out, "%s: programs on this machine connect with --proxy %s://%s --proxy-token \"$(cat %s/token)\"\n", s.Name, scheme, addr, p.dir)
	}
}

// fragment returns the fragment that the page needs in its address if the proxy is for this
// machine only. Fragments are not sent in requests and do not appear in logs.
func (s *server) fragment() string {
	token := s.local.token
	if p := s.parts.Load(); p != nil {
		token = p.token
	}
	if token == "" || s.config.Public() {
		return ""
	}
	return "#token=" + token
}

// reload reads the configuration again. If it is invalid, the error is logged and the old
// configuration stays.
func (s *server) reload(addr net.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.tryReload(addr)
	p := s.parts.Load()
	p.mu.Lock()
	p.reloadOK = err == nil
	p.mu.Unlock()
	if err != nil {
		s.log.Error("reload failed, the old configuration stays", "error", strings.ReplaceAll(err.Error(), "\n", "; "))
		return
	}
	s.log.Info("reloaded", "models", len(modelsOf(&s.config.Config)), "origins", len(s.config.Origins))
}

func (s *server) tryReload(addr net.Addr) error {
	next, err := s.Source.Load()
	if err != nil {
		return err
	}
	taken := s.local.taken
	if next.Public() {
		taken = nil // a person at this machine took them for themselves
	}
	if next, err = s.local.with(next, taken); err != nil {
		return err
	}
	secrets, err := readSecrets(&next.Config)
	if err != nil {
		return err
	}
	for key, changed := range map[string]bool{
		"listen": next.Listen != s.config.Listen, "admin": next.Admin != s.config.Admin, "metrics": next.Metrics != s.config.Metrics, "state": next.State != s.config.State,
		"cache": next.Cache != s.config.Cache, "log": next.Log != s.config.Log, "trace": next.Trace != s.config.Trace, "budget.book": next.Budget.Book.Redis != s.config.Budget.Book.Redis || next.Budget.Book.Prefix != s.config.Budget.Book.Prefix,
		"tls": (next.TLS.Cert == "") != (s.config.TLS.Cert == ""),
	} {
		if changed {
			s.log.Warn("reload: a change of this key needs a restart", "key", key)
		}
	}
	if !next.Relays() {
		return errors.New("providers: none left; stop the process instead, or POST /off to the admin address")
	}
	s.ownOrigins(&next.Config, addr)
	s.hidden.set(secrets)
	if err := s.parts.Load().apply(&next.Config, secrets); err != nil {
		return err
	}
	s.cert.Store(secrets.cert)
	s.config, s.local.taken = next, taken
	s.trust()
	return nil
}

// trust passes the trusted proxies to the listener.
func (s *server) trust() {
	trusted, err := trustedOf(&s.config.Config)
	if err == nil { // validated before
		s.trusted.Store(&trusted)
	}
}

func (s *server) trusts(ip net.IP) bool { return s.trusted.Load().Trusts(ip) }

// drain shuts down in order: first /readyz reports it, then sessions end, then connections.
func (s *server) drain(servers ...*http.Server) {
	s.draining.Store(true)
	s.mu.Lock()
	p, within := s.parts.Load(), s.config.Drain
	s.mu.Unlock()
	if p != nil {
		s.log.Info("draining", "sessions", p.gateway.Sessions())
		ctx, cancel := context.WithTimeout(context.Background(), within)
		if err := p.gateway.Shutdown(ctx); err != nil {
			s.log.Warn("some requests did not end in time")
		}
		cancel()
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	for _, server := range servers {
		if err := server.Shutdown(ctx); err != nil {
			server.Close()
		}
	}
}
