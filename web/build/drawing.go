package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
)

// pdfjs is where npm puts the library that draws the pages of a PDF.
const pdfjs = "node_modules/pdfjs-dist"

// drawingFiles are what draws the pages of a PDF: the bundle with PageView, the
// worker of pdf.js, and what that asks for when a page needs it. No visitor downloads any of
// it before a page is to be seen.
func drawingFiles(web, proxy string, rows engineRows, dev bool) (files []file, define map[string]string, err error) {
	data, named, err := drawingData(web)
	if err != nil {
		return nil, nil, err
	}
	drawer, err := workerFiles(web, "drawer", pdfPages, proxy, dev)
	if err != nil {
		return nil, nil, err
	}
	told := map[string]string{"__DRAWING__": named}
	maps.Copy(told, rows)
	body, err := bundlePart(web, "app/page/page-view.ts", told, dev)
	if err != nil {
		return nil, nil, err
	}
	view := hashed("page.js", pdfPages, body)
	licences, err := drawingLicences(web)
	if err != nil {
		return nil, nil, err
	}
	files = append(append(data, view, licences), drawer...)
	define = map[string]string{"__DRAWER__": quote(drawer[0].name), "__PAGES__": quote(view.name), "__PAGES_INTEGRITY__": quote(integrityOf(body))}
	return files, define, nil
}

// drawingData are the fonts that a PDF need not bring, the decoders of two kinds of
// pictures, and the tables of characters of Asian fonts. named tells the page under
// the name that pdf.js has for each the file and its integrity. The colour profile
// and its program are left out: pdf.js can ask for these from its worker alone, by
// names without a hash, and mixes colours without them.
func drawingData(web string) (files []file, named string, err error) {
	names := map[string][2]string{}
	add := func(name string, body []byte) error {
		packed, err := packGzip(body)
		if err != nil {
			return err
		}
		short := strings.ReplaceAll(strings.ToLower(strings.TrimSuffix(name, filepath.Ext(name))), "-", "")
		f := hashed(short+".packed", pdfPages, packed)
		files = append(files, f)
		names[name] = [2]string{f.name, integrityOf(packed)}
		return nil
	}
	found, err := filepath.Glob(filepath.Join(web, pdfjs, "standard_fonts", "*.*"))
	if err != nil {
		return nil, "", err
	}
	for _, decoder := range []string{"jbig2.wasm", "openjpeg.wasm"} {
		found = append(found, filepath.Join(web, pdfjs, "wasm", decoder))
	}
	for _, path := range found {
		body, err := os.ReadFile(path)
		if err != nil {
			return nil, "", fmt.Errorf("what pdf.js needs: %w", err)
		}
		if err := add(filepath.Base(path), body); err != nil {
			return nil, "", err
		}
	}
	tables, err := characterTables(web)
	if err != nil {
		return nil, "", err
	}
	if err := add("cmaps", tables); err != nil {
		return nil, "", err
	}
	b, err := json.Marshal(names)
	return files, string(b), err
}

// characterTables puts the tables of pdf.js into one file, as most are tiny: the
// length of a directory as uint32, the directory, and the tables. The directory has
// the place of each in what follows, by its name.
func characterTables(web string) ([]byte, error) {
	paths, err := filepath.Glob(filepath.Join(web, pdfjs, "cmaps", "*.bcmap"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("the tables of pdf.js are missing: run npm ci in web (%v)", err)
	}
	var all bytes.Buffer
	directory := map[string][2]int{}
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		directory[filepath.Base(path)] = [2]int{all.Len(), all.Len() + len(body)}
		all.Write(body)
	}
	head, err := json.Marshal(directory)
	if err != nil {
		return nil, err
	}
	packed := append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head...)
	return append(packed, all.Bytes()...), nil
}

// drawingLicences go where the library goes.
func drawingLicences(web string) (file, error) {
	var all bytes.Buffer
	for _, name := range []string{"LICENSE", "cmaps/LICENSE", "standard_fonts/LICENSE_FOXIT", "standard_fonts/LICENSE_LIBERATION",
		"wasm/LICENSE_JBIG2", "wasm/LICENSE_PDFJS_JBIG2", "wasm/LICENSE_OPENJPEG", "wasm/LICENSE_PDFJS_OPENJPEG"} {
		body, err := os.ReadFile(filepath.Join(web, pdfjs, filepath.FromSlash(name)))
		if err != nil {
			return file{}, fmt.Errorf("a licence of pdf.js: %w", err)
		}
		fmt.Fprintf(&all, "pdfjs-dist/%s\n\n%s\n\n", name, bytes.TrimSpace(body))
	}
	return file{"LICENSE-PDFJS.txt", apart, all.Bytes()}, nil
}
