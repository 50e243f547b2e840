package chunk

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"seam/shared/breakpoint"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
)

// texts are the inputs of the property tests.
var texts = map[string]string{
	"empty":     "",
	"blanks":    " \n\n\t ",
	"one word":  "word",
	"prose":     strings.Repeat("The engine runs well. It was built in 1999, by hand; nobody knows why! Was it the oil?\n\n", 20),
	"no stop":   strings.Repeat("a run of words without any end and ", 60),
	"no blank":  strings.Repeat("abcdefghij", 300),
	"Chinese":   strings.Repeat("今天天气很好，我们去公园吧！那里有很多人。", 30),
	"emoji":     strings.Repeat("👩‍👩‍👧‍👦é̂ ", 80),
	"pages":     "First page. It ends here.\fSecond page. It goes on\fover the third.",
	"broken":    "bad \xff\xfe bytes. And \xe2\x82 more. \xf0\x9f",
	"repeated":  strings.Repeat("Same. ", 50),
	"Windows":   "One.\r\nTwo goes on.\r\n\r\nThree.",
	"zero":      "a\x00b. c\x00.",
	"long word": "Short. " + strings.Repeat("x", 2000) + " short again.",
}

// similarities returns values that look like a real document's: high, with dips.
func similarities(n int) []float64 {
	s := make([]float64, max(0, n-1))
	for i := range s {
		s[i] = 0.5 + 0.4*float64((i*37)%11)/11
		if i%7 == 3 {
			s[i] /= 4
		}
	}
	return s
}

// boundaries runs the named method with its default setting.
func boundaries(t *testing.T, name string, s []float64, x float64) []boundary {
	t.Helper()
	m, err := breakpoint.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Find(s, x)
	if err != nil {
		t.Fatal(err)
	}
	return above(m, r).ends()
}

// sentencesOf is atBoundaries without a hook that can fail.
func sentencesOf(t *testing.T, v *text.View, sentences []text.Span, s []float64, b []boundary, limits Limits) []Chunk {
	t.Helper()
	chunks, err := atBoundaries(Input{View: v, Sentences: sentences, Similarities: s}, b, limits)
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

// check tests the invariants of every method's chunks.
func check(t *testing.T, v *text.View, chunks []Chunk, limits Limits, overlap bool) {
	t.Helper()
	at, ids := 0, map[string]bool{}
	for i, c := range chunks {
		if c.Start < 0 || c.End < c.Start || c.End > len(v.Text) {
			t.Fatalf("chunk %d is %v of %d bytes", i, c.Span, len(v.Text))
		}
		got := c.Of(v.Text)
		if !overlap {
			if c.Start < at {
				t.Fatalf("chunk %d begins at %d, before %d", i, c.Start, at)
			}
			if lost := strings.TrimFunc(v.Text[at:c.Start], blank); lost != "" {
				t.Fatalf("%.40q before chunk %d is lost", lost, i)
			}
		}
		if utf8.ValidString(v.Text) && !utf8.ValidString(got) {
			t.Fatalf("chunk %d cuts a rune: %.40q", i, got)
		}
		if n := limits.Counter.Count(got); n != c.Tokens {
			t.Fatalf("chunk %d says %d tokens and has %d", i, c.Tokens, n)
		}
		if limits.Max > 0 && c.Tokens > limits.Max && !oneGrapheme(got) {
			t.Fatalf("chunk %d has %d tokens, the maximum is %d: %.60q", i, c.Tokens, limits.Max, got)
		}
		if ids[c.ID] || len(c.ID) < 12 {
			t.Fatalf("chunk %d has the id %q again", i, c.ID)
		}
		ids[c.ID] = true
		if (i == len(chunks)-1) != (c.Reason.Kind == ReasonEnd) && !overlap {
			t.Fatalf("chunk %d of %d ends because of %q", i, len(chunks), c.Reason)
		}
		if c.First > c.Last || (c.First < 0) != (c.Last < 0) {
			t.Fatalf("chunk %d is on pages %d to %d", i, c.First, c.Last)
		}
		at = max(at, c.End)
	}
	if lost := strings.TrimFunc(v.Text[at:], blank); lost != "" && limits.Counter.Count(v.Text) > 0 {
		t.Fatalf("%.40q at the end is lost", lost)
	}
}

func blank(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }

// oneGrapheme reports whether s is a single user-perceived character, which is never cut.
// In the units tested here such a character is short.
func oneGrapheme(s string) bool {
	return utf8.RuneCountInString(s) <= 8 && !strings.ContainsAny(s, " \n")
}

func TestSentencesKeepTheirPromises(t *testing.T) {
	for name, in := range texts {
		v := text.NewPlain(in).View(text.Reading)
		sentences := sentence.Split(in)
		s := similarities(len(sentences))
		for _, counter := range []token.Counter{token.Words, token.Characters} {
			for _, limits := range []Limits{{}, {Max: 1}, {Max: 7}, {Max: 40}, {Min: 5}, {Min: 10, Max: 25}, {Min: 40, Max: 40}} {
				limits.Counter = counter
				for _, b := range [][]boundary{nil, boundaries(t, "percentile", s, 80), boundaries(t, "percentile", s, 0)} {
					t.Run(fmt.Sprintf("%s/%s/%d-%d/%d", name, counter.Name(), limits.Min, limits.Max, len(b)), func(t *testing.T) {
						chunks := sentencesOf(t, v, sentences, s, b, limits)
						check(t, v, chunks, limits, false)
						limits.Memo = &Memo{}
						for range 2 { // the first pass fills the memo, the second uses it
							if again := sentencesOf(t, v, sentences, s, b, limits); !reflect.DeepEqual(chunks, again) {
								t.Error("with a memo it differs")
							}
						}
					})
				}
			}
		}
	}
}

func TestALongSentenceIsCutAtClausesFirst(t *testing.T) {
	in := "When the rain came down at last, the whole of the village ran out into the road, and nobody minded."
	v := text.NewPlain(in).View(text.Reading)
	var got []string
	for _, c := range sentencesOf(t, v, sentence.Split(in), nil, nil, Limits{Max: 11, Counter: token.Words}) {
		got = append(got, c.Of(in))
	}
	want := []string{"When the rain came down at last,", "the whole of the village ran out into the road,", "and nobody minded."}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

// The work for one endless sentence must be proportional to its length.
func TestAnEndlessSentenceIsCountedAFewTimesOnly(t *testing.T) {
	in := strings.Repeat("word ", 40_000)
	counter := &recording{}
	v := text.NewPlain(in).View(text.Reading)
	chunks := sentencesOf(t, v, sentence.Split(in), nil, nil, Limits{Max: 50, Counter: counter})
	if len(chunks) < 800 {
		t.Errorf("%d chunks", len(chunks))
	}
	if counter.bytes > 60*len(in) {
		t.Errorf("%d bytes were counted for %d", counter.bytes, len(in))
	}
}

// recording is token.Words, and records how many bytes it has counted.
type recording struct{ bytes int }

func (r *recording) Name() string               { return "words" }
func (r *recording) Spans(t string) []text.Span { return token.Words.Spans(t) }
func (r *recording) Count(t string) int         { r.bytes += len(t); return token.Words.Count(t) }

func TestFixedIsPythonsSlicing(t *testing.T) {
	for name, in := range texts {
		v := text.NewPlain(in).View(text.Content)
		for _, size := range []int{1, 7, 128} {
			for _, overlap := range []int{0, size / 5, size - 1} {
				if overlap > 0 && overlap >= size {
					continue
				}
				chunks, err := windows(Input{View: v}, Limits{Max: size, Overlap: overlap, Counter: token.Characters})
				if err != nil {
					t.Fatal(err)
				}
				var want []string
				for starts, i := runeStarts(in), 0; i < len(starts)-1; i += size - overlap {
					want = append(want, in[starts[i]:starts[min(i+size, len(starts)-1)]])
				}
				if len(chunks) != len(want) {
					t.Fatalf("%s %d/%d: %d chunks, want %d", name, size, overlap, len(chunks), len(want))
				}
				for i, c := range chunks {
					if c.Of(in) != want[i] {
						t.Fatalf("%s %d/%d: chunk %d is %q, want %q", name, size, overlap, i, c.Of(in), want[i])
					}
				}
			}
		}
	}
}

// runeStarts returns the offset of each rune, and len(s).
func runeStarts(s string) []int {
	var at []int
	for i := range s {
		at = append(at, i)
	}
	return append(at, len(s))
}

func TestFixedWordsLoseNothing(t *testing.T) {
	for name, in := range texts {
		v := text.NewPlain(in).View(text.Content)
		for _, size := range []int{1, 3, 50} {
			chunks, err := windows(Input{View: v}, Limits{Max: size, Counter: token.Words})
			if err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprintf("%s/%d", name, size), func(t *testing.T) {
				check(t, v, chunks, Limits{Max: size, Counter: token.Words}, false)
			})
		}
	}
}

func TestProgressEndsTheWork(t *testing.T) {
	in := texts["prose"]
	v := text.NewPlain(in).View(text.Reading)
	spans := sentence.Split(in)
	stop := errors.New("stop")
	for _, limits := range []Limits{{}, {Max: 3}} {
		calls := 0
		limits.Counter, limits.Progress = token.Words, func(done, total int) error {
			if calls++; calls > 1 {
				return stop
			}
			return nil
		}
		if _, err := atBoundaries(Input{View: v, Sentences: spans}, []boundary{{after: 3}, {after: 9}}, limits); err != stop || calls != 2 {
			t.Errorf("%v after %d calls", err, calls)
		}
	}
}

func TestFixedRefusesImpossibleSizes(t *testing.T) {
	v := text.NewPlain("some text").View(text.Content)
	for _, bad := range [][2]int{{-1, 0}, {5, 5}, {5, 6}, {5, -1}} {
		if _, err := windows(Input{View: v}, Limits{Max: bad[0], Overlap: bad[1], Counter: token.Characters}); err == nil {
			t.Errorf("size %d with overlap %d passes", bad[0], bad[1])
		}
	}
	if (Limits{Min: 5, Max: 4}).Check() == nil || (Limits{Min: -1}).Check() == nil {
		t.Error("contradicting limits pass")
	}
}

// The published notebook joins sentences by ". " and adds "." to each chunk except the
// last.
func TestNotebookChunksAreTheNotebooks(t *testing.T) {
	in := "One thing. Two things. Three. Four things here. Five."
	sentences := sentence.Notebook(in)
	v := text.NewPlain(in).View(text.Content)
	b := []boundary{{after: 0}, {after: 2}}
	var want []string
	parts := strings.Split(in, ". ")
	for _, g := range [][2]int{{0, 1}, {1, 3}, {3, 5}} {
		c := strings.Join(parts[g[0]:g[1]], ". ")
		if g[1] < len(parts) {
			c += "."
		}
		want = append(want, c)
	}
	for i, c := range sentencesOf(t, v, WithStops(sentences), nil, b, Limits{Counter: token.Words}) {
		if c.Of(in) != want[i] {
			t.Errorf("chunk %d is %q, want %q", i, c.Of(in), want[i])
		}
	}
}

func TestIDsSurviveEditsElsewhere(t *testing.T) {
	ids := func(in string) map[string]string {
		v := text.NewPlain(in).View(text.Reading)
		out := map[string]string{}
		spans := sentence.Split(in)
		var b []boundary
		for i := range len(spans) - 1 {
			b = append(b, boundary{after: i})
		}
		for _, c := range sentencesOf(t, v, spans, nil, b, Limits{Counter: token.Words}) {
			out[c.Of(in)] = c.ID
		}
		return out
	}
	before, after := ids("First here. Second here. Third here."), ids("A new start. First here. Second changed. Third here.")
	for _, same := range []string{"First here.", "Third here."} {
		if before[same] != after[same] || before[same] == "" {
			t.Errorf("%q had id %q and has %q", same, before[same], after[same])
		}
	}
}

func TestReasons(t *testing.T) {
	words := func(b Boundaries) (out []string) {
		for i, r := range b.Reasons {
			out = append(out, fmt.Sprintf("%d %v", b.Boundaries[i], r))
		}
		return out
	}
	m, _ := breakpoint.Lookup("percentile")
	notebook, _ := breakpoint.Lookup("notebook-percentile")
	for _, tt := range []struct {
		found Boundaries
		want  []string
	}{
		{above(m, breakpoint.Result{Curve: []float64{0.1, 0.41, 0.3312}, Threshold: 0.3311, Boundaries: []int{1, 2}}), []string{"1 distance 0.41, line at 0.33", "2 distance 0.3312, line at 0.3311"}},
		{above(notebook, breakpoint.Result{Curve: []float64{0.5}, Threshold: 0.61, Boundaries: []int{0}}), []string{"0 similarity 0.50, line at 0.61"}},
		{largest(breakpoint.Largest([]float64{0.5, 0.9}, 1)), []string{"0 distance 0.50, the largest"}},
		{largest(breakpoint.Largest([]float64{0.5, 0.9}, 2)), []string{"0 distance 0.50, one of the 2 largest", "1 distance 0.10, one of the 2 largest"}},
	} {
		if got := words(tt.found); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
	for _, k := range Kinds() {
		if (Reason{Kind: k}).String() == "" {
			t.Errorf("%s has no words", k)
		}
	}
}

func TestChunksKnowTheirPages(t *testing.T) {
	in := texts["pages"]
	d := text.NewPlain(in)
	spans := []text.Span{{Start: 0, End: 25}, {Start: 26, End: len(in)}}
	chunks := sentencesOf(t, d.View(text.Reading), spans, nil, []boundary{{after: 0}}, Limits{Counter: token.Words})
	if chunks[0].First != 0 || chunks[0].Last != 0 || chunks[1].First != 1 || chunks[1].Last != 2 {
		t.Errorf("%+v", chunks)
	}
}

func FuzzLimits(f *testing.F) {
	for _, in := range texts {
		f.Add(in[:min(len(in), 400)], uint8(3), uint8(9))
	}
	f.Fuzz(func(t *testing.T, in string, lo, hi uint8) {
		limits := Limits{Min: int(lo), Max: int(hi), Counter: token.Characters}
		if limits.Check() != nil {
			return
		}
		v := text.NewPlain(in).View(text.Reading)
		spans := sentence.Split(in)
		s := similarities(len(spans))
		for _, c := range sentencesOf(t, v, spans, s, boundaries(t, "percentile", s, 50), limits) {
			if limits.Max > 0 && c.Tokens > limits.Max && strings.ContainsAny(c.Of(in), " \n") {
				t.Fatalf("%d characters, the maximum is %d: %q", c.Tokens, limits.Max, c.Of(in))
			}
		}
	})
}

func TestAHeadingStaysWithItsText(t *testing.T) {
	in := "# One\n\nA windmill turns its cap into the wind. The sails drive a shaft of oak; the shaft drives the stones.\n\n# Two\n\nA lathe turns the work and holds the tool still. Shavings fly.\n\n# Three\n# Four"
	v := text.NewPlain(in).View(text.Reading)
	chunks, err := filled(Input{View: v}, Limits{Max: 14, Counter: token.Words})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range chunks {
		got = append(got, strings.ReplaceAll(c.Of(in), "\n", "|")+" ("+c.Reason.String()+")")
	}
	want := []string{"# One||A windmill turns its cap into the wind. (sentence)", "The sails drive a shaft of oak; the shaft drives the stones. (paragraph)",
		"# Two||A lathe turns the work and holds the tool still. Shavings fly. (paragraph)", "# Three|# Four (end)"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}
