package sentence

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/text"
)

// check tests what holds for every text: spans in order, on rune edges, without
// white space at their ends, and nothing but white space between them.
func check(t *testing.T, in string) []string {
	t.Helper()
	var out []string
	at := 0
	for _, s := range Split(in) {
		if s.Start < at || s.End <= s.Start || s.End > len(in) {
			t.Fatalf("%.60q: span %v after byte %d", in, s, at)
		}
		if gap := strings.TrimFunc(in[at:s.Start], blank); gap != "" {
			t.Fatalf("%.60q: %q is in no sentence", in, gap)
		}
		got := s.Of(in)
		if strings.TrimFunc(got, blank) != got {
			t.Fatalf("%.60q: %q has blanks at an end", in, got)
		}
		if utf8.ValidString(in) && !utf8.ValidString(got) {
			t.Fatalf("%.60q: %q cuts a rune", in, got)
		}
		out = append(out, got)
		at = s.End
	}
	if rest := strings.TrimFunc(in[at:], blank); rest != "" {
		t.Fatalf("%.60q: %q is in no sentence", in, rest)
	}
	return out
}

// Cases of our own; "|" is where a sentence ends.
var cases = map[string]string{
	"plain":               "One sentence. |Another one! |And a third?",
	"titles":              "Dr. Weber met Mrs. Lange at St. Anne's. |They talked.",
	"initials":            "The book by J. R. Miller is out of print. |A copy was found.",
	"vitamin":             "It is rich in vitamin C. |The skin helps too.",
	"company":             "Weber Inc. filed a report. |He joined Weber Inc. |The firm grew.",
	"numbers":             "It costs 3.14 euros, or 1,000.50 in all. |See No. 7 for more.",
	"versions":            "Use version 2.0.1 or later. |Older ones fail.",
	"web":                 "See example.org/a.b?c=d for more. |Write to a.b@example.org today.",
	"countries":           "The U.S. Army and the U.K. government agreed. |It was signed in the U.S. |The treaty holds.",
	"time":                "We met at 5 p.m. on Monday. |It was 9 a.m. |He was late.",
	"lower case":          "The so-called no. 5 etc. and so on. |Done.",
	"quotation":           `She said "It works." |Then she left.`,
	"question in speech":  `"Does it work?" she asked. |"It does."`,
	"curly quotes":        "“It works.” |She left.",
	"bracket":             "It rained (as always). |We stayed. |(Nobody minded.) |Then it stopped.",
	"ellipsis":            "Well ... maybe not. |It was late… |Nobody came.",
	"spaced ellipsis":     "It was so . . . and not else. |Good.",
	"many marks":          "What?! |No!!! |Yes.",
	"wrapped line":        "This line was wrapped by the program that wrote it and goes\non in the next. |Here is another.",
	"blank line":          "A heading\n\n|Then text. |More text",
	"heading line":        "Introduction\n|The text begins here and it goes on for quite a while. |End.",
	"list":                "Take these:\n|- eggs\n|- flour\n|- milk",
	"numbered":            "1. Take eggs.\n|2. Add flour.\n|10. Bake.",
	"Markdown":            "# Title\n|Some text.\n|## Next\n|More.",
	"pages":               "End of page\f|Next page.",
	"Chinese":             "今天天气很好。|我们去公园吧！|好的。",
	"Japanese quotation":  "「行こう。」|彼は言った。",
	"Hindi":               "यह पहला वाक्य है। |यह दूसरा है।",
	"German":              "Er kam z.B. am Montag. |Prof. Maier blieb.",
	"French":              "M. Dupont est là. |« Oui. » |Il part.",
	"Windows line ends":   "One.\r\n|Two goes on to the end of the line and then\r\nwraps. |Three.",
	"byte order mark":     "\ufeff|One. |Two.",
	"no terminator":       "no terminator",
	"Mac line ends":       "First.\r\r|Second.",
	"non-breaking blanks": "One.\u00a0|Two.",
}

func TestSplit(t *testing.T) {
	for name, c := range cases {
		in := strings.ReplaceAll(c, "|", "")
		var want []string
		for part := range strings.SplitSeq(c, "|") {
			if part = strings.TrimFunc(part, blank); part != "" {
				want = append(want, part)
			}
		}
		if got := check(t, in); !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
	}
}

func TestUglyTexts(t *testing.T) {
	for _, in := range []string{
		"", " ", "\n\n\t\f", ".", "...", "?!", "\"", "\xff\xfe.", "a.\xff", ". . . .", "。", "\u200b.",
		strings.Repeat("no stop ", 10_000), strings.Repeat(".", 10_000), strings.Repeat("\n", 10_000), strings.Repeat("a. ", 10_000), strings.Repeat("A. ", 10_000),
	} {
		check(t, in)
	}
	if got := Split(" \n\f "); got != nil {
		t.Errorf("blanks hold sentences: %v", got)
	}
}

func TestNotebook(t *testing.T) {
	for _, in := range []string{"", "one", "One. Two. Three.", ". . ", "a. b. ", "No.Split. é"} {
		var got []string
		at := 0
		for i, s := range Notebook(in) {
			if i > 0 && in[at:s.Start] != ". " {
				t.Errorf("%q: %q between sentences", in, in[at:s.Start])
			}
			got = append(got, s.Of(in))
			at = s.End
		}
		if want := strings.Split(in, ". "); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestProgressEndsTheWork(t *testing.T) {
	in := strings.Repeat("One sentence. ", 100_000)
	stop, calls := errors.New("stop"), 0
	_, err := SplitProgress(in, func(done, total int) error {
		if calls++; done > total || total != len(in) {
			t.Errorf("%d of %d", done, total)
		}
		if calls == 3 {
			return stop
		}
		return nil
	})
	if err != stop || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func FuzzSplit(f *testing.F) {
	for _, c := range cases {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, in string) { check(t, in) })
}

var sink []text.Span

func BenchmarkSplit(b *testing.B) {
	in := strings.Repeat("The engine of Dr. Weber runs at 3.5 volts. It was built in the U.S. in 1999, by hand!\n\n", 1000)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		sink = Split(in)
	}
}
