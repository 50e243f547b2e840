package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/bundle"
	"seam/shared/pipeline"
)

type bundleCommand struct {
	Files    []string `arg:"" name:"file" help:"Files (${formats}), bundles, folders or patterns (**/*.md); with --list, only bundles."`
	Out      string   `short:"o" placeholder:"NAME.seam" help:"The bundle to write; - is stdout."`
	Enriched []string `placeholder:"FILE" help:"Also store this output of seam enrich knowledge or headers for the files."`
	List     bool     `help:"List the contents of bundles instead: documents, sentences, embedders, settings, sizes."`
	JSON     bool     `name:"json" help:"With --list: print one JSON object per line and bundle."`
	files.RootOption
	files.FolderOptions `group:"Files in folders:"`
	cut.ChunkOptions
}

func (bundleCommand) Help() string {
	return `Puts documents and their texts, pages, sentences, vectors, settings and chunks into one file. Every command that takes
a document also takes a bundle, without the documents' own files. Unless options set how to cut, documents from a bundle
are cut and searched as before, including changes made by hand in the page.
Another method, threshold or size needs no new sentence vectors: the bundle's are reused. --embedder cache:NAME.seam
reuses them for the documents' own files.
A bundle is a zip of JSON and .npy files: numpy.load("NAME.seam") reads its arrays.

Examples:
  seam bundle reports/ -o reports.seam
  seam bundle --enriched knowledge.jsonl manual.pdf -o manual.seam
  seam bundle --list reports.seam
  seam chunk --method percentile --threshold 95 reports.seam
  OPENAI_API_KEY=… seam bundle --embedder openai:text-embedding-3-small reports/ -o reports.seam
  seam chunk --embedder cache:reports.seam --method cluster reports/2024.pdf`
}

func (c bundleCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	switch {
	case c.List && c.Out != "":
		return terminal.Usagef("--list and -o exclude each other: choose one")
	case c.List:
		return c.list(std)
	case c.JSON:
		return terminal.Usagef("--json needs --list")
	case c.Out == "":
		return terminal.Usagef("set the bundle to write with -o NAME.seam, or list the contents of one with --list")
	}
	p, err := c.Plan()
	if err != nil {
		return err
	}
	rows, err := cut.ReadWritten(std, c.Enriched)
	if err != nil {
		return err
	}
	inputs, err := c.RootOption.InputsOf(std, c.FolderOptions, c.Files)
	if err != nil {
		return err
	}
	out, err := files.OutputTo(c.Out, inputs, "."+bundle.Extension)
	if err != nil {
		return err
	}
	if out.Apart {
		return terminal.Usagef("-o %s is a folder, but a bundle is one file: use -o %s", terminal.Shown(c.Out), terminal.Shown(strings.TrimRight(c.Out, "/")+"/NAME."+bundle.Extension))
	}
	m, err := c.Open(ctx, std, b, p)
	if err != nil {
		return hosted.RetryHint(err)
	}
	defer m.Close()
	cut := cut.Cutter{Ctx: ctx, Std: std, Options: c.ChunkOptions, Plan: p, Models: m, Vectors: true, Enriched: rows}
	return hosted.RetryHint(out.Write(std, func(std terminal.IO) (failed, err error) { return cut.Bundle(std.Out, inputs) }))
}

// bundleJSON describes a bundle.
type bundleJSON struct {
	File      string        `json:"file"`
	Version   int           `json:"version"`
	Bytes     int64         `json:"bytes"`
	Documents []bundledJSON `json:"documents"`
}

// bundledJSON describes a document of a bundle. Source is the file it was read from.
type bundledJSON struct {
	Name       string        `json:"name"`
	Title      string        `json:"title,omitempty"`
	Source     bundle.Source `json:"source"`
	Pages      int           `json:"pages"`
	Bytes      int           `json:"bytes"` // of the text that was cut
	Sentences  int           `json:"sentences"`
	Chunks     int           `json:"chunks"`
	Edits      int           `json:"edits,omitempty"` // boundaries added or removed by hand
	Model      string        `json:"model"`           // of the vectors; "" if there are none
	Dimensions int           `json:"dimensions"`
	Plan       pipeline.Plan `json:"plan"`
}

// list prints the contents of bundles. If one cannot be read, it reports the error and goes
// on with the others.
func (c bundleCommand) list(std terminal.IO) error {
	out := bufio.NewWriter(std.Out)
	var failed error
	for _, name := range c.Files {
		found, err := contents(name)
		if err != nil && len(c.Files) == 1 {
			return err
		} else if err != nil {
			terminal.Report(std, err)
			failed = terminal.ErrReported
			continue
		}
		if c.JSON {
			err = terminal.WriteJSON(out, found)
		} else {
			found.print(out)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(out.Flush(), failed)
}

// contents reads a bundle, without its vectors.
func contents(name string) (*bundleJSON, error) {
	b, err := files.OpenBundle(name)
	if err != nil {
		return nil, err
	}
	found := &bundleJSON{File: terminal.Called(name), Version: b.Manifest.Version, Bytes: b.Size, Documents: []bundledJSON{}}
	for i := range b.Manifest.Documents {
		it, err := b.Item(i)
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

func (b *bundleJSON) print(out *bufio.Writer) {
	sentences := 0
	rows := terminal.Table{{"document", "settings", "pages", "bytes", "sentences", "chunks", "edits", "dimensions"}}
	for _, d := range b.Documents {
		sentences += d.Sentences
		rows = append(rows, []string{terminal.Shown(d.Name), d.Plan.String(), strconv.Itoa(d.Pages), strconv.Itoa(d.Bytes), strconv.Itoa(d.Sentences), strconv.Itoa(d.Chunks),
			strconv.Itoa(d.Edits), strconv.Itoa(d.Dimensions)})
	}
	fmt.Fprintf(out, "%s: %s, %s, %d bytes\n", terminal.Shown(b.File), terminal.Count(len(b.Documents), "document"), terminal.Count(sentences, "sentence"), b.Bytes)
	rows.Print(out)
}
