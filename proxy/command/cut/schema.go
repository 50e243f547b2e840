package cut

import (
	"io"

	"seam/proxy/command/terminal"
	"seam/shared/export/schema"
)

// SchemaCommand is `seam schema`.
type SchemaCommand struct {
	Part string `arg:"" optional:"" placeholder:"PART" help:"documents (json), chunk (a line of jsonl), line (of chunk --lines), langchain (a line for loaders), settings (the file beside), hits (of search --json), siteHits (with --index), remoteHits (with --remote) or manifest (a line of chunk --manifest). Default: all."`
}

// Help is shown by --help.
func (SchemaCommand) Help() string {
	return `Prints the JSON Schema (draft 2020-12) of the files that the page saves and seam chunk writes, and of the hits
that seam search prints. Later versions may add keys: ignore keys
that you do not know. A key that goes, or changes its type or meaning, gets a schema with another $id. CSV has the same values
as columns; new columns come last.

Examples:
  seam schema > chunks.schema.json
  seam schema chunk > chunk.schema.json    # for each line of seam chunk --format jsonl`
}

// Run prints the schema.
func (c SchemaCommand) Run(std terminal.IO) error {
	text := schema.All
	if c.Part != "" {
		var err error
		if text, err = schema.Part(c.Part); err != nil {
			return terminal.UsageError{Err: err}
		}
	}
	_, err := io.WriteString(std.Out, text)
	return err
}
