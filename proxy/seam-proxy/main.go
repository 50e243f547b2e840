// Command seam-proxy runs only the gateway, for servers that need nothing else. It holds a
// key, and relays embeddings and answers to pages of the configured sites.
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
	Action       string           `arg:"" optional:"" default:"serve" enum:"serve,health,status,off,on,purge,report" help:"Command: serve (default), or one for the running proxy: health, status, off and on (the kill switch), purge (empty the cache), report (spending by day, site or caller, and model)."`
	Days         int              `default:"7" placeholder:"N" help:"Days in the report, including today: 1 to 40 (default 7)."`
	CSV          bool             `name:"csv" help:"Print the report as CSV with a header line."`
	Version      kong.VersionFlag `help:"Print the version."`
}

const description = `Seam's thin proxy: holds the key of a provider with OpenAI's API, and relays embeddings and answers to pages without exposing the key.

Examples:
  seam-proxy --config /etc/seam/seam-proxy.yaml
  seam-proxy --config seam-proxy.yaml --check
  seam-proxy off --config /etc/seam/seam-proxy.yaml
  seam-proxy report --days 30 --csv --config /etc/seam/seam-proxy.yaml

health, status, off, on, purge and report ask the running proxy with the same configuration, or the one at --admin. If no proxy runs, report reads the state folder, or the Redis of a shared budget. SIGHUP reloads the configuration; SIGTERM waits for running requests, then stops. /healthz and /readyz report its state.`

func main() {
	var c cli
	kong.Parse(&c, kong.Name("seam-proxy"), kong.Description(description), kong.Vars{"version": "seam-proxy " + version},
		kong.ConfigureHelp(kong.HelpOptions{WrapUpperBound: 100}))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if c.Action == "report" {
		end(server.Report(ctx, c.Source(), c.Days, c.CSV, os.Stdout))
		return
	}
	if c.Action != "serve" {
		end(server.Control(ctx, c.Source(), c.Action, os.Stdout))
		return
	}
	end(server.Run(ctx, server.Options{Source: c.Source(), Check: c.Check, ForgetBudget: c.Forget, Name: "seam-proxy", Version: version, Out: os.Stdout, Err: os.Stderr, Engine: engine}))
}

// end ends the process, and prints the error if there is one.
func end(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "seam-proxy:", err)
		os.Exit(1)
	}
}
