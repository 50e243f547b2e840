package files

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/terminal"
)

// Input is a file to work on.
type Input struct {
	Name string // how to open it; "-" is stdin
	Rel  string // path below the folder or pattern that named it, else its base name
	// Document is its lasting name, which ids rest on. It does not depend on how the file is named.
	Document string
	Err      error  // the reason why there is no such file
	folder   string // that was given and holds it; may be empty

	Bundle *bundleFile // set if the input is document Item of a bundle
	Item   int
}

// FolderOptions are the options of every command that reads folders.
type FolderOptions struct {
	Exclude  []string `sep:"none" placeholder:"GLOB" help:"Leave out files and folders with this name in folders and patterns, as a line of .gitignore does: '*.log', drafts/ or /a/**/b.md. May be given several times."`
	Hidden   bool     `help:"Also read hidden files and folders in folders, but not .git."`
	NoIgnore bool     `help:"Also read files and folders that .gitignore, .ignore or .git/info/exclude leave out, and node_modules."`
	Follow   bool     `help:"Follow links that lead out of a folder."`
}

// Given returns the given flags.
func (o FolderOptions) Given() (flags []string) {
	for _, f := range []struct {
		name  string
		given bool
	}{{"--exclude", len(o.Exclude) > 0}, {"--hidden", o.Hidden}, {"--no-ignore", o.NoIgnore}, {"--follow", o.Follow}} {
		if f.given {
			flags = append(flags, f.name)
		}
	}
	return flags
}

// InputsOf returns the files named by arguments: files, "-", folders with their contents,
// patterns that no shell has expanded, and the documents of bundles. One line of stderr
// counts the files left out of a folder. A file named by two folders or patterns appears
// once.
func (o FolderOptions) InputsOf(std terminal.IO, args []string) ([]Input, error) {
	l := lister{std: std, chooser: chooser{FolderOptions: o, levels: levels{}}, found: map[string]bool{}}
	for _, glob := range o.Exclude {
		r, ok := parseRule(glob)
		if !ok || r.negate {
			return nil, terminal.Usagef("--exclude %s matches nothing: write a name such as '*.log', or drafts/", terminal.Shown(glob))
		}
		l.exclude = append(l.exclude, r)
	}
	stdin := 0
	for _, arg := range args {
		if arg == "-" {
			if stdin++; stdin > 1 {
				return nil, terminal.Usagef("stdin can be read only once: - is given %d times", stdin)
			}
			l.all = append(l.all, Input{Name: arg, Rel: stdinRel(std)})
			continue
		}
		switch info, err := os.Stat(arg); {
		case err == nil && info.IsDir():
			l.given = arg
			l.folder(arg)
			l.given = ""
		case err != nil && isPattern(arg):
			l.pattern(arg)
		default:
			l.found[filepath.Clean(arg)] = true
			l.all = append(l.all, Input{Name: arg, Rel: filepath.Base(arg)}) // reading it returns the error
		}
	}
	l.expand()
	name(l.all)
	return l.all, nil
}

// Several reports whether arguments name more than one file, or might.
func Several(args []string, found []Input) bool {
	return len(found) != 1 || found[0].Name != args[0]
}

// lister collects inputs.
type lister struct {
	std terminal.IO
	chooser
	all   []Input
	found map[string]bool // by clean name
	given string          // the folder given whose files are added
}

// fail adds an error in place of a file.
func (l *lister) fail(name string, err error) {
	l.all = append(l.all, Input{Name: name, Err: err})
}

// add adds files below root, which are sorted by their names there.
func (l *lister) add(root string, files []string) {
	for _, file := range files {
		if clean := filepath.Clean(file); !l.found[clean] {
			l.found[clean] = true
			rel, err := filepath.Rel(root, file)
			if err != nil || !filepath.IsLocal(rel) {
				rel = filepath.Base(file)
			}
			l.all = append(l.all, Input{Name: file, Rel: rel, folder: l.given})
		}
	}
}

// folder adds the files of a folder that seam can read, sorted by name.
func (l *lister) folder(root string) {
	w := newWalk(l, root)
	w.folder(root)
	for len(w.links) > 0 { // after the folders themselves, so that a file gets its own name where possible
		link := w.links[0]
		w.links = w.links[1:]
		w.folder(link)
	}
	slices.SortFunc(w.files, func(a, b string) int { return slices.Compare(parts(a), parts(b)) })
	if left := w.out.String(); left != "" && len(w.files) > 0 {
		fmt.Fprintf(l.std.Err, "seam: %s: skipped %s\n", terminal.Shown(root), left)
	}
	for _, failed := range w.failed {
		l.fail(failed.Name, failed.Err)
	}
	if len(w.files) == 0 && len(w.failed) == 0 {
		err := fmt.Errorf("%s holds no %s file", terminal.Shown(root), Formats.List("or"))
		if left := w.out.String(); left != "" {
			err = fmt.Errorf("%w, but %s", err, left)
		}
		l.fail(root, err)
	}
	l.add(root, w.files)
}

// parts splits a path into names. Sorted by them, a folder comes before a name that begins
// with the folder's name.
func parts(path string) []string { return strings.Split(filepath.ToSlash(path), "/") }
