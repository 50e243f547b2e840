package command

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"strconv"
	"strings"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/chunk"
	"seam/shared/sentence"
	"seam/shared/text"
)

type sentencesCommand struct {
	Files    []string `arg:"" optional:"" name:"file" help:"Files (${formats}), bundles, folders or patterns (**/*.md); - is stdin (default)."`
	Method   string   `default:"default" enum:"default,notebook" help:"default: Seam's rules; notebook: split at a full stop and a space."`
	View     string   `default:"auto" enum:"auto,reading,content" help:"Text of a PDF: reading or content; auto: content for notebook, otherwise reading."`
	Password string   `help:"Password of encrypted PDFs."`

	files.FolderOptions `group:"Files in folders:"`
}

func (sentencesCommand) Help() string {
	return `Prints one {"start","end","text"} per line. start and end are byte offsets in the text. For several files each line begins with
its "file".

Examples:
  echo "Dr. No is in. He waits." | seam sentences
  seam sentences reports/ 'notes/**/*.md'`
}

func (c sentencesCommand) Run(ctx context.Context, std terminal.IO) error {
	if len(c.Files) == 0 {
		c.Files = []string{"-"}
	}
	inputs, err := c.InputsOf(std, c.Files)
	if err != nil {
		return err
	}
	several := files.Several(c.Files, inputs)
	failed, err := files.Batch{Ctx: ctx, Std: std, Inputs: inputs}.Run(func(ctx context.Context, std terminal.IO, i int) error {
		doc, err := inputs[i].Open(ctx, std, c.Password, nil)
		if err != nil {
			return err
		}
		batches, view := codeBatches(doc.Listings()), text.Reading
		if c.Method == "notebook" {
			batches, view = notebookBatches, text.Content
		}
		if c.View != "auto" {
			view = text.ViewName(c.View)
		}
		file := ""
		if several {
			file = doc.Name
		}
		return writeSentences(ctx, std.Out, file, doc.View(view).Text, batches)
	})
	return cmp.Or(err, failed)
}

// codeBatches returns a function that yields the sentences of a text: at once if it has code.
func codeBatches(listings []text.Span) func(t string) iter.Seq[[]text.Span] {
	return func(t string) iter.Seq[[]text.Span] {
		if !chunk.HasCode(t, listings) {
			return sentence.Batches(t)
		}
		return func(yield func([]text.Span) bool) { yield(chunk.CodeLines(t, listings, sentence.Split(t))) }
	}
}

func notebookBatches(t string) iter.Seq[[]text.Span] {
	return func(yield func([]text.Span) bool) { yield(sentence.Notebook(t)) }
}

// writeSentences writes the sentences of t while more are being found. Lines name the file
// unless it is "".
func writeSentences(ctx context.Context, w io.Writer, file, t string, batches func(string) iter.Seq[[]text.Span]) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	found := make(chan []text.Span, 16)
	go func() {
		defer close(found)
		for batch := range batches(t) {
			select {
			case found <- batch:
			case <-ctx.Done():
				return
			}
		}
	}()
	out := bufio.NewWriterSize(w, 64<<10)
	head := []byte(`{"start":`)
	if file != "" {
		head = append(appendJSON([]byte(`{"file":`), strings.ToValidUTF8(file, "\ufffd")), `,"start":`...)
	}
	var line []byte
	for batch := range found {
		for _, s := range batch {
			line = append(line[:0], head...)
			line = strconv.AppendInt(line, int64(s.Start), 10)
			line = append(line, `,"end":`...)
			line = strconv.AppendInt(line, int64(s.End), 10)
			line = append(line, `,"text":`...)
			line = append(appendJSON(line, s.Of(t)), "}\n"...)
			if _, err := out.Write(line); err != nil {
				return err
			}
		}
	}
	return errors.Join(ctx.Err(), out.Flush())
}

// appendJSON appends s, which must be UTF-8, as encoding/json writes it without HTML
// escapes. It takes a quarter of the time, which matters because a book has 60,000
// sentences.
func appendJSON(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !escaped[c] || c == 0xe2 && !strings.HasPrefix(s[i:], "\u2028") && !strings.HasPrefix(s[i:], "\u2029") {
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		case '\f':
			b = append(b, `\f`...)
		case '\b':
			b = append(b, `\b`...)
		case 0xe2:
			i += 2
			b = append(b, `\u202`...)
			b = append(b, hex[s[i]&15])
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		from = i + 1
	}
	return append(append(b, s[from:]...), '"')
}

// escaped marks the bytes that may need an escape in JSON.
var escaped = func() (e [256]bool) {
	for c := range ' ' {
		e[c] = true
	}
	e['"'], e['\\'], e[0xe2] = true, true, true
	return e
}()
