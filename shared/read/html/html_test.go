package html

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/read"
	"seam/shared/text"
)

// wanted lists pages with the text that a person reads on them.
var wanted = []struct{ name, page, want string }{
	{"paragraphs", "<p>One  two\n three<p>Four", "One two three\n\nFour"},
	{"inline elements are no blanks", "<p>semi<b>conductor</b>s, <i>all</i> of<br>them", "semiconductors, all of\nthem"},
	{"a head is not read", "<head><title>T</title><style>p { color: red }</style><script>alert('<p>')</script></head><body>Body", "Body"},
	{"a head without an end", "<head><title>T</title><p>Text", "Text"},
	{"entities, once", "<p>a &lt;b&gt; &amp;amp; caf&eacute; 5&nbsp;km co&shy;op", "a <b> &amp; café 5 km coop"},
	{"lists", "<p>We have:</p><ul><li>tea<li>milk<ul><li>hot</ul><li></li></ul><ol><li>first</li><li><p>second</p></li></ol><p>End", "We have:\n\n• tea\n• milk\n• hot\n\n1. first\n2. second\n\nEnd"},
	{"numbers of items", "<ol start=5><li>a<li value=9>b<li value=x>c</ol><p>And<ol start=-1><li>d<li>e<li value=99999999999>f</ol>", "5. a\n9. b\n10. c\n\nAnd\n\n-1. d\n0. e\n1. f"},
	{"an item without words at the end", "<ul><li>tea</li><li><svg></svg></li></ul><p>End<ol><li>a<li></ol><p>End<li></li><p>End", "• tea\n\nEnd\n\n1. a\n\nEnd\n\nEnd"},
	{"tables", "<table><tr><th>Year<th>Sum<tr><td>1999</td><td><p>5</p></td></tr><tr><td></td><td>7</td></tr><tr><td>x</td><td></td></tr></table>After", "Year | Sum\n1999 | 5\n | 7\nx\n\nAfter"},
	{"white space around cells", "<table>\n<tr>\n<td> a </td>\n<td> b </td>\n<td>\n<p>c</p>\n</td>\n</tr>\n</table>", "a | b | c"},
	{"blocks in a cell", "<table><tr><td><h2>One</h2><p>Two</p></td><td><div>a</div><div>b</div></td><td>c<ul><li>x</li><li>y</li></ul></td></tr></table>", "One Two | a b | c • x • y"},
	{"pre", "<pre>\nfunc f() {\n\treturn  1\n}\n</pre><p>That", "func f() {\n\treturn  1\n}\n\nThat"},
	{"blank lines of a program in <pre>", "<pre><i>a</i>\n<i></i>\n<i>b</i>\n\n\n<i>c</i><br><br><br>d\n<b>\n\ne</b>\n\n\n\n</pre>f", "a\n\nb\n\n\nc\n\n\nd\n\n\ne\n\nf"},
	{"a line and its end in an element", "<pre>\n<code>\n<i>a\n</i><i>\n</i><i>b\n</i></code></pre>", "a\n\nb"},
	{"navigation and controls", "<nav><a href=/>Home</a></nav><p>Text</p><button>Press</button><p hidden>secret</p><footer>Imprint</footer>", "Text"},
	{"parts that a style hides", "<p>Text</p><p style='color: red; DISPLAY : none'>secret</p><span style=visibility:hidden>secret</span>", "Text"},
	{"hidden from screen readers, but visible", "<p>Text <span aria-hidden=true>to see</span></p>", "Text to see"},
	{"a drawing of the text next to it, and an icon", "<h2>Sum<a aria-hidden=true href=#sum>#</a></h2><p><math><mi>x</mi></math><span class=katex-html aria-hidden=true>x</span> is <i aria-hidden=true>sum</i>", "Sum\n\nx is"},
	{"the main part", "<header>Site</header><ul><li>menu</ul><main><h1>Title</h1><p>Text</p></main><p>Related", "Title\n\nText"},
	{"a part that is marked by its role", "<div>Site</div><div role=main><div>In</div>side</div><div>Out</div>", "In\n\nside"},
	{"the foot of an article", "<article><p>Text</p><footer>By Ada</footer></article>", "Text\n\nBy Ada"},
	{"navigation alone", "<nav><a>One</a> <a>Two</a></nav>", "One Two"},
	{"navigation that never ends", "<p>Text</p><nav>Menu<p>More", "Text\n\nMenu\n\nMore"},
	{"a script that never ends", "<p>Text</p><script>var a = '", "Text"},
	{"a script that XML would end at once", "<p>Text</p><script src=a.js /><p>No</p></script><p>More<iframe/><b>no</b></iframe>", "Text\n\nMore"},
	{"a picture that nobody has ended", "<p>One<svg><path/><g>No</g><P>Two<script src=a />No</script><p>Three", "One\n\nTwo\n\nThree"},
	{"a picture with HTML in it", "<p>One<svg><foreignObject><p>No</p></foreignObject><desc><b>No</b></desc></svg><p>Two", "One\n\nTwo"},
	{"a picture with elements of XML", "<p>One<SVG width=1><style/><svg><title/></svg></SVG><p>Two<script/><p>No</script>", "One\n\nTwo"},
	{"a formula", "<p>As <math><semantics><mi>x</mi><annotation encoding=TeX>x^2</annotation></semantics></math> is", "As x is"},
	{"ends without a beginning", "</div></p>Text</ul></table></li>", "Text"},
	{"ruby", "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字", "漢字"},
	{"ruby without ends", "<p><ruby>漢<rt>kan</ruby>字<p><ruby>東<rp>(<rt>to<rp>)</ruby>京", "漢字\n\n東京"},
	{"definitions", "<dl><dt>Seam</dt><dd>A chunker</dd></dl>", "Seam\nA chunker"},
	{"a form feed begins no page", "<p>a\fb</p><pre>c\fd</pre>", "a b\n\nc\nd"},
	{"nothing", "", ""},
}

func TestText(t *testing.T) {
	for _, c := range wanted {
		d, err := Read([]byte(c.page), read.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := d.View(text.Reading).Text; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if len(d.Pages) != 1 {
			t.Errorf("%s: %d pages", c.name, len(d.Pages))
		}
	}
}

// Self-closing tags count only on pages that declare themselves XHTML.
// A link has the words in it, and each link is listed once.
func TestLinks(t *testing.T) {
	for page, want := range map[string]string{
		`<p>See <a href="/a">the mill
<b>by the</b> river</a>. <a href="b.html">More</a>`: `/a "the mill by the river", b.html "More"`,
		`<a href="a"><img src="x.png"></a>words<a href=b></a>`:                       `a "", b ""`,
		`<a href="a">one<a href="b">two</a> three</a>`:                               `a "one", b "two"`,
		`<ul><li><a href="a">tea</a><li>milk</ul><a href="c"><p>x</p><p>y</p></a>`:   `a "tea", c "x\n\ny"`,
		`<a name="top">top</a><a href=" ">none</a>`:                                  "",
		"<a href=\" java\nscript:alert(1)\">x</a>":                                   `javascript:alert(1) "x"`,
		`<nav><a href="a">Home</a></nav><main>One <a href="b">two</a></main>`:        `b "two"`,
		`<table><tr><td><a href="a">1</a><td><a href="b">2</a></table><a href="c">3`: `a "1", b "2", c "3"`,
		`<head><base target=_top><base href="https://e.org/docs/x"><base href="/no"></head><a href="b#c">1</a> <a href="/d">2</a> <a href="http://f.g">3</a> <a href="mailto:h@i">4</a> <a href="%">5</a>`: `https://e.org/docs/b#c "1", https://e.org/d "2", http://f.g "3", mailto:h@i "4", % "5"`,
		`<base href="docs/"><main><a href="b">1</a></main>`:    `docs/b "1"`,
		`<a href="` + strings.Repeat("a", 9000) + `">long</a>`: "",
	} {
		d, err := Read([]byte(page), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, got := d.View(text.Reading).Text, []string{}
		for _, l := range d.Links {
			got = append(got, fmt.Sprintf("%s %q", l.URL, l.Of(all)))
		}
		if err := text.CheckLinks(all, len(d.Pages), d.Links); err != nil || strings.Join(got, ", ") != want {
			t.Errorf("%.80s: %v, %v, want %s", page, err, got, want)
		}
	}
	d, err := Read([]byte(strings.Repeat("<a href=a>", 10_000)), read.Options{})
	if err != nil || len(d.Links) > text.MostElements(0) {
		t.Errorf("%d links of no text, %v", len(d.Links), err)
	}
}

// Links within a page have the place of their target: the next word.
func TestLinksWithin(t *testing.T) {
	const page = `<p><a href="#a%20b">one</a> <a href="#none">two</a> <a href="x.html#c">three</a> <a href="#top">four</a> <a href="#end">five</a></p>
<h2 id="a b"><b id="c">Stones</b></h2><p id="c">Again.<a name="end"></a>`
	d, err := Read([]byte("<i id=top></i>"+page), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := d.View(text.Reading).Text
	var got []string
	for _, l := range d.Links {
		got = append(got, fmt.Sprintf("%s %.6q", l.URL, all[l.To:]))
	}
	want := []string{`#a%20b "Stones"`, `#none "one tw"`, `x.html#c "one tw"`, `#top "ne two"`, `#end ""`}
	if !slices.Equal(got, want) || text.CheckLinks(all, 1, d.Links) != nil {
		t.Errorf("%q, not %q", got, want)
	}
}

// The description of a picture is text, and an element.
func TestPictures(t *testing.T) {
	for page, want := range map[string][2]string{
		`<p>See<img src=a.png alt=" A  red&amp;
 kite ">fly.`: {"See A red& kite fly.", "A red& kite"},
		`<a href=b><img alt="Logo"></a><img alt=""><img src=c><img hidden alt=d><nav><img alt=e></nav>`: {"Logo", "Logo"},
		`<pre>a <img alt="b c">d</pre>`:                               {"a b cd", "b c"},
		`<figure><img alt="A wheel"><figcaption>Fig. 1</figure>`:      {"A wheel\n\nFig. 1", "A wheel"},
		`<h2><img alt="Tea"> house</h2><b>x<img alt="y"></b>`:         {"Tea house\n\nx y", "Tea|y"},
		`<table><tr><td><img alt="1"><td>2<tr><td><img><td>3</table>`: {"1 | 2\n | 3", "1"},
	} {
		d, err := Read([]byte(page), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all, got := d.View(text.Reading).Text, []string{}
		for _, e := range d.Elements {
			if e.Kind == text.Image {
				got = append(got, e.Of(all))
			}
		}
		if err := text.CheckElements(all, d.Elements); err != nil || all != want[0] || strings.Join(got, "|") != want[1] {
			t.Errorf("%s: %v, %q, %q, want %q", page, err, all, got, want)
		}
	}
}

func TestXHTML(t *testing.T) {
	const head = `<html xmlns="http://www.w3.org/1999/xhtml">`
	for page, want := range map[string]string{
		head + `<head><title/><script src="a.js" /><style></style></head><body><p>One<textarea rows="2"/> two</p><titles/>three`: "One two\n\nthree",
		head + `<title />` + strings.Repeat("<title", 200_000):                                                                   "",
		"<title/><p>One": "",
	} {
		d, err := Read([]byte(page), read.Options{})
		if err != nil || want != "" && d.View(text.Reading).Text != want {
			t.Errorf("%.80q: %q, want %q (%v)", page, d.View(text.Reading).Text, want, err)
		}
		if want == "" && strings.Contains(d.View(text.Reading).Text, "\n\n") {
			t.Errorf("%.80q: a paragraph behind a title that does not end", page)
		}
	}
}

func TestSectionsAndWhatAPageSaysOfItself(t *testing.T) {
	d, err := Read([]byte(`<html lang="de-AT"><head><title>Of
	 tea</title><meta name=Author content="Ada"><meta name="description" content="All of it"></head>
	<body><h1>Tea</h1><p>Hot.<h2>Green <em>tea</em></h2>Mild.<h2></h2><h3>Sencha</h3>Fine.<h2>Black</h2>Strong.`), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Title != "Of tea" || d.Author != "Ada" || d.Language != "de-AT" || d.Meta["description"][0] != "All of it" {
		t.Errorf("title %q, author %q, language %q, %v", d.Title, d.Author, d.Language, d.Meta)
	}
	var got []string
	for _, s := range d.Sections {
		got = append(got, strings.Repeat("#", s.Level)+s.Title+": "+strings.ReplaceAll(s.Of(d.View(text.Reading).Text), "\n\n", "/"))
	}
	want := []string{"#Tea: Tea/Hot./Green tea/Mild./Sencha/Fine./Black/Strong.", "##Green tea: Green tea/Mild./Sencha/Fine./", "###Sencha: Sencha/Fine./", "##Black: Black/Strong."}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("sections\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestHeadings(t *testing.T) {
	for page, want := range map[string]string{
		// A heading in a cell ends at the cell's end, although no line ends there.
		"<table><tr><td><h2>One</h2><p>Two</p><td><h3>Three</h3>Four</table>": "One|Three",
		// A heading may begin with a block. A later block ends it.
		"<h1><div>One</div></h1><p>Two<h2><p></p><center>Three</center></h2>Four<h3></h3><p>Five<h4>Six<p>Seven": "One|Three|Six",
		// A heading of white space has no text, even if HTML does not count the space as
		// white.
		"<h1>&emsp;</h1><pre><h2> </h2></pre><h3>One</h3>": "One",
	} {
		d, err := Read([]byte(page), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, s := range d.Sections {
			got = append(got, s.Title)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: sections %q", page, got)
		}
	}
}

func TestEncodings(t *testing.T) {
	for in, want := range map[string]string{
		"<p>caf\xe9":                                "café",
		"<meta charset=ISO-8859-1><p>caf\xe9":       "café",
		"\xff\xfe<\x00p\x00>\x00\xe9\x00":           "é",
		"<meta charset=shift_jis><p>UTF-8 all: 茶":   "UTF-8 all: 茶", // the declared encoding is wrong
		"\ufeff<!doctype html><title>x</title><p>a": "a",
	} {
		if d, err := Read([]byte(in), read.Options{}); err != nil || d.View(text.Reading).Text != want {
			t.Errorf("%q: %v, %v; want %q", in, d, err, want)
		}
	}
	for in, notes := range map[string]int{
		"<meta charset=\"Shift_JIS\"><p>\x92\x83": 0, "<?xml version='1.0' encoding='Shift_JIS'?><html><p>\x92\x83": 0, // declared
		"<p>\x90\x85\x82\xcd\x90\xec\x82\xf0\x97\xac\x82\xea\x82\xe9": 1, "<p>caf\xe9": 1,
	} {
		d, err := Read([]byte(in), read.Options{})
		if err != nil || len(d.Notes) != notes || strings.Contains(strings.Join(d.Notes, ""), "offsets") || !strings.ContainsAny(d.View(text.Reading).Text, "茶水é") {
			t.Errorf("%q: %+v, %v", in, d, err)
		}
	}
	if _, err := Read([]byte("<p>\xe0\xe1"), read.Options{}); !errors.Is(err, text.ErrUnclear) {
		t.Errorf("an encoding that is not clear: %v", err)
	}
	if _, err := Read([]byte("<p>\x00\x01"), read.Options{}); !errors.Is(err, text.ErrBinary) {
		t.Errorf("no text: %v", err)
	}
}

// Time must stay proportional to the length of a page. Quadratic work would take from half
// a minute to hours here.
func TestLongPages(t *testing.T) {
	for name, page := range map[string]string{
		"empty cells":     "<table><tr>" + strings.Repeat("<td>", 300_000) + "end",
		"lists in lists":  strings.Repeat("<ul><li>", 200_000) + "end",
		"headings":        strings.Repeat("<h1>a<h2>b<h3>c<h4>d<h5>e<h6>f", 30_000) + "<p>end",
		"parts of a code": "<pre>" + strings.Repeat("<b>a</b>\n", 200_000) + "end",
		"navigation":      strings.Repeat("<nav>", 300_000) + "end",
	} {
		d, err := Read([]byte(page), read.Options{})
		if err != nil || !strings.HasSuffix(d.View(text.Reading).Text, "end") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Source must read the text that Decode returns, and fail when Decode fails.
func TestSource(t *testing.T) {
	for _, page := range []string{"", "<p>naïve", "\xff\xfe<\x00p\x00>\x00", "<p>Z\xfcrich", "<p>\x00", "<meta charset=koi8-r><p>\xc1", "<p>\xe0\xe1"} {
		want, _, wantErr := Decode([]byte(page), nil)
		r, err := Source([]byte(page), nil)
		if (err != nil) != (wantErr != nil) {
			t.Errorf("%q: %v, want %v", page, err, wantErr)
		}
		if err != nil {
			continue
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != want {
			t.Errorf("%q: %q, %v; want %q", page, got, err, want)
		}
	}
}

// FuzzRead checks that, for any bytes, the text is valid, sections lie in it in order,
// elements nest, and no tag remains in the text.
func FuzzRead(f *testing.F) {
	for _, c := range wanted {
		f.Add([]byte(c.page))
	}
	f.Add([]byte("<b><ul><li>x</b>y<pre><i>z</pre><tr><td><td/>a</i></table><blockquote><li/>b"))
	f.Add([]byte("<table><td><table><td><ol><li><h1>x</table></h1><main></main><main>y"))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := Read(b, read.Options{})
		if err != nil {
			return
		}
		all := d.View(text.Reading).Text
		if !utf8.ValidString(all) {
			t.Fatalf("not UTF-8: %q", all)
		}
		last := 0
		for _, s := range d.Sections {
			if s.Start < last || s.End < s.Start || s.End > len(all) || s.Title == "" || s.Level < 1 || s.Level > 6 {
				t.Fatalf("section %+v of %d bytes", s, len(all))
			}
			last = s.Start
		}
		if err := text.CheckElements(all, d.Elements); err != nil || depth(d.Elements) > deepest+3 {
			t.Fatalf("elements %v of %q: %v", d.Elements, all, err)
		}
	})
}
