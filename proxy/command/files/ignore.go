package files

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// verdict is the decision of ignore files about a name.
type verdict int

const (
	silent verdict = iota // no line matches
	ignored
	kept // by a line that begins with "!"
)

// rule is a line of an ignore file, in the syntax of .gitignore.
type rule struct {
	names  []string // of the path below the file's folder; "**" matches any number of them
	anyAt  bool     // the only name matches at any depth
	dirs   bool     // matches only folders
	negate bool
}

// parseRule reads a line. ok is false for a comment, a blank line, and a line that matches nothing.
func parseRule(line string) (r rule, ok bool) {
	line = strings.TrimSuffix(line, "\r")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	line, r.negate = strings.CutPrefix(line, "!")
	line, r.dirs = strings.CutSuffix(line, "/")
	r.anyAt = !strings.Contains(line, "/")
	if line = strings.TrimPrefix(line, "/"); line == "" {
		return r, false
	}
	r.names = strings.Split(line, "/")
	for i, name := range r.names {
		r.names[i] = brackets(name)
		if _, err := path.Match(r.names[i], ""); err != nil {
			return r, false
		}
	}
	return r, true
}

// brackets rewrites the sets of git, such as [!a] and []a], as path.Match reads them.
func brackets(name string) string {
	if !strings.Contains(name, "[") {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		b.WriteByte(name[i])
		switch {
		case name[i] == '\\' && i+1 < len(name):
			i++
			b.WriteByte(name[i])
			continue
		case name[i] != '[':
			continue
		}
		if i+1 < len(name) && (name[i+1] == '!' || name[i+1] == '^') {
			i++
			b.WriteByte('^')
		}
		if i+1 < len(name) && name[i+1] == ']' {
			i++
			b.WriteString(`\]`)
		}
		for i+1 < len(name) && name[i+1] != ']' {
			i++
			b.WriteByte(name[i])
		}
	}
	return b.String()
}

// match reports whether the rule matches a path below its folder.
func (r rule) match(names []string, dir bool) bool {
	if r.dirs && !dir {
		return false
	}
	if r.anyAt {
		ok, _ := path.Match(r.names[0], names[len(names)-1])
		return ok
	}
	return matchNames(r.names, names)
}

func matchNames(pattern, names []string) bool {
	for ; len(pattern) > 0; pattern, names = pattern[1:], names[1:] {
		if pattern[0] == "**" {
			if len(pattern) == 1 {
				return len(names) > 0
			}
			for i := range names {
				if matchNames(pattern[1:], names[i:]) {
					return true
				}
			}
			return false
		}
		if len(names) == 0 {
			return false
		}
		if ok, _ := path.Match(pattern[0], names[0]); !ok {
			return false
		}
	}
	return len(names) == 0
}

// rules are the lines of an ignore file. The last one that matches decides.
type rules []rule

func parseRules(b []byte) (out rules) {
	for line := range bytes.Lines(bytes.TrimPrefix(b, []byte("\ufeff"))) {
		if r, ok := parseRule(strings.TrimSuffix(string(line), "\n")); ok {
			out = append(out, r)
		}
	}
	return out
}

func (r rules) verdict(names []string, dir bool) verdict {
	for i := len(r) - 1; i >= 0; i-- {
		if r[i].match(names, dir) {
			if r[i].negate {
				return kept
			}
			return ignored
		}
	}
	return silent
}

// mostRules is the size in bytes of the largest ignore file that is read.
const mostRules = 1 << 20

// readRules reads an ignore file. It has no rules if it is missing or is no regular file.
func readRules(name string) rules {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostRules {
		return nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return parseRules(b)
}

// level holds the ignore files of a folder, and the levels of the folders above it.
type level struct {
	parent     *level // nil at the root of the file system
	dir        string
	ignore     rules // .ignore
	git        rules // .gitignore
	exclude    rules // .git/info/exclude
	repository bool  // the folder has a .git
	inGit      bool  // it is in a repository
}

// levels finds the ignore files of folders by their absolute names, as ripgrep does.
type levels map[string]*level

func (l levels) of(dir string) *level {
	if found := l[dir]; found != nil {
		return found
	}
	x := &level{dir: dir}
	if above := filepath.Dir(dir); above != dir {
		x.parent = l.of(above)
		x.inGit = x.parent.inGit
	}
	x.ignore = readRules(filepath.Join(dir, ".ignore"))
	if _, err := os.Lstat(filepath.Join(dir, ".git")); !errors.Is(err, fs.ErrNotExist) && err == nil {
		x.repository, x.inGit = true, true
		x.exclude = readRules(filepath.Join(dir, ".git", "info", "exclude"))
	}
	if x.inGit {
		x.git = readRules(filepath.Join(dir, ".gitignore"))
	}
	l[dir] = x
	return x
}

// verdict decides about a name in the folder. The files .ignore come first, then
// .gitignore, then .git/info/exclude; the deepest file of a kind wins. A .gitignore counts only
// within its repository.
func (x *level) verdict(name string, dir bool) (v verdict, by string) {
	path := filepath.Join(x.dir, name)
	at := func(y *level, r rules) verdict {
		if len(r) == 0 {
			return silent
		}
		return r.verdict(parts(strings.TrimPrefix(strings.TrimPrefix(path, y.dir), string(filepath.Separator))), dir)
	}
	for y := x; y != nil; y = y.parent {
		if v := at(y, y.ignore); v != silent {
			return v, ".ignore"
		}
	}
	if !x.inGit {
		return silent, ""
	}
	exclude := silent
	for y := x; y != nil; y = y.parent {
		if v := at(y, y.git); v != silent {
			return v, ".gitignore"
		}
		if y.repository {
			exclude = at(y, y.exclude)
			break
		}
	}
	return exclude, ".git/info/exclude"
}
