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
	g := glob{pattern: names[fixed:], found: map[string]bool{}, visited: map[string]bool{}}
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
		l.fail(pattern, fmt.Errorf("%s matches no file that seam can read", terminal.Shown(pattern)))
	}
}

// matched adds the files found and returns their number. A pattern that matches every name
// takes only files that seam can read, as for a folder.
func (l *lister) matched(root string, g glob) (n int) {
	left := walk{kinds: map[string]int{}}
	last := g.pattern[len(g.pattern)-1]
	for _, file := range g.files {
		info, err := os.Stat(file)
		switch folder := err == nil && info.IsDir(); {
		case folder && slices.Contains(g.pattern, "**"):
			continue // its content is matched too
		case folder:
			l.folder(file)
		case strings.Trim(last, "*") == "" && !Formats.Openable(filepath.Base(file)):
			left.kinds[strings.ToLower(filepath.Ext(file))]++
			continue
		default:
			l.add(root, []string{file})
		}
		n++
	}
	if t := left.left(); t != "" && n > 0 {
		fmt.Fprintf(l.std.Err, "seam: %s: skipped %s\n", terminal.Shown(filepath.Join(root, strings.Join(g.pattern, "/"))), t)
	}
	return n
}

// glob collects the names that match a pattern.
type glob struct {
	pattern []string
	files   []string
	found   map[string]bool // set of files
	visited map[string]bool // real folder names with the rest of the pattern
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
		if !fits(pattern[0], e.Name()) {
			continue
		}
		name := e.Name()
		if dir != "." {
			name = filepath.Join(dir, name)
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

// fits reports whether a name matches one part of the pattern.
func fits(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") {
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
