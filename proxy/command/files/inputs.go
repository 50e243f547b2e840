package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/terminal"
	"seam/shared/bundle"
)

// Input is a file to work on.
type Input struct {
	Name string // how to open it; "-" is stdin
	Rel  string // path below the folder or pattern that named it, else its base name
	Err  error  // the reason why there is no such file

	Bundle *bundleFile // set if the input is document Item of a bundle
	Item   int
}

// InputsOf returns the files named by arguments: files, "-", folders with their contents,
// patterns that no shell has expanded, and the documents of bundles. One line of stderr
// counts the files left out of a folder. A file named by two folders or patterns appears
// once.
func InputsOf(std terminal.IO, args []string) ([]Input, error) {
	l := lister{std: std, found: map[string]bool{}}
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
			l.folder(arg)
		case err != nil && isPattern(arg):
			l.pattern(arg)
		default:
			l.found[filepath.Clean(arg)] = true
			l.all = append(l.all, Input{Name: arg, Rel: filepath.Base(arg)}) // reading it returns the error
		}
	}
	l.expand()
	return l.all, nil
}

// Several reports whether arguments name more than one file, or might.
func Several(args []string, found []Input) bool {
	return len(found) != 1 || found[0].Name != args[0]
}

// lister collects inputs.
type lister struct {
	std   terminal.IO
	all   []Input
	found map[string]bool // by clean name
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
			l.all = append(l.all, Input{Name: file, Rel: rel})
		}
	}
}

// folder adds the files of a folder that seam can read, sorted by name.
func (l *lister) folder(root string) {
	w := walk{seen: map[string]bool{}, kinds: map[string]int{}}
	w.folder(root)
	for len(w.links) > 0 { // after the folders themselves, so that a file gets its own name where possible
		link := w.links[0]
		w.links = w.links[1:]
		w.folder(link)
	}
	slices.SortFunc(w.files, func(a, b string) int { return slices.Compare(parts(a), parts(b)) })
	if left := w.left(); left != "" && len(w.files) > 0 {
		fmt.Fprintf(l.std.Err, "seam: %s: skipped %s\n", terminal.Shown(root), left)
	}
	for _, failed := range w.failed {
		l.fail(failed.Name, failed.Err)
	}
	if len(w.files) == 0 && len(w.failed) == 0 {
		err := fmt.Errorf("%s holds no %s file", terminal.Shown(root), Formats.List("or"))
		if left := w.left(); left != "" {
			err = fmt.Errorf("%w, but %s", err, left)
		}
		l.fail(root, err)
	}
	l.add(root, w.files)
}

// parts splits a path into names. Sorted by them, a folder comes before a name that begins
// with the folder's name.
func parts(path string) []string { return strings.Split(filepath.ToSlash(path), "/") }

// walk walks a folder. It follows links and enters each folder once.
type walk struct {
	files   []string
	failed  []Input
	links   []string
	seen    map[string]bool // real names of folders
	hidden  int
	loops   int
	bundles int
	kinds   map[string]int // files that seam cannot read, counted by extension
}

func (w *walk) folder(dir string) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if w.seen[real] && err == nil {
		w.loops++
		return
	}
	w.seen[real] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.failed = append(w.failed, Input{Name: dir, Err: fmt.Errorf("%s: %w", terminal.Shown(dir), terminal.Reason(err))})
		return
	}
	for _, e := range entries {
		w.entry(filepath.Join(dir, e.Name()), e)
	}
}

func (w *walk) entry(path string, e fs.DirEntry) {
	if strings.HasPrefix(e.Name(), ".") {
		w.hidden++
		return
	}
	mode := e.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			w.loops++ // a loop, or a broken link
			return
		case info.IsDir():
			w.links = append(w.links, path)
			return
		}
		mode = info.Mode().Type()
	}
	switch {
	case mode.IsDir():
		w.folder(path)
	case mode.IsRegular() && Formats.Openable(e.Name()):
		w.files = append(w.files, path)
	case strings.EqualFold(filepath.Ext(path), "."+bundle.Extension):
		w.bundles++ // it may have been made from this very folder
	default:
		w.kinds[strings.ToLower(filepath.Ext(e.Name()))]++
	}
}

// mostKinds is the number of extensions listed.
const mostKinds = 4

// left describes the files left out, or returns "" if there are none.
func (w *walk) left() string {
	var told []string
	other, kinds := 0, []string{}
	for kind, n := range w.kinds {
		other += n
		if kind != "" {
			kinds = append(kinds, terminal.Shown(kind))
		}
	}
	if other > 0 {
		slices.Sort(kinds)
		if len(kinds) > mostKinds {
			kinds = append(kinds[:mostKinds], "…")
		}
		t := terminal.Count(other, "file") + " seam cannot read"
		if len(kinds) > 0 {
			t += " (" + strings.Join(kinds, ", ") + ")"
		}
		told = append(told, t)
	}
	if w.bundles > 0 {
		told = append(told, terminal.Count(w.bundles, "bundle")+" (name a bundle to read it)")
	}
	if w.hidden > 0 {
		told = append(told, fmt.Sprintf("%d hidden", w.hidden))
	}
	if w.loops > 0 {
		told = append(told, terminal.Count(w.loops, "link")+" (broken, or to a folder already read)")
	}
	return strings.Join(told, ", ")
}
