package command

import (
	"bufio"
	"context"
	"errors"

	"seam/shared/sentence"
	"seam/shared/text"
)

type sentencesCommand struct {
	File     string `arg:"" default:"-" help:"PDF or text file; - is stdin."`
	Method   string `default:"default" enum:"default,notebook" help:"default: Seam's rules; notebook: split on a full stop and a blank."`
	View     string `default:"auto" enum:"auto,reading,content" help:"Which text of a PDF: reading or content; auto is content for notebook, else reading."`
	Password string `help:"Password of an encrypted PDF."`
}

func (sentencesCommand) Help() string {
	return `Prints {"start","end","text"} a line; start and end are bytes of the text.

Example:
  echo "Dr. No is in. He waits." | seam sentences`
}

func (c sentencesCommand) Run(ctx context.Context, std IO) error {
	doc, err := openDocument(ctx, std, c.File, c.Password)
	if err != nil {
		return err
	}
	split, view := sentence.Split, text.Reading
	if c.Method == "notebook" {
		split, view = sentence.Notebook, text.Content
	}
	if c.View != "auto" {
		view = text.ViewName(c.View)
	}
	t := doc.View(view).Text
	out := bufio.NewWriter(std.Out)
	for _, s := range split(t) {
		err = errors.Join(err, writeJSON(out, spanJSON{s.Start, s.End, s.Of(t)}))
	}
	return errors.Join(err, out.Flush())
}

type spanJSON struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}
