package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"seam/shared/bundle"
	"seam/shared/pipeline"
)

type bundleCommand struct {
	Files    []string `arg:"" name:"file" help:"Files of ${formats}, whose documents are taken over, folders and patterns (**/*.md) of them; with --list bundles alone."`
	Out      string   `short:"o" placeholder:"NAME.seam" help:"The bundle to write; - is stdout."`
	Enriched []string `placeholder:"FILE" help:"Also keep what a model has written of the files: lines that seam enrich knowledge or headers has printed."`
	List     bool     `help:"Print what is in bundles instead: documents, sentences, what made the vectors, settings, sizes."`
	JSON     bool     `name:"json" help:"With --list: a JSON object for each bundle, on a line."`
	chunkOptions
}

func (bundleCommand) Help() string {
	return `Puts documents and all that is made of them, texts, pages, sentences, vectors, settings, chunks, into one file. Every
command that takes a document takes a bundle for the documents in it; their files are not needed any more. Where no option
says how to cut, its documents are cut and searched as they were, with what was done by hand in the page.
Cutting a bundle by another method, threshold or size asks no model for a vector: those of its sentences are used
again. --embedder cache:NAME.seam does that for the documents' own files.
A bundle is a zip of JSON and .npy files, so that numpy.load("NAME.seam") has its arrays.

Examples:
  seam bundle reports/ -o reports.seam
  seam bundle --enriched knowledge.jsonl manual.pdf -o manual.seam
  seam bundle --list reports.seam
  seam chunk --method percentile --threshold 95 reports.seam
  OPENAI_API_KEY=… seam bundle --embedder openai:text-embedding-3-small reports/ -o reports.seam
  seam chunk --embedder cache:reports.seam --method cluster reports/2024.pdf`
}

func (c bundleCommand) Run(ctx context.Context, std IO, b build) error {
	switch {
	case c.List && c.Out != "":
		return usagef("--list prints what is in bundles, and -o writes one: choose one of them")
	case c.List:
		return c.list(std)
	case c.JSON:
		return usagef("--json goes with --list")
	case c.Out == "":
		return usagef("name the bundle to write with -o NAME.seam, or print what is in one with --list")
	}
	p, err := c.plan()
	if err != nil {
		return err
	}
	rows, err := readWritten(std, c.Enriched)
	if err != nil {
		return err
	}
	inputs, err := inputsOf(std, c.Files)
	if err != nil {
		return err
	}
	out, err := outputTo(c.Out, inputs, "."+bundle.Extension)
	if err != nil {
		return err
	}
	if out.apart {
		return usagef("-o %s is a folder, and a bundle is one file: -o %s", shown(c.Out), shown(strings.TrimRight(c.Out, "/")+"/NAME."+bundle.Extension))
	}
	m, err := c.open(ctx, std, b, p)
	if err != nil {
		return retryHint(err)
	}
	defer m.close()
	cut := cutter{ctx: ctx, std: std, options: c.chunkOptions, plan: p, models: m, vectors: true, enriched: rows}
	return retryHint(out.write(std, func(std IO) (failed, err error) { return cut.bundle(std.Out, inputs) }))
}

// bundle writes the documents of inputs as a bundle, in their order. It holds those that
// are worked on, and the packed list of what is written.
func (c cutter) bundle(to io.Writer, inputs []input) (failed, err error) {
	buffered := bufio.NewWriterSize(to, enough)
	w, err := bundle.NewWriter(buffered)
	if err != nil {
		return nil, err
	}
	made, written := make([]*bundle.Item, len(inputs)), 0
	var mu sync.Mutex
	found := make([]bool, len(c.enriched))
	c.then = func(i int) error {
		it := made[i]
		made[i] = nil
		written++
		return w.Add(it)
	}
	failed, err = c.each(inputs, func(ctx context.Context, std IO, i int, s *cutting) error {
		r, err := c.cut(ctx, std, s, nil)
		if err != nil {
			return err
		}
		model, err := c.hooksOf(s).Open(r.Plan.Embedder)
		if err != nil {
			return named(s.Session, err)
		}
		made[i] = bundle.ItemOf(s.Session, r, s.from.source, c.models.origin(r.Plan.Embedder), model.ID())
		if s.from.item != nil {
			made[i].Questions, made[i].Statements = s.from.item.Questions, s.from.item.Statements
		}
		mu.Lock()
		defer mu.Unlock()
		made[i].Statements = append(made[i].Statements, statements(c.enriched, found, r)...)
		return nil
	})
	switch {
	case err != nil:
		return failed, err
	case written == 0 && failed != nil:
		return nil, failed // each was told; nothing is written
	}
	tellStrangers(c.std, found)
	return failed, errors.Join(w.Close(), buffered.Flush())
}

// bundleJSON is what a bundle holds.
type bundleJSON struct {
	File      string        `json:"file"`
	Version   int           `json:"version"`
	Bytes     int64         `json:"bytes"`
	Documents []bundledJSON `json:"documents"`
}

// bundledJSON is a document of a bundle. Its source is the file that it was read from.
type bundledJSON struct {
	Name       string        `json:"name"`
	Title      string        `json:"title,omitempty"`
	Source     bundle.Source `json:"source"`
	Pages      int           `json:"pages"`
	Bytes      int           `json:"bytes"` // of the text of the plan
	Sentences  int           `json:"sentences"`
	Chunks     int           `json:"chunks"`
	Edits      int           `json:"edits,omitempty"` // places where boundaries were made or taken away by hand
	Model      string        `json:"model"`           // of the vectors; empty: there are none
	Dimensions int           `json:"dimensions"`
	Plan       pipeline.Plan `json:"plan"`
}

// list prints what is in bundles. One that fails is told, and costs the others nothing.
func (c bundleCommand) list(std IO) error {
	out := bufio.NewWriter(std.Out)
	var failed error
	for _, name := range c.Files {
		found, err := contents(name)
		if err != nil && len(c.Files) == 1 {
			return err
		} else if err != nil {
			report(std, err)
			failed = errReported
			continue
		}
		if c.JSON {
			err = writeJSON(out, found)
		} else {
			found.print(out)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(out.Flush(), failed)
}

// contents reads all of a bundle but its vectors.
func contents(name string) (*bundleJSON, error) {
	b, err := openBundle(name)
	if err != nil {
		return nil, err
	}
	found := &bundleJSON{File: called(name), Version: b.Manifest.Version, Bytes: b.size, Documents: []bundledJSON{}}
	for i := range b.Manifest.Documents {
		it, err := b.item(i)
		if err != nil {
			return nil, err
		}
		edits := 0
		for _, marks := range it.Edits {
			edits += len(marks)
		}
		made := it.Chunking
		found.Documents = append(found.Documents, bundledJSON{it.Document.Name, it.Document.Title, it.Source, len(it.Document.Pages),
			len(made.Plan.Text(it.Document).Text), len(it.Sentences), len(made.Chunks), edits, made.Model, made.Dimensions, made.Plan})
	}
	return found, nil
}

// print prints a table.
func (b *bundleJSON) print(out *bufio.Writer) {
	sentences := 0
	rows := table{{"document", "settings", "pages", "bytes", "sentences", "chunks", "edits", "dimensions"}}
	for _, d := range b.Documents {
		sentences += d.Sentences
		rows = append(rows, []string{shown(d.Name), d.Plan.String(), strconv.Itoa(d.Pages), strconv.Itoa(d.Bytes), strconv.Itoa(d.Sentences), strconv.Itoa(d.Chunks),
			strconv.Itoa(d.Edits), strconv.Itoa(d.Dimensions)})
	}
	fmt.Fprintf(out, "%s: %s, %s, %d bytes\n", shown(b.File), count(len(b.Documents), "document"), count(sentences, "sentence"), b.Bytes)
	rows.print(out)
}
