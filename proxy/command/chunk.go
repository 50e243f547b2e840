package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/export"
	"seam/shared/pipeline"
)

type chunkCommand struct {
	Files        []string    `arg:"" name:"file" help:"Files (${formats}), bundles, folders or patterns (**/*.md); - is stdin."`
	Out          string      `short:"o" default:"-" help:"Output file, or a folder (an existing one, or a name that ends in /) for one file per input; - is stdout."`
	Format       string      `default:"text" enum:"text,json,jsonl,csv,spreadsheet,langchain,qdrant,chroma,opensearch,pgvector,llamaindex,lancedb,weaviate,pinecone,parquet" help:"text for reading; json with the curve; jsonl and csv with one chunk per line; spreadsheet for a CSV without formulas; langchain for lines {\"text\",\"metadata\"}, which loaders of LangChain and LlamaIndex read; qdrant, chroma, opensearch, pgvector, llamaindex, lancedb, weaviate and pinecone with vectors, ready to load there; parquet with vectors, as columns."`
	Offsets      export.Unit `default:"bytes" enum:"bytes,utf16,codepoints" help:"Unit of start and end: bytes (of UTF-8), utf16 (as in JavaScript and Java) or codepoints (as in Python)."`
	SettingsFile string      `placeholder:"FILE" help:"Also write a file with the settings, the unit of offsets and the versions, for formats without a place for them. With -o FOLDER/ there is a hidden file .NAME.settings beside each output."`
	Manifest     string      `placeholder:"FILE" help:"With -o FOLDER/: record the result of each file here, one JSON line each. The next run does only files that are new, failed or changed."`
	Prune        bool        `help:"With --manifest: remove the outputs of files that are no longer among the inputs. Only outputs that the manifest lists are removed."`
	Lines        *bool       `negatable:"" help:"Run as a filter: FILE holds lines {\"id\", \"path\" or \"text\", \"name\", \"meta\"}, one document each. By default, seam looks at the first line of stdin; --no-lines always reads a document."`
	files.RootOption
	files.FolderOptions `group:"Files in folders:"`
	cut.ChunkOptions
}

func (chunkCommand) Help() string {
	return `Every chunk is a span of the document. start and end are offsets in the output of ` + "`seam text --document --view VIEW FILE`" + `,
in bytes unless --offsets chooses another unit. reason is why the chunk ends there. seam schema prints every key. The page
saves the same files.

Examples:
  seam chunk --method percentile --threshold 90 report.pdf
  seam chunk --method recursive --tokens chars --max-tokens 2048 --overlap 200 notes.txt
  seam chunk --method sections --max-tokens 400 --headers manual.pdf
  seam chunk --method fixed --tokens chars --max-tokens 512 --overlap 102 --format jsonl *.txt
  seam chunk --format jsonl --offsets codepoints --settings-file settings.json manual.pdf > chunks.jsonl    # for Python
  seam chunk --format jsonl -o chunks/ reports/ 'notes/**/*.md'
  seam chunk --format jsonl -o chunks/ --manifest done.jsonl reports/   # again: only new, failed and changed files
  jq -r 'select(.error) | .file + ": " + .error' done.jsonl
  seam chunk --proxy https://seam.example.org --embedder openai:text-embedding-3-small report.pdf
  OPENAI_API_KEY=… seam chunk --embedder openai:text-embedding-3-small --dry-run reports/
  seam chunk --method cluster reports.seam     # made by: seam bundle reports/ -o reports.seam

As a filter: each input line is JSON with an "id" and a "path" or a "text"; the chunks come out as lines in the same order. The extension
of "name" sets the format of a text; "meta" is copied to its chunks. A line that fails becomes {"id","line","error"}; the exit status stays 0:
  ls reports/*.pdf | jq -Rc '{id: ., path: .}' | seam chunk --lines - > chunks.jsonl
  echo '{"id": 7, "text": "# Title\n\nOne thing.", "name": "a.md", "meta": {"lang": "en"}}' | seam chunk -
  jq -c 'select(.error)' chunks.jsonl          # what failed, and why
A line {"id","done":true,"chunks",…} ends each document. With another --format, such as qdrant, the input's id is the key document,
there are no lines done, and errors go to stderr:
  seam chunk --lines --format qdrant documents.jsonl > points.ndjson

With vectors. The same chunk of the same file always gets the same id:
  seam chunk --format qdrant x.pdf | jq -cs '{points: .}' | curl -T- -H 'Content-Type: application/json' $QDRANT/collections/x/points
  seam chunk --format chroma x.pdf                     # in Python, for each line: collection.upsert(**json.loads(line))
  seam chunk --format opensearch x.pdf | curl -H 'Content-Type: application/x-ndjson' --data-binary @- $OPENSEARCH/x/_bulk
  seam chunk --format pgvector -o x.csv x.pdf          # in psql: \copy chunks (id, file, chunk, start_byte, end_byte,
                                                       #   tokens, page, pages, section, reason, text, embedding) FROM 'x.csv' CSV HEADER
  seam chunk --format parquet -o x.parquet x.pdf       # pandas.read_parquet("x.parquet"); SELECT text FROM 'x.parquet' in DuckDB

The others in Python, where lines = [json.loads(line) for line in open("x")]:
  seam chunk --format llamaindex x.pdf > x    # VectorStoreIndex(nodes=[TextNode(**line) for line in lines])
  seam chunk --format lancedb x.pdf > x       # db.create_table("chunks", data=lines)
  seam chunk --format weaviate x.pdf > x      # collection.data.insert_many([DataObject(**line) for line in lines])
  seam chunk --format pinecone x.pdf > x      # index.upsert(vectors=lines, batch_size=100)`
}

func (c chunkCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	p, err := c.Plan()
	if err != nil {
		return err
	}
	if err := cut.CheckExport(c.Format, p); err != nil {
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

// files implements Run for files.
func (c chunkCommand) files(ctx context.Context, std terminal.IO, b terminal.Build, p pipeline.Plan) error {
	inputs, err := c.RootOption.InputsOf(std, c.FolderOptions, c.Files)
	if err != nil {
		return err
	}
	out, err := files.OutputTo(c.Out, inputs, cut.ExtensionOf(c.Format))
	if err != nil {
		return err
	}
	if c.Manifest != "" && !out.Apart {
		return terminal.Usagef("--manifest needs -o FOLDER/, with one output per input: a single output cannot be resumed")
	}
	if c.Prune && c.Manifest == "" {
		return terminal.Usagef("--prune needs --manifest, which lists the outputs")
	}
	if err := c.checkOffsets(); err != nil {
		return err
	}
	settings, err := cut.NewSettingsFile(c.SettingsFile, c.Format, inputs, out, b)
	if err != nil {
		return err
	}
	m, err := c.Open(ctx, std, b, p)
	if err != nil {
		return hosted.RetryHint(err)
	}
	defer m.Close()
	r := chunkRun{cut: cut.Cutter{Ctx: ctx, Std: std, Options: c.ChunkOptions, Plan: p, Models: m, Alone: c.Format != "text", Exported: cut.Exports(c.Format)},
		settings: settings,
		form:     cut.Printer{Format: c.Format, Offsets: c.Offsets, Headed: c.Headers, Several: !out.Apart && files.Several(c.Files, inputs)}}
	if c.Manifest != "" {
		plan, err := c.planName(p, m)
		if err != nil {
			return err
		}
		if r.manifest, err = openManifest(c.Manifest, plan, inputs, out); err != nil {
			return err
		}
		defer r.manifest.close(std)
		inputs, out.Places = r.manifest.inputs, r.manifest.places
		r.cut.Fails = r.manifest.failed
	}
	r.out, r.ends = out, make([]*export.Head, len(inputs))
	return hosted.RetryHint(out.Write(std, func(std terminal.IO) (failed, err error) {
		if out.Apart || c.DryRun {
			if failed, err = r.cut.Each(inputs, r.one); c.Prune && failed == nil && err == nil {
				r.manifest.prune(std)
			}
			return failed, err
		}
		all := r.form.Begin(std.Out)
		r.cut.Std.Out = all
		failed, err = r.cut.Each(inputs, r.one)
		if err == nil || all.Begun {
			err = errors.Join(err, r.form.End(all, r.ends))
		}
		if err == nil {
			err = settings.End()
		}
		return failed, err
	}))
}

// checkOffsets refuses a unit that the format cannot have.
func (c chunkCommand) checkOffsets() error {
	switch {
	case c.Offsets == export.Bytes:
	case c.Format == cut.FormatText:
		return terminal.Usagef("--offsets needs a format with offsets, such as --format jsonl")
	case c.Format == "pgvector":
		return terminal.Usagef("--offsets does not work with --format pgvector: its columns are start_byte and end_byte")
	}
	return nil
}

// chunkRun cuts files and prints their chunks.
type chunkRun struct {
	cut      cut.Cutter
	form     cut.Printer
	out      files.Output
	ends     []*export.Head    // printed after the chunks of all files, for formats that do so
	settings *cut.SettingsFile // nil if no settings are written
	manifest *manifest         // nil without --manifest
}

// one cuts file i and writes the result.
func (r *chunkRun) one(ctx context.Context, std terminal.IO, i int, s *cut.Cutting) error {
	var made *export.Made
	size := int64(0)
	err := r.out.WriteOne(std, i, func(w io.Writer) (err error) {
		written := &cut.Counter{Writer: w}
		w = written
		if r.out.Apart {
			list := r.form.Begin(w)
			made, err = r.print(ctx, std, cut.DocPrinter{Printer: r.form, Out: cut.Lines{W: list}}, i, s)
			err = errors.Join(err, r.form.End(list, r.ends[i:i+1]))
			r.ends[i] = nil
		} else {
			made, err = r.print(ctx, std, cut.DocPrinter{Printer: r.form, Out: cut.Lines{W: w}}, i, s)
		}
		size = written.N
		return err
	})
	if err != nil {
		return err
	}
	if err := r.settings.Made(i, r.out, made); err != nil {
		return err
	}
	return r.manifest.made(i, made.Chunks, size, s.Document.Notes)
}

// print cuts file i and prints it. It returns the description of the chunks.
func (r *chunkRun) print(ctx context.Context, std terminal.IO, p cut.DocPrinter, i int, s *cut.Cutting) (*export.Made, error) {
	result, err := r.cut.Cut(ctx, std, s, p.Chunk)
	if err != nil {
		return nil, errors.Join(err, p.Stop())
	}
	d := s.Cut(result)
	if !r.cut.Exported {
		r.ends[i], err = p.End(d)
		return d.Made(r.form.Offsets), err
	}
	vectors, err := r.cut.ChunkVectors(ctx, s, result)
	if err != nil {
		return nil, err
	}
	err = p.Export(d, vectors)
	if p.Left > 0 {
		fmt.Fprintf(std.Err, "seam: %s: left out %s without a vector, which %s cannot hold\n", terminal.Shown(d.Name), terminal.Count(p.Left, "chunk"), r.form.Format)
	}
	return d.Made(r.form.Offsets), err
}
