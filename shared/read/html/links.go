package html

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"seam/shared/text"
)

// links collects the links of a page.
type links struct {
	base *url.URL // of <base href>, or nil
	list []text.Link
	url  string // of the open link; empty if there is none
	open bool   // a word of the open link has been written; it is the last of list

	anchors map[string]int // places in the text by id; the first of equal ones counts
	waiting []string       // ids for which no word has been written
}

// longestID is the maximum length of an id in bytes that links can lead to.
const longestID = 256

// anchor notes the id of an element, or the name of an <a>, at the next word.
func (l *links) anchor(t html.Token, size int) {
	id := value(t, "id")
	if id == "" && t.DataAtom == atom.A {
		id = value(t, "name")
	}
	if id != "" && len(id) <= longestID && len(l.anchors)+len(l.waiting) < text.MostElements(size) {
		l.waiting = append(l.waiting, id)
	}
}

// place sets the place of the waiting ids.
func (l *links) place(at int) {
	for _, id := range l.waiting {
		if l.anchors == nil {
			l.anchors = map[string]int{}
		}
		if _, found := l.anchors[id]; !found {
			l.anchors[id] = at
		}
	}
	l.waiting = l.waiting[:0]
}

// inside sets the places of the links within the page, whose text is t.
func (l *links) inside(t string) {
	for i := range l.list {
		id, ok := strings.CutPrefix(l.list[i].URL, "#")
		if name, err := url.PathUnescape(id); err == nil {
			id = name
		}
		if at, found := l.anchors[id]; ok && found {
			l.list[i].To = text.PlaceIn(t, at)
		}
	}
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
	if len(l.waiting) > 0 {
		l.place(at)
	}
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
