package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"

	"seam/proxy/config"
	"seam/proxy/nearby"
	"seam/proxy/remote"
)

// Options are set by the program.
type Options struct {
	Source config.Source
	Check  bool // only check, then exit
	// ForgetBudget starts a new budget if its file is damaged.
	ForgetBudget bool
	Page         func(func() Offers) (http.Handler, error) // nil: only the gateway
	// Nearby finds models on this machine for the page. own is the port of the page. It is
	// nil if the page may not ask for them.
	Nearby func(ctx context.Context, own string) []nearby.Server
	// Engine opens the search engine of a collection. It is nil if the program has no
	// engines.
	Engine  func(a remote.Address, key string) (remote.Engine, error)
	Name    string // of the program, for messages
	Version string
	Out     io.Writer // for people
	Err     io.Writer // the log
}

// Offers describes the proxy to the page that it serves.
type Offers struct {
	Relays     bool     // requests are relayed at the page's address
	Collection bool     // there is a collection that any group without its own may search
	Nearby     bool     // the page may ask for models on this machine
	Origins    []string // sites with pages that may connect
}

func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use: stop the other program or choose another port, for example --addr 127.0.0.1:0", addr)
	case err != nil:
		return nil, fmt.Errorf("listen on %s: %w", addr, err)
	}
	return l, nil
}
