package html

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"

	"seam/shared/text"
)

// links collects the links of a page.
type links struct {
	base *url.URL // of <base href>, or nil
	list []text.Link
	url  string // of the open link; empty if there is none
	open bool   // a word of the open link has been written; it is the last of list
}

// start begins the link of an <a> at the end of a text of the given size, and ends the link
// before it.
func (l *links) start(t html.Token, size int) {
	l.finish(size)
	l.url = text.CleanURL(value(t, "href"))
	if l.base == nil || l.url == "" {
		return
	}
	full, err := l.base.Parse(l.url)
	if err != nil {
		return
	}
	rooted := l.base.Host != "" || strings.HasPrefix(l.base.Path, "/") || strings.HasPrefix(l.url, "/")
	if l.url = text.CleanURL(full.String()); !rooted { // net/url makes it rooted
		l.url = strings.TrimPrefix(l.url, "/")
	}
}

// startBase records the base of the page's links. The first <base href> counts.
func (l *links) startBase(t html.Token) {
	if href := text.CleanURL(value(t, "href")); l.base == nil && href != "" {
		l.base, _ = url.Parse(href)
	}
}

// word is called before a word is written at a byte of the text.
func (l *links) word(at int) {
	if l.url != "" && !l.open {
		l.add(at)
	}
}

// finish ends the open link at the end of a text of the given size.
func (l *links) finish(size int) {
	if l.url != "" && !l.open {
		l.add(size)
	}
	if l.open {
		l.list[len(l.list)-1].End = size
	}
	l.url, l.open = "", false
}

// add adds the open link. If there are too many links, it is left out.
func (l *links) add(at int) {
	if len(l.list) >= text.MostElements(at) {
		l.url = ""
		return
	}
	l.list = append(l.list, text.Link{URL: l.url, Span: text.Span{Start: at, End: at}})
	l.open = true
}
