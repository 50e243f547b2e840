package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"seam/shared/pdftext/collection"
	"seam/web/policy"
)

// group is the row of the size table that a file belongs to.
type group string

const (
	engine  group = "engine"
	pdf     group = "pdf"
	page    group = "page js+css"
	worker  group = "workers js"
	tables  group = "PDF tables"
	ranks   group = "token ranks"
	model   group = "built-in model"
	meaning group = "model of meaning"
	other   group = "other"
	// gallery is the documents a visitor can open as examples.
	gallery group = "gallery"
	// pdfPages is the code and data that draw the pages of a PDF.
	pdfPages group = "PDF pages"
	// language is the words of a language other than English.
	language group = "languages"
	// apart is files that the page can work without: icons, licences.
	apart group = "icons, licences"
)

// file is one file of the page before compression.
type file struct {
	name  string
	group group
	body  []byte
}

// program describes a program to the worker.
type program struct {
	File string `json:"file"`
	// Integrity covers the program and its .gz file, because the host decides which one
	// arrives.
	Integrity string `json:"integrity"`
	Packed    bool   `json:"packed"`
}

// buildPage builds every file of the page in memory, except the service worker, which lists
// them all. A file is built before the one that names it: tables before the PDF program,
// the model and the ranks before the engine, programs before the worker, the worker before
// the page. proxy is the origin that the page is built for, or "".
func buildPage(root, web, proxy string, o output) ([]file, error) {
	dev := o.dev
	files, told, err := dataFiles(root, o)
	if err != nil {
		return nil, err
	}
	compiled, programs, err := programFiles(root, told, o)
	if err != nil {
		return nil, err
	}
	files = append(files, compiled...)
	shim, err := bundleWorker(web, programs, dev)
	if err != nil {
		return nil, err
	}
	shims := belowBoth("worker.js", worker, proxy, shim)
	sample, err := sampleFile(web)
	if err != nil {
		return nil, err
	}
	rows, err := engineTables()
	if err != nil {
		return nil, err
	}
	define := map[string]string{"__WORKER__": quote(shims[0].name), "__SAMPLE__": quote(sample.name)}
	maps.Copy(define, rows)
	drawn, names, err := drawingFiles(web, proxy, rows, dev)
	if err != nil {
		return nil, err
	}
	files = append(files, drawn...)
	maps.Copy(define, names)
	copier, err := workerFiles(web, "copy", worker, proxy, dev)
	if err != nil {
		return nil, err
	}
	define["__COPIER__"] = quote(copier[0].name)
	files = append(files, copier...)
	parts, err := partFiles(web, define, rows, dev)
	if err != nil {
		return nil, err
	}
	files = append(files, parts...)
	scripts, entry, err := bundleApp(web, define, dev)
	if err != nil {
		return nil, err
	}
	install, icon, appManifest, err := installFiles(web)
	if err != nil {
		return nil, err
	}
	files = append(append(append(append(files, shims...), sample), install...), scripts...)
	entries, err := entryFiles(web, proxy, appManifest, icon, entry, files)
	if err != nil {
		return nil, err
	}
	return append(files, entries...), nil
}

// belowBoth returns the script of a worker below the address of each entry, because a
// worker has the policy of its own response. A browser caches a file together with its
// headers. The name therefore depends on the policy too, so that no script keeps the policy
// of an earlier version.
func belowBoth(name string, of group, proxy string, script []byte) []file {
	f := hashed(name, of, script, policyText(proxy)...)
	return []file{f, {policy.SealedDir + "/" + f.name, of, script}}
}

// workerFiles returns the script of a worker that runs no Go program.
func workerFiles(web, name string, of group, proxy string, dev bool) ([]file, error) {
	script, err := bundlePart(web, "worker/"+name+".ts", nil, dev)
	if err != nil {
		return nil, err
	}
	return belowBoth(name+".js", of, proxy, script), nil
}

// dataFiles returns the files that the programs request, and a description of them for each
// program.
func dataFiles(root string, o output) (files []file, told map[group][]string, err error) {
	files, tableNames, err := tableFiles()
	if err != nil {
		return nil, nil, err
	}
	vectors, licence, err := modelFiles(root)
	if err != nil {
		return nil, nil, err
	}
	encoder, encoderTold, err := meaningFiles(root)
	if err != nil {
		return nil, nil, err
	}
	vocabularies, encodings, err := rankFiles(o)
	if err != nil {
		return nil, nil, err
	}
	files = append(append(append(files, vectors, licence), encoder...), vocabularies...)
	told = map[group][]string{pdf: {"main.assets=" + tableNames},
		engine: {"main.model=" + vectors.name + ":" + integrityOf(vectors.body), "main.meaningFile=" + encoderTold, "main.ranks=" + encodings}}
	return files, told, nil
}

// programFiles compiles the programs in parallel, each with its list of data files.
// programs describes them to the worker.
func programFiles(root string, told map[group][]string, o output) (files []file, programs map[string]program, err error) {
	groups := []group{engine, pdf}
	bodies, packed, errs := make([][]byte, len(groups)), make([][]byte, len(groups)), make([]error, len(groups))
	var work sync.WaitGroup
	for i, g := range groups {
		work.Go(func() {
			if bodies[i], errs[i] = compileWasm(root, string(g), told[g]...); errs[i] == nil {
				packed[i], errs[i] = o.gzip(bodies[i])
			}
		})
	}
	work.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	programs = map[string]program{}
	for i, g := range groups {
		f := hashed(string(g)+".wasm", g, bodies[i])
		programs[string(g)] = program{f.name, integrityOf(bodies[i], packed[i]), packed[i] != nil}
		files = append(files, f)
	}
	return files, programs, nil
}

// partFiles returns the parts that the page loads later, each with the rows it uses. Their
// names are added to define.
func partFiles(web string, define map[string]string, rows engineRows, dev bool) (files []file, err error) {
	files, examples, err := galleryFiles(web)
	if err != nil {
		return nil, err
	}
	first, err := measureFirst(web)
	if err != nil {
		return nil, err
	}
	told := map[string]string{"__GALLERY__": examples, "__FIRST_SIGHT__": quote(string(first))}
	maps.Copy(told, rows)
	// A part comes before the part that names it.
	for _, part := range []struct{ name, source string }{{"look", "page/look-view"}, {"grid", "grid/grid-view"}, {"each", "hosted/each-view"}, {"statements", "statements/statements-view"}, {"views", "document-views"}, {"hosted", "hosted/hosted-parts"}, {"kept", "kept/kept-parts"}, {"visits", "visits/visits"}, {"methods", "methods/methods-view"}, {"settings", "settings/settings-parts"}, {"first", "first/first-run"}, {"folder", "open/folder-view"}} {
		body, err := bundlePart(web, "app/"+part.source+".ts", told, dev)
		if err != nil {
			return nil, err
		}
		f := hashed(part.name+".js", page, body)
		files = append(files, f)
		for _, names := range []map[string]string{define, told} {
			names["__"+strings.ToUpper(part.name)+"__"] = quote(f.name)
			names["__"+strings.ToUpper(part.name)+"_INTEGRITY__"] = quote(integrityOf(body))
		}
	}
	// Each language is a string by its name: see words/choice.ts.
	languages := map[string][2]string{}
	for _, name := range []string{"de"} {
		body, err := bundlePart(web, "app/words/"+name+".ts", rows, dev)
		if err != nil {
			return nil, err
		}
		f := hashed(name+".js", language, body)
		files = append(files, f)
		languages[name] = [2]string{f.name, integrityOf(body)}
	}
	b, err := json.Marshal(languages)
	if err != nil {
		return nil, err
	}
	define["__LANGUAGES__"] = quote(string(b))
	return files, nil
}

// entryFiles returns the two entries of the page, the open and the sealed one. files are
// those they may name.
func entryFiles(web, proxy, manifest, icon string, names entry, files []file) (entries []file, err error) {
	index, err := os.ReadFile(filepath.Join(web, "app", "index.html"))
	if err != nil {
		return nil, err
	}
	// The sealed entry has no manifest, because an installed page uses the open entry.
	for _, e := range []struct{ dir, root, proxy, manifest string }{{"", "./", proxy, manifest}, {policy.SealedDir + "/", "../", "", ""}} {
		html, err := fillIn(string(index), e.root, e.proxy, e.manifest, names, icon, files)
		if err != nil {
			return nil, err
		}
		entries = append(entries, file{e.dir + "index.html", page, html})
	}
	return entries, nil
}

// tableFiles returns the tables that the PDF program requests on demand, and a list of them
// for the program: see wasm/pdf. Each table is compressed separately.
func tableFiles() (files []file, told string, err error) {
	var names []string
	for _, name := range collection.Files() {
		body, err := collection.Embedded(name)
		if err != nil {
			return nil, "", err
		}
		f := hashed(name, tables, body)
		files = append(files, f)
		names = append(names, name+":"+f.name+":"+integrityOf(body))
	}
	return files, strings.Join(names, ","), nil
}

// modelFiles returns the built-in model, which cannot be compressed further, and its
// licence, which must accompany it.
func modelFiles(root string) (vectors, licence file, err error) {
	dir := filepath.Join(root, "shared", "embed", "builtin")
	body, err := os.ReadFile(filepath.Join(dir, "model.bin"))
	if err != nil {
		return file{}, file{}, fmt.Errorf("the built-in model: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "LICENSE-MODEL"))
	if err != nil {
		return file{}, file{}, fmt.Errorf("the licence of the built-in model: %w", err)
	}
	return hashed("model.bin", model, body), file{"LICENSE-MODEL.txt", apart, text}, nil
}

// meaningFiles returns the packed encoder and its licence, and the encoder's name,
// integrity and size for the engine.
func meaningFiles(root string) (files []file, told string, err error) {
	dir := filepath.Join(root, "shared", "embed", "meaning")
	packed, err := os.ReadFile(filepath.Join(dir, "model.bin.gz"))
	if err != nil {
		return nil, "", fmt.Errorf("the model of meaning: %w", err)
	}
	licence, err := os.ReadFile(filepath.Join(dir, "LICENSE-MODEL"))
	if err != nil {
		return nil, "", fmt.Errorf("the licence of the model of meaning: %w", err)
	}
	f := hashed("meaning.packed", meaning, packed)
	return []file{f, {"LICENSE-MEANING.txt", apart, licence}}, fmt.Sprintf("%s:%s:%d", f.name, integrityOf(packed), len(packed)), nil
}

// fillIn writes the file names and their hashes into index.html, and the proxy and the
// manifest if there are any. The browser refuses files with other hashes.
func fillIn(index, root, proxy, manifest string, names entry, icon string, files []file) ([]byte, error) {
	integrity := map[string]string{}
	for _, f := range files {
		integrity[f.name] = integrityOf(f.body)
	}
	meta := ""
	if proxy != "" {
		meta = `<meta name="seam-proxy" content="` + html.EscapeString(proxy) + "\">\n"
	}
	link := ""
	if manifest != "" {
		link = `<link rel="manifest" href="` + root + manifest + "\">\n"
	}
	filled := strings.NewReplacer(
		"{{proxy}}\n", meta, "{{manifest}}\n", link,
		"{{app}}", root+names.script, "{{app-integrity}}", integrity[names.script],
		"{{css}}", root+names.style, "{{css-integrity}}", integrity[names.style],
		"{{icon}}", root+icon).Replace(index)
	if strings.Contains(filled, "{{") || strings.Contains(filled, `integrity=""`) {
		return nil, fmt.Errorf("index.html names something that the build does not make")
	}
	return []byte(filled), nil
}

// policyText returns all headers that the service worker adds if the host sends none.
func policyText(proxy string) []string {
	all := []string{policy.Open(proxy), policy.Sealed(func(...string) string { return "{root}" })}
	for _, each := range policy.Headers(proxy) {
		all = append(all, each.Name, each.Value)
	}
	return all
}

// hashed names a file by its content and by everything else it depends on, so that it can
// be cached forever.
func hashed(name string, g group, body []byte, more ...string) file {
	ext := path.Ext(name)
	sum := sha256.Sum256(append(bytes.Clone(body), strings.Join(more, "\n")...))
	return file{fmt.Sprintf("%s-%x%s", strings.TrimSuffix(name, ext), sum[:6], ext), g, body}
}

func quote(s string) string {
	b, _ := json.Marshal(s) // a string always encodes
	return string(bytes.TrimSpace(b))
}
