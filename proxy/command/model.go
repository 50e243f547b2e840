package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/terminal"
	"seam/shared/embed/builtin"
	"seam/shared/embed/encoder"
	"seam/shared/embed/meaning"
	"seam/shared/pipeline"
)

type modelCommand struct {
	Add    modelAddCommand    `cmd:"" help:"Keep a sentence encoder under a name."`
	List   modelListCommand   `cmd:"" help:"List the models that are here."`
	Remove modelRemoveCommand `cmd:"" help:"Take a model away."`
}

type modelAddCommand struct {
	Name   string `arg:"" help:"How --embedder encoder:NAME is going to call it."`
	Folder string `arg:"" help:"Folder of a sentence-transformers model of the BERT family, or its packed file."`
	Bits   int    `default:"8" enum:"8,4" help:"Bits of a weight: 8, or 4, which are half as large and less exact."`
	cut.ModelFolder
}

func (modelAddCommand) Help() string {
	return `Packs a sentence encoder (MiniLM, bge, e5, gte, arctic: config.json, tokenizer.json and model.safetensors) with small weights, and keeps it in
this user's folder of models. Seam downloads none itself: get one by the tools of its makers.

Examples:
  seam model add minilm all-MiniLM-L6-v2/
  seam search --embedder encoder:minilm "get the money back" contracts/`
}

type modelListCommand struct{ cut.ModelFolder }

func (modelListCommand) Help() string {
	return `Lists the models that come with Seam and those that were added, with their sizes.

Examples:
  seam model list`
}

type modelRemoveCommand struct {
	Name string `arg:"" help:"Of the model."`
	cut.ModelFolder
}

func (modelRemoveCommand) Help() string {
	return `Deletes a model that was added; the folder that it was made from stays as it is.

Examples:
  seam model remove minilm`
}

// Run packs and keeps a model.
func (c modelAddCommand) Run(_ context.Context, std terminal.IO) error {
	at, err := c.File(c.Name)
	if err != nil {
		return err
	}
	if _, err := os.Stat(at); err == nil {
		return fmt.Errorf("there is a model %s already: seam model remove %s takes it away", c.Name, c.Name)
	}
	b, err := c.packed()
	if err != nil {
		return err
	}
	m, err := encoder.OpenPacked(b, c.Name)
	if err != nil {
		return fmt.Errorf("the model in %s: %w", terminal.Shown(c.Folder), err)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return fmt.Errorf("%s cannot be made: %w", terminal.Shown(filepath.Dir(at)), terminal.Reason(err))
	}
	if err := terminal.WriteFile(at, b); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Out, "%s%s: %s\n%s\n", pipeline.Encoder, c.Name, describe(m, len(b)), terminal.Shown(at))
	return err
}

// packed is the packed file of the model that was named.
func (c modelAddCommand) packed() ([]byte, error) {
	info, err := os.Stat(c.Folder)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: no such folder", terminal.Shown(c.Folder))
	case !info.IsDir():
		if _, err := cut.OpenPacked(c.Folder); err != nil {
			return nil, err
		}
		return os.ReadFile(c.Folder)
	}
	fsys := os.DirFS(c.Folder)
	b, err := encoder.Pack(func(name string) ([]byte, error) { return fs.ReadFile(fsys, name) }, c.Name, c.Bits)
	if err != nil {
		return nil, fmt.Errorf("the model in %s: %w", terminal.Shown(c.Folder), err)
	}
	return b, nil
}

// describe is a model in a few words.
func describe(m *encoder.Model, size int) string {
	return fmt.Sprintf("%s, %d numbers, %s", terminal.Count(m.Layers, "layer"), m.Width, terminal.Megabytes(int64(size)))
}

// Run lists the models.
func (c modelListCommand) Run(_ context.Context, std terminal.IO) error {
	out := bufio.NewWriter(std.Out)
	table, err := builtin.Default()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: a table of words, %d numbers; comes with Seam\n", builtin.Name, table.Dim())
	m, err := meaning.Default()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %s; comes with Seam\n", meaning.Name, describe(m, len(meaning.Packed())))
	dir, err := c.Dir()
	if err != nil {
		return err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", terminal.Shown(dir), terminal.Reason(err))
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), cut.PackedEnd)
		if !ok {
			continue
		}
		told, err := c.about(filepath.Join(dir, e.Name()), name)
		if err != nil {
			told = terminal.OneLine(err.Error())
		}
		fmt.Fprintf(out, "%s%s: %s\n", pipeline.Encoder, terminal.Shown(name), told)
	}
	return out.Flush()
}

// about describes the model of a file.
func (modelListCommand) about(file, name string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", terminal.Reason(err)
	}
	m, err := encoder.OpenPacked(b, name)
	if err != nil {
		return "", err
	}
	return describe(m, len(b)), nil
}

// Run takes a model away.
func (c modelRemoveCommand) Run(context.Context, terminal.IO) error {
	at, err := c.File(c.Name)
	if err != nil {
		return err
	}
	switch err := os.Remove(at); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no model %s: seam model list tells which there are", c.Name)
	case err != nil:
		return fmt.Errorf("the model %s is still there: %w", c.Name, terminal.Reason(err))
	}
	return nil
}
