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

// Output is where the results of a command go.
type Output struct {
	Name   string   // "-": stdout
	Apart  bool     // name is a folder, with a file for each input
	Places []string // these files
}

// OutputTo is what -o names: "-", a file, or a folder, which is there or ends in a
// slash. In a folder files have the names that the inputs have in theirs, with ext in
// the place of their extension; two never get the same one. No input is written over.
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

// NotOver refuses an output that would be written over the one file that is read.
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
	return terminal.Usagef("-o %s would write over %s, which is read: name another place", terminal.Shown(out), terminal.Shown(in))
}

// realName is the name of a file without links.
func realName(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

// SameFile reports whether two names, whose last parts are alike, are of one file, which may
// not be there yet.
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

// placesIn names a file in dir for each input: "a.jsonl" for a.pdf; "a.pdf.jsonl" where
// an a.txt is there, too; and with a number where folders have files of one name. Names
// that differ in their case alone are one on some disks.
func placesIn(dir string, inputs []Input, ext string) []string {
	short := func(in Input) string { return strings.TrimSuffix(in.Rel, filepath.Ext(in.Rel)) + ext }
	wanted := map[string]int{}
	for _, in := range inputs {
		wanted[strings.ToLower(short(in))]++
	}
	places, taken := make([]string, len(inputs)), map[string]bool{}
	for i, in := range inputs {
		name := short(in)
		if wanted[strings.ToLower(name)] > 1 {
			name = in.Rel + ext
		}
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = in.Rel + "-" + strconv.Itoa(n) + ext
		}
		taken[strings.ToLower(name)] = true
		places[i] = filepath.Join(dir, name)
	}
	return places
}

// Write has do write all to the output; failed is errReported where files were left
// out. A file is written in the end, and stays as it is where err ends the work.
func (o Output) Write(std terminal.IO, do func(std terminal.IO) (failed, err error)) error {
	var failed, err error
	if o.Name == "-" || o.Apart {
		failed, err = do(std)
	} else {
		err = written(o.Name, func(w io.Writer) (err error) {
			failed, err = do(terminal.IO{In: std.In, Out: w, Err: std.Err})
			return err
		})
	}
	if err != nil {
		return err
	}
	return failed
}

// WriteOne has do write what is made of one input: to the input's own file, or to the
// output of all.
func (o Output) WriteOne(std terminal.IO, i int, do func(w io.Writer) error) error {
	if !o.Apart {
		return do(std.Out)
	}
	if err := os.MkdirAll(filepath.Dir(o.Places[i]), 0o777); err != nil {
		return fmt.Errorf("%s cannot be made: %w", terminal.Shown(filepath.Dir(o.Places[i])), terminal.Reason(err))
	}
	return written(o.Places[i], do)
}

// written is writeOut, where an error of the work is that alone.
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
