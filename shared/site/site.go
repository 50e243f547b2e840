package site

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Tidy makes of pages as they were read those of an index: without pages that are lists of
// links, and, where some of the pages mark their body, without those that do not; with
// titles that lack what all titles of the site end in, and of all versions where they are of
// none and the generator tells those of others. It returns the pages in the order
// of their URLs, and of those left out why, by URL.
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

// A page of which so much of the text is links, and that is so long in bytes, is an index;
// so is one with so many links that are about half of its text.
const (
	mostlyLinks = .8
	longList    = 4000
	halfLinks   = .45
	manyLinks   = 1500
)

// shorten cuts off what follows a page's first heading in its title, and what titles have
// in common: "Looms — The weaver's handbook".
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

// lastSeparator is where in a title the last separator begins, -1 where there is none.
func lastSeparator(title string) int {
	at := -1
	for _, s := range separators {
		at = max(at, strings.LastIndex(title, s))
	}
	return at
}

// Primary is the language of a tag such as en-US: "en"; "und" where there is none.
func Primary(tag string) string {
	code, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	code, _, _ = strings.Cut(code, "_")
	if len(code) < 2 || len(code) > 3 || strings.ContainsFunc(code, func(r rune) bool { return r < 'a' || r > 'z' }) {
		return "und"
	}
	return code
}

// Address is that of the page of a file, below the site's: of an index.html its folder's.
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

// Generated reports whether a file is a page by which a generator lists or repeats what
// others say.
func Generated(name string) bool {
	switch base := path.Base(name); base {
	case "404.html", "search.html", "genindex.html", "py-modindex.html", "print.html":
		return true
	default:
		return strings.HasPrefix(base, "genindex-")
	}
}
