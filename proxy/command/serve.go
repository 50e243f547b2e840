package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"seam/proxy/site"
	"seam/web"
)

type serveCommand struct {
	Addr string `default:"127.0.0.1:8787" help:"Address and port to listen on; port 0 takes a free one."`
	Dir  string `type:"path" help:"Serve the page from this folder instead of the one built in."`
}

func (serveCommand) Help() string {
	return `Prints the address and serves until Ctrl-C. Only this machine can reach it unless --addr says otherwise.

Example:
  seam serve --addr 127.0.0.1:9000`
}

// stopWithin is how long open requests may take after Ctrl-C.
const stopWithin = 3 * time.Second

func (c serveCommand) Run(ctx context.Context, std IO) error {
	var files fs.FS = web.Files()
	if c.Dir != "" {
		files = os.DirFS(c.Dir)
	}
	handler, err := site.New(files)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("%s is in use: stop the other program or choose another port, for example --addr 127.0.0.1:0", c.Addr)
	case err != nil:
		return fmt.Errorf("listen on %s: %w", c.Addr, err)
	}
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
	fmt.Fprintf(std.Out, "Seam is at http://%s/ (Ctrl-C stops it)\n", listener.Addr())
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	if err := server.Shutdown(within); err != nil {
		server.Close()
	}
	fmt.Fprintln(std.Out, "stopped")
	return nil
}
