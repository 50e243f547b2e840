package text

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Link is a link of a document. It leads to a URL, which may be a place of the document, or to
// a page.
type Link struct {
	// URL is the target as the file has it. It is not trusted and may have any scheme. It is
	// empty for a link to a page.
	URL string `json:"url,omitempty"`
	// Page is the number of the target page, from 1; 0 for a link to a URL.
	Page int `json:"page,omitempty"`
	// To is the place in the reading view to which a URL leads; 0 for none. A URL that leads
	// to the beginning has the place after the first character.
	To int `json:"to,omitempty"`
	// Span is the words of the link in the reading view. It is empty for a link without
	// words there, such as a picture or a running head.
	Span
}

// CheckLinks returns an error for links out of order (by start), links that lie outside t or
// split a character of t, and links that do not lead to either a URL or one of the pages.
func CheckLinks(t string, pages int, list []Link) error {
	last := 0
	for _, l := range list {
		if l.Start < last || l.End < l.Start || l.End > len(t) || Edge(t, l.Start) != l.Start || Edge(t, l.End) != l.End ||
			l.To < 0 || l.To > len(t) || Edge(t, l.To) != l.To || l.To > 0 && l.URL == "" || l.Page < 0 || l.Page > pages || (l.Page == 0) == (l.URL == "") {
			return errLink
		}
		last = l.Start
	}
	return nil
}

// PlaceIn returns a place of t in the form of Link.To.
func PlaceIn(t string, at int) int {
	if at == 0 {
		_, at = utf8.DecodeRuneInString(t)
	}
	return Edge(t, min(at, len(t)))
}

// longestURL is the maximum length of a link's URL in bytes.
const longestURL = 1 << 13

// CleanURL returns a URL without the control characters and the white space around it that
// browsers ignore. It returns "" for a URL of more than 8 kB, which is data.
func CleanURL(s string) string {
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd")))
	if len(s) > longestURL {
		return ""
	}
	return s
}

var errLink = errors.New("a link that is not of this text")
