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

// pdfjs is the npm folder of the library that draws the pages of a PDF.
const pdfjs = "node_modules/pdfjs-dist"

// drawingFiles returns the files that draw the pages of a PDF: the bundle with PageView,
// the worker of pdf.js, and data that it requests on demand. A visitor downloads none of
// them before a page is shown.
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

// drawingData returns the fonts that a PDF may omit, the decoders of two image formats, and
// the character maps of Asian fonts. named maps pdf.js's name for each to the file and its
// integrity, for the page. The colour profile and its program are left out, because pdf.js
// can request these from its worker only, by names without a hash. Without them it converts
// colours by itself.
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

// characterTables puts the character maps of pdf.js into one file, because most are tiny:
// the length of a directory as uint32, the directory, and the maps. The directory has the
// place of each map after it, by name.
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

// drawingLicences returns the licences that must accompany the library.
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
