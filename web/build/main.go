// Command build makes the page: web/dist, ready to be served or embedded.
//
//	go run ./web/build                 all of it, compressed
//	go run ./web/build --embed DIR     the same, and the files that the program seam takes in
//	go run ./web/build --dev           quick: nothing is compressed
//	go run ./web/build --unit DIR      only the unit tests, for node --test
//	go run ./web/build --widget        only what seam takes in beside the page: the widget of docs sites, token ranks
//	go run ./web/build --bench FILE    only the program that make bench-web measures
//	go run ./web/build --proxy URL     for a static host, with a proxy elsewhere
//
// It needs Go, where esbuild is a library, and the libraries of the page that
// npm ci brings.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"seam/web/policy"
)

func main() {
	out := flag.String("out", "web/dist", "write the page to this `folder`; what it held is removed")
	embedded := flag.String("embed", "", "write what the program seam takes in to this `folder`, too: each file in one form")
	dev := flag.Bool("dev", false, "leave files uncompressed and unminified")
	unit := flag.String("unit", "", "bundle the unit tests into this `folder` instead of building the page")
	widget := flag.Bool("widget", false, "write what seam takes in beside the page, the widget of docs sites and the token ranks, instead of building the page")
	bench := flag.String("bench", "", "compile the program of make bench-web, as the engine is compiled, into this `file` instead")
	proxy := flag.String("proxy", "", "let the page reach the proxy at this `origin`; seam serve is its own")
	flag.Parse()
	if err := run(*out, *embedded, *unit, *bench, *proxy, *dev, *widget); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(out, embedded, unit, bench, proxy string, dev, widget bool) error {
	if proxy != "" {
		var err error
		if proxy, err = policy.CheckProxy(proxy); err != nil {
			return fmt.Errorf("--proxy: %w", err)
		}
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	web := filepath.Join(root, "web")
	if unit != "" {
		return bundleUnitTests(web, unit)
	}
	output := output{dir: out, cache: filepath.Join(web, ".cache", "compressed"), dev: dev}
	if err := buildWidget(web, dev); err != nil {
		return err
	}
	if err := writeRanks(root, output); err != nil || widget {
		return err
	}
	if bench != "" {
		program, err := compileWasm(root, filepath.Join(web, ".cache"), benchProgram)
		if err != nil {
			return err
		}
		return os.WriteFile(bench, program, 0o644)
	}
	page, err := buildPage(root, web, proxy, output)
	if err != nil {
		return err
	}
	manifest, err := output.write(page, func(m manifest) ([]file, error) { return serviceWorkerFiles(web, proxy, m, dev) })
	if err != nil {
		return err
	}
	if embedded != "" {
		if err := writeEmbedded(out, embedded, manifest); err != nil {
			return err
		}
	}
	manifest.print(os.Stdout)
	return nil
}

// moduleRoot is the folder of go.mod, from wherever the build is started.
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
