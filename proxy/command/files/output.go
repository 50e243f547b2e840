package files

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"seam/proxy/command/terminal"
)

// Output is the destination of a command's results.
type Output struct {
	Name   string   // "-": stdout
	Apart  bool     // Name is a folder, with a file for each input
	Places []string // the files in that folder
}

// OutputTo returns the output named by -o: "-", a file, or a folder, which exists or ends
// in a slash. Files in the folder are named after the inputs, with ext as their extension.
// No two get the same name, and no input is overwritten.
func OutputTo(name string, inputs []Input, ext string) (Output, error) {
	o := Output{Name: name}
	if name == "-" {
		return o, nil
	}
	info, err := os.Stat(name)
	o.Apart = strings.HasSuffix(filepath.ToSlash(name), "/") || err == nil && info.IsDir()
	read := map[string]string{}
	for _, in := range inputs {
		if real, err := realName(in.Name); err == nil {
			read[real] = in.Name
		}
	}
	targets := []string{name}
	if o.Apart {
		o.Places = placesIn(name, inputs, ext)
		targets = o.Places
	}
	for _, t := range targets {
		real, err := realName(t)
		if over, ok := read[real]; err == nil && ok {
			return o, writesOver(name, over)
		}
	}
	return o, nil
}

// NotOver refuses an output that would overwrite the only input.
func NotOver(out, in string) error {
	if out == "" || out == "-" {
		return nil
	}
	to, err := realName(out)
	if from, failed := realName(in); err == nil && failed == nil && to == from {
		return writesOver(out, in)
	}
	return nil
}

func writesOver(out, in string) error {
	return terminal.Usagef("-o %s would overwrite the input %s: choose another name", terminal.Shown(out), terminal.Shown(in))
}

// realName returns the name of a file with links resolved.
func realName(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

// SameFile reports whether two names with the same last part denote the same file, which
// need not exist.
func SameFile(a, b string) bool {
	there := func(name string) string {
		if real, err := realName(name); err == nil {
			return real
		}
		if dir, err := realName(filepath.Dir(name)); err == nil {
			return filepath.Join(dir, filepath.Base(name))
		}
		return filepath.Clean(name)
	}
	return filepath.Base(a) == filepath.Base(b) && there(a) == there(b)
}

// placesIn returns the name of a file in dir for each input: "a.pdf.jsonl" for a.pdf, at its
// place below the folder or pattern. It keeps the input's extension, so that another file
// beside the input changes no name. Inputs from different folders that would get the same
// name get their lasting names, in any order. Names that differ only in case count
// as the same, because they are on some disks.
func placesIn(dir string, inputs []Input, ext string) []string {
	wanted := map[string]int{}
	for _, in := range inputs {
		wanted[strings.ToLower(in.Rel)]++
	}
	places, taken := make([]string, len(inputs)), map[string]bool{}
	for i, in := range inputs {
		name := in.Rel
		if wanted[strings.ToLower(name)] > 1 {
			if lasting := strings.TrimLeft(filepath.FromSlash(in.Document), string(filepath.Separator)); filepath.IsLocal(lasting) {
				name = lasting
			}
		}
		given := name
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = given + "-" + strconv.Itoa(n)
		}
		taken[strings.ToLower(name)] = true
		places[i] = filepath.Join(dir, name+ext)
	}
	return places
}

// Write calls do to write everything to the output. failed is ErrReported if files were
// left out. A file is written at the end, and stays unchanged if err ends the work.
func (o Output) Write(std terminal.IO, do func(std terminal.IO) (failed, err error)) error {
	var failed, err error
	if o.Name == "-" || o.Apart {
		failed, err = do(std)
	} else {
		err = written(o.Name, func(w io.Writer) (err error) {
			failed, err = do(std.To(w, std.Err))
			return err
		})
	}
	if err != nil {
		return err
	}
	return failed
}

// WriteOne calls do to write the result of input i, to the input's own file or to the
// common output.
func (o Output) WriteOne(std terminal.IO, i int, do func(w io.Writer) error) error {
	if !o.Apart {
		return do(std.Out)
	}
	if err := os.MkdirAll(filepath.Dir(o.Places[i]), 0o777); err != nil {
		return fmt.Errorf("create %s: %w", terminal.Shown(filepath.Dir(o.Places[i])), terminal.Reason(err))
	}
	return written(o.Places[i], do)
}

// written is like terminal.WriteOut, but returns an error of do as it is.
func written(name string, do func(w io.Writer) error) error {
	var work error
	err := terminal.WriteOut(name, func(w io.Writer) error {
		work = do(w)
		return work
	})
	if work != nil {
		return work
	}
	return err
}
