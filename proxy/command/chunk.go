package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"seam/shared/pipeline"
)

type chunkCommand struct {
	Files    []string `arg:"" name:"file" help:"Files of ${formats}, folders and patterns (**/*.md) of them; - is stdin."`
	Out      string   `short:"o" default:"-" help:"Where to: a file, or a folder (one that is there, or ends in /) for a file each; - is stdout."`
	Format   string   `default:"text" enum:"text,json,jsonl,csv,qdrant,chroma,opensearch,pgvector" help:"text for reading; json with the curve; jsonl and csv with one chunk a line; with vectors, as these databases take them: qdrant, chroma, opensearch, pgvector."`
	Manifest string   `placeholder:"FILE" help:"With -o FOLDER/: note here what became of each file, a line of JSON a file, and do only what is left since: what failed, has changed, or was in work when a run was killed."`
	Lines    *bool    `negatable:"" help:"The one FILE holds lines {\"id\", \"path\" or \"text\", \"name\", \"meta\"}, each with a document: be a filter. Without it stdin is known by its first line; --no-lines reads that as a document, too."`
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
  seam chunk --format jsonl -o chunks/ reports/ 'notes/**/*.md'
  seam chunk --format jsonl -o chunks/ --manifest done.jsonl reports/   # again: only what failed or has changed
  jq -r 'select(.error) | .file + ": " + .error' done.jsonl
  seam chunk --proxy https://seam.example.org --embedder openai:text-embedding-3-small report.pdf
  OPENAI_API_KEY=… seam chunk --embedder openai:text-embedding-3-small --dry-run reports/
  seam chunk --method cluster reports.seam     # made by: seam bundle reports/ -o reports.seam

As a filter: lines of JSON in, each with an "id" and a "path" or a "text", lines of chunks out, in their order. A text is read as what its
"name" ends with; "meta" goes along as it is. A line that fails has {"id","line","error"} in its place, and the exit status stays 0:
  ls reports/*.pdf | jq -Rc '{id: ., path: .}' | seam chunk --lines - > chunks.jsonl
  echo '{"id": 7, "text": "# Title\n\nOne thing.", "name": "a.md", "meta": {"lang": "en"}}' | seam chunk -
  jq -c 'select(.error)' chunks.jsonl          # what failed, and why

With vectors, whose ids stay the same for the same chunk of a file:
  seam chunk --format qdrant x.pdf | jq -cs '{points: .}' | curl -T- -H 'Content-Type: application/json' $QDRANT/collections/x/points
  seam chunk --format chroma x.pdf                     # in Python, for each line: collection.upsert(**json.loads(line))
  seam chunk --format opensearch x.pdf | curl -H 'Content-Type: application/x-ndjson' --data-binary @- $OPENSEARCH/x/_bulk
  seam chunk --format pgvector -o x.csv x.pdf          # in psql: \copy chunks (id, file, chunk, start_byte, end_byte,
                                                       #   tokens, page, pages, section, reason, text, embedding) FROM 'x.csv' CSV HEADER`
}

func (c chunkCommand) Run(ctx context.Context, std IO, b build) error {
	p, err := c.plan()
	if err != nil {
		return err
	}
	if err := checkExport(c.Format, p); err != nil {
		return err
	}
	filtered, std, err := c.filtered(std)
	if err != nil {
		return err
	}
	if filtered {
		return c.filterLines(ctx, std, b, p)
	}
	return c.files(ctx, std, b, p)
}

// files is Run for files.
func (c chunkCommand) files(ctx context.Context, std IO, b build, p pipeline.Plan) error {
	inputs, err := inputsOf(std, c.Files)
	if err != nil {
		return err
	}
	out, err := outputTo(c.Out, inputs, extensionOf(c.Format))
	if err != nil {
		return err
	}
	if c.Manifest != "" && !out.apart {
		return usagef("--manifest goes with -o FOLDER/, where each file has one of its own: what is printed together cannot be gone on with")
	}
	m, err := c.open(ctx, std, b, p)
	if err != nil {
		return retryHint(err)
	}
	defer m.close()
	r := chunkRun{cut: cutter{ctx: ctx, std: std, options: c.chunkOptions, plan: p, models: m, alone: c.Format != "text", exported: exports(c.Format)},
		form: printer{format: c.Format, headed: c.Headers, several: !out.apart && several(c.Files, inputs)}}
	if c.Manifest != "" {
		plan, err := c.planName(p, m)
		if err != nil {
			return err
		}
		if r.manifest, err = openManifest(c.Manifest, plan, inputs, out); err != nil {
			return err
		}
		defer r.manifest.close(std)
		inputs, out.places = r.manifest.inputs, r.manifest.places
		r.cut.fails = r.manifest.failed
	}
	r.out, r.curves = out, make([]*fileCurve, len(inputs))
	return retryHint(out.write(std, func(std IO) (failed, err error) {
		if out.apart {
			return r.cut.each(inputs, r.one)
		}
		all := r.form.begin(std.Out)
		r.cut.std.Out = all
		failed, err = r.cut.each(inputs, r.one)
		if err == nil || all.begun {
			err = errors.Join(err, r.form.end(all, r.curves))
		}
		return failed, err
	}))
}

// chunkRun cuts up files and prints their chunks.
type chunkRun struct {
	cut      cutter
	form     printer
	out      output
	curves   []*fileCurve // of those that have one behind the chunks of all
	manifest *manifest    // nil: there is none
}

// one does the work on file i.
func (r *chunkRun) one(ctx context.Context, std IO, i int, s *cutting) error {
	chunks, size := 0, int64(0)
	err := r.out.writeOne(std, i, func(w io.Writer) (err error) {
		written := &counter{Writer: w}
		if w = written; r.out.apart {
			w = r.form.begin(w)
		}
		chunks, err = r.print(ctx, std, docPrinter{printer: r.form, out: lines{w: w}}, i, s)
		size = written.n
		return err
	})
	if err != nil || r.manifest == nil {
		return err
	}
	return r.manifest.made(i, chunks, size)
}

// print cuts up file i and prints it; it returns the number of chunks.
func (r *chunkRun) print(ctx context.Context, std IO, p docPrinter, i int, s *cutting) (int, error) {
	result, err := r.cut.cut(ctx, std, s, p.chunk)
	if err != nil {
		return 0, errors.Join(err, p.stop())
	}
	d := document{Document: s.Document, result: result}
	if !r.cut.exported {
		r.curves[i], err = p.end(d)
		return len(result.Chunks), err
	}
	vectors, err := r.cut.chunkVectors(ctx, s, result)
	if err != nil {
		return 0, err
	}
	return len(result.Chunks), p.export(d, vectors)
}

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

func (d document) chunk(i int) chunkJSON {
	r, c := d.result, d.result.Chunks[i]
	j := chunkJSON{ID: c.ID, Start: c.Start, End: c.End, Tokens: c.Tokens, Pages: r.Pages(i), Section: r.Section(i), Text: c.Of(r.Text.Text), Reason: c.Reason.String(), Topic: c.Topic}
	if len(j.Pages) > 0 {
		j.Page = j.Pages[0]
	}
	return j
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
