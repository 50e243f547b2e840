package command

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

type chunkCommand struct {
	Files  []string `arg:"" name:"file" help:"Files of ${formats}; - is stdin."`
	Format string   `default:"text" enum:"text,json,jsonl,csv" help:"text for reading; json with the curve; jsonl and csv with one chunk a line."`
	chunkOptions
}

func (chunkCommand) Help() string {
	return `Every chunk is a span of the document: start and end are bytes of ` + "`seam text --document --view VIEW FILE`" + `.
Its reason says why it ends.

Examples:
  seam chunk --method percentile --threshold 90 report.pdf
  seam chunk --method recursive --tokens chars --max-tokens 2048 --overlap 200 notes.txt
  seam chunk --method sections --max-tokens 400 --headers manual.pdf
  seam chunk --method fixed --tokens chars --max-tokens 512 --overlap 102 --format jsonl *.txt
  seam chunk --proxy https://seam.example.org --embedder openai:text-embedding-3-small report.pdf`
}

func (c chunkCommand) Run(ctx context.Context, std IO, b build) error {
	p, err := c.plan()
	if err != nil {
		return err
	}
	m, err := c.open(ctx, std, b, p)
	if err != nil {
		return retryHint(err)
	}
	defer m.close()
	docs, failed, err := cutter{ctx: ctx, std: std, options: c.chunkOptions, plan: p, models: m, alone: c.Format != "text"}.files(c.Files)
	if err != nil {
		return retryHint(err)
	}
	out := bufio.NewWriterSize(std.Out, outputBuffer)
	switch c.Format {
	case "json":
		err = writeJSON(out, chunksOf(docs, len(c.Files) > 1))
	case "jsonl":
		for _, d := range docs {
			for _, chunk := range d.chunks(true) {
				err = errors.Join(err, writeJSON(out, chunk))
			}
		}
	case "csv":
		err = writeCSV(out, docs, c.Headers)
	default:
		writeText(out, docs)
	}
	return errors.Join(err, out.Flush(), failed)
}

// outputBuffer is how many bytes of chunks are written at once.
const outputBuffer = 64 << 10

type chunkJSON struct {
	File    string  `json:"file,omitempty"` // where several files are in one list
	ID      string  `json:"id"`
	Start   int     `json:"start"`
	End     int     `json:"end"`
	Tokens  int     `json:"tokens"`
	Page    int     `json:"page"`             // the first page, 0 where there is none
	Pages   []int   `json:"pages"`            // all pages it touches
	Section string  `json:"section"`          // titles from the outermost in; empty in the content view
	Header  *string `json:"header,omitempty"` // with --headers; tokens are those of both
	Text    string  `json:"text"`
	Reason  string  `json:"reason"`
	Topic   int     `json:"topic,omitempty"` // from 1; of the method semantic
}

type curveJSON struct {
	Kind       string    `json:"kind"`   // distance, similarity or gradient
	Values     []float64 `json:"values"` // one for each gap between sentences
	Threshold  *float64  `json:"threshold"`
	Boundaries []int     `json:"boundaries"` // a break after sentence i
	Sentences  int       `json:"sentences"`
}

type documentJSON struct {
	File   string      `json:"file"`
	Method string      `json:"method"`
	View   string      `json:"view"`
	Chunks []chunkJSON `json:"chunks"`
	Curve  *curveJSON  `json:"curve"` // null for a method without one
}

// chunksOf is one object for one file, and for several an object whose chunks
// name their file, with the curves beside them.
func chunksOf(docs []document, several bool) any {
	if !several {
		return docs[0].json(false)
	}
	type fileCurve struct {
		File  string     `json:"file"`
		Curve *curveJSON `json:"curve"`
	}
	all := struct {
		Chunks []chunkJSON `json:"chunks"`
		Curves []fileCurve `json:"curves"`
	}{[]chunkJSON{}, []fileCurve{}}
	for _, d := range docs {
		j := d.json(true)
		all.Chunks = append(all.Chunks, j.Chunks...)
		all.Curves = append(all.Curves, fileCurve{d.Name, j.Curve})
	}
	return all
}

func (d document) json(named bool) documentJSON {
	r := d.result
	j := documentJSON{File: d.Name, Method: r.Method.Name, View: string(r.Plan.View), Chunks: d.chunks(named)}
	if r.Method.Curve != "" {
		j.Curve = &curveJSON{Kind: string(r.Method.Curve), Values: append([]float64{}, r.Found.Curve...),
			Boundaries: append([]int{}, r.Found.Boundaries...), Sentences: len(r.Sentences)}
		if !math.IsNaN(r.Found.Threshold) {
			j.Curve.Threshold = &r.Found.Threshold
		}
	}
	return j
}

func (d document) chunks(named bool) []chunkJSON {
	out := make([]chunkJSON, len(d.result.Chunks))
	for i := range d.result.Chunks {
		out[i] = d.chunk(i)
		if d.result.Headers != nil {
			out[i].Header = &d.result.Headers[i]
		}
		if named {
			out[i].File = d.Name
		}
	}
	return out
}

func (d document) chunk(i int) chunkJSON {
	r, c := d.result, d.result.Chunks[i]
	j := chunkJSON{ID: c.ID, Start: c.Start, End: c.End, Tokens: c.Tokens, Pages: r.Pages(i), Section: r.Section(i), Text: c.Of(r.Text.Text), Reason: c.Reason.String(), Topic: c.Topic}
	if len(j.Pages) > 0 {
		j.Page = j.Pages[0]
	}
	return j
}

// writeCSV writes a row a chunk; headed ones have a column more.
func writeCSV(out io.Writer, docs []document, headed bool) error {
	w := csv.NewWriter(out)
	columns := []string{"file", "id", "start", "end", "tokens", "page", "pages", "section", "reason", "text"}
	if headed {
		columns = append(columns, "header")
	}
	w.Write(columns)
	for _, d := range docs {
		for _, c := range d.chunks(true) {
			row := []string{c.File, c.ID, strconv.Itoa(c.Start), strconv.Itoa(c.End), strconv.Itoa(c.Tokens), strconv.Itoa(c.Page),
				pageList(c.Pages, ";"), c.Section, c.Reason, c.Text}
			if c.Header != nil {
				row = append(row, *c.Header)
			}
			w.Write(row)
		}
	}
	w.Flush()
	return w.Error()
}

func pageList(pages []int, sep string) string {
	var s []string
	for _, p := range pages {
		s = append(s, strconv.Itoa(p))
	}
	return strings.Join(s, sep)
}

// writeText prints chunks for reading: a line about each, then its text.
func writeText(out io.Writer, docs []document) {
	for _, d := range docs {
		fmt.Fprintf(out, "%s: %d sentences, %d chunks\n", d.Name, len(d.result.Sentences), len(d.result.Chunks))
		for i, c := range d.chunks(false) {
			fmt.Fprintf(out, "\n── %d%s · %d tokens · %s\n", i+1, onPages(d, c.Pages), c.Tokens, c.Reason)
			if c.Header != nil && *c.Header != "" {
				fmt.Fprintf(out, "[%s]\n", *c.Header)
			}
			fmt.Fprintln(out, c.Text)
		}
	}
}

// onPages says where a chunk stands; nothing for a document of one page.
func onPages(d document, pages []int) string {
	switch {
	case len(d.Pages) < 2 || len(pages) == 0:
		return ""
	case len(pages) == 1:
		return fmt.Sprintf(" · p. %d", pages[0])
	default:
		return fmt.Sprintf(" · p. %d–%d", pages[0], pages[len(pages)-1])
	}
}
