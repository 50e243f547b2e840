package site

import (
	"cmp"
	"slices"

	nethtml "golang.org/x/net/html"

	"seam/shared/language"
)

// languageOf returns the language of a page's body: as the body or an element around it
// says, otherwise the page's header, otherwise its generator, otherwise as its text shows.
// It returns "" if none of them does.
func (s *survey) languageOf(body *nethtml.Node, text string) string {
	for n := body; n != nil; n = n.Parent {
		for _, key := range []string{"lang", "xml:lang"} {
			if l := attr(n, key); Primary(l) != none {
				return l
			}
		}
	}
	if body.Type == nethtml.DocumentNode {
		for n := range body.Descendants() { // the page has no main part
			if l := cmp.Or(attr(n, "lang"), attr(n, "xml:lang")); (n.Data == "html" || n.Data == "body") && Primary(l) != none {
				return l
			}
		}
	}
	for _, l := range []string{s.header, s.language} {
		if Primary(l) != none {
			return l
		}
	}
	if shares := language.Detect(text); len(text) >= shortestDetected && len(shares) > 0 && shares[0].Share >= mostlyOne {
		return shares[0].Code
	}
	return ""
}

// none is the language of a page that does not say it.
const none = "und"

// A text shows its language if it is long enough, in bytes, and if most of it is in one.
const (
	shortestDetected = 200
	mostlyOne        = .6
)

// oneLanguage gives pages without a language the site's most common one.
func oneLanguage(pages []*Page) {
	count := map[string]int{}
	for _, p := range pages {
		if l := Primary(p.Language); l != none {
			count[l]++
		}
	}
	var codes []string
	for l := range count {
		codes = append(codes, l)
	}
	if len(codes) == 0 {
		return
	}
	slices.SortFunc(codes, func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	for _, p := range pages {
		if Primary(p.Language) == none {
			p.Language = codes[0]
		}
	}
}
