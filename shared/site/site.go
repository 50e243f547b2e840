package site

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Tidy prepares pages for an index. It removes pages that are lists of links, and pages
// without a marked body if some pages mark theirs. It removes the ending that the site's
// titles share. It adds all versions to pages without one, if the generator states the
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
	shorten(kept)
	everywhere(kept)
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
// ending that the titles of the site share: "Looms — The weaver's handbook".
func shorten(pages []*Page) {
	ends := map[string]int{}
	for _, p := range pages {
		if len(p.Headings) > 0 {
			h := p.Headings[0].Title
			if rest, ok := strings.CutPrefix(p.Title, h); ok && h != "" && lastSeparator(rest) == 0 {
				p.Title = h
			}
		}
		if at := lastSeparator(p.Title); at > 0 {
			ends[p.Title[at:]]++
		}
	}
	for _, p := range pages {
		if at := lastSeparator(p.Title); at > 0 && len(pages) > 2 && ends[p.Title[at:]]*2 > len(pages) {
			p.Title = p.Title[:at]
		}
	}
}

var separators = []string{" — ", " – ", " - ", " | ", " · ", " :: ", " « ", " » "}

// lastSeparator returns the index of the last separator in a title, or -1.
func lastSeparator(title string) int {
	at := -1
	for _, s := range separators {
		at = max(at, strings.LastIndex(title, s))
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
// it is the folder's address.
func Address(name string) string {
	switch dir, file := path.Split(name); {
	case file != "index.html":
		return name
	case dir == "":
		return "./"
	default:
		return dir
	}
}

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
