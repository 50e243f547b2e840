package site

import (
	"slices"
	"strconv"
	"strings"

	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readAttributes reads an element's attributes for the search: filters, data to show in a result,
// weight.
func (s *survey) readAttributes(n *nethtml.Node) {
	for _, a := range n.Attr {
		switch a.Key {
		case "data-seam-filter", "data-pagefind-filter":
			for name, value := range pairs(n, a.Val) {
				s.page.Filter(name, value)
			}
		case "data-seam-meta", "data-pagefind-meta":
			for name, value := range pairs(n, a.Val) {
				switch name {
				case "title":
					s.title = value
				case "date":
					s.page.Date = dateOf(value)
				default:
					s.put(name, value)
				}
			}
		case "data-pagefind-sort":
			for name, value := range pairs(n, a.Val) {
				if name == "date" {
					s.page.Date = dateOf(value)
				}
			}
		case "data-seam-weight", "data-pagefind-weight":
			w, err := strconv.ParseFloat(a.Val, 64)
			if err == nil && w >= 0 && w <= 10 && (n.DataAtom == atom.Body || n.DataAtom == atom.Main || n.DataAtom == atom.Html || n.DataAtom == atom.Article) {
				s.page.Weight = w
			}
		}
	}
}

// Filter adds a value by which a search can be narrowed to this page.
func (p *Page) Filter(name, value string) {
	if p.Filters == nil {
		p.Filters = map[string][]string{}
	}
	if !slices.Contains(p.Filters[name], value) {
		p.Filters[name] = append(p.Filters[name], value)
	}
}

func (s *survey) put(name, value string) {
	if s.page.Meta == nil {
		s.page.Meta = map[string]string{}
	}
	if _, ok := s.page.Meta[name]; !ok {
		s.page.Meta[name] = value
	}
}

// pairs yields the names and values in an attribute. An entry is `name`, with the element's
// text as its value, `name:value`, or `name[attribute]`. Entries are separated by commas.
func pairs(n *nethtml.Node, told string) func(func(name, value string) bool) {
	return func(yield func(string, string) bool) {
		for _, part := range strings.Split(told, ",") {
			name, value, given := strings.Cut(strings.TrimSpace(part), ":")
			if before, after, ok := strings.Cut(name, "["); ok && !given {
				name, value, given = before, attr(n, strings.TrimSuffix(after, "]")), true
			}
			if !given {
				value = oneLine(textOf(n))
			}
			if name = strings.TrimSpace(name); name != "" && value != "" && !yield(name, strings.TrimSpace(value)) {
				return
			}
		}
	}
}

// dateOf returns the day of an ISO 8601 date, or "" for anything else.
func dateOf(s string) string {
	if s = strings.TrimSpace(s); len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return ""
	}
	for i, c := range []byte(s[:10]) {
		if i != 4 && i != 7 && (c < '0' || c > '9') {
			return ""
		}
	}
	return s[:10]
}
