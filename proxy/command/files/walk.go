package files

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/terminal"
	"seam/shared/bundle"
)

// walk walks a folder, and enters each folder once. It leaves out the files and folders that
// ripgrep and fd leave out.
type walk struct {
	*lister
	root, real string // the folder as it was named, and without links
	files      []string
	failed     []Input
	links      []string
	seen       map[string]bool // real names of folders
	out        leftOut
}

// leftOut counts the names that were left out of a folder.
type leftOut struct {
	hidden, ignored, excluded counted
	by                        map[string]bool // the kinds of ignore files that left something out
	named                     map[string]int  // folders left out for their name
	outside                   int             // links out of the folder
	loops                     int             // links to nothing, or to a folder that was read
	devices                   int             // pipes, sockets and devices
	bundles                   int
	kinds                     map[string]int // files that seam cannot read, counted by extension
}

func newLeftOut() leftOut {
	return leftOut{by: map[string]bool{}, named: map[string]int{}, kinds: map[string]int{}}
}

// counted is a number of files and folders.
type counted struct{ files, folders int }

func (c *counted) add(dir bool) {
	if dir {
		c.folders++
	} else {
		c.files++
	}
}

func (c counted) any() bool { return c.files+c.folders > 0 }

// as returns the numbers with an adjective: "1 hidden file and 2 hidden folders".
func (c counted) as(adjective string) string {
	var said []string
	if c.files > 0 {
		said = append(said, terminal.Count(c.files, adjective+" file"))
	}
	if c.folders > 0 {
		said = append(said, terminal.Count(c.folders, adjective+" folder"))
	}
	return strings.Join(said, " and ")
}

func newWalk(l *lister, root string) *walk {
	return &walk{lister: l, root: root, real: realOf(root), seen: map[string]bool{}, out: newLeftOut()}
}

// realOf returns the absolute name of a folder without links, or "" if there is none.
func realOf(dir string) string {
	real, err := realName(dir)
	if err != nil {
		return ""
	}
	return real
}

// within reports whether a name is below a folder, or is the folder. Both are absolute.
func within(dir, name string) bool {
	rel, err := filepath.Rel(dir, name)
	return err == nil && filepath.IsLocal(rel)
}

func (w *walk) folder(dir string) {
	real, err := realName(dir)
	if w.seen[real] && err == nil {
		w.out.loops++
		return
	}
	w.seen[real] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.failed = append(w.failed, Input{Name: dir, Err: fmt.Errorf("%s: %w", terminal.Shown(dir), terminal.Reason(err))})
		return
	}
	for _, e := range entries {
		w.entry(dir, e)
	}
}

func (w *walk) entry(dir string, e fs.DirEntry) {
	path := filepath.Join(dir, e.Name())
	mode, link := e.Type(), false
	if link = mode&fs.ModeSymlink != 0; link {
		info, err := os.Stat(path)
		if err != nil {
			w.out.loops++ // a loop, or a broken link
			return
		}
		mode = info.Mode().Type()
	}
	if w.leaves(&w.out, w.root, w.real, path, mode.IsDir(), !w.Hidden) {
		return
	}
	if link && !w.Follow && !within(w.real, realOf(path)) {
		w.out.outside++
		return
	}
	switch {
	case mode.IsDir() && link:
		w.links = append(w.links, path)
	case mode.IsDir():
		w.folder(path)
	case !mode.IsRegular():
		w.out.devices++
	case Formats.Openable(strings.TrimLeft(e.Name(), ".")):
		w.files = append(w.files, path)
	case strings.EqualFold(filepath.Ext(path), "."+bundle.Extension):
		w.out.bundles++ // it may have been made from this very folder
	default:
		w.out.kinds[strings.ToLower(filepath.Ext(e.Name()))]++
	}
}

// chooser leaves out names in folders.
type chooser struct {
	FolderOptions
	exclude rules // of --exclude
	levels  levels
}

// leaves reports whether a name below root is left out, and counts it. real is the root's own
// name. Hidden names are left out if unhidden is set.
func (l *chooser) leaves(out *leftOut, root, real, path string, dir, unhidden bool) bool {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return false
	}
	if l.exclude.verdict(parts(rel), dir) == ignored {
		out.excluded.add(dir)
		return true
	}
	name := filepath.Base(path)
	v := silent
	if !l.NoIgnore {
		var by string
		if v, by = l.levels.of(filepath.Dir(filepath.Join(real, rel))).verdict(name, dir); v == ignored {
			out.ignored.add(dir)
			out.by[by] = true
			return true
		}
	}
	switch {
	case v != kept && unhidden && strings.HasPrefix(name, "."):
		out.hidden.add(dir)
		return true
	case !l.NoIgnore && dir && (name == "node_modules" || name == ".git"):
		out.named[name]++
		return true
	}
	return false
}

// mostKinds is the number of extensions listed.
const mostKinds = 4

// String describes the names left out, or returns "" if there are none.
func (o leftOut) String() string {
	var said []string
	if unread := o.unread(); unread != "" {
		said = append(said, unread)
	}
	if o.bundles > 0 {
		said = append(said, terminal.Count(o.bundles, "bundle")+" (name a bundle to read it)")
	}
	if o.hidden.any() {
		said = append(said, o.hidden.as("hidden")+" (--hidden)")
	}
	if o.ignored.any() {
		said = append(said, o.ignored.as("ignored")+" ("+strings.Join(slices.Sorted(maps.Keys(o.by)), ", ")+"; --no-ignore)")
	}
	for _, name := range slices.Sorted(maps.Keys(o.named)) {
		said = append(said, terminal.Count(o.named[name], "folder")+" "+name+" (--no-ignore)")
	}
	if o.excluded.any() {
		said = append(said, o.excluded.as("excluded"))
	}
	if o.outside > 0 {
		said = append(said, terminal.Count(o.outside, "link")+" out of the folder (--follow)")
	}
	if o.loops > 0 {
		said = append(said, terminal.Count(o.loops, "link")+" (broken, or to a folder already read)")
	}
	if o.devices > 0 {
		said = append(said, terminal.Count(o.devices, "special file")+" (pipes, sockets or devices)")
	}
	return strings.Join(said, ", ")
}

// unread describes the files that seam cannot read.
func (o leftOut) unread() string {
	other, kinds := 0, []string{}
	for kind, n := range o.kinds {
		other += n
		if kind != "" {
			kinds = append(kinds, terminal.Shown(kind))
		}
	}
	if other == 0 {
		return ""
	}
	slices.Sort(kinds)
	if len(kinds) > mostKinds {
		kinds = append(kinds[:mostKinds], "…")
	}
	t := terminal.Count(other, "file") + " seam cannot read"
	if len(kinds) > 0 {
		t += " (" + strings.Join(kinds, ", ") + ")"
	}
	return t
}
