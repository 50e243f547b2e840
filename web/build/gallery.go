package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"seam/shared/pdftext/pdftest"
)

// example is a document of the gallery, as web/gallery/gallery.json tells of it, and
// what the page is told beside.
type example struct {
	// File is the source's name; the page is told that of the packed file.
	File string `json:"file"`
	// Name is what the document is called once it is open.
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Title     string   `json:"title"`
	Look      string   `json:"look"`
	Language  string   `json:"language,omitempty"`
	Questions []string `json:"questions"`
	Integrity string   `json:"integrity"`
	Words     int      `json:"words"`
	Pages     int      `json:"pages,omitempty"`
	// Bytes is what is fetched.
	Bytes int `json:"bytes"`
}

// galleryFiles are the documents of the gallery, each packed: fetched when somebody
// chooses it, as the tables of the PDF worker are, so that the policies allow them
// where they allow these. told tells the page of them.
func galleryFiles(web string) (files []file, told string, err error) {
	examples, bodies, err := readGallery(web)
	if err != nil {
		return nil, "", err
	}
	for i := range examples {
		e := &examples[i]
		packed, err := packGzip(bodies[i])
		if err != nil {
			return nil, "", err
		}
		name, _, _ := strings.Cut(e.File, ".")
		f := hashed("example"+name+".packed", gallery, packed)
		e.File, e.Integrity, e.Bytes = f.name, integrityOf(packed), len(packed)
		files = append(files, f)
	}
	b, err := json.Marshal(examples)
	return files, quote(string(b)), err
}

// readGallery reads the list and the documents; the paper is set as a PDF.
func readGallery(web string) (examples []example, bodies [][]byte, err error) {
	b, err := os.ReadFile(filepath.Join(web, "gallery", "gallery.json"))
	if err != nil {
		return nil, nil, err
	}
	if err := json.Unmarshal(b, &examples); err != nil {
		return nil, nil, fmt.Errorf("gallery.json: %w", err)
	}
	for i := range examples {
		e := &examples[i]
		source, isPDF := strings.CutSuffix(e.File, ".pdf")
		if isPDF {
			source += ".txt"
		} else {
			source = e.File
		}
		body, err := os.ReadFile(filepath.Join(web, "gallery", source))
		if err != nil {
			return nil, nil, err
		}
		e.Words = len(bytes.Fields(body))
		if isPDF {
			doc := setPaper(string(body))
			body, e.Pages = pdftest.Write(doc), len(doc.Pages)
		}
		bodies = append(bodies, body)
	}
	return examples, bodies, nil
}
