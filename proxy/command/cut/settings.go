package cut

import (
	"io"
	"path/filepath"
	"slices"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/export"
)

// SettingsFile is the file of settings beside a file of chunks, because offsets need their
// unit. nil writes nothing.
type SettingsFile struct {
	name      string // empty: one beside each output in a folder
	head      export.Beside
	documents []*export.Made // nil for a document that was left out
}

// SettingsOf returns the name of the file of settings beside an output. It is hidden, and
// its extension is its own, so that neither a pattern such as chunks/* or **/*.json nor a
// loader of a whole folder takes it for chunks. seam itself does not read hidden files.
func SettingsOf(place string) string {
	dir, name := filepath.Split(place)
	return dir + "." + name + ".settings"
}

// NewSettingsFile returns the file of settings with the name from the command line, which
// may be empty. It returns nil if no settings are written: the format is for reading or
// contains them.
func NewSettingsFile(name, format string, inputs []files.Input, out files.Output, b terminal.Build) (*SettingsFile, error) {
	f := &SettingsFile{name: name, head: export.Beside{Schema: export.ID, Seam: string(b), Format: format}, documents: make([]*export.Made, len(inputs))}
	full := slices.Contains([]string{FormatText, string(export.JSON)}, format)
	switch {
	case name == "" && (full || !out.Apart || Exports(format)): // a database takes only the chunks
		return nil, nil
	case name == "":
		return f, nil
	case full:
		return nil, terminal.Usagef("--settings-file does not work with --format %s, which needs none", format)
	case out.Apart:
		return nil, terminal.Usagef("--settings-file does not work with -o FOLDER/, where jsonl, csv and the like have a file of settings beside each output")
	case files.SameFile(name, out.Name):
		return nil, terminal.Usagef("--settings-file %s is also the output: choose another file", terminal.Shown(name))
	}
	for _, in := range inputs {
		if files.SameFile(name, in.Name) {
			return nil, terminal.Usagef("--settings-file %s is also an input: choose another file", terminal.Shown(name))
		}
	}
	return f, nil
}

// Made records that input i was written to its own place in a folder, or to the common
// output.
func (f *SettingsFile) Made(i int, out files.Output, one *export.Made) error {
	switch {
	case f == nil:
		return nil
	case f.name != "":
		f.documents[i] = one
		return nil
	}
	return f.write(SettingsOf(out.Places[i]), []export.Made{*one})
}

// End writes the settings of all documents of the common output.
func (f *SettingsFile) End() error {
	if f == nil || f.name == "" {
		return nil
	}
	all := []export.Made{}
	for _, one := range f.documents {
		if one != nil {
			all = append(all, *one)
		}
	}
	return f.write(f.name, all)
}

func (f *SettingsFile) write(name string, documents []export.Made) error {
	beside := f.head
	beside.Documents = documents
	b, err := beside.Encode()
	if err != nil {
		return err
	}
	return terminal.WriteOut(name, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}
