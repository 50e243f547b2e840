// Command seam-proxy is the gateway alone, for servers that need nothing else: it
// holds a key and relays embeddings and answers to pages of the sites that its
// configuration names.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"

	"seam/proxy/server"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

type cli struct {
	server.Flags `embed:""`
	Version      kong.VersionFlag `help:"Print the version."`
}

const description = `The thin proxy of Seam: holds the key of a provider with OpenAI's API and relays embeddings and answers to pages that must not know it.

Examples:
  seam-proxy --config /etc/seam/seam.yaml
  seam-proxy --config seam.yaml --check

SIGHUP reads the configuration again; SIGTERM lets requests end, then stops. /healthz and /readyz tell how it is.`

func main() {
	var c cli
	kong.Parse(&c, kong.Name("seam-proxy"), kong.Description(description), kong.Vars{"version": "seam-proxy " + version},
		kong.ConfigureHelp(kong.HelpOptions{WrapUpperBound: 100}))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := server.Run(ctx, server.Options{Source: c.Source(), Check: c.Check, ForgetBudget: c.Forget, Name: "seam-proxy", Version: version, Out: os.Stdout, Err: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, "seam-proxy:", err)
		os.Exit(1)
	}
}
