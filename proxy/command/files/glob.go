package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/terminal"
)

// isPattern reports whether a name may be a pattern.
func isPattern(name string) bool { return strings.ContainsAny(name, "*?[") }

// pattern adds the files that match a pattern, and the content of folders that match. "*",
// "?" and "[a-z]" match within a name, "**" matches any number of folders. As in a shell,
// hidden files match only a name that starts with a dot.
func (l *lister) pattern(pattern string) {
	names := parts(pattern)
	fixed := 0
	for !isPattern(names[fixed]) {
		fixed++
	}
	root := filepath.FromSlash(strings.Join(names[:fixed], "/"))
	switch {
	case fixed == 1 && root == "":
		root = string(filepath.Separator)
	case fixed == 0:
		root = "."
	}
	g := glob{lister: l, root: root, real: realOf(root), pattern: names[fixed:], found: map[string]bool{}, visited: map[string]bool{}, met: map[string]bool{}, out: newLeftOut()}
	err := g.check()
	if err == nil {
		g.match(root, g.pattern)
	}
	slices.SortFunc(g.files, func(a, b string) int { return slices.Compare(parts(a), parts(b)) })
	matched := l.matched(root, g)
	switch {
	case err != nil:
		l.fail(pattern, fmt.Errorf("%s: unclosed bracket in the pattern", terminal.Shown(pattern)))
	case matched == 0:
		err = fmt.Errorf("%s matches no file that seam can read", terminal.Shown(pattern))
		if left := g.out.String(); left != "" {
			err = fmt.Errorf("%w, but %s", err, left)
		}
		l.fail(pattern, err)
	}
}

// matched adds the files found and returns their number. A pattern that matches every name
// takes only files that seam can read, as for a folder.
func (l *lister) matched(root string, g glob) (n int) {
	last := g.pattern[len(g.pattern)-1]
	for _, file := range g.files {
		info, err := os.Stat(file)
		switch folder := err == nil && info.IsDir(); {
		case folder && slices.Contains(g.pattern, "**"):
			continue // its content is matched too
		case folder:
			l.folder(file)
		case strings.Trim(last, "*") == "" && !Formats.Openable(filepath.Base(file)):
			g.out.kinds[strings.ToLower(filepath.Ext(file))]++
			continue
		default:
			l.add(root, []string{file})
		}
		n++
	}
	if t := g.out.String(); t != "" && n > 0 {
		fmt.Fprintf(l.std.Err, "seam: %s: skipped %s\n", terminal.Shown(filepath.Join(root, strings.Join(g.pattern, "/"))), t)
	}
	return n
}

// glob collects the names that match a pattern. A pattern with "**" leaves out the same
// files as a folder. Others match as in a shell, apart from --exclude.
type glob struct {
	*lister
	root, real string // the folder before the first wildcard, as it was named and without links
	pattern    []string
	files      []string
	found      map[string]bool // set of files
	visited    map[string]bool // real folder names with the rest of the pattern
	met        map[string]bool // set of names that were left out
	out        leftOut
}

func (g *glob) check() error {
	for _, p := range g.pattern {
		if _, err := path.Match(p, ""); err != nil {
			return err
		}
	}
	return nil
}

// match adds the names in a folder that match the pattern.
func (g *glob) match(dir string, pattern []string) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		key := real + "\x00" + strings.Join(pattern, "/")
		if g.visited[key] {
			return // a link leads back here
		}
		g.visited[key] = true
	}
	if pattern[0] == "**" && len(pattern) > 1 {
		g.match(dir, pattern[1:])
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrPermission) {
		return // not a folder
	}
	for _, e := range entries {
		if !g.fits(pattern[0], e.Name()) {
			continue
		}
		name := e.Name()
		if dir != "." {
			name = filepath.Join(dir, name)
		}
		if g.leavesOut(name, e, pattern[0] == "**") {
			continue
		}
		if pattern[0] == "**" && isFolder(name, e) {
			g.match(name, pattern)
			continue
		}
		switch {
		case len(pattern) == 1:
			g.add(name)
		case pattern[0] != "**" && isFolder(name, e):
			g.match(name, pattern[1:])
		}
	}
}

func (g *glob) add(name string) {
	if !g.found[name] {
		g.found[name] = true
		g.files = append(g.files, name)
	}
}

// leavesOut reports whether a name that matches is left out, and counts it once.
func (g *glob) leavesOut(name string, e fs.DirEntry, deep bool) bool {
	out := &g.out
	if g.met[name] {
		again := newLeftOut()
		out = &again
	}
	dir := isFolder(name, e)
	left := false
	switch {
	case !slices.Contains(g.pattern, "**"):
		rel, err := filepath.Rel(g.root, name)
		if left = err == nil && g.exclude.verdict(parts(rel), dir) == ignored; left {
			out.excluded.add(dir)
		}
	case g.leaves(out, g.root, g.real, name, dir, false):
		left = true
	case deep && e.Type()&fs.ModeSymlink != 0 && !g.Follow && !within(g.real, realOf(name)):
		out.outside++
		left = true
	}
	g.met[name] = g.met[name] || left
	return left
}

// fits reports whether a name matches one part of the pattern.
func (g *glob) fits(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") && !(g.Hidden && slices.Contains(g.pattern, "**")) {
		return false
	}
	ok, _ := path.Match(pattern, name) // the pattern was checked before
	return ok || pattern == "**"
}

func isFolder(name string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
