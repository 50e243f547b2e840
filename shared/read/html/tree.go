package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"seam/shared/text"
)

// Anchor is a place that an address can refer to: https://example.org/page#ID.
type Anchor struct {
	ID    string
	Start int // byte offset in the text
	// Item is whether it is a row, an item of a list, or a paragraph.
	Item bool
}

// Heading is an <h1> to <h6>. In a tree it may also be a term with an id.
type Heading struct {
	Title string
	Level int // 1 to 6, or TermLevel for a term
	text.Span
}

// TermLevel is the level of a <dt> with an id. Software documentation often has such a term
// for every function, below its headings.
const TermLevel = 7

// Tree holds the readable text of a page's elements.
type Tree struct {
	Text     string
	Headings []Heading
	Anchors  []Anchor
}

// ReadTree reads elements parsed by package golang.org/x/net/html, one after the other,
// like Read. It also reads parts that a reader can open: closed tabs and dialogs. It leaves
// out every element for which leave returns true, with its content. leave is called once
// per element; if it is nil, nothing is left out.
func ReadTree(roots []*html.Node, leave func(*html.Node) bool) Tree {
	r := &reader{scope: scope{strict: true, closed: true}, depth: map[atom.Atom]int{}}
	for _, root := range roots {
		r.walk(root, leave)
		r.endHeading()
		r.breakBefore(2)
	}
	// All pages of a site are kept in memory, so drop the builder's spare capacity.
	out := Tree{Text: strings.Clone(r.out.String()), Anchors: r.anchors}
	for _, h := range r.headings {
		out.Headings = append(out.Headings, Heading{h.title, h.level, h.Span})
	}
	return out
}

// Program reports whether an element holds a program, a style or the like, and no words of
// the page.
func Program(n *html.Node) bool { return n.Type == html.ElementNode && leftOut[n.DataAtom] }

// Interface reports whether ReadTree leaves an element out because it belongs to the page's
// interface, as a menu, or is never shown.
func Interface(n *html.Node) bool {
	return n.Type == html.ElementNode && (around[n.DataAtom] && n.DataAtom != atom.Dialog || hidden(tokenOf(n), true))
}

// walk traverses a tree without recursion, because a page may be arbitrarily deep.
func (r *reader) walk(root *html.Node, leave func(*html.Node) bool) {
	for n := root; n != nil; {
		if r.enter(n, leave) && n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		for r.leaveNode(n); n != root && n.NextSibling == nil; r.leaveNode(n) {
			n = n.Parent
		}
		if n == root {
			return
		}
		n = n.NextSibling
	}
}

// enter reads the start of a node. It returns false if the node's content is left out.
func (r *reader) enter(n *html.Node, leave func(*html.Node) bool) bool {
	switch n.Type {
	case html.TextNode:
		r.text(n.Data)
		return false
	case html.ElementNode:
	default:
		return n.Type == html.DocumentNode
	}
	id := idOf(n)
	if leave != nil && leave(n) {
		if id != "" && n.DataAtom == atom.A {
			r.due = append(r.due, Anchor{ID: id})
		}
		r.breakBefore(blocks[n.DataAtom])
		return false
	}
	if id != "" {
		r.due = append(r.due, Anchor{ID: id, Item: n.DataAtom == atom.Tr || n.DataAtom == atom.Li || n.DataAtom == atom.P})
	}
	r.start(tokenOf(n), false)
	if n.DataAtom == atom.Dt && r.skip == "" && idOf(n) != "" {
		r.level, r.begun = TermLevel, -1
	}
	return r.skip == ""
}

func (r *reader) leaveNode(n *html.Node) {
	if n.Type == html.ElementNode {
		if n.DataAtom == atom.Dt {
			r.endHeading()
		}
		if r.skip != "" || r.math != nil || !void[n.DataAtom] && r.depth[n.DataAtom] > 0 {
			r.end(tokenOf(n))
		}
	}
}

// reach assigns the ids that are due the place of the next word.
func (r *reader) reach() {
	for _, a := range r.due {
		a.Start = r.out.Len()
		r.anchors = append(r.anchors, a)
	}
	r.due = r.due[:0]
}

func idOf(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "id" || a.Key == "name" && n.DataAtom == atom.A {
			return a.Val
		}
	}
	return ""
}

func tokenOf(n *html.Node) html.Token {
	return html.Token{Type: html.StartTagToken, DataAtom: n.DataAtom, Data: n.Data, Attr: n.Attr}
}
