package html

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"seam/shared/read"
)

// ReadTree must give the same text as Read for the same page, with the places of its
// anchors.
func TestReadTree(t *testing.T) {
	for _, c := range wanted {
		if strings.Contains(c.page, "<main") || strings.Contains(c.page, "role=main") || strings.HasPrefix(c.name, "navigation") {
			continue // ReadTree reads all elements it is given
		}
		root, err := html.Parse(strings.NewReader(c.page))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Read([]byte(c.page), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// The parser moves misplaced elements, so only the words are compared.
		if got, want := oneLine(ReadTree([]*html.Node{root}, nil).Text), oneLine(d.View("reading").Text); got != want {
			t.Errorf("%s: %q, want %q", c.name, got, want)
		}
	}
}

func TestAnchors(t *testing.T) {
	const page = `<section id=a><h1 id=b>One</h1><p>Two <a name=c></a><b id=d>three</b></section><dl><dt id=e>f(x)<dd>Four<dt>g(x)<dd>Five</dl><p id=last>`
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	tree := ReadTree([]*html.Node{root}, func(n *html.Node) bool { return n.Data == "dd" && n.NextSibling == nil })
	var got []string
	for _, a := range tree.Anchors {
		got = append(got, a.ID+"="+strings.Fields(tree.Text[a.Start:])[0])
	}
	for _, h := range tree.Headings {
		got = append(got, h.Title+"="+h.Of(tree.Text))
	}
	want := "a=One b=One c=three d=three e=f(x) One=One f(x)=f(x)"
	if s := strings.Join(got, " "); s != want || strings.Contains(tree.Text, "Five") {
		t.Errorf("%s, want %s; text %q", s, want, tree.Text)
	}
}

// A tree of any depth must be read.
func TestDeepTree(t *testing.T) {
	root := &html.Node{Type: html.ElementNode, Data: "b"}
	at := root
	for range 300_000 {
		next := &html.Node{Type: html.ElementNode, Data: "b"}
		at.AppendChild(next)
		at = next
	}
	at.AppendChild(&html.Node{Type: html.TextNode, Data: "end"})
	if got := ReadTree([]*html.Node{root}, nil).Text; got != "end" {
		t.Errorf("%q", got)
	}
}
