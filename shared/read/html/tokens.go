package html

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"

	"seam/shared/text"
)

// tokens reads the tokens of a page. In XML, either a whole page or a picture, a
// self-closing element has no raw text after it, regardless of its name.
type tokens struct {
	*html.Tokenizer
	xhtml    bool
	pictures int // number of open pictures
	foreign  int // number of open parts of pictures that contain HTML
}

func newTokens(source string) *tokens {
	return &tokens{
		Tokenizer: html.NewTokenizer(strings.NewReader(source)),
		xhtml:     strings.Contains(source[:text.Edge(source, 1024)], "http://www.w3.org/1999/xhtml"),
	}
}

func (z *tokens) inXML() bool { return z.xhtml || z.pictures > 0 }

func (z *tokens) next() html.TokenType {
	kind := z.Next()
	switch kind {
	case html.StartTagToken:
		z.begin()
	case html.EndTagToken:
		switch {
		case z.named("svg"):
			z.pictures = max(0, z.pictures-1)
		case z.pictures > 0 && (z.named("foreignobject") || z.named("desc")):
			z.foreign = max(0, z.foreign-1)
		}
		if z.pictures == 0 {
			z.foreign = 0
		}
	case html.SelfClosingTagToken:
		if z.inXML() {
			z.NextIsNotRawText()
		}
	}
	return kind
}

// begin records the start of an element. An HTML element inside an unclosed picture ends
// the picture, as in browsers.
func (z *tokens) begin() {
	switch {
	case z.named("svg"):
		z.pictures++
	case z.pictures == 0:
	case z.named("foreignobject") || z.named("desc"):
		z.foreign++
	case z.foreign == 0 && strings.Contains(breakouts, " "+strings.ToLower(string(z.name()))+" "):
		z.pictures = 0
	}
}

// name returns the current tag's name as written.
func (z *tokens) name() []byte {
	b := bytes.TrimPrefix(z.Raw()[1:], []byte("/"))
	if end := bytes.IndexAny(b, " \t\r\n\f/>"); end >= 0 {
		b = b[:end]
	}
	return b
}

// named reports whether the current tag has this name, ignoring case.
func (z *tokens) named(name string) bool { return bytes.EqualFold(z.name(), []byte(name)) }

// breakouts lists elements that end a picture
// (https://html.spec.whatwg.org/#parsing-main-inforeign).
const breakouts = " b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var "
