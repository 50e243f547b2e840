package site

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Tidy prepares pages for an index. It removes pages that are lists of links, and pages
// without a marked body if some pages mark theirs. It gives pages without a language the
// site's most common one. It finds the versions of the same page. It removes the site's name from titles. It adds all versions to pages without one, if the generator states the
// versions of others. It returns the remaining pages in order of their URLs, and the
// reasons for leaving out the others, by URL.
func Tidy(pages []*Page) (kept []*Page, left map[string]string) {
	left = map[string]string{}
	marked := slices.ContainsFunc(pages, func(p *Page) bool { return p.Marked })
	for _, p := range pages {
		switch {
		case marked && !p.Marked:
			left[p.URL] = "it marks no body, and other pages do"
		case strings.TrimSpace(p.Text) == "":
			left[p.URL] = "it has no text"
		case p.Links >= mostlyLinks && len(p.Text) >= longList, p.Links >= halfLinks && p.Linked >= manyLinks:
			left[p.URL] = "it is a list of links"
		default:
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, func(a, b *Page) int { return cmp.Compare(a.URL, b.URL) })
	oneLanguage(kept)
	shorten(kept)
	everywhere(kept)
	sameIn(kept)
	return kept, left
}

// A page counts as a list of links if at least mostlyLinks of its text is links and the
// text is long, in bytes. A page with very many links counts if links are about half of its
// text.
const (
	mostlyLinks = .8
	longList    = 4000
	halfLinks   = .45
	manyLinks   = 1500
)

// shorten shortens titles. It removes everything after the page's first heading, and the
// site's name, which is an ending or a beginning that most titles share: "Looms — The
// weaver's handbook", "Sets (GNU Octave)".
func shorten(pages []*Page) {
	ends, begins := map[string]int{}, map[string]int{}
	for _, p := range pages {
		for _, at := range endings(p.Title) {
			ends[p.Title[at:]]++
		}
		if at := beginning(p.Title); at > 0 {
			begins[p.Title[:at]]++
		}
	}
	shared := func(n int) bool { return len(pages) > 2 && n*2 > len(pages) }
	for _, p := range pages {
		if len(p.Headings) > 0 {
			h := p.Headings[0].Title
			if rest, ok := strings.CutPrefix(p.Title, h); ok && h != "" && firstSeparator(rest) == 0 {
				p.Title = h
				continue
			}
		}
		cut := len(p.Title) // at the most common ending, the longest of these
		for _, at := range slices.Backward(endings(p.Title)) {
			if n := ends[p.Title[at:]]; shared(n) && n >= ends[p.Title[cut:]] {
				cut = at
			}
		}
		p.Title = p.Title[:cut]
		if at := beginning(p.Title); at > 0 && shared(begins[p.Title[:at]]) {
			p.Title = p.Title[at:]
		}
	}
}

var separators = []string{" — ", " – ", " - ", " | ", " · ", " :: ", " « ", " » "}

// firstSeparator returns the index of the first separator in a title, or -1.
func firstSeparator(title string) int {
	at := -1
	for _, s := range separators {
		if i := strings.Index(title, s); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

// endings returns the places in a title, in order, where the site's name may begin: at a
// separator, or at a bracket if the title ends with one.
func endings(title string) (at []int) {
	for i := 1; i < len(title); i++ {
		for _, s := range separators {
			if strings.HasPrefix(title[i:], s) {
				at = append(at, i)
			}
		}
		if strings.HasPrefix(title[i:], " (") && strings.HasSuffix(title, ")") {
			at = append(at, i)
		}
	}
	return at
}

// beginning returns the length of the part of a title that may be the site's name, with the
// separator after it, or 0.
func beginning(title string) int {
	at := 0
	for _, s := range append(separators, ": ") {
		if i := strings.Index(title, s); i > 0 && i+len(s) < len(title) && (at == 0 || i+len(s) < at) {
			at = i + len(s)
		}
	}
	return at
}

// Primary returns the language of a tag such as en-US: "en". It returns "und" if there is
// none.
func Primary(tag string) string {
	code, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	code, _, _ = strings.Cut(code, "_")
	if len(code) < 2 || len(code) > 3 || strings.ContainsFunc(code, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return "und"
	}
	return code
}

// Address returns the address of a file's page, relative to the site's. For an index.html
// it is the folder's address. Characters with a meaning in addresses are escaped: C%23.html.
func Address(name string) string {
	name = escaped.Replace(name)
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ":") {
		name = "./" + name // not a scheme
	}
	switch dir, file := path.Split(name); {
	case file != "index.html":
		return name
	case dir == "":
		return "./"
	default:
		return dir
	}
}

var escaped = strings.NewReplacer("%", "%25", "#", "%23", "?", "%3F", `\`, "%5C")

// Generated reports whether a file is a page in which a generator lists or repeats the
// content of other pages.
func Generated(name string) bool {
	switch base := path.Base(name); base {
	case "404.html", "search.html", "genindex.html", "py-modindex.html", "print.html":
		return true
	default:
		return strings.HasPrefix(base, "genindex-")
	}
}
