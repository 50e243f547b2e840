package text

import "strings"

// Part is a part of a document that names other texts or its own sections. Search finds it;
// a model does not read it unless the question names it.
type Part string

// The parts.
const (
	References Part = "references" // a list of works
	Contents   Part = "contents"   // a table of contents
)

// partTitles are the titles of parts, in lower case and between bars.
var partTitles = map[Part]string{
	References: "|references|reference list|list of references|bibliography|works cited|literature cited|literature|literatur|literaturverzeichnis|quellen|quellenverzeichnis|références|bibliographie|références bibliographiques|referencias|bibliografía|referencias bibliográficas|referências|bibliografia|referências bibliográficas|riferimenti|riferimenti bibliografici|literatuur|literatuurlijst|referenser|källor|källförteckning|litteratur|litteraturlista|litteraturliste|referanser|kilder|lähteet|kirjallisuus|lähdeluettelo|литература|список литературы|библиография|література|список літератури|piśmiennictwo|literatura|použitá literatura|irodalom|irodalomjegyzék|referințe|bibliografie|kaynakça|kaynaklar|βιβλιογραφία|daftar pustaka|tài liệu tham khảo|参考文献|參考文獻|참고문헌|المراجع|قائمة المراجع|ביבליוגרפיה|",
	Contents:   "|contents|table of contents|list of figures|list of tables|inhalt|inhaltsverzeichnis|table des matières|sommaire|contenido|índice|tabla de contenido|sumário|conteúdo|indice|sommario|inhoud|inhoudsopgave|innehåll|innehållsförteckning|indhold|indholdsfortegnelse|innhold|innholdsfortegnelse|sisällys|sisällysluettelo|содержание|оглавление|зміст|spis treści|obsah|tartalom|tartalomjegyzék|cuprins|içindekiler|περιεχόμενα|daftar isi|mục lục|目录|目錄|目次|차례|목차|المحتويات|תוכן העניינים|",
}

// titled returns the part with a title, or "".
func titled(title string) Part {
	title = "|" + strings.ToLower(strings.Trim(title, " .:#0123456789")) + "|"
	for _, p := range [...]Part{References, Contents} {
		if strings.Contains(partTitles[p], title) {
			return p
		}
	}
	return ""
}

// PartOf returns the part of a document that t belongs to, or "". A part has a known title
// in one of 25 languages, and most lines of t look like its entries. So an appendix after
// a list is not part of the list, although its heading may be unknown. titles name
// the sections around t.
func PartOf(titles []string, t string) (p Part) {
	for _, title := range titles {
		if p = titled(title); p != "" {
			break
		}
	}
	if p == "" {
		return ""
	}
	all, entries := 0, 0
	for line := range strings.SplitSeq(t, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || titled(line) != "" {
			continue
		}
		all++
		if isEntry(p, line) {
			entries++
		}
	}
	if 2*entries <= all {
		return ""
	}
	return p
}

// isEntry reports whether a line, which is not empty, looks like an entry of a part.
func isEntry(p Part, line string) bool {
	if p == References {
		return cites(line)
	}
	return len(line) <= maxEntry && !strings.ContainsAny(line[len(line)-1:], ".!?")
}

// maxEntry is the maximum length of an entry of a table of contents, in bytes.
const maxEntry = 160

// cites reports whether a line looks like an entry of a list of works: it has a year, an
// address, or a number in brackets at its start.
func cites(line string) bool {
	if line[0] == '[' || strings.Contains(line, "http") || strings.Contains(line, "doi") || strings.Contains(line, "www.") {
		return true
	}
	digits := 0
	for i := range len(line) + 1 {
		if i < len(line) && '0' <= line[i] && line[i] <= '9' {
			digits++
			continue
		}
		if digits == 4 && (line[i-4:i-2] >= "15" && line[i-4:i-2] <= "20") {
			return true
		}
		digits = 0
	}
	return false
}

// NamesPart reports whether a question asks for a part by one of its titles, or for the works that are
// cited.
func NamesPart(question string, p Part) bool {
	question = strings.ToLower(question)
	for title := range strings.SplitSeq(strings.Trim(partTitles[p], "|"), "|") {
		if strings.Contains(question, title) {
			return true
		}
	}
	return p == References && (strings.Contains(question, " cite") || strings.Contains(question, "reference") || strings.Contains(question, "zitier"))
}

// PartSpan is a part of the reading view.
type PartSpan struct {
	Kind Part `json:"kind"`
	Span
}

// maxForeign is the maximum number of lines in a row within a part that do not look like its
// entries, such as the second paragraph of an entry.
const maxForeign = 2

// Parts returns the parts of the document, in order and disjoint. Each goes from its heading
// to its last entry, which may be before the end of its section. Elements neither contain
// nor overlap parts, unless they contain the heading.
func (d *Document) Parts() (list []PartSpan) {
	t := d.reading.Text
	last := 0
	for i, s := range d.Sections {
		kind := titled(s.Title)
		if kind == Contents && i+1 < len(d.Sections) { // its subsections are the text itself
			s.End = min(s.End, d.Sections[i+1].Start)
		}
		if kind == "" || s.Start < last || s.End > len(t) {
			continue
		}
		end := lastEntry(kind, t, s.Span)
		if end == 0 {
			continue
		}
		p := PartSpan{kind, Span{s.Start, end}}
		for _, e := range d.Elements { // a list in which the last entry is
			if p.Start <= e.Start && e.Start < p.End && p.End < e.End && e.End <= s.End {
				p.End = e.End
			}
		}
		list, last = append(list, p), p.End
	}
	return list
}

// lastEntry returns the end of the last entry of the part in section s, or 0 if most of its
// lines are no entries.
func lastEntry(kind Part, t string, s Span) (end int) {
	foreign := 0
	for at := s.Start; at < s.End; {
		line := t[at:s.End]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		}
		next := at + len(line) + 1
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || titled(trimmed) != "":
		case isEntry(kind, trimmed):
			end, foreign = at+len(strings.TrimRight(line, " \t\r")), 0
		default:
			foreign++
		}
		if foreign > maxForeign {
			break
		}
		at = next
	}
	if end == 0 || PartOf([]string{string(kind)}, t[s.Start:end]) == "" {
		return 0
	}
	return end
}
