// Command build makes the page: web/dist, ready to be served or embedded.
//
//	go run ./web/build                 the page, compressed
//	go run ./web/build --embed DIR     the same, and the files that the program seam embeds
//	go run ./web/build --dev           quick: nothing is compressed
//	go run ./web/build --unit DIR      only the unit tests, for node --test
//	go run ./web/build --widget        only the other embedded files: the widget of docs sites, token ranks
//	go run ./web/build --bench FILE    only the program that make bench-web measures
//	go run ./web/build --proxy URL     for a static host, with a proxy elsewhere
//
// It needs Go, because esbuild is used as a library, and the page's libraries from npm ci.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"seam/web/policy"
)

// options are the flags.
type options struct {
	out, embed, unit, bench, proxy string
	dev, widget                    bool
}

func main() {
	var o options
	flag.StringVar(&o.out, "out", "web/dist", "write the page to this `folder`; what it held is removed")
	flag.StringVar(&o.embed, "embed", "", "write what the program seam takes in to this `folder`, too: each file in one form")
	flag.BoolVar(&o.dev, "dev", false, "leave files uncompressed and unminified")
	flag.StringVar(&o.unit, "unit", "", "bundle the unit tests into this `folder` instead of building the page")
	flag.BoolVar(&o.widget, "widget", false, "write what seam takes in beside the page, the widget of docs sites and the token ranks, instead of building the page")
	flag.StringVar(&o.bench, "bench", "", "compile the program of make bench-web, as the engine is compiled, into this `file` instead")
	flag.StringVar(&o.proxy, "proxy", "", "let the page reach the proxy at this `origin`; seam serve is its own")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func (o options) run() error {
	if o.proxy != "" {
		var err error
		if o.proxy, err = policy.CheckProxy(o.proxy); err != nil {
			return fmt.Errorf("--proxy: %w", err)
		}
	}
	if o.dev && o.embed != "" {
		return errors.New("--embed takes the compressed page: leave out --dev")
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	web := filepath.Join(root, "web")
	if o.unit != "" {
		return bundleUnitTests(web, o.unit)
	}
	output := output{dir: o.out, cache: filepath.Join(web, ".cache", "compressed"), dev: o.dev}
	if o.widget {
		return errors.Join(buildWidget(web, o.dev), writeRanks(root, output))
	}
	if o.bench != "" {
		program, err := compileWasm(root, benchProgram)
		if err != nil {
			return err
		}
		return os.WriteFile(o.bench, program, 0o644)
	}
	page, err := buildPage(root, web, o.proxy, output)
	if err != nil {
		return err
	}
	manifest, err := output.write(page, func(m manifest) ([]file, error) { return serviceWorkerFiles(web, o.proxy, m, o.dev) })
	if err != nil {
		return err
	}
	if o.embed != "" {
		if err := writeEmbedded(o.out, o.embed, manifest); err != nil {
			return err
		}
	}
	manifest.print(os.Stdout)
	return nil
}

// moduleRoot returns the folder of go.mod, regardless of the working directory.
func moduleRoot() (string, error) {
	b, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	file := strings.TrimSpace(string(b))
	if file == "" || file == os.DevNull {
		return "", fmt.Errorf("start this inside the seam module")
	}
	return filepath.Dir(file), nil
}
