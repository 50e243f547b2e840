package command

import (
	"context"
	"fmt"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/text"
	"seam/shared/token"
)

type countCommand struct {
	Files    []string `arg:"" name:"file" help:"Files of ${formats}; - is stdin."`
	Password string   `help:"Password of encrypted PDFs."`
}

func (countCommand) Help() string {
	return `Prints the number of words and the name of each file. The words are those of its reading view.

Example:
  seam count manual.pdf notes.txt`
}

func (c countCommand) Run(ctx context.Context, std terminal.IO) error {
	for _, name := range c.Files {
		doc, err := files.OpenDocument(ctx, std, name, c.Password)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(std.Out, "%d\t%s\n", token.Words.Count(doc.View(text.Reading).Text), terminal.Shown(name)); err != nil {
			return err
		}
	}
	return nil
}
