package text

import (
	"errors"
	"strings"
	"unicode"
)

// Link is a link of a document. It leads to a URL or to a page.
type Link struct {
	// URL is the target as the file has it. It is not trusted and may have any scheme. It is
	// empty for a link to a page.
	URL string `json:"url,omitempty"`
	// Page is the number of the target page, from 1; 0 for a link to a URL.
	Page int `json:"page,omitempty"`
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
			l.Page < 0 || l.Page > pages || (l.Page == 0) == (l.URL == "") {
			return errLink
		}
		last = l.Start
	}
	return nil
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
