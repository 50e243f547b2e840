package html

import (
	"fmt"
	"strings"
	"testing"

	"seam/shared/read"
	"seam/shared/text"
)

// names maps kinds to the names used in the tests.
var names = map[text.ElementKind]string{
	text.List: "ul", text.OrderedList: "ol", text.Item: "li", text.Table: "table", text.Row: "tr", text.Cell: "td", text.HeadCell: "th",
	text.Listing: "pre", text.Quote: "quote", text.Code: "code", text.Strong: "b", text.Emphasis: "i",
}

// marked returns a text with its elements written as tags.
func marked(t string, list []text.Element) string {
	var b strings.Builder
	var around []text.Element
	at := 0
	upTo := func(place int) {
		for n := len(around) - 1; n >= 0 && around[n].End <= place; n-- {
			b.WriteString(t[at:around[n].End] + "</" + names[around[n].Kind] + ">")
			at = around[n].End
			around = around[:n]
		}
		b.WriteString(t[at:place])
		at = place
	}
	for _, e := range list {
		upTo(e.Start)
		b.WriteString("<" + names[e.Kind] + ">")
		around = append(around, e)
	}
	upTo(len(t))
	return b.String()
}

func TestElements(t *testing.T) {
	for _, c := range []struct{ name, page, want string }{
		{"paragraphs alone", "<p>One<p>Two", "One\n\nTwo"},
		{"within a line", "<p>a <b>strong</b> word, <em>and <code>x = 1</code></em>.", "a <b>strong</b> word, <i>and <code>x = 1</code></i>."},
		{"lists", "<ul><li>tea<li>milk</ul><ol><li>first</li><li><p>second</p></li></ol>End",
			"<ul><li>• tea</li>\n<li>• milk</li></ul>\n\n<ol><li>1. first</li>\n<li>2. second</li></ol>\nEnd"},
		{"lists in lists", "<ul><li>milk<ul><li>hot</ul><li>tea</ul>", "<ul><li>• milk\n<ul><li>• hot</li></ul></li>\n<li>• tea</li></ul>"},
		{"an empty item", "<ul><li><li>tea</ul>", "<ul><li>• tea</li></ul>"},
		{"a table", "<table><thead><tr><th>Year<th>Sum<tbody><tr><td>1999</td><td><p>5</p></td></tr><tr><td></td><td>7</td></tr></table>After",
			"<table><tr><th>Year</th> | <th>Sum</th></tr>\n<tr><td>1999</td> | <td>5</td></tr>\n<tr> | <td>7</td></tr></table>\n\nAfter"},
		{"a table in a cell", "<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>", "<table><tr><td>a\n\n<table><tr><td>b</td> | <td>c</td></tr></table></td>\n\n | <td>d</td></tr></table>"},
		{"a quote with a list", "<blockquote><ul><li>x</ul>y</blockquote>z", "<quote><ul><li>• x</li></ul>\ny</quote>\n\nz"},
		{"a quote in an item", "<ul><li><blockquote>x</blockquote></ul>", "<ul><li>• <quote>x</quote></li></ul>"},
		{"a listing", "<pre>\nif <b>a</b> {\n\t<code>b</code>\n}\n</pre>", "<pre>if <b>a</b> {\n\tb\n}</pre>"},
		{"code around a listing", "<code>a<pre>b</pre>c</code>", "<code>a</code>\n\n<pre>b</pre>\n\n<code>c</code>"},
		{"ends in disorder", "<b>1<i>2</b>3</i>4", "<b>1<i>2</i></b><i>3</i>4"},
		{"an end that is forgotten", "<p><b>one<p>two</b> three", "<b>one</b>\n\n<b>two</b> three"},
		{"an end that a cell brings", "<table><tr><td><b>a<td>c</table>d", "<table><tr><td><b>a</b></td> | <td>c</td></tr></table>\n\nd"},
		{"an end within a block", "<b><ul><li>x</b>y</ul>", "<ul><li>• <b>x</b>y</li></ul>"},
		{"an end without a beginning", "</b></ul></td>x</table>", "x"},
		{"strong in strong", "<b>a<strong>b</b>c</strong>d", "<b>abc</b>d"},
		{"nothing in it", "<b></b><ul><li></li></ul><table><tr><td></table>x", "x"},
		{"a heading", "<h1>A <em>b</em></h1>c", "A <i>b</i>\n\nc"},
		{"a line end", "<i>a<br>b</i>", "<i>a</i>\n<i>b</i>"},
		{"what is left out", "<ul><li>a<script>'<b>'</script><nav><ul><li>b</ul></nav></ul>c", "<ul><li>• a</li></ul>\n\nc"},
		{"letters of more bytes", "<p>é<b>😀</b>", "é<b>😀</b>"},
	} {
		d, err := Read([]byte(c.page), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := marked(d.View(text.Reading).Text, d.Elements); got != c.want {
			t.Errorf("%s:\n%q, want\n%q", c.name, got, c.want)
		}
	}
}

// However repetitive a page is, its elements must stay within the limit for the length of
// the text, and within the maximum depth.
func TestElementsOfLongPages(t *testing.T) {
	for name, page := range map[string]string{
		"strong in strong": strings.Repeat("<b>", 1_000_000) + "end",
		"lists in lists":   strings.Repeat("<ul><li>a", 30_000) + "end",
		"tables in cells":  strings.Repeat("<table><tr><td>a", 30_000) + "end",
		"quotes":           strings.Repeat("<blockquote>", 50_000) + "end" + strings.Repeat("</blockquote>", 50_000) + "<p>x",
		"ends in disorder": strings.Repeat("<b>a<i>b<code>c</b>d</i>e</code>", 10_000) + "end",
		"short and deep":   strings.Repeat(strings.Repeat("<ul><li>", 30)+"a"+strings.Repeat("</ul>", 30), 1_000) + "end",
		"ends alone":       strings.Repeat("<ul><li>a</ol></td></b></table>", 20_000) + "end",
	} {
		d, err := Read([]byte(page), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := text.CheckElements(d.View(text.Reading).Text, d.Elements); err != nil {
			t.Errorf("%s: %d elements, %v", name, len(d.Elements), err)
		}
		if n := depth(d.Elements); n > deepest+3 {
			t.Errorf("%s: %d elements within one another", name, n)
		}
	}
}

// depth returns the maximum nesting depth of elements.
func depth(list []text.Element) (most int) {
	var around []int
	for _, e := range list {
		for len(around) > 0 && around[len(around)-1] <= e.Start {
			around = around[:len(around)-1]
		}
		around = append(around, e.End)
		most = max(most, len(around))
	}
	return most
}

func ExampleRead() {
	d, _ := Read([]byte("<ul><li>green <em>tea</em></ul>"), read.Options{})
	for _, e := range d.Elements {
		fmt.Printf("%s %q\n", names[e.Kind], e.Of(d.View(text.Reading).Text))
	}
	// Output:
	// ul "• green tea"
	// li "• green tea"
	// i "tea"
}
