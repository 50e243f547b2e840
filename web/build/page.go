package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// group says to which package of the size table a file belongs.
type group string

const (
	engine group = "engine"
	pdf    group = "pdf"
	page   group = "page js+css"
	worker group = "worker shim"
	other  group = "other"
)

// file is one file of the page before compression.
type file struct {
	name  string
	group group
	body  []byte
}

// buildPage makes every file of the page in memory. The order is that of what
// names what: the worker names the programs, the page names the worker.
func buildPage(root, web string, dev bool) ([]file, error) {
	var files []file
	programs := map[string]string{}
	for _, g := range []group{engine, pdf} {
		body, err := compileWasm(root, string(g))
		if err != nil {
			return nil, err
		}
		f := hashed(string(g)+".wasm", g, body)
		programs[string(g)] = f.name
		files = append(files, f)
	}
	shim, err := bundleWorker(web, programs, dev)
	if err != nil {
		return nil, err
	}
	shimFile := hashed("worker.js", worker, shim)
	sample, err := sampleFile(web)
	if err != nil {
		return nil, err
	}
	scripts, entry, err := bundleApp(web, map[string]string{"__WORKER__": quote(shimFile.name), "__SAMPLE__": quote(sample.name)}, dev)
	if err != nil {
		return nil, err
	}
	icon, err := os.ReadFile(filepath.Join(web, "app", "icon.svg"))
	if err != nil {
		return nil, err
	}
	iconFile := hashed("icon.svg", other, icon)
	index, err := os.ReadFile(filepath.Join(web, "app", "index.html"))
	if err != nil {
		return nil, err
	}
	html := strings.NewReplacer("{{app}}", "./"+entry.script, "{{css}}", "./"+entry.style, "{{icon}}", "./"+iconFile.name).Replace(string(index))
	files = append(files, shimFile, sample, iconFile, file{"index.html", page, []byte(html)})
	return append(files, scripts...), nil
}

// hashed names a file by its content, so that it can be kept for ever.
func hashed(name string, g group, body []byte) file {
	ext := path.Ext(name)
	sum := sha256.Sum256(body)
	return file{fmt.Sprintf("%s-%x%s", strings.TrimSuffix(name, ext), sum[:6], ext), g, body}
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string always encodes
	return string(bytes.TrimSpace(b))
}
