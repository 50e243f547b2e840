package markup

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"seam/shared/text"
)

// shown returns a text without its hidden marks.
func shown(t string) string {
	_, marks := Looks(t)
	var out strings.Builder
	at := 0
	for _, m := range marks {
		if m.Look == Hidden && m.End > at {
			out.WriteString(t[at:max(at, m.Start)])
			at = m.End
		}
	}
	return out.String() + t[at:]
}

// marked returns the parts of a text with the given look.
func marked(t string, look Look) (out []string) {
	_, marks := Looks(t)
	for _, m := range marks {
		if m.Look == look {
			out = append(out, m.Of(t))
		}
	}
	return out
}

// set returns the parts of a text that are elements of the given kind.
func set(t string, kind text.ElementKind) (out []string) {
	elements, _ := Looks(t)
	for _, e := range elements {
		if e.Kind == kind {
			out = append(out, e.Of(t))
		}
	}
	return out
}

func equal(t *testing.T, name string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", name, got, want)
	}
}

const teaTimer = "# Tea timer #\n\nA **small** program, _old_ and `rm -rf *`; see [the list](docs/options.md).\n\n## Install\n\n```sh\nnpm install **tea**\n```\n\n| option | meaning |\n|---|:-:|\n| `--time` | how long |\n\n> said *once*\n\n- one\n- [x] two\n"

func TestLooksOfAReadme(t *testing.T) {
	const want = "Tea timer\n\nA small program, old and rm -rf *; see the list.\n\nInstall\n\nnpm install **tea**\n\n| option | meaning |\n| --time | how long |\n\nsaid once\n\n- one\n- [x] two\n"
	if got := shown(teaTimer); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	equal(t, "strong", set(teaTimer, text.Strong), []string{"**small**"})
	equal(t, "emphasis", set(teaTimer, text.Emphasis), []string{"_old_", "*once*"})
	equal(t, "code", set(teaTimer, text.Code), []string{"`rm -rf *`", "`--time`"})
	equal(t, "listings", set(teaTimer, text.Listing), []string{"npm install **tea**"})
	equal(t, "head", set(teaTimer, text.HeadCell), []string{"option", "meaning"})
	equal(t, "cells", set(teaTimer, text.Cell), []string{"`--time`", "how long"})
	equal(t, "centred", marked(teaTimer, Centred), []string{"meaning", "how long"})
	equal(t, "bullets", marked(teaTimer, Bullet), []string{"- ", "- [x] "})
	equal(t, "items", set(teaTimer, text.Item), []string{"- one", "- [x] two"})
	equal(t, "lists", set(teaTimer, text.List), []string{"- one\n- [x] two"})
	equal(t, "quotes", set(teaTimer, text.Quote), []string{"> said *once*"})
}

func TestLooksHide(t *testing.T) {
	for in, want := range map[string]string{
		"Title\n=====\n\nPart\n----\n![a cat](cat.png) and [it](a_(b).html \"why\")\n": "Title\n\nPart\na cat and it\n",
		"== Top ==\ntext":                               "Top\ntext",
		"  ## Two ##\ntext":                             "Two\ntext",
		"---\ntitle: Tea\n---\nText.":                   "title: Tea\nText.",
		"```\nopen to the end":                          "open to the end",
		"```\n```\nend":                                 "end",
		"~~~ go \n\tx\n\n~~~  \nend":                    "\tx\n\nend",
		"- ```\n  x\n  ```\nend":                        "  x\nend",
		"a ***very*** `` `x` `` b":                      "a very  `x`  b",
		"**[a *b* c](d)**":                              "a b c",
		"\\*no\\* \\a":                                  "*no* \\a",
		"> > *deep*\nlazy\n>\n>- one":                   "deep\nlazy\n\n- one",
		"hard\\\nbreak\\":                               "hard\nbreak\\",
		"__init__":                                      "init",
		"**end of a line** \r\nnext":                    "end of a line \r\nnext",
		"[ ](x)[](y)":                                   " ",
		"[a][b] [b] [] [c][]\n\n[B]: x \"T\"\n\n[c]: y": "a b [] c\n\n[B]: x \"T\"\n\n[c]: y",
		"<https://a.org> <a@b.c> <p>":                   "https://a.org a@b.c <p>",
		"> [a\n> b](c)\n\n- [d\n  e](f)":                "a\nb\n\n- d\ne",
		"    [a](b)":                                    "    [a](b)",
		"\ufeff# One":                                   "\ufeffOne",
	} {
		if got := shown(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	for _, in := range []string{
		"2 * 3 * 4 = 24", "snake_case_name", "#hashtag", "a | b", "\\", "[a] (b)", "un**closed", "*a_", "a ` b",
		"`a``", "[a](b", "[a](b c)", "[a](b \"c)", "[a [b](c", "!", "**", "** a **", "é_a_", "[a](b(c(d)))",
	} {
		if got := shown(in); got != in {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func TestLooksOfLines(t *testing.T) {
	equal(t, "soft", marked("one\ntwo  \nthree\\\nthree\n\nfour\n- five\n  goes on\n", SoftBreak), []string{"\n", "\n"})
	const list = "What to do:\n1. Unpack the parts,\n   all of them.\n2. Join the sides.\n\n10) Weave.\n"
	equal(t, "numbers", marked(list, Number), []string{"1. ", "2. ", "10) "})
	equal(t, "soft in an item", marked(list, SoftBreak), []string{"\n"})
	equal(t, "blanks of an item", marked(list, Hidden), []string{"   "})
	equal(t, "lists", set(list, text.OrderedList), []string{"1. Unpack the parts,\n   all of them.\n2. Join the sides.\n\n10) Weave."})
	equal(t, "a year", marked("It was in\n1984. That is long ago.", Number), nil)
	equal(t, "drawn", marked("a\n\n* * *\nb", Drawn), []string{"* * *"})
}

func TestLooksOfItems(t *testing.T) {
	const in = "- one\n  - a\n\n    more of a\n\n  more of one\n- two\n\n      x\n\n1. other\n\nend\n- last"
	equal(t, "items", set(in, text.Item), []string{"- one\n  - a\n\n    more of a\n\n  more of one", "- a\n\n    more of a", "- two\n\n      x", "1. other", "- last"})
	equal(t, "lists", set(in, text.List), []string{"- one\n  - a\n\n    more of a\n\n  more of one\n- two\n\n      x", "- a\n\n    more of a", "- last"})
	equal(t, "ordered", set(in, text.OrderedList), []string{"1. other"})
}

func TestLooksOfTables(t *testing.T) {
	const framed = "| a \\| b | |\n|---|--:|\n|  | 2 |\n| | |\n|3"
	equal(t, "rows", set(framed, text.Row), []string{"a \\| b | |", "| 2 |", "| |", "3"})
	equal(t, "cells", set(framed, text.Cell), []string{"2", "3"})
	equal(t, "at the end", marked(framed, AtEnd), []string{"2"})
	const bare = "a | b\n--- | :-:\n1 | 2\\"
	equal(t, "bare", set(bare, text.Cell), []string{"1", "2\\"})
	for _, in := range []string{"a\tb\tc\n1\t\t3", "| a | b |\n| c | d |", "| a | b |\n|---|\n| c | d |", "|---|---|\n| c | d |", "| a \\| b |\n|---|--|"} {
		equal(t, in, append(set(in, text.Cell), set(in, text.HeadCell)...), nil)
		equal(t, in, set(in, text.Table), []string{in})
		equal(t, in, set(in, text.Row), strings.Split(in, "\n"))
	}
}

func TestLinks(t *testing.T) {
	const defined = "\n\n[1]: https://one.org 'The\n one'\n[ B ]:\n  <b c.html>\n[x\\]y]: /x\n[1]: other\n"
	for in, want := range map[string]string{
		"See [the *weir*](<https://e.org/w>), not ![a wheel](wheel.png).":            "https://e.org/w = the *weir*",
		"# [a](b)\n\n[c](d)\n---\n\n- [e](f 'g')":                                    "b = a|d = c|f = e",
		"[a long\nlabel](x.html\n\"title\") end":                                     "x.html = a long\nlabel",
		"> [over\n> two](x) > [three](y)":                                            "x = over\n> two|y = three",
		"- [over\n  two](x)":                                                         "x = over\n  two",
		"| a [b|c](d) |\n|---|---|\n| [e](f) | [1] |" + defined:                      "f = e|https://one.org = 1",
		"[one][1] [two][ b ] [B][] [b] [x\\]y][] [1][none] [none][]" + defined:       "https://one.org = one|b c.html = two|b c.html = B|b c.html = b|/x = x\\]y",
		"# On [mills][1]" + defined:                                                  "https://one.org = mills",
		"Note[^1].\n\n[^1]: See [1] and [a](b)." + defined:                           "https://one.org = 1|b = a",
		"[![alt](i.png)](x) [![alt][1]][1]" + defined:                                "x = ![alt](i.png)|https://one.org = ![alt][1]",
		"[a [b](c) d](e) [a [b] c](d) ![a [b](c) https://x.y](d)":                    "c = b|d = a [b] c",
		"\\[a](b) [a\\](b) [a] (b) [](e) [f]() `[c](d)` `<https://x.y>`":             "",
		"```\n[a](b)\n```\n\n    [c](d) https://x.y\n\n- a\n\n      [e](f)":          "",
		"<https://a.org/x?y=(z)> <mailto:a@b.c> <a@b.c> <p> <a b:c> <b:c>":           "https://a.org/x?y=(z) = https://a.org/x?y=(z)|mailto:a@b.c = mailto:a@b.c|mailto:a@b.c = a@b.c",
		"https://a.org/x_y_z. (See http://b.org/(c)) www.d.org! **https://e.org**":   "https://a.org/x_y_z = https://a.org/x_y_z|http://b.org/(c) = http://b.org/(c)|http://www.d.org = www.d.org|https://e.org = https://e.org",
		"xhttps://a.org <a href=\"https://b.org\"> https:// www. [https://c.org](d)": "d = https://c.org",
		"[a](b\\)c) [d](javascript:e)":                                               "b)c = a|javascript:e = d",
		"[1]: https://a.org text\n":                                                  "https://a.org = https://a.org",
	} {
		var got []string
		links := Links(in)
		for _, l := range links {
			got = append(got, l.URL+" = "+l.Of(in))
		}
		if err := text.CheckLinks(in, 1, links); err != nil || strings.Join(got, "|") != want {
			t.Errorf("%q: %v\ngot  %q\nwant %q", in, err, strings.Join(got, "|"), want)
		}
	}
}

func TestLooksOfPictures(t *testing.T) {
	const in = "![a *red* kite](k.png) [![b](c)](d) ![](e) ![none]"
	equal(t, "pictures", set(in, text.Image), []string{"![a *red* kite](k.png)", "![b](c)"})
	equal(t, "within", set(in, text.Emphasis), []string{"*red*"})
}

// checkLooks returns an error if an invariant of Looks does not hold.
func checkLooks(t string) error {
	elements, marks := Looks(t)
	if err := text.CheckElements(t, elements); err != nil {
		return err
	}
	if err := text.CheckLinks(t, 1, Links(t)); err != nil {
		return err
	}
	last := 0
	for _, m := range marks {
		if m.Look < Hidden || m.Look > AtEnd || m.Start < last || m.Start >= m.End || m.End > len(t) || text.Edge(t, m.Start) != m.Start || text.Edge(t, m.End) != m.End {
			return fmt.Errorf("mark %v", m)
		}
		last = m.Start
	}
	return nil
}

func TestLooksOfAnyText(t *testing.T) {
	parts := strings.Split("# |## |= |*|**|_|__|`|``|```|~~~|-|- |1. |• |---|===|>|> |[|](|)|]|!| |<|>|[a]: b|https://a|\t|\\|\n|\r\n|\f|a|é|😀|\xff|\ufeff|:", "|")
	parts = append(parts, "|", "|--|", "\n\n", "\n  ", "\n    ")
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range random.IntN(40) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		if err := checkLooks(b.String()); err != nil {
			t.Fatalf("%q: %v", b.String(), err)
		}
	}
}

func FuzzLooks(f *testing.F) {
	f.Add(teaTimer)
	f.Add("- a\n  > b\n  | c |\n  |---|\n\n  ```\n  d")
	f.Fuzz(func(t *testing.T, in string) {
		if err := checkLooks(in); err != nil {
			t.Fatal(err)
		}
	})
}

// With this many unmatched marks, a search for the other half of each would take hours.
func TestLooksAreLinear(t *testing.T) {
	for _, part := range []string{"[(", "[](", "*", "**a", "`", "` ``", "_a*", "[a](b \"", "|", "> ", "- ", "- a\n", "\t", "\\", "a\n", "|\n", "![", "1. a\n\n ", "[a", "[a]: b\n", "[a]: b\n\n[a][a]", "[[a](b)](", "<a:", "https://a ", "[[[[a](b)](b)](b)](b)"} {
		if err := checkLooks(strings.Repeat(part, 300_000)); err != nil {
			t.Errorf("%q: %v", part, err)
		}
	}
}
