package object

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Metadata is what a file says about itself; what it does not say is empty.
type Metadata struct {
	Title    string // without what programs put there by themselves
	Author   string // several are divided by ", "
	Language string // a language tag such as "de-AT"
}

// Limits of what is taken over.
const (
	maxTitle    = 1000    // bytes of a title, of an author, of a bookmark
	maxXMP      = 1 << 20 // bytes of the XMP packet that are looked at
	maxAuthors  = 64
	maxLanguage = 35 // bytes; the longest tag that RFC 5646, 4.4.1 asks readers to take
)

// Metadata reads the document information, and the XMP packet (ISO 32000-1,
// 14.3) for what that does not say.
func (f *File) Metadata() (m Metadata) {
	defer func() { _ = recover() }() // damaged strings: what was read stays
	root, err := f.table.Catalog()
	if err != nil {
		root = nil
	}
	m.Language = languageTag(f.Text(root["Lang"]))
	if f.table.Info != nil {
		info := f.Dict(*f.table.Info)
		m.Title, m.Author = realTitle(oneText(f.Text(info["Title"]))), realAuthor(oneText(f.Text(info["Author"])))
	}
	if m.Title != "" && m.Author != "" || root["Metadata"] == nil {
		return m
	}
	b, _ := f.Bytes(root["Metadata"])
	xmp := string(b[:min(len(b), maxXMP)])
	if m.Title == "" {
		m.Title = realTitle(strings.Join(xmpItems(xmp, "dc:title", 1), ""))
	}
	if m.Author == "" {
		m.Author = realAuthor(cut(strings.Join(xmpItems(xmp, "dc:creator", maxAuthors), ", ")))
	}
	return m
}

// oneText is s on one line, without control characters and not too long.
func oneText(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), r == '\ufeff', r == '\ufffe':
			return -1
		}
		return r
	}, strings.ToValidUTF8(s[:min(len(s), 4*maxTitle)], "\ufffd"))
	return cut(strings.Join(strings.Fields(s), " "))
}

// cut shortens s to maxTitle bytes, on the edge of a rune.
func cut(s string) string {
	if len(s) <= maxTitle {
		return s
	}
	n := maxTitle
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return strings.TrimRight(s[:n], " ")
}

// Names that programs give to what has none, in lower case.
var emptyTitles = []string{"untitled", "untitled document", "untitled-1", "no title", "title", "document", "document1",
	"slide 1", "powerpoint presentation", "presentation title", "layout 1", "unknown", "none", "null", "pdf", "new document"}

// fileEndings are those of files that are printed to PDF.
var fileEndings = []string{".doc", ".docx", ".rtf", ".odt", ".txt", ".pdf", ".ps", ".eps", ".dvi", ".tex", ".xls", ".xlsx", ".ppt",
	".pptx", ".indd", ".qxd", ".qxp", ".pmd", ".p65", ".fm", ".wpd", ".wps", ".htm", ".html", ".cdr", ".ai", ".psd", ".tif", ".jpg", ".pub", ".vsd"}

// realTitle is s, or nothing where s plainly is no title that a person gave: a
// file's name, a path, the stand-in of a program, a string that was escaped twice.
func realTitle(s string) string {
	for _, program := range []string{"Microsoft Word - ", "Microsoft PowerPoint - ", "Microsoft Excel - "} {
		rest, ok := strings.CutPrefix(s, program)
		if ok && !strings.Contains(rest, " ") {
			return "" // the name of a file
		}
		s = rest
	}
	low := strings.ToLower(strings.Trim(s, " ()[]<>."))
	if strings.ContainsFunc(low, unicode.IsLetter) {
		for _, e := range emptyTitles {
			if low == e {
				return ""
			}
		}
		for _, e := range fileEndings {
			if strings.HasSuffix(low, e) {
				return ""
			}
		}
		if len(low) > 2 && (low[1:3] == `:\` || low[1:3] == ":/") || strings.HasPrefix(low, `\\`) || strings.HasPrefix(low, "file:") ||
			strings.HasPrefix(low, "/") && !strings.Contains(low, " ") || strings.HasPrefix(low, `\376\377`) {
			return ""
		}
		return s
	}
	return ""
}

// realAuthor is s, or nothing where s stands for nobody.
func realAuthor(s string) string {
	switch strings.ToLower(strings.Trim(s, " ()[]<>.")) {
	case "", "anonymous", "unknown", "author", "user", "none", "null":
		return ""
	}
	return s
}

// languageTag is s if it has the form of a tag, else nothing.
func languageTag(s string) string {
	s = strings.TrimSpace(s)
	for i := range len(s) {
		c := s[i]
		if c != '-' && !('0' <= c && c <= '9') && !('a' <= c|0x20 && c|0x20 <= 'z') {
			return ""
		}
	}
	if len(s) < 2 || len(s) > maxLanguage {
		return ""
	}
	return s
}

// xmpItems returns the first items of the list that is the value of an element
// of an XMP packet, which has to be UTF-8.
func xmpItems(xmp, element string, most int) (items []string) {
	_, after, ok := strings.Cut(xmp, "<"+element)
	if !ok {
		return nil
	}
	list, _, ok := strings.Cut(after, "</"+element)
	for ok && len(items) < most {
		if _, list, ok = strings.Cut(list, "<rdf:li"); !ok {
			break
		}
		if _, list, ok = strings.Cut(list, ">"); !ok {
			break
		}
		var item string
		item, list, ok = strings.Cut(list, "</rdf:li")
		if s := oneText(unescape(item)); ok && s != "" {
			items = append(items, s)
		}
	}
	return items
}

// unescape replaces the character references of XML.
func unescape(s string) string {
	var sb strings.Builder
	for {
		before, after, ok := strings.Cut(s, "&")
		sb.WriteString(before)
		if !ok {
			return sb.String()
		}
		name, rest, ok := strings.Cut(after[:min(len(after), 12)], ";")
		r, known := reference(name)
		if !ok || !known {
			sb.WriteByte('&')
			s = after
			continue
		}
		sb.WriteRune(r)
		s = after[len(after[:min(len(after), 12)])-len(rest):]
	}
}

// reference is the character that "&name;" stands for.
func reference(name string) (r rune, ok bool) {
	switch name {
	case "amp":
		return '&', true
	case "lt":
		return '<', true
	case "gt":
		return '>', true
	case "quot":
		return '"', true
	case "apos":
		return '\'', true
	}
	digits, ok := strings.CutPrefix(name, "#")
	base := 10
	if hex, isHex := strings.CutPrefix(digits, "x"); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 21)
	return rune(n), ok && err == nil
}
