package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"

	"seam/proxy/admission"
	"seam/proxy/boltfile"
	"seam/proxy/config"
	"seam/proxy/nearby"
	"seam/shared/protocol"
)

// Paths for the page of `seam serve`, which cannot reach another address itself. They
// exist only there, and only while the proxy serves this machine alone.
const (
	pathLocal    = "/v1/local"     // finds models on this machine
	pathLocalUse = "/v1/local/use" // relays to one of those until the process ends
)

// local is the models of this machine that the page has found and taken.
type local struct {
	*server
	token string // that the page needs; "": the page may not ask
	port  string // of the page
	door  admission.Door

	finding sync.Mutex // one search at a time
	found   []nearby.Server
	taken   []config.Provider // guarded by the server's mu, like found
}

// localUse is the body of a request to use a model.
type localUse struct {
	Address string        `json:"address"`
	Model   string        `json:"model"`
	Kind    protocol.Kind `json:"kind"`
}

// localUsed is the reply: the options of `seam serve` that keep the model.
type localUsed struct {
	Options string `json:"options"`
}

// localError is a refusal. The page has words for its code.
type localError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	status  int
}

func (e *localError) Error() string { return e.Message }

// open prepares the paths, if the page may ask for models on this machine. Without a
// state folder it may not, because the token is there.
func (l *local) open(addr net.Addr) {
	if l.Page == nil || l.Nearby == nil || l.config.Public() {
		return
	}
	_, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return
	}
	dir, err := stateDir(&l.config.Config)
	if err != nil {
		return
	}
	token, err := secretOf(dir, "token")
	if err != nil {
		return
	}
	known, err := admission.NewKnown("local", token)
	if err != nil {
		return
	}
	origins, err := admission.NewOrigins(l.ownNames(addr))
	if err != nil {
		return
	}
	l.token, l.port = token, port
	l.door = admission.Door{Origins: origins, Here: true, Required: true, Known: []admission.KnownCaller{known}}
}

func (l *local) handle(mux *http.ServeMux) {
	if l.token == "" {
		return
	}
	mux.HandleFunc("POST "+pathLocal, l.only(l.find))
	mux.HandleFunc("POST "+pathLocalUse, l.only(l.use))
}

// only admits the page and programs of this machine, with the token. There is no
// header for pages of other origins, so browsers refuse them.
func (l *local) only(handle func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Type", "application/json")
		reply, err := l.admit(r)
		if err == nil {
			r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
			reply, err = handle(r)
		}
		if err != nil {
			refused := &localError{Code: "internal", Message: err.Error(), status: http.StatusInternalServerError}
			errors.As(err, &refused)
			w.WriteHeader(refused.status)
			reply = refused
		}
		_ = json.NewEncoder(w).Encode(reply) // the page may be gone
	}
}

func (l *local) admit(r *http.Request) (any, error) {
	l.mu.Lock()
	public := l.config.Public()
	l.mu.Unlock()
	if public {
		return nil, &localError{"forbidden", "This proxy serves other machines, too, so it does not look for models on this one.", http.StatusForbidden}
	}
	origin, err := l.door.Knock(r)
	if err != nil {
		return nil, &localError{"forbidden", "Only the page of this server may look for models on this machine.", http.StatusForbidden}
	}
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if _, _, err := l.door.Enter(token, origin, ""); err != nil {
		return nil, &localError{"unauthorized", "The token is missing or wrong: open the page at the full address that seam serve printed, which ends in #token= and the token.", http.StatusUnauthorized}
	}
	return nil, nil
}

// find looks once for models on this machine.
func (l *local) find(r *http.Request) (any, error) {
	l.finding.Lock()
	defer l.finding.Unlock()
	found := l.Nearby(r.Context(), l.port)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	l.found = found
	l.mu.Unlock()
	return map[string][]nearby.Server{"servers": found}, nil
}

// use relays to a model of the last search until the process ends. Nothing else can be
// named, so the page cannot make the server reach another address.
func (l *local) use(r *http.Request) (any, error) {
	var u localUse
	if err := json.NewDecoder(r.Body).Decode(&u); err != nil {
		return nil, &localError{"bad-request", "This is not a request for a model.", http.StatusBadRequest}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	at := slices.IndexFunc(l.found, func(f nearby.Server) bool {
		return f.Address == u.Address && slices.ContainsFunc(f.Models, func(m nearby.Model) bool { return m.Name == u.Model && m.Can(u.Kind) })
	})
	if at < 0 || u.Kind != protocol.Chatting && u.Kind != protocol.Embedding {
		return nil, &localError{"gone", "The last search found no such model: look for models again.", http.StatusNotFound}
	}
	server := l.found[at]
	if l.has(server, u) {
		return localUsed{options(l.taken, server, u)}, nil
	}
	taken := l.adding(&l.config.Config, server, u)
	next, err := l.with(l.config, taken)
	if err != nil {
		return nil, err
	}
	if err := l.apply(next); err != nil {
		return nil, err
	}
	l.config, l.taken = next, taken
	used := localUsed{options(taken, server, u)}
	fmt.Fprintf(l.Out, "%s: relays to %s of %s until it stops; to keep it, start it with %s\n", l.Name, u.Model, server.Place(), used.Options)
	return used, nil
}

// apply applies a configuration, and opens the proxy if there was none.
func (l *local) apply(next *config.Loaded) error {
	secrets, err := readSecrets(&next.Config)
	if err != nil {
		return err
	}
	l.hidden.set(secrets)
	if p := l.parts.Load(); p != nil {
		return p.apply(&next.Config, secrets)
	}
	p, err := open(&next.Config, secrets, l.Options, l.log)
	if errors.Is(err, boltfile.ErrInUse) {
		return &localError{"in-use", "Another seam serve uses the state folder: stop it, or start this one with --state and another folder.", http.StatusConflict}
	}
	if err != nil {
		return err
	}
	l.parts.Store(p)
	return nil
}

// has reports whether the model is relayed to already.
func (l *local) has(server nearby.Server, u localUse) bool {
	for _, p := range l.config.Providers {
		for _, m := range p.Models {
			if strings.TrimRight(p.BaseURL, "/") == server.BaseURL() && m.Kind == u.Kind && (m.ID == u.Model && m.Name == "" || m.Name == u.Model) {
				return true
			}
		}
	}
	return false
}

// adding returns the taken providers with one more model. Its id is free, because two
// models with one id would share their requests.
func (l *local) adding(c *config.Config, server nearby.Server, u localUse) []config.Provider {
	free := 0.0
	m := config.Model{ID: u.Model, Kind: u.Kind, Name: u.Model, Price: &free, PriceOut: &free}
	for n := 1; slices.ContainsFunc(c.Providers, func(p config.Provider) bool {
		return slices.ContainsFunc(p.Models, func(other config.Model) bool { return other.ID == m.ID })
	}); n++ {
		m.ID = fmt.Sprintf("%s at %s", u.Model, server.Address)
		if n > 1 {
			m.ID += fmt.Sprintf(" (%d)", n)
		}
	}
	taken := slices.Clone(l.taken)
	name := server.Place()
	i := slices.IndexFunc(taken, func(p config.Provider) bool { return p.Name == name })
	if i < 0 {
		return append(taken, config.Provider{Name: name, BaseURL: server.BaseURL(), Models: []config.Model{m}})
	}
	taken[i].Models = append(slices.Clone(taken[i].Models), m)
	return taken
}

// with returns a configuration with the taken providers in place of those that it has.
func (l *local) with(c *config.Loaded, taken []config.Provider) (*config.Loaded, error) {
	next := *c
	next.Providers = slices.Clone(c.Providers)
	for _, p := range taken {
		next.Providers = slices.DeleteFunc(next.Providers, func(other config.Provider) bool { return other.Name == p.Name })
		next.Providers = append(next.Providers, p)
	}
	if len(taken) == 0 {
		return c, nil
	}
	return &next, next.Check()
}

// options returns the options of `seam serve` for the models taken of a server, and for the
// one that is wanted, which may be of the configuration.
func options(taken []config.Provider, server nearby.Server, u localUse) string {
	flags := map[protocol.Kind]string{protocol.Chatting: "--chat-model", protocol.Embedding: "--embed-model"}
	all := []string{flags[u.Kind] + " " + quoted(u.Model)}
	for _, p := range taken {
		for _, m := range p.Models {
			if flag := flags[m.Kind] + " " + quoted(m.Name); p.BaseURL == server.BaseURL() && !slices.Contains(all, flag) {
				all = append(all, flag)
			}
		}
	}
	slices.Sort(all)
	return "--base-url " + server.BaseURL() + " " + strings.Join(all, " ")
}

// quoted returns a word for a shell. Another program chose the name, so it may be anything.
func quoted(name string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:/@+-", r)
	}
	if !strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
