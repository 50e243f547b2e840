// Package sniff finds the format of a file from its bytes, for files whose names do not say
// it: standard input, files without an extension, and templates such as .php.
package sniff

import (
	"archive/zip"
	"bytes"
	"io"
	"regexp"
	"strings"
)

// mostText is the number of bytes of a text that are looked at.
const mostText = 64 << 10

// Format returns the name of a format in read.All, or "" if the bytes show none: then the
// file is plain text, or has a format that its marks name. A text about HTML or Markdown is
// rarely taken for the format itself: pages must begin with their markup, and Markdown needs
// a heading of its own, or links between other marks.
func Format(b []byte) string {
	if bytes.HasPrefix(b, []byte("PK\x03\x04")) {
		return packed(b)
	}
	t := letters(b[:min(len(b), mostText)])
	switch {
	case isPage(t):
		return "html"
	case isMarkdown(t):
		return "markdown"
	case isFragment(t, len(b) > mostText):
		return "html"
	}
	return ""
}

// letters returns the beginning of a text without its byte order mark. In UTF-16, which has
// one, letters of ASCII have a zero byte beside them; other letters say nothing here.
func letters(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		b = bytes.ReplaceAll(b[2:], []byte{0}, nil)
	default:
		b = bytes.TrimPrefix(b, []byte("\ufeff"))
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

// members are members of zip files that show a format.
var members = []struct{ prefix, format string }{
	{"META-INF/container.xml", "epub"}, {"word/", "word"}, {"xl/", "excel"}, {"ppt/", "powerpoint"},
}

// mostMembers is the number of members of a zip file that are looked at.
const mostMembers = 200

// packed returns the format of a zip file.
func packed(b []byte) string {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return ""
	}
	for _, f := range z.File[:min(len(z.File), mostMembers)] {
		if f.Name == "mimetype" {
			switch kind := beginning(f); {
			case strings.HasPrefix(kind, "application/epub+zip"):
				return "epub"
			case strings.HasPrefix(kind, "application/vnd.oasis.opendocument."):
				return "opendocument"
			}
		}
		for _, m := range members {
			if strings.HasPrefix(f.Name, m.prefix) {
				return m.format
			}
		}
	}
	return ""
}

// beginning returns the first bytes of a member.
func beginning(f *zip.File) string {
	r, err := f.Open()
	if err != nil {
		return ""
	}
	defer r.Close()
	b, _ := io.ReadAll(io.LimitReader(r, 100)) // a damaged member has no known beginning
	return string(b)
}

var (
	// prologue is all that may come before the markup of a page.
	prologue = regexp.MustCompile(`^(?:\s+|<\?xml[^>]*\?>|(?s:<!--.*?-->))*`)
	page     = regexp.MustCompile(`^(?i:<!doctype\s+html\b|<html[\s>]|<head[\s>]|<body[\s>])`)
	block    = regexp.MustCompile(`^(?i:<(?:p|div|article|section|main|header|footer|nav|aside|h[1-6]|ul|ol|dl|table|figure|blockquote|pre|form|title|meta|link|span|a|b|i|em|strong)[\s/>])`)
	closing  = regexp.MustCompile(`(?i:</(?:p|div|article|section|main|header|footer|nav|aside|h[1-6]|ul|ol|dl|table|figure|blockquote|pre|form|title|span|a|b|i|em|strong)>)`)
)

// isPage reports whether t begins as a whole page does.
func isPage(t string) bool { return page.MatchString(t[len(prologue.FindString(t)):]) }

// isFragment reports whether t is part of a page: it begins with an element and, unless it is
// longer, ends with the end of one.
func isFragment(t string, longer bool) bool {
	t = strings.TrimSpace(t[len(prologue.FindString(t)):])
	return block.MatchString(t) && closing.MatchString(t) && (longer || strings.HasSuffix(t, ">"))
}

var (
	frontMatter = regexp.MustCompile(`^---\n(?:[A-Za-z_][\w-]*:.*\n|[ \t#-].*\n)+?---\n`)
	heading     = regexp.MustCompile(`^#{1,6} +[^\s#]`)
	underline   = regexp.MustCompile(`^(?:={3,}|-{3,}) *$`)
	fence       = regexp.MustCompile("^ {0,3}(?:```|~~~)")
	link        = regexp.MustCompile(`!?\[[^\]\n]+\]\((?:[a-z]+:|[\w./#-])[^)\s]*(?: "[^"\n]*")?\)`)
	strong      = regexp.MustCompile(`\*\*[^\s*][^*\n]*\*\*`)
	item        = regexp.MustCompile(`^ {0,3}(?:[-*+]|\d{1,3}[.)]) +\S`)
)

// lineKinds counts lines of a text by kind. Fenced lines have none.
type lineKinds struct {
	headings, below int // headings on lines of their own; those below the first level
	comments        int // other lines that begin with #
	underlines      int // below a title
	items, fences   int
	code, prose     int
}

// isMarkdown reports whether t is Markdown: it has front matter, or headings on lines of their
// own, or two other marks. Comments of programs look like headings, but mostly are next to
// other lines, or above code.
func isMarkdown(t string) bool {
	if strings.HasPrefix(t, "#!") {
		return false
	}
	if frontMatter.MatchString(t) {
		return true
	}
	n := kindsOf(strings.Split(t, "\n"))
	switch {
	case n.comments > n.headings, n.below == 0 && n.code > n.prose+n.items:
		return false
	case n.headings > 0:
		return true
	}
	inline := 0
	for _, has := range []bool{n.fences > 1, link.MatchString(t), strong.MatchString(t)} {
		if has {
			inline++
		}
	}
	return inline > 1 || inline == 1 && (n.underlines > 0 || n.items > 1)
}

func kindsOf(lines []string) (n lineKinds) {
	at := func(i int) string {
		if i < 0 || i >= len(lines) {
			return ""
		}
		return lines[i]
	}
	fenced := false
	for i, l := range lines {
		switch after := at(i + 1); {
		case fence.MatchString(l):
			fenced = !fenced
			n.fences++
		case fenced || blank(l):
		case heading.MatchString(l) && blank(at(i-1)) && (blank(after) || !strings.HasPrefix(after, "#") && mayBeProse(after)):
			n.headings++
			if strings.HasPrefix(l, "##") {
				n.below++
			}
		case strings.HasPrefix(l, "#"):
			n.comments++
		case underline.MatchString(l) && !blank(at(i-1)) && blank(after) && blank(at(i-2)):
			n.underlines++
		case item.MatchString(l):
			n.items++
		case mayBeCode(l):
			n.code++
		default:
			n.prose++
		}
	}
	return n
}

func blank(l string) bool { return strings.TrimSpace(l) == "" }

// mayBeProse reports whether a line after a heading may be prose: it has a second word and
// none of the signs of code.
func mayBeProse(l string) bool {
	return item.MatchString(l) || fence.MatchString(l) || strings.Contains(strings.TrimSpace(l), " ") && !mayBeCode(l)
}

// mayBeCode reports whether a line looks like one of a program or its configuration: it is
// indented, ends as a statement or block does, has signs in its first words, or begins with
// a word of a program.
func mayBeCode(l string) bool {
	words := strings.Fields(l)
	if len(words) == 0 || item.MatchString(l) {
		return false
	}
	return l[0] == ' ' && words[0][0] != '<' || l[0] == '\t' || strings.HasSuffix(strings.TrimSpace(l), ";") || strings.ContainsAny(words[0], "={}();$\"'`@\\") ||
		strings.ContainsAny(words[len(words)-1], "{}=") || len(words) > 1 && strings.ContainsAny(words[1], "={}();<>") || code[words[0]]
}

// code are first words of lines of programs.
var code = map[string]bool{
	"import": true, "from": true, "def": true, "class": true, "export": true, "set": true, "echo": true, "sudo": true, "apt-get": true,
	"cd": true, "if": true, "for": true, "while": true, "function": true, "return": true, "const": true, "let": true, "var": true,
	"use": true, "require": true, "include": true, "library": true, "source": true, "git": true, "pip": true, "npm": true, "curl": true,
}
