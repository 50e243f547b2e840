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

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
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
	equal(t, "links", marked(teaTimer, Link), []string{"[the list](docs/options.md)"})
	equal(t, "bullets", marked(teaTimer, Bullet), []string{"- ", "- [x] "})
	equal(t, "items", set(teaTimer, text.Item), []string{"- one", "- [x] two"})
	equal(t, "lists", set(teaTimer, text.List), []string{"- one\n- [x] two"})
	equal(t, "quotes", set(teaTimer, text.Quote), []string{"> said *once*"})
}

func TestLooksHide(t *testing.T) {
	for in, want := range map[string]string{
		"Title\n=====\n\nPart\n----\n![a cat](cat.png) and [it](a_(b).html \"why\")\n": "Title\n\nPart\na cat and it\n",
		"== Top ==\ntext":             "Top\ntext",
		"  ## Two ##\ntext":           "Two\ntext",
		"---\ntitle: Tea\n---\nText.": "title: Tea\nText.",
		"```\nopen to the end":        "open to the end",
		"```\n```\nend":               "end",
		"~~~ go \n\tx\n\n~~~  \nend":  "\tx\n\nend",
		"- ```\n  x\n  ```\nend":      "  x\nend",
		"a ***very*** `` `x` `` b":    "a very  `x`  b",
		"**[a *b* c](d)**":            "a b c",
		"\\*no\\* \\a":                "*no* \\a",
		"> > *deep*\nlazy\n>\n>- one": "deep\nlazy\n\n- one",
		"hard\\\nbreak\\":             "hard\nbreak\\",
		"__init__":                    "init",
		"**end of a line** \r\nnext":  "end of a line \r\nnext",
		"[ ](x)[](y)":                 " ",
		"\ufeff# One":                 "\ufeffOne",
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

// checkLooks returns an error if an invariant of Looks does not hold.
func checkLooks(t string) error {
	elements, marks := Looks(t)
	if err := text.CheckElements(t, elements); err != nil {
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
	parts := strings.Split("# |## |= |*|**|_|__|`|``|```|~~~|-|- |1. |• |---|===|>|> |[|](|)|]|!| |\t|\\|\n|\r\n|\f|a|é|😀|\xff|\ufeff|:", "|")
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
	for _, part := range []string{"[(", "[](", "*", "**a", "`", "` ``", "_a*", "[a](b \"", "|", "> ", "- ", "- a\n", "\t", "\\", "a\n", "|\n", "![", "1. a\n\n "} {
		if err := checkLooks(strings.Repeat(part, 300_000)); err != nil {
			t.Errorf("%q: %v", part, err)
		}
	}
}
