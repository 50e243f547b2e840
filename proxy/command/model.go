package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/terminal"
	"seam/shared/embed/encoder"
	"seam/shared/pipeline"
)

type modelCommand struct {
	Add modelAddCommand `cmd:"" help:"Pack a sentence encoder into one file with 8- or 4-bit weights."`
}

type modelAddCommand struct {
	Name   string `arg:"" help:"Name of the model, also stored in the file."`
	Folder string `arg:"" help:"Folder of a sentence-transformers model of the BERT family, or its packed file."`
	Bits   int    `default:"8" enum:"8,4" help:"Bits per weight: 8, or 4 for a smaller and less exact model."`
	Out    string `short:"o" placeholder:"FILE" help:"Output file (default: NAME.seamenc in the current folder); an existing file is never overwritten."`
}

func (modelAddCommand) Help() string {
	return `Quantizes a sentence encoder (MiniLM, bge, e5, gte, arctic: config.json, tokenizer.json and model.safetensors) and packs it
into one file. --embedder encoder: takes the path of this file or of the folder. Seam does not download models: get them
with their makers' tools.

Examples:
  seam model add minilm all-MiniLM-L6-v2/                         # writes minilm.seamenc
  seam search --embedder encoder:minilm.seamenc "get the money back" contracts/
  seam model add --bits 4 --out models/small.seamenc small all-MiniLM-L6-v2/`
}

// Run packs a model and writes its file.
func (c modelAddCommand) Run(_ context.Context, std terminal.IO) error {
	if c.Name == "" || strings.HasPrefix(c.Name, ".") || strings.ContainsAny(c.Name, `/\:`) || !filepath.IsLocal(c.Name) {
		return terminal.Usagef("invalid model name %q: use letters, digits, - and _", c.Name)
	}
	out := cmp.Or(c.Out, c.Name+cut.PackedEnd)
	switch _, err := os.Lstat(out); {
	case out == "-":
		return terminal.Usagef("--out -: give a file name, because stdout shows its path")
	case err == nil:
		return fmt.Errorf("%s already exists: choose another file with --out", terminal.Shown(out))
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", terminal.Shown(out), terminal.Reason(err))
	}
	b, err := c.packed()
	if err != nil {
		return err
	}
	m, err := encoder.OpenPacked(b, c.Name)
	if err != nil {
		return fmt.Errorf("the model in %s: %w", terminal.Shown(c.Folder), err)
	}
	if err := terminal.WriteFile(out, b); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.Out, "%[1]s: %[2]s, %[3]d numbers, %[4]s\n--embedder %[5]s%[1]s\n",
		terminal.Shown(out), terminal.Count(m.Layers, "layer"), m.Width, terminal.Megabytes(int64(len(b))), pipeline.Encoder)
	return err
}

// packed returns the packed file of the model.
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
