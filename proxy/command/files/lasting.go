package files

import (
	"fmt"
	"path/filepath"
	"strings"

	"seam/proxy/command/terminal"
)

// RootOption sets the folder to which the names of documents are relative.
type RootOption struct {
	Root string `placeholder:"FOLDER" help:"Folder to which the names of documents are relative. Ids depend on these names (default: the folder given, or the working directory for a file)."`
}

// InputsOf is FolderOptions.InputsOf with names below the root, if one is set.
func (o RootOption) InputsOf(std terminal.IO, folders FolderOptions, args []string) ([]Input, error) {
	inputs, err := folders.InputsOf(std, args)
	if err != nil || o.Root == "" {
		return inputs, err
	}
	for i, in := range inputs {
		if in.Name == "-" || in.Bundle != nil || in.Err != nil {
			continue
		}
		name, ok := below(o.Root, in.Name)
		if !ok {
			return nil, terminal.Usagef("%s is not below --root %s", terminal.Shown(in.Name), terminal.Shown(o.Root))
		}
		inputs[i].Document = terminal.Called(name)
		if filepath.IsLocal(filepath.FromSlash(name)) {
			inputs[i].Rel = filepath.FromSlash(name)
		}
	}
	return inputs, nil
}

// Lasting returns the lasting name of a document that is named by a path: relative to the
// working directory if it is below it, otherwise absolute, with forward slashes. So a.md,
// ./a.md and the absolute path have the same one. "-" is stdin.
func Lasting(name string) string {
	if name == "-" || name == "" {
		return name
	}
	if rel, ok := below(".", name); ok {
		return terminal.Called(rel)
	}
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	return terminal.Called(filepath.ToSlash(filepath.Clean(name)))
}

// below returns a path relative to a folder, with forward slashes, if it is below it. Links
// are resolved only if the path is not below the folder without that.
func below(folder, name string) (string, bool) {
	dir, err := filepath.Abs(folder)
	if err != nil {
		return "", false
	}
	file, err := filepath.Abs(name)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil || !filepath.IsLocal(rel) {
		if dir, err = realName(dir); err != nil {
			return "", false
		}
		real, err := realName(filepath.Dir(file))
		if err != nil {
			return "", false
		}
		if rel, err = filepath.Rel(dir, filepath.Join(real, filepath.Base(file))); err != nil || !filepath.IsLocal(rel) {
			return "", false
		}
	}
	if rel == "-" {
		rel = "./-" // "-" is stdin
	}
	return filepath.ToSlash(rel), true
}

// name sets the lasting names of inputs. A file of a folder is named relative to that
// folder. Files that would get the same name are named as if each had been given by itself,
// in any order of the arguments.
func name(inputs []Input) {
	first := map[string]string{} // by lasting name, the full name of the first input
	full := make([]string, len(inputs))
	for i := range inputs {
		in := &inputs[i]
		in.Document, full[i] = in.lasting(), Lasting(in.Name)
		if in.Bundle != nil {
			full[i] = fmt.Sprintf("%s/%s", full[i], in.Bundle.Manifest.Documents[in.Item].Name)
		}
	}
	for again := true; again; {
		again = false
		clear(first)
		clash := map[string]bool{}
		for i, in := range inputs {
			if other, ok := first[in.Document]; ok && other != full[i] {
				clash[in.Document] = true
			}
			first[in.Document] = full[i]
		}
		for i, in := range inputs {
			if clash[in.Document] && in.Document != full[i] {
				inputs[i].Document, again = full[i], true
			}
		}
	}
}

// lasting returns the lasting name of an input, regardless of the others.
func (in Input) lasting() string {
	if in.Bundle != nil {
		e := in.Bundle.Manifest.Documents[in.Item]
		if e.Document != "" {
			return e.Document
		}
		return Lasting(filepath.FromSlash(e.Name))
	}
	if in.folder != "" {
		if rel, ok := below(in.folder, in.Name); ok {
			return terminal.Called(rel)
		}
	}
	return Lasting(in.Name)
}

// Full returns the lasting name that the input has if it is given by itself.
func (in Input) Full() string {
	if in.Bundle != nil {
		return in.lasting()
	}
	return Lasting(in.Name)
}

// Was reports whether a document's earlier name, which may be a path from the command line
// of another version, is surely or possibly a name of this input. It is sure of a path that
// no version writes now for another file.
func (in Input) Was(earlier string) (sure, maybe bool) {
	if in.Bundle != nil {
		was := in.Bundle.Manifest.Documents[in.Item].Name
		return was == earlier && in.Document != earlier, false
	}
	if in.Name == "-" || earlier == in.Document || Lasting(earlier) != in.Full() {
		return false, false
	}
	clean := filepath.ToSlash(filepath.Clean(earlier))
	return filepath.IsAbs(earlier) || clean != earlier || strings.HasPrefix(clean, "../"), true
}
