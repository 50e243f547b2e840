package command

import (
	"context"
	"io/fs"
	"net/http"
	"os"

	"seam/proxy/server"
	"seam/proxy/site"
	"seam/web"
)

type serveCommand struct {
	server.Flags `embed:""`
	Dir          string `type:"path" help:"Serve the page from this folder instead of the one built in."`
}

func (serveCommand) Help() string {
	return `Prints the address and serves until Ctrl-C. Only this machine can reach it unless --addr or a configuration says otherwise. With a provider the page offers its models, too, to whoever opens the whole address, with #token= at its end; the key stays here.

Examples:
  seam serve --addr 127.0.0.1:9000
  OPENAI_API_KEY=… seam serve --base-url https://api.openai.com/v1 --embed-model text-embedding-3-small --chat-model gpt-4o-mini
  seam serve --config seam.yaml --check`
}

func (c serveCommand) Run(ctx context.Context, std IO, version build) error {
	return server.Run(ctx, server.Options{
		Source: c.Source(), Check: c.Check, ForgetBudget: c.Forget, Page: c.page, Name: "seam", Version: string(version), Out: std.Out, Err: std.Err,
	})
}

func (c serveCommand) page(relays bool) (http.Handler, error) {
	var files fs.FS = web.Files()
	if c.Dir != "" {
		files = os.DirFS(c.Dir)
	}
	if relays {
		return site.New(files, site.WithProxy())
	}
	return site.New(files)
}
