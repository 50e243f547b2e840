package site

import (
	"fmt"
	"strings"
	"testing"
)

func read(t *testing.T, url, page string) *Page {
	t.Helper()
	r, err := NewReader(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Read(url, []byte(page))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Boxes, closed tabs and dialogs are content; navigation is not, under any name.
func TestContentOfPages(t *testing.T) {
	for _, c := range []struct{ name, page, has, lacks string }{
		{"DocBook's box", `<body><div class="sidebar"><p>Selvedge threads need <a href="x">care</a>.</p></div>`, "Selvedge", ""},
		{"docutils' box", `<main><aside class="sidebar"><p>Heddles come in sets.</p></aside>`, "Heddles", ""},
		{"a theme's sidebar", `<main><div class="sidebar"><a href="a">Alpha</a> <a href="b">Beta</a></div><p>Text`, "Text", "Alpha"},
		{"contents of a page", `<main><div class="toc"><p>Contents</p><ul><li><a href="#a">Winding</a><li><a href="#b">Beaming</a></ul></div><p>Text`, "Text", "Winding"},
		{"an article on contents", `<main><div class="toc"><p>The contents of a warp are its threads, and nothing else.</div>`, "threads", ""},
		{"Texinfo", `<body><div class="header"><p>Next: <a href="b.html" accesskey="n" rel="next">B</a>, Up: <a href="a.html" accesskey="u" rel="up">A</a> [<a href="i.html" rel="index">Index</a>]</p></div><p>Text`, "Text", "Next"},
		{"Publican", `<body><ul class="docnav"><li class="previous"><a accesskey="p" href="a.html">Back</a></li><li>Handbook</li></ul><p>Text`, "Text", "Handbook"},
		{"a pager without a class", `<main><p>Text <a href="x.html">on looms</a>.</p><p>Previous: <a rel="prev" href="a.html">Alpha</a></p>`, "on looms", "Alpha"},
		{"a sentence with a next link", `<main><p>When the warp is wound and all of its threads lie side by side in the reed, go on to <a rel="next" href="b.html">beaming</a>.`, "beaming", ""},
		{"a closed tab", `<main><div role="tabpanel" hidden>yarn add loom</div>`, "yarn add", ""},
		{"a tab closed by style", `<main><div class="tab-content" style="display:none">pnpm add loom</div>`, "pnpm add", ""},
		{"a dialog", `<main><dialog><p>Licence of the loom</dialog>`, "Licence", ""},
		{"hidden by style", `<main><p>Text<p style="display: none">Trap`, "Text", "Trap"},
		{"kept out by the site", `<main><p>Text<p data-pagefind-ignore>Draft`, "Text", "Draft"},
		{"a picture", `<main><p>Text <img alt="A loom from above">`, "A loom from above", ""},
	} {
		p := read(t, "a.html", c.page)
		if !strings.Contains(p.Text, c.has) || c.lacks != "" && strings.Contains(p.Text, c.lacks) {
			t.Errorf("%s: %q, want %q without %q", c.name, p.Text, c.has, c.lacks)
		}
	}
}

// Text that is left out must be counted with its reason.
func TestLeftOut(t *testing.T) {
	p := read(t, "a.html", `<body><p>One two<nav>Three</nav><main><p>Text<div class="toc"><a href="#a">Four five</a></div><nav>Six</nav><div data-seam-ignore>Seven eight nine</div><script>no()</script></main>`)
	want := `[{class "toc" 2} {<nav> 1} {data-seam-ignore 3} {outside the main part 3}]`
	if got := fmt.Sprint(p.Left); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The language comes from the main part outwards, then from the header, then from the text.
func TestLanguageOfPages(t *testing.T) {
	german := strings.Repeat("<p>Die Kette wird auf den Baum gewickelt, und danach ist sie nicht mehr zu sehen. ", 4)
	for _, c := range []struct{ name, page, want string }{
		{"html", `<html lang="en-GB"><main><p>Warp`, "en-GB"},
		{"body", `<html><body lang="de"><p>Kette`, "de"},
		{"XHTML", `<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="fr"><main><p>Fil`, "fr"},
		{"main part", `<html lang="en"><body><main lang="de"><p>Kette`, "de"},
		{"header", `<meta http-equiv="Content-Language" content="pt-BR"><main><p>Fio`, "pt-BR"},
		{"no code, header", `<html lang="x-default"><meta http-equiv="content-language" content="it"><main><p>Filo`, "it"},
		{"unfilled template, text", `<html lang="{{ page.lang }}"><main>` + german, "de"},
		{"nothing, text", `<main>` + german, "de"},
		{"nothing, hardly any text", `<main><p>Kette`, ""},
		{"empty", `<html lang=""><main><p>Kette`, ""},
	} {
		if p := read(t, "a.html", c.page); p.Language != c.want {
			t.Errorf("%s: %q, want %q", c.name, p.Language, c.want)
		}
	}
}

// Pages without a language belong to the site's most common one.
func TestOneLanguage(t *testing.T) {
	pages := []*Page{{URL: "a", Text: "x", Language: "en-GB"}, {URL: "b", Text: "x", Language: "de"}, {URL: "c", Text: "x", Language: "en"}, {URL: "d", Text: "x"}, {URL: "e", Text: "x", Language: "x-default"}}
	kept, _ := Tidy(pages)
	for _, p := range kept[3:] {
		if p.Language != "en" {
			t.Errorf("%s: %q", p.URL, p.Language)
		}
	}
}

// The site's name does not belong to titles, at their end or beginning.
func TestTitles(t *testing.T) {
	for _, c := range []struct{ titles, want []string }{
		{[]string{"Sets (GNU Octave (version 7.3.0))", "Strings (GNU Octave (version 7.3.0))", "GNU Octave"}, []string{"Sets", "Strings", "GNU Octave"}},
		{[]string{"Looms — Handbook", "Warps — Handbook", "Knots — Other"}, []string{"Looms", "Warps", "Knots — Other"}},
		{[]string{"Looms — Part 1 — Handbook", "Warps — Part 2 — Handbook", "Weft — Part 2 — Handbook"}, []string{"Looms — Part 1", "Warps — Part 2", "Weft — Part 2"}},
		{[]string{"Handbook: Looms", "Handbook: Warps", "Handbook"}, []string{"Looms", "Warps", "Handbook"}},
		{[]string{"sort(1)", "sort (numbers)", "ls"}, []string{"sort(1)", "sort (numbers)", "ls"}},
	} {
		var pages []*Page
		for i, title := range c.titles {
			pages = append(pages, &Page{URL: fmt.Sprint(i), Text: "x", Title: title})
		}
		shorten(pages)
		for i, p := range pages {
			if p.Title != c.want[i] {
				t.Errorf("%q: %q, want %q", c.titles[i], p.Title, c.want[i])
			}
		}
	}
}

// An address leads to the nearest anchor before the words: of a heading, also if its link
// holds the id, of a row, an item or a term.
func TestPlaces(t *testing.T) {
	p := read(t, "a.html", `<main><h1 id="top">Looms</h1><h2><a id="two" class="anchor" href="#two"></a>Two</h2><p>Text
		<table><tr id="row"><td>Heddle</table><ul><li id="item">Reed</ul>
		<dl><dt id="first">wind(n)<dt id="second">wind(n, m)<dd>Winds.<dt id="third">beam()<dd>Beams.</dl>`)
	var got []string
	for _, place := range placesOf(p) {
		over := ""
		if place.Overload {
			over = "+"
		}
		got = append(got, place.ID+over+"="+place.Title)
	}
	want := "top=Looms two=Two row=Two item=Two first+=wind(n) second=wind(n, m) third=beam()"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// Many links and nested boxes must not take more than their number in time: quadratic work
// on these would take hours.
func TestManyLinks(t *testing.T) {
	links := strings.Repeat(`<a rel=next href=b>b</a>`, 200_000)
	if p := read(t, "a.html", `<main><div>`+links+`<a href=c>c</a></div><p>Text`); !strings.Contains(p.Text, "Text") {
		t.Error("the text is gone")
	}
	boxes := strings.Repeat(`<div class="sidebar">Words of a box. `, 400)
	if p := read(t, "b.html", `<main>`+strings.Repeat(boxes+strings.Repeat(`</div>`, 400), 100)+`<p>Text`); strings.Count(p.Text, "Words") != 40_000 {
		t.Errorf("%d boxes", strings.Count(p.Text, "Words"))
	}
}
