package markup

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"seam/shared/text"
)

// names are short names of kinds for the tests below.
var names = map[Kind]string{Paragraph: "p", Heading: "h", Item: "i", Code: "c", Table: "t", Quote: "q", Rule: "r", FrontMatter: "f"}

var lineEnds = strings.NewReplacer("\r\n", "/", "\n", "/", "\r", "/", "\f", "/")

// show prints blocks: h1(# Title) p(Some text.)
func show(t string) string {
	var out []string
	for _, b := range Blocks(t) {
		s := names[b.Kind]
		if b.Level > 0 {
			s += fmt.Sprint(b.Level)
		}
		out = append(out, s+"("+b.Of(t)+")")
	}
	return lineEnds.Replace(strings.Join(out, " "))
}

func TestBlocks(t *testing.T) {
	for in, want := range map[string]string{
		"":                                     "",
		" \n\t\n":                              "",
		"One.\nTwo.\n\nThree.":                 "p(One./Two.) p(Three.)",
		"# One\ntext\n###### Six #\nx":         "h1(# One) p(text) h6(###### Six #) p(x)",
		"#tag\n####### seven\n#":               "p(#tag/####### seven/#)",
		"Title\n===\n\nTitle\n---\ntext":       "h1(Title/===) h2(Title/---) p(text)",
		"Title\n--":                            "p(Title/--)",
		"One line\nof two\n---\nText":          "p(One line/of two) r(---) p(Text)",
		"= Top =\n== Below ==\n== no =":        "h1(= Top =) h2(== Below ==) p(== no =)",
		"---\n\nTitle\n-----":                  "r(---) h2(Title/-----)",
		"-----\nTitle\n-----":                  "r(-----) h2(Title/-----)",
		"***\n_ _ _\n* * *":                    "r(***) r(_ _ _) r(* * *)",
		"- one\n- two\n  goes on\n\n- three":   "i1(- one) i1(- two/  goes on) i1(- three)",
		"1. one\n   - a\n     - b\n2) two":     "i1(1. one) i2(- a) i3(- b) i1(2) two)",
		"- a\n  - b\n\ntext\n\n  - c":          "i1(- a) i2(- b) p(text) i1(- c)",
		"It was in\n1999. A year.\n1. An item": "p(It was in/1999. A year.) i1(1. An item)",
		"• one\n•two":                          "i1(• one) i1(•two)",
		"-5 degrees\n*so* it\n+1":              "p(-5 degrees/*so* it/+1)",
		"- item\n---\nText":                    "i1(- item) r(---) p(Text)",
		"```\n# no\n\n~~~\n``\n```\n# yes":     "c(```/# no//~~~/``/```) h1(# yes)",
		"~~~ go\n```\n~~~~\nText":              "c(~~~ go/```/~~~~) p(Text)",
		"````\n```\n````\nText":                "c(````/```/````) p(Text)",
		"```go\nx\n``` not closed":             "c(```go/x/``` not closed)",
		"```x``` is code\nin a text":           "p(```x``` is code/in a text)",
		"- ```\n  # no\n  ```\n# yes":          "c(- ```/  # no/  ```) h1(# yes)",
		"Text\n```\nx\n```\nText":              "p(Text) c(```/x/```) p(Text)",
		"| a | b |\n|---|---|\n| 1 | 2 |\nEnd": "t(| a | b |/|---|---|/| 1 | 2 |) p(End)",
		"a | b\n--- | :-:\n1 | 2\n- | 3\nEnd":  "t(a | b/--- | :-:/1 | 2/- | 3) p(End)",
		"a\tb\tc\n1\t2\t3\nEnd":                "t(a\tb\tc/1\t2\t3) p(End)",
		"> a\n> b\nc\n\n>> d\n\nText":          "q1(> a/> b/c) q2(>> d) p(Text)",
		"> a\n---":                             "q1(> a) r(---)",
		"---\ntitle: X\nby: Y\n---\n# T":       "f(---/title: X/by: Y/---) h1(# T)",
		"---\ntitle: X\n...\nText":             "f(---/title: X/...) p(Text)",
		"---\ntitle: X\n\nText\n---":           "r(---) p(title: X) h2(Text/---)",
		"---\nNo name here\n---":               "r(---) h2(No name here/---)",
		"---\ntitle: never closed":             "r(---) p(title: never closed)",
		"Text\n\n---\ntitle: late\n---":        "p(Text) r(---) h2(title: late/---)",
		"\ufeff# Title\ntext":                  "h1(# Title) p(text)",
		"a\n\n    ```\n\n# b":                  "p(a) p(```) h1(# b)",
		"- a\n    ```\n    # b\n    ```\n# c":  "i1(- a) c(```/    # b/    ```) h1(# c)",
		"<!--\n# no\n\n- no\n-->\n# yes":       "p(<!--/# no//- no/-->) h1(# yes)",
		"<!-- one -->\n# yes":                  "p(<!-- one -->) h1(# yes)",
		"<PRE class=x>\n# no\n</Pre>\n# yes":   "p(<PRE class=x>/# no/</Pre>) h1(# yes)",
		"<prefix>\n# yes":                      "p(<prefix>) h1(# yes)",
		"<!-- never closed\n# yes":             "p(<!-- never closed) h1(# yes)",
		"text\n<script>\n# no\n</script>":      "p(text/<script>/# no/</script>)",
		"\ufeff---\na: b\n---\ntext":           "f(---/a: b/---) p(text)",
		"So:\n\n    # no\n\t# no\n\n# yes":     "p(So:) p(# no/\t# no) h1(# yes)",
		"- a\n\n      # no\n\n    # yes":       "i1(- a) p(# no) h1(# yes)",
		"   # In  \n\u00a0\n x \u3000":         "h1(# In) p(x)",
	} {
		if got := show(in); got != want {
			t.Errorf("%q:\n got %s\nwant %s", in, got, want)
		}
		for _, end := range []string{"\r\n", "\r", "\f"} {
			other := strings.ReplaceAll(in, "\n", end)
			if got := show(other); got != want {
				t.Errorf("%q:\n got %s\nwant %s", other, got, want)
			}
		}
	}
}

func TestTitle(t *testing.T) {
	for in, want := range map[string]string{
		"# One": "One", "## Two ##  ": "Two", "### C#": "C#", "# C# #": "C#", "# ##": "", "Three\r\n=====": "Three", "  == Four ==": "Four",
		"A | B\n---": "A | B", "## == x ==": "== x ==", "#\u00a0Five": "Five",
	} {
		blocks := Blocks(in)
		if len(blocks) != 1 || blocks[0].Kind != Heading {
			t.Fatalf("%q: %s", in, show(in))
		}
		if got := blocks[0].Title(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestFrontMatter(t *testing.T) {
	in := "---\nTitle: \"A: b\" \nauthor: 'x'\nempty:\nlist: [a, \"b c\" ,, d]\nrows:\n  - one\n- 'two'\nnested:\n  deep: 1\nnot a name: 2\n- stray\nfolded: >-\n  Of two\n  lines\nkept: |2\n  x\nmore: >than\nsaid: it's # not 'so'\nnone: # yet\ntags: [\"a, b\", c#, it's, d] # two\nsharp: \"A # b\" # c\ndate: 2026-01-02\n...\nText"
	want := map[string][]string{"title": {"A: b"}, "author": {"x"}, "empty": nil, "list": {"a", "b c", "d"}, "rows": {"one", "two"}, "nested": nil, "folded": nil, "kept": nil, "more": {">than"}, "said": {"it's"}, "none": nil, "tags": {"a, b", "c#", "it's", "d"}, "sharp": {"A # b"}, "date": {"2026-01-02"}}
	for _, end := range []string{"\n", "\r\n"} {
		in := strings.ReplaceAll(in, "\n", end)
		if got := Blocks(in)[0].FrontMatter(in); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", end, got)
		}
	}
}

func TestFrontMatterForms(t *testing.T) {
	want := map[string][]string{"title": {"A: b"}, "tags": {"a, b", "c"}, "empty": nil, "weight": {"3"}, "draft": {"false"}}
	toml := "+++\n# A comment\nTitle = \"A: b\"\n'empty' = []\nweight = 3 # third\ndraft = false\n\n[taxonomies]\ntags = [\n  \"a, b\", # one\n  'c',\n]\n+++\nText"
	object := "{\n\"Title\": \"A: b\", \"tags\": [\"a, b\", \"c\", {}], \"empty\": null, \"weight\": 3, \"draft\": false }\nText"
	for _, in := range []string{toml, strings.ReplaceAll(toml, "\n", "\r\n"), object} {
		b := Blocks(in)
		if got := b[0].FrontMatter(in); b[0].Kind != FrontMatter || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q", in, got)
		}
		if len(b) != 2 || b[1].Of(in) != "Text" {
			t.Errorf("%q: %v", in, b)
		}
	}
	in := "+++\n[extra]\nTop = 1\n[[menu.main]]\nname = \"M\"\nlong = \"\"\"\nx\n\"\"\"\n+++\n"
	if got, want := Blocks(in)[0].FrontMatter(in), (map[string][]string{"extra.top": {"1"}, "menu.main.name": {"M"}, "menu.main.long": nil}); !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestHeadingEnd(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want int
	}{{"# A\n---", 3}, {"A\n---\nB", 5}, {"A\r\n  === \r\nB", 8}, {"A\n\n---", 1}, {"A", 1}, {"", 0}, {"A \t\n", 1}, {" ", 0}, {"- a\n---", 3}} {
		if got := HeadingEnd(tt.in, 0); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.in, got, tt.want)
		}
	}
}

func TestAt(t *testing.T) {
	blocks := Blocks("One.\n\nTwo.\n\n")
	for i, want := range []int{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2} {
		if got := At(blocks, i); got != want {
			t.Errorf("byte %d: block %d, want %d", i, got, want)
		}
	}
}

// check tests the invariants for any text.
func check(t *testing.T, in string) {
	t.Helper()
	at := 0
	for i, b := range Blocks(in) {
		if b.Start < at || b.End <= b.Start || b.End > len(in) {
			t.Fatalf("%.80q: block %d is %v after byte %d", in, i, b, at)
		}
		if text.Edge(in, b.Start) != b.Start || text.Edge(in, b.End) != b.End {
			t.Fatalf("%.80q: block %d cuts a rune", in, i)
		}
		if !blank(in[at:b.Start]) || strings.TrimSpace(b.Of(in)) != b.Of(in) {
			t.Fatalf("%.80q: block %d at %v leaves text out, or has blanks at an end", in, i, b.Span)
		}
		switch b.Kind {
		case Heading:
			if b.Level < 1 || b.Level > 6 || strings.ContainsAny(b.Title(in), "\n\r\f") || HeadingEnd(in, b.Start) < b.End {
				t.Fatalf("%.80q: heading %d is %v, %q, to %d", in, i, b, b.Title(in), HeadingEnd(in, b.Start))
			}
		case Item, Quote:
			if b.Level < 1 {
				t.Fatalf("%.80q: block %d has the level %d", in, i, b.Level)
			}
		case FrontMatter:
			if i > 0 {
				t.Fatalf("%.80q: front matter is block %d", in, i)
			}
			_ = b.FrontMatter(in)
		}
		at = b.End
	}
	if !blank(in[at:]) {
		t.Fatalf("%.80q: %q is in no block", in, in[at:])
	}
}

// blank reports whether s is white space, possibly after a byte order mark.
func blank(s string) bool {
	return strings.TrimFunc(strings.TrimPrefix(s, byteOrderMark), unicode.IsSpace) == ""
}

// pieces are the parts from which test texts are assembled.
var pieces = []string{"a", "Text here. ", "\n", "\n\n", "\r\n", "\r", "\f", "# ", "#", "```", "~~~", "=", "== ", "---", "- ", "* ", "1. ", "| ", "|", "> ", "\t", "  ", "é", "\xff", "\ufeff", "…", "x: y", "\u2028", "•"}

func TestEveryTextIsCovered(t *testing.T) {
	n := uint64(1)
	for range 20_000 {
		var sb strings.Builder
		for range 12 {
			n = n*6364136223846793005 + 1442695040888963407
			sb.WriteString(pieces[(n>>33)%uint64(len(pieces))])
		}
		check(t, sb.String())
	}
}

// Long texts must be read once. With quadratic time this test would not end.
func TestTimeIsLinear(t *testing.T) {
	for _, part := range []string{"x", "\n", "\r", "# ", "- ", "> ", "|", "```\n", "~~~\n\n", "a\n---\n", "a|b\n-|-\n", " ", "\t", "---\na: b\n", "- x\n  "} {
		in := strings.Repeat(part, 4_000_000/len(part))
		blocks := Blocks(in)
		for i := 0; i < len(in); i += 1000 {
			_ = At(blocks, i)
		}
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add("---\ntitle: x\n---\n# A\n\n- b\n  1. c\n\n```go\nd\n```\n\n| e | f |\n|---|---|\n> g\n\nh\n===\n")
	f.Add("\ufeffa\r\n---\r\r~~~\f")
	f.Fuzz(func(t *testing.T, in string) { check(t, in) })
}

var sink []Block

func BenchmarkBlocks(b *testing.B) {
	in := strings.Repeat("# Of engines\n\nThe engine of Dr. Weber runs at 3.5 volts, and it was built by hand.\nIt turns:\n\n- slowly\n- all day\n\n", 1000)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		sink = Blocks(in)
	}
}
