package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
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
	"seam/shared/text"
)

// example is a document of the gallery, with its entry in web/gallery/gallery.json and
// computed data for the page.
type example struct {
	// File is the source's name; for the page, the packed file's.
	File string `json:"file"`
	// Name is the name of the opened document.
	Name      string   `json:"name"`
	Kind      string   `json:"kind"`
	Title     string   `json:"title"`
	Look      string   `json:"look"`
	Language  string   `json:"language,omitempty"`
	Questions []string `json:"questions"`
	Integrity string   `json:"integrity"`
	Words     int      `json:"words"`
	Pages     int      `json:"pages,omitempty"`
	// Bytes is the download size.
	Bytes int `json:"bytes"`
	// Curve is its small curve, as returned by sketch.
	Curve string `json:"curve"`
}

// sketchBars is the greatest width of a document's small curve, in bars.
const sketchBars = 56

// galleryFiles returns the packed documents of the gallery, and their descriptions for the
// page. They are fetched on demand, like the tables of the PDF worker, so policies that
// allow those allow them too.
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

// firstSight is the text with which the empty page shows a cut, as measured by the built-in
// model.
type firstSight struct {
	Sentences []string  `json:"sentences"`
	Distances []float64 `json:"distances"` // between each sentence and the next, as shown by the curve
}

// measureFirst returns the firstSight of web/gallery/first.txt as JSON.
func measureFirst(web string) ([]byte, error) {
	body, err := os.ReadFile(filepath.Join(web, "gallery", "first.txt"))
	if err != nil {
		return nil, err
	}
	hooks, err := modelHooks(web)
	if err != nil {
		return nil, err
	}
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "percentile", Embedder: builtin.Name})
	if err != nil {
		return nil, err
	}
	r, err := pipeline.NewSession(text.NewPlain(string(body))).Run(context.Background(), plan, hooks)
	if err != nil {
		return nil, fmt.Errorf("first.txt: %w", err)
	}
	var f firstSight
	for _, s := range r.Sentences {
		f.Sentences = append(f.Sentences, s.Of(r.Text.Text))
	}
	for _, d := range r.Found.Curve {
		f.Distances = append(f.Distances, math.Round(1000*d)/1000)
	}
	return json.Marshal(f)
}

// readGallery reads the list and the documents, and typesets the paper as a PDF.
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

// modelHooks returns hooks with the built-in model, as in the page.
func modelHooks(web string) (pipeline.Hooks, error) {
	b, err := os.ReadFile(filepath.Join(web, "..", "shared", "embed", "builtin", "model.bin"))
	if err != nil {
		return pipeline.Hooks{}, err
	}
	m, err := builtin.Load(b)
	return pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return m, nil }}, err
}

// cutExample reads a document and cuts it with the page's defaults.
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

// sketch returns the curve of a document in a few bars, from the first sentence to the
// last. Each is a digit with its height, or a letter where there is a cut, from a for the
// lowest.
func sketch(r *pipeline.Result) string {
	n := min(sketchBars, len(r.Found.Curve))
	bars := make([]byte, n)
	// Strengths are logarithms, so their zero is not the base line.
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
