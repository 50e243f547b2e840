package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// target is what the page may expect of a browser, beside the newest features
// that it looks for at run time.
const target = api.ES2022

// entry is what index.html names.
type entry struct{ script, style string }

// bundleApp bundles the page and its stylesheet.
func bundleApp(web string, define map[string]string, dev bool) ([]file, entry, error) {
	options := common(dev)
	options.EntryPointsAdvanced = []api.EntryPoint{
		{InputPath: filepath.Join(web, "app", "main.ts"), OutputPath: "app"},
		{InputPath: filepath.Join(web, "styles", "app.css"), OutputPath: "style"},
	}
	options.Format = api.FormatESModule
	options.Splitting = true
	options.EntryNames = "[name]-[hash]"
	options.ChunkNames = "part-[hash]"
	options.Outdir = filepath.Join(web, "dist")
	options.Define = define
	result := api.Build(options)
	if err := failure(result); err != nil {
		return nil, entry{}, err
	}
	var files []file
	var names entry
	for _, out := range result.OutputFiles {
		name := filepath.Base(out.Path)
		files = append(files, file{name, page, out.Contents})
		switch {
		case strings.HasPrefix(name, "app-"):
			names.script = name
		case strings.HasPrefix(name, "style-"):
			names.style = name
		}
	}
	return files, names, nil
}

// bundlePart bundles what the page loads later on. It shares no part with the page,
// so that the page names it with its hash.
func bundlePart(web, source string, define map[string]string, dev bool) ([]byte, error) {
	options := common(dev)
	options.EntryPoints = []string{filepath.Join(web, filepath.FromSlash(source))}
	options.Define = define
	options.Loader = map[string]api.Loader{".css": api.LoaderText}
	options.Format = api.FormatESModule
	result := api.Build(options)
	if err := failure(result); err != nil {
		return nil, err
	}
	return result.OutputFiles[0].Contents, nil
}

// bundleWorker bundles the shim with the wasm_exec.js of the Go that compiles
// the programs, as the two must match.
func bundleWorker(web string, programs map[string]program, dev bool) ([]byte, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	names, err := json.Marshal(programs)
	if err != nil {
		return nil, err
	}
	options := common(dev)
	options.EntryPoints = []string{filepath.Join(web, "worker", "worker.ts")}
	options.Format = api.FormatIIFE
	options.Alias = map[string]string{"go-wasm-exec": filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec.js")}
	options.Define = map[string]string{"__WASM__": string(names)}
	result := api.Build(options)
	if err := failure(result); err != nil {
		return nil, err
	}
	return result.OutputFiles[0].Contents, nil
}

// bundleServiceWorker bundles the service worker. What it knows of the page is
// in it, so that a new page is a new service worker.
func bundleServiceWorker(web string, knows serviceWorkerKnows, dev bool) ([]byte, error) {
	define, err := json.Marshal(knows)
	if err != nil {
		return nil, err
	}
	options := common(dev)
	options.EntryPoints = []string{filepath.Join(web, "sw", "sw.ts")}
	options.Format = api.FormatIIFE
	options.Define = map[string]string{"__PAGE__": string(define)}
	result := api.Build(options)
	if err := failure(result); err != nil {
		return nil, err
	}
	return result.OutputFiles[0].Contents, nil
}

// bundleUnitTests makes each test a module that Node runs as it is.
func bundleUnitTests(web, out string) error {
	old, err := filepath.Glob(filepath.Join(out, "*.test.mjs"))
	if err != nil {
		return err
	}
	for _, name := range old { // of tests that are there no more
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	tests, err := filepath.Glob(filepath.Join(web, "test", "unit", "*.test.ts"))
	if err != nil {
		return err
	}
	rows, err := engineTables()
	if err != nil {
		return err
	}
	options := common(true)
	options.EntryPoints = tests
	options.Define = rows
	options.Outdir = out
	options.OutExtension = map[string]string{".js": ".mjs"}
	options.Format = api.FormatESModule
	options.Platform = api.PlatformNode
	options.Write = true
	return failure(api.Build(options))
}

func common(dev bool) api.BuildOptions {
	return api.BuildOptions{
		Bundle:            true,
		Target:            target,
		MinifyWhitespace:  !dev,
		MinifyIdentifiers: !dev,
		MinifySyntax:      !dev,
		LegalComments:     api.LegalCommentsNone,
		Charset:           api.CharsetUTF8,
		// light-dark() is what the page's dark mode is made of: left as it is.
		Supported: map[string]bool{"nesting": true},
	}
}

// failure puts esbuild's messages into one error, each with its place.
func failure(result api.BuildResult) error {
	if len(result.Errors) == 0 {
		return nil
	}
	return errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage}), "\n"))
}
