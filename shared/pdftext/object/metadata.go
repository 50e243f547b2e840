package object

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Metadata is a file's metadata. Missing values are empty.
type Metadata struct {
	Title    string // without titles that programs set automatically
	Author   string // several are separated by ", "
	Language string // a language tag such as "de-AT"
	Date     string // of its making, or of its last change: "2024-03-05", "2024-03" or "2024"
}

// Limits of the data used.
const (
	maxTitle    = 1000    // bytes of a title, of an author, of a bookmark
	maxXMP      = 1 << 20 // bytes of the XMP packet that are examined
	maxAuthors  = 64
	maxLanguage = 35 // bytes; the longest tag that RFC 5646, 4.4.1 asks readers to accept
)

// Metadata reads the document information. For missing values it reads the XMP packet (ISO
// 32000-1, 14.3).
func (f *File) Metadata() (m Metadata) {
	defer func() { _ = recover() }() // damaged strings: keep the values read so far
	root, err := f.table.Catalog()
	if err != nil {
		root = nil
	}
	m.Language = languageTag(f.Text(root["Lang"]))
	if f.table.Info != nil {
		info := f.Dict(*f.table.Info)
		m.Title, m.Author = realTitle(oneText(f.Text(info["Title"]))), realAuthor(oneText(f.Text(info["Author"])))
		if m.Date = dateOf(f.Text(info["CreationDate"])); m.Date == "" {
			m.Date = dateOf(f.Text(info["ModDate"]))
		}
	}
	if m.Title != "" && m.Author != "" && m.Date != "" || root["Metadata"] == nil {
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
	if m.Date == "" {
		m.Date = dateOf(xmpValue(xmp, "xmp:CreateDate"))
	}
	return m
}

// firstYear is the year of the first PDF. Programs without a clock write earlier ones.
const firstYear = "1993"

// dateOf returns the day of a date such as "D:20240305101500Z" (ISO 32000-1, 7.9.4) or
// "2024-03-05T10:15:00Z", in the time zone of its writer. It returns "" for other texts.
func dateOf(s string) string {
	s = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(s), "D:"), "-", "")
	digits := 0
	for digits < len(s) && digits < 8 && '0' <= s[digits] && s[digits] <= '9' {
		digits++
	}
	if digits < 4 || s[:4] < firstYear {
		return ""
	}
	date := s[:4]
	if digits < 6 || s[4:6] < "01" || s[4:6] > "12" {
		return date
	}
	date += "-" + s[4:6]
	if digits < 8 || s[6:8] < "01" || s[6:8] > "31" {
		return date
	}
	return date + "-" + s[6:8]
}

// oneText returns s on one line, without control characters and with limited length.
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

// cut shortens s to maxTitle bytes, at a rune boundary.
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

// Titles that programs give to untitled documents, in lower case.
var emptyTitles = []string{"untitled", "untitled document", "untitled-1", "no title", "title", "document", "document1",
	"slide 1", "powerpoint presentation", "presentation title", "layout 1", "unknown", "none", "null", "pdf", "new document"}

// fileEndings lists the extensions of files that are printed to PDF.
var fileEndings = []string{".doc", ".docx", ".rtf", ".odt", ".txt", ".pdf", ".ps", ".eps", ".dvi", ".tex", ".xls", ".xlsx", ".ppt",
	".pptx", ".indd", ".qxd", ".qxp", ".pmd", ".p65", ".fm", ".wpd", ".wps", ".htm", ".html", ".cdr", ".ai", ".psd", ".tif", ".jpg", ".pub", ".vsd"}

// realTitle returns s, or "" if s is clearly not a title given by a person: a file name, a
// path, a program's placeholder, or a string that was escaped twice.
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

// realAuthor returns s, or "" if s is a placeholder.
func realAuthor(s string) string {
	switch strings.ToLower(strings.Trim(s, " ()[]<>.")) {
	case "", "anonymous", "unknown", "author", "user", "none", "null":
		return ""
	}
	return s
}

// languageTag returns s if it has the form of a tag, otherwise "".
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

// xmpItems returns the first items of the list in an element of an XMP packet, which must
// be UTF-8.
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

// xmpValue returns the value of a property of an XMP packet, written as an element or as an
// attribute.
func xmpValue(xmp, property string) string {
	_, after, ok := strings.Cut(xmp, property)
	if !ok {
		return ""
	}
	value := strings.TrimLeft(after[:min(len(after), 40)], "=>\"' \t\r\n")
	return value[:max(0, strings.IndexAny(value, "<\"'"))]
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

// reference returns the character for "&name;".
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
