package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/read/html"
	pdfreader "seam/shared/read/pdf"
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
	// Curve is its curve in small, as sketch makes it.
	Curve string `json:"curve"`
}

// sketchBars is how wide the curve of a document is at most, in bars.
const sketchBars = 56

// galleryFiles are the documents of the gallery, each packed: fetched when somebody
// chooses it, as the tables of the PDF worker are, so that the policies allow them
// where they allow these. told tells the page of them.
func galleryFiles(web string) (files []file, told string, err error) {
	examples, bodies, err := readGallery(web)
	if err != nil {
		return nil, "", err
	}
	hooks, err := modelHooks(web)
	if err != nil {
		return nil, "", err
	}
	for i := range examples {
		e := &examples[i]
		r, err := cutExample(e.File, bodies[i], hooks)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", e.File, err)
		}
		e.Curve = sketch(r)
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

// modelHooks has the built-in model, as the page has.
func modelHooks(web string) (pipeline.Hooks, error) {
	b, err := os.ReadFile(filepath.Join(web, "..", "shared", "embed", "builtin", "model.bin"))
	if err != nil {
		return pipeline.Hooks{}, err
	}
	m, err := builtin.Load(b)
	return pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return m, nil }}, err
}

// cutExample reads a document and cuts it, both as the page does by default.
func cutExample(name string, body []byte, hooks pipeline.Hooks) (*pipeline.Result, error) {
	d, err := read.All().With(pdfreader.Name, pdfreader.Read).With(html.Name, html.Read).Read(name, body, read.Options{})
	if err != nil {
		return nil, err
	}
	plan, err := pipeline.NewPlan(pipeline.Settings{Embedder: pipeline.Auto})
	if err != nil {
		return nil, err
	}
	return pipeline.NewSession(d).Run(context.Background(), plan, hooks)
}

// sketch is the curve of a document in some bars, from the first sentence to the last:
// a digit each, of its height, or where there is a cut a letter, from a for the least.
func sketch(r *pipeline.Result) string {
	n := min(sketchBars, len(r.Found.Curve))
	bars := make([]byte, n)
	// Strengths are logarithms: none has no height of its own.
	least, most := slices.Min(r.Found.Curve), slices.Max(r.Found.Curve)
	for i := range bars {
		from, to := i*len(r.Found.Curve)/n, (i+1)*len(r.Found.Curve)/n
		height := byte(9 * (slices.Max(r.Found.Curve[from:to]) - least) / (most - least))
		bars[i] = '0' + height
		for gap := from; gap < to; gap++ {
			if slices.ContainsFunc(r.Chunks[1:], func(c chunk.Chunk) bool { return c.Start == r.Sentences[gap+1].Start }) {
				bars[i] = 'a' + height
			}
		}
	}
	return string(bars)
}
