package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"seam/proxy/config"
)

// Control sends an action (health, status, off, on or purge) to the proxy that runs with
// this configuration, and writes the response to out. It uses the admin address. Without
// one, health uses the address that the proxy listens on.
func Control(ctx context.Context, source config.Source, action string, out io.Writer) error {
	c, err := source.Load()
	if err != nil {
		return err
	}
	client, base := reach(c)
	if c.Admin == "" && action != "health" {
		return fmt.Errorf("%s: no admin address: set --admin, or admin in the configuration", action)
	}
	ctx, cancel := context.WithTimeout(ctx, bodyWithin)
	defer cancel()
	switch action {
	case "health":
		if _, err := askFor(ctx, client, http.MethodGet, base+"/healthz"); err != nil {
			return fmt.Errorf("health: %w", err)
		}
		if _, err := askFor(ctx, client, http.MethodGet, base+"/readyz"); err != nil {
			fmt.Fprintf(out, "running, but not ready: %v\n", err)
			return nil
		}
		fmt.Fprintln(out, "ok")
		return nil
	case "status":
		body, err := askFor(ctx, client, http.MethodGet, base+"/status")
		if err == nil {
			fmt.Fprint(out, body)
			return nil
		}
		return fmt.Errorf("status: %w", err)
	}
	body, err := askFor(ctx, client, http.MethodPost, base+"/"+action)
	if err != nil {
		return fmt.Errorf("%s: %w", action, err)
	}
	fmt.Fprint(out, body)
	return nil
}

// reach returns a client and base URL for a proxy with this configuration: its admin
// address, otherwise its listen address.
func reach(c *config.Loaded) (client *http.Client, base string) {
	network, addr, scheme := "tcp", c.Admin, "http"
	if path, ok := config.SocketFile(c.Admin); ok {
		network, addr = "unix", path
	} else if addr == "" {
		host, port, _ := net.SplitHostPort(c.Listen) // validated before
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			host = "127.0.0.1"
		}
		if addr = net.JoinHostPort(host, port); c.TLS.Cert != "" {
			scheme = "https"
		}
	}
	return &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, network, addr)
		},
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, // it is this machine, but the certificate has another name
	}}, scheme + "://localhost"
}

// errSilent is the error if the proxy does not answer.
var errSilent = errors.New("the proxy does not answer")

// mostReply limits the bytes of a response. A report of 40 days with names of usual length
// has a tenth of that.
const mostReply = 64 << 20

// askFor returns the body of a response, or an error with the body if the status is not a
// success.
func askFor(ctx context.Context, client *http.Client, method, url string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return "", err
	}
	resp, err := client.Do(r)
	if err != nil {
		return "", fmt.Errorf("%w: %w", errSilent, errors.Unwrap(err))
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, mostReply))
	if err == nil && resp.StatusCode != http.StatusOK {
		err = errors.New(strings.TrimSpace(string(body)))
	}
	return string(body), err
}

// listenAdmin listens on a loopback address, or on a socket file that only its owner can
// use. It replaces a file left by a killed process.
func listenAdmin(addr string) (net.Listener, error) {
	path, ok := config.SocketFile(addr)
	if !ok {
		return listen(addr)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == fs.ModeSocket {
		if c, err := net.Dial("unix", path); err == nil {
			c.Close()
			return nil, fmt.Errorf("admin: %s is in use by another proxy", path)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("admin: %w", err)
		}
	}
	l, err := listenPrivately(path)
	if err != nil {
		return nil, fmt.Errorf("admin: %w", err)
	}
	return l, nil
}
