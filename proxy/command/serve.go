package command

import (
	"context"
	"net/http"
	"os"

	"seam/proxy/command/defaults"
	"seam/proxy/command/sites"
	"seam/proxy/command/terminal"
	"seam/proxy/nearby"
	"seam/proxy/remote/engines"
	"seam/proxy/server"
	"seam/proxy/site"
	"seam/proxy/webpage"
)

type serveCommand struct {
	server.Flags `embed:""`
	Dir          string `type:"path" help:"Serve the page from this folder instead of the built-in one."`
	Site         string `type:"path" placeholder:"DIR" help:"Serve this built site instead, with an up-to-date search at /seam/."`
}

func (serveCommand) Help() string {
	return `Prints the address and serves until Ctrl-C. Only this machine can connect, unless --addr or a configuration opens it to others. With a provider, the page also offers its models to everyone with the full address, which ends in #token=; the key stays here. While only this machine can connect, the page can also find models of Ollama, llama.cpp and LM Studio here: press “Use a model on this machine”.

With --site it serves a docs site while you write: /seam/ has widget.js and an index that is updated with the pages, without seam index. As on static hosts, /guide is guide.html or guide/index.html, and 404.html answers for pages that do not exist; links out of the folder are not followed. Only the names of this machine and those of --origin are answered. Settings for seam index in seam-index.yaml apply.

Examples:
  seam serve --site public
  seam serve --addr 127.0.0.1:9000
  OPENAI_API_KEY=… seam serve --base-url https://api.openai.com/v1 --embed-model text-embedding-3-small --chat-model gpt-4o-mini
  seam serve --config seam-proxy.yaml --check`
}

func (c serveCommand) Run(ctx context.Context, std terminal.IO, version terminal.Build, others defaults.Variables) error {
	if c.Dir != "" && c.Site != "" {
		return terminal.Usagef("--dir and --site exclude each other: choose one")
	}
	serve, find := c.page, nearby.Find
	if c.Site != "" {
		serve, find = func(offers func() server.Offers) (http.Handler, error) {
			return sites.OpenSite(ctx, std, c.Site, func() []string { return offers().Origins })
		}, nil
	}
	source := c.Source()
	source.Others = others
	return server.Run(ctx, server.Options{
		Source: source, Check: c.Check, ForgetBudget: c.Forget, Page: serve, Name: "seam", Version: string(version), Out: std.Out, Err: std.Err, Engine: engines.Open, Nearby: find,
	})
}

func (c serveCommand) page(offers func() server.Offers) (http.Handler, error) {
	announce := site.WithOffers(func() site.Offers {
		o := offers()
		return site.Offers{Proxy: o.Relays, Collection: o.Collection, Local: o.Nearby}
	})
	if c.Dir != "" {
		return site.New(os.DirFS(c.Dir), announce)
	}
	return webpage.New(announce)
}
