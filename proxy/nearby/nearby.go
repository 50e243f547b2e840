// Package nearby finds models on this machine. It asks the ports where Ollama, llama.cpp
// and LM Studio usually listen, on the loopback addresses only. It follows no redirect,
// sends no key, and no request loads a model.
package nearby

import (
	"context"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"seam/shared/protocol"
)

// Program is a program that runs models.
type Program string

// The programs that Find looks for.
const (
	Ollama   Program = "Ollama"
	LlamaCpp Program = "llama.cpp"
	LMStudio Program = "LM Studio"
)

// State describes an address.
type State string

// The states of an address.
const (
	Silent  State = "silent"  // nothing listens
	Lists   State = "lists"   // it has models
	Empty   State = "empty"   // it has no models
	Loading State = "loading" // it is loading its model, and lists it later
	Locked  State = "locked"  // it asks for a key
	Slow    State = "slow"    // it did not answer in time
	Other   State = "other"   // it is another program
)

// Server is an address that was asked.
type Server struct {
	Program Program  `json:"program"` // that answers; "": unknown
	Usual   Program  `json:"usual"`   // the program that usually listens on this port
	Address string   `json:"address"`
	State   State    `json:"state"`
	Asked   []string `json:"asked,omitempty"` // the requests made, also those that found nobody
	Models  []Model  `json:"models,omitempty"`
	// Away are models that the program relays to other machines, so they are not among
	// Models.
	Away []string `json:"away,omitempty"`
}

// Name names the server.
func (s Server) Name() string {
	if s.Program == "" {
		return "the server at " + s.Address
	}
	return string(s.Program)
}

// Place names the server with its address.
func (s Server) Place() string {
	if s.Program == "" {
		return s.Name()
	}
	return s.Name() + " at " + s.Address
}

// BaseURL returns the address of the server's interface like OpenAI's.
func (s Server) BaseURL() string { return "http://" + s.Address + "/v1" }

// Model is a model of a server.
type Model struct {
	Name  string          `json:"name"`
	Kinds []protocol.Kind `json:"kinds"` // its abilities; empty: unknown
}

// Can reports whether the model has an ability, as far as is known.
func (m Model) Can(kind protocol.Kind) bool {
	for _, k := range m.Kinds {
		if k == kind {
			return true
		}
	}
	return len(m.Kinds) == 0
}

const (
	within   = 3 * time.Second // for all requests to one address
	dialIn   = 500 * time.Millisecond
	mostBody = 1 << 20 // bytes of one answer
	mostList = 200     // models of one server
	mostName = 200     // bytes of a name
)

// portsVariable names a variable with three other ports, for tests.
const portsVariable = "SEAM_LOCAL_PORTS"

type place struct {
	program Program
	port    string
}

// places returns the programs with their ports.
func places() []place {
	all := []place{{Ollama, "11434"}, {LlamaCpp, "8080"}, {LMStudio, "1234"}}
	if given := strings.Split(os.Getenv(portsVariable), ","); len(given) == len(all) {
		for i, port := range given {
			all[i].port = port
		}
	}
	return all
}

// Find asks each port once, all at the same time, but not the port own, on which the caller
// itself may listen.
func Find(ctx context.Context, own string) []Server {
	all := places()
	found := make([]Server, len(all))
	var asking sync.WaitGroup
	for i, p := range all {
		found[i] = Server{Usual: p.program, Address: net.JoinHostPort("127.0.0.1", p.port), State: Silent}
		if p.port == own {
			continue
		}
		asking.Go(func() { found[i] = p.ask(ctx) })
	}
	asking.Wait()
	return found
}

// ask asks the port on both loopback addresses. The second one counts only if the first has
// no server of models.
func (p place) ask(ctx context.Context) (found Server) {
	var first Server
	var asked []string
	defer func() { found.Asked = asked }()
	for i, host := range []string{"127.0.0.1", "::1"} {
		s := p.at(ctx, net.JoinHostPort(host, p.port))
		asked = append(asked, s.Asked...)
		if i == 0 {
			first = s
		}
		switch s.State {
		case Lists, Empty, Loading:
			return s
		case Silent:
			continue
		}
		if first.State == Silent {
			first = s
		}
	}
	return first
}

func (p place) at(ctx context.Context, address string) (s Server) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	transport := &http.Transport{ // without a proxy of the environment
		DialContext:       (&net.Dialer{Timeout: dialIn}).DialContext,
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 64 << 10,
	}
	a := asker{address: address, client: http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	s = Server{Usual: p.program, Address: address, State: Other}
	defer func() { s.Asked = a.asked }()
	var models []Model
	switch p.program {
	case Ollama:
		s.State, models, s.Away = a.ollama(ctx)
	case LMStudio:
		s.State, models = a.lmStudio(ctx)
	}
	if s.State == Lists {
		s.Program = p.program
	}
	if s.State == Other { // llama.cpp, an older LM Studio, or another program with OpenAI's interface
		s.Program, s.State, models = a.openAI(ctx)
	}
	for _, m := range models {
		if len(s.Models) < mostList && nameable(m.Name) {
			s.Models = append(s.Models, m)
		}
	}
	if s.State == Lists && len(s.Models) == 0 {
		s.State = Empty
	}
	return s
}

// nameable reports whether a name can be shown and sent.
func nameable(name string) bool {
	return name != "" && len(name) <= mostName && !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\uFFFD' })
}
