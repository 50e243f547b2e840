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

// target is the least that the page expects of a browser. It tests for newer features at
// run time.
const target = api.ES2022

// entry holds the file names for index.html.
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

// bundlePart bundles a part that the page loads later. It shares no chunk with the page, so
// the page can load it by its hash.
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

// bundleWorker bundles the shim with the wasm_exec.js of the Go version that compiles the
// programs, because the two must match.
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

// bundleServiceWorker bundles the service worker. It contains the page's version, so a new
// page makes a new service worker.
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

// bundleUnitTests bundles each test into a module that Node can run.
func bundleUnitTests(web, out string) error {
	old, err := filepath.Glob(filepath.Join(out, "*.test.mjs"))
	if err != nil {
		return err
	}
	for _, name := range old { // of deleted tests
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
		// The page's dark mode uses light-dark(), which must stay unchanged.
		Supported: map[string]bool{"nesting": true},
	}
}

// failure joins esbuild's messages with their places into one error.
func failure(result api.BuildResult) error {
	if len(result.Errors) == 0 {
		return nil
	}
	return errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage}), "\n"))
}
