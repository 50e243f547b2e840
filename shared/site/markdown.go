package site

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"seam/shared/read/html"
)

// Markdown returns the text of a page as CommonMark with tables. It has the same text as
// Read, with the page's links unchanged, and begins with the page's title.
func (r *Reader) Markdown(b []byte) (string, error) {
	s, root, err := r.survey(b)
	if err != nil {
		return "", err
	}
	to := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	var parts []string
	for _, body := range s.bodies(root) {
		s.prune(body)
		part, err := to.ConvertNode(body)
		if err != nil {
			return "", fmt.Errorf("write as Markdown: %w", err)
		}
		if t := strings.TrimSpace(string(part)); t != "" {
			parts = append(parts, t)
		}
	}
	out := strings.Join(parts, "\n\n")
	if title := cmp.Or(s.title, s.page.Title); title != "" && !strings.HasPrefix(out, "# ") {
		out = "# " + title + "\n\n" + out
	}
	return strings.TrimSpace(out) + "\n", nil
}

// prune removes elements that are not part of a body's text.
func (s *survey) prune(body *nethtml.Node) {
	var out []*nethtml.Node
	for n := range body.Descendants() {
		if n.Type == nethtml.ElementNode && (html.Program(n) || s.left(n) || ofSite(n)) && n.DataAtom != atom.Html {
			out = append(out, n)
		}
	}
	for _, n := range out {
		n.Parent.RemoveChild(n)
	}
}

// ofSite reports whether an element is the site's footer, rather than an article's.
func ofSite(n *nethtml.Node) bool {
	if n.DataAtom != atom.Footer {
		return false
	}
	for a := range n.Ancestors() {
		switch a.DataAtom {
		case atom.Main, atom.Article, atom.Section, atom.Blockquote:
			return false
		}
	}
	return true
}

// LinkedPage is a page with its address for a list of the site.
type LinkedPage struct {
	*Page
	At string // address of its Markdown, relative to the list
}

// List returns the list of a site's pages for language models, in the form of llmstxt.org.
// It has a title, and the pages grouped by first folder, each with its description unless
// other pages have the same one. Pages in the most common language come first.
func List(name string, pages []LinkedPage) string {
	count, same := map[string]int{}, map[string]int{}
	for _, p := range pages {
		count[Primary(p.Language)]++
		same[p.Description]++
	}
	home := slices.IndexFunc(pages, func(p LinkedPage) bool { return p.URL == "./" })
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", name)
	if home >= 0 && pages[home].Description != "" {
		fmt.Fprintf(&b, "\n> %s\n", oneLine(pages[home].Description))
	}
	ordered := slices.Clone(pages)
	slices.SortStableFunc(ordered, func(p, q LinkedPage) int {
		a, b := Primary(p.Language), Primary(q.Language)
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b), cmp.Compare(folderOf(p.URL), folderOf(q.URL)), cmp.Compare(p.URL, q.URL))
	})
	section := ""
	for i, p := range ordered {
		here := cmp.Or(folderOf(p.URL), "Pages")
		if l := Primary(p.Language); l != Primary(ordered[0].Language) && here != l {
			here = l + ": " + here
		}
		if here != section || i == 0 {
			section = here
			fmt.Fprintf(&b, "\n## %s\n\n", section)
		}
		fmt.Fprintf(&b, "- [%s](%s)", strings.NewReplacer("[", `\[`, "]", `\]`).Replace(cmp.Or(oneLine(p.Title), p.URL)), strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29").Replace(escaped.Replace(p.At)))
		if p.Description != "" && same[p.Description] == 1 {
			fmt.Fprintf(&b, ": %s", oneLine(p.Description))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// folderOf returns the first folder of an address, or "" at the site's root.
func folderOf(url string) string {
	folder, _, inside := strings.Cut(url, "/")
	if !inside || folder == "." {
		return ""
	}
	return folder
}
