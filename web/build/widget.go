package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"

	"seam/web/widget"
)

// buildWidget writes the scripts of the widget to web/widget/dist: the script that pages
// include, and those it loads for search, for answers, for search by meaning, for
// collections, and for marking words on pages.
func buildWidget(web string, dev bool) error {
	dir := filepath.Join(web, "widget", "dist")
	old, err := filepath.Glob(filepath.Join(dir, "*.js"))
	if err != nil {
		return err
	}
	for _, name := range old {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	marks, err := bundleWidget(filepath.Join(web, "widget", "marks.ts"), nil, dev)
	if err != nil {
		return err
	}
	marking := hashed("widget-marks.js", other, marks)
	ask, err := bundleWidget(filepath.Join(web, "widget", "ask", "ask.ts"), map[string]string{"__MARKS__": quote("./" + marking.name)}, dev)
	if err != nil {
		return err
	}
	asking := hashed("widget-ask.js", other, ask)
	meaning, err := bundleWidget(filepath.Join(web, "widget", "meaning", "meaning.ts"), nil, dev)
	if err != nil {
		return err
	}
	meant := hashed("widget-meaning.js", other, meaning)
	collection, err := bundleWidget(filepath.Join(web, "widget", "collection", "collection.ts"), nil, dev)
	if err != nil {
		return err
	}
	collected := hashed("widget-collection.js", other, collection)
	panel, err := bundleWidget(filepath.Join(web, "widget", "panel.ts"), map[string]string{"__ASK__": quote("./" + asking.name), "__MARKS__": quote("./" + marking.name), "__MEANING__": quote("./" + meant.name), "__COLLECTION__": quote("./" + collected.name)}, dev)
	if err != nil {
		return err
	}
	part := hashed("widget-panel.js", other, panel)
	script, err := bundleWidget(filepath.Join(web, "widget", "widget.ts"), map[string]string{"__PANEL__": quote("./" + part.name), "__MARKS__": quote("./" + marking.name)}, dev)
	if err != nil {
		return err
	}
	for name, b := range map[string][]byte{marking.name: marks, asking.name: ask, meant.name: meaning, collected.name: collection, part.name: panel, widget.Name: script} {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			return fmt.Errorf("write the widget: %w", err)
		}
	}
	return nil
}

func bundleWidget(source string, define map[string]string, dev bool) ([]byte, error) {
	options := common(dev)
	options.EntryPoints = []string{source}
	options.Define = define
	options.Format = api.FormatESModule
	options.Plugins = []api.Plugin{{Name: "css", Setup: minifiedCSS}}
	result := api.Build(options)
	if err := failure(result); err != nil {
		return nil, err
	}
	return result.OutputFiles[0].Contents, nil
}

// minifiedCSS passes stylesheets to scripts as strings without blanks.
func minifiedCSS(build api.PluginBuild) {
	build.OnLoad(api.OnLoadOptions{Filter: `\.css$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
		b, err := os.ReadFile(args.Path)
		if err != nil {
			return api.OnLoadResult{}, err
		}
		out := api.Transform(string(b), api.TransformOptions{Loader: api.LoaderCSS, MinifyWhitespace: true, MinifySyntax: true})
		text := string(out.Code)
		return api.OnLoadResult{Contents: &text, Loader: api.LoaderText, Errors: out.Errors}, nil
	})
}
