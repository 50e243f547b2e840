// Package chunktest holds the tests that every chunker must pass. Spans are exact and
// ascend. Only white space is lost. Limits hold. The same input gives the same chunks. IDs
// are stable. The work can be stopped.
package chunktest

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"seam/shared/chunk"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/topic"
	"seam/shared/vector"
)

// Texts holds small texts that are hard to cut, all invented for these tests.
var Texts = map[string]string{
	"empty":        "",
	"blanks":       " \n\n\t \u00a0\u3000\r\n",
	"one word":     "word",
	"prose":        strings.Repeat("The engine runs well. It was built in 1999, by hand; nobody knows why! Was it the oil?\n\n", 12),
	"no stop":      strings.Repeat("a run of words without any end and ", 40),
	"endless":      strings.Repeat("abcdefghij", 5000),
	"Chinese":      strings.Repeat("今天天气很好，我们去公园吧！那里有很多人。", 12),
	"Arabic":       strings.Repeat("هل تحب القراءة؟ نعم، أحبها كثيرا. ", 10),
	"emoji":        strings.Repeat("👩‍👩‍👧‍👦é̂🇩🇪 ", 30) + strings.Repeat("👍🏽", 40),
	"marks":        "Z" + strings.Repeat("\u0301", 300) + " end",
	"pages":        "First page. It ends here.\fSecond page. It goes on\fover the third.\f\f\fSixth.",
	"broken":       "bad \xff\xfe bytes. And \xe2\x82 more. \xf0\x9f" + strings.Repeat("\x80", 60),
	"repeated":     strings.Repeat("Same. ", 50),
	"Windows":      "\ufeffOne.\r\nTwo goes on.\r\n\r\n\r\nThree, four;\r\nfive: six.\r\n",
	"old Mac":      "One.\rTwo.\r\rThree.",
	"zero":         "a\x00b. c\x00.\x00",
	"long word":    "Short. " + strings.Repeat("x", 900) + " short again.",
	"headings":     "Title\n=====\n\n# One\n\nText of one. More of it.\n\n## Two\n### Three\nText of three.\n\n```\n# no heading\n```\n\nFour\n----\nText of four.",
	"separators":   "one\u2028two\u2029three\u0085four\vfive\u00a0six",
	"address":      "See https://example.org/" + strings.Repeat("a/b?c=d&e=", 50) + " for more.",
	"only marks":   strings.Repeat("…!?;: ", 40),
	"indented":     "   \n\n   begins late. And ends early.   \n\n\n",
	"German":       strings.Repeat("Straßenbahnhaltestellenhäuschen, größer als gedacht. ", 12),
	"one grapheme": "👩‍👩‍👧‍👦",
}

// Input returns everything a chunker may need for a text: Seam's own sentences, and vectors
// computed from letters alone.
func Input(d *text.Document) chunk.Input { return InputFor(chunk.Sentenced, d) }

// InputFor is Input with sentences by the given rule.
func InputFor(rule chunk.Rule, d *text.Document) chunk.Input {
	v := d.View(text.Reading)
	split := func(t string) []text.Span { return chunk.CodeLines(t, nil, sentence.Split(t)) }
	if rule == chunk.Notebook {
		split = sentence.Notebook
	}
	in := chunk.Input{View: v, Sentences: split(v.Text), Sections: d.Sections}
	in.Vectors = vector.New(len(in.Sentences), 16)
	for i, s := range in.Sentences {
		for _, b := range []byte(s.Of(v.Text)) {
			in.Vectors.Row(i)[b%16]++
		}
	}
	in.Similarities = vector.Adjacent(in.Vectors)
	return in
}

// Run tests a method on all Texts and on docs, which maps names to texts. Without counters
// it uses those that need no vocabulary.
func Run(t *testing.T, m chunk.Method, docs map[string]string, counters ...token.Counter) {
	t.Helper()
	all := maps.Clone(Texts)
	maps.Copy(all, docs)
	if counters == nil {
		counters = []token.Counter{token.Characters, token.Words, token.EvenWords, token.WordTokens, token.Estimate}
	}
	for doc, body := range all {
		if m.Sentences == chunk.Notebook { // its pipeline strips the text and has at least one sentence, possibly an empty one
			if body = strings.TrimSpace(body); body == "" {
				continue
			}
		}
		in := InputFor(m.Sentences, text.NewPlain(body))
		for _, counter := range counters {
			for _, limits := range limitsOf(m, len(body)) {
				limits.Counter = counter
				label := fmt.Sprintf("%s, %s, %s %d to %d, overlap %d", m.Name, doc, counter.Name(), limits.Min, limits.Max, limits.Overlap)
				test(t, label, m, in, limits)
			}
		}
	}
	if !m.Embeds { // methods that embed depend on the whole text, so an edit may change chunks far away
		stable(t, m.Name, m.Chunker)
	}
	stops(t, m)
}

// limitsOf returns the limits to try. For long texts, such as real documents, it returns
// fewer.
func limitsOf(m chunk.Method, size int) []chunk.Limits {
	list := []chunk.Limits{{}, {Max: 7}, {Max: 64}}
	if size < 3000 {
		list = append(list, chunk.Limits{Max: 1}, chunk.Limits{Max: 2}, chunk.Limits{Max: 33}, chunk.Limits{Max: 1000})
	}
	if m.TakeMin {
		list = append(list, chunk.Limits{Min: 5}, chunk.Limits{Min: 20, Max: 60})
	}
	if m.Overlap {
		list = append(list, chunk.Limits{Max: 50, Overlap: 12})
	}
	if m.Overlap && m.TakeMin {
		list = append(list, chunk.Limits{Min: 9, Max: 40, Overlap: 8})
	}
	return list
}

func test(t *testing.T, label string, m chunk.Method, in chunk.Input, limits chunk.Limits) {
	t.Helper()
	c := m.Chunker
	found, chunks, err := chunk.Cut(c, in, chunk.Criterion{}, limits)
	if err != nil {
		t.Errorf("%s: %v", label, err)
		return
	}
	parts := in
	if m.Sentences == chunk.Notebook {
		parts.Sentences = chunk.WithStops(in.Sentences)
	}
	if err := named(parts, found, chunks, limits); err != nil {
		t.Errorf("%s: %v", label, err)
	}
	_, again, err := chunk.Cut(c, in, chunk.Criterion{}, limits)
	if err != nil || !reflect.DeepEqual(chunks, again) {
		t.Errorf("%s: the second time it differs (%v)", label, err)
	}
	if limits.Max == 0 {
		limits.Max = usual(m)
	}
	if err := Check(in.View, chunks, limits); err != nil {
		t.Errorf("%s: %v", label, err)
	}
}

// named returns an error if the reason of a chunk contradicts its place. Boundaries of the
// method keep their reasons within limits. The maximum alone is the reason only where no
// heading begins and no value on the curve could explain the boundary.
func named(in chunk.Input, found chunk.Boundaries, chunks []chunk.Chunk, limits chunk.Limits) error {
	layout, gap := chunk.Layout(in), 0
	for i, c := range chunks {
		r := c.Reason
		if r.For != "" && (r.For != chunk.ForMax || limits.Max == 0 || r.Kind == chunk.ReasonMax) {
			return fmt.Errorf("chunk %d ends because of %+v, with a maximum of %d", i, r, limits.Max)
		}
		for gap < len(layout) && in.Sentences[gap+1].Start < c.End {
			gap++
		}
		if i == len(chunks)-1 || gap >= len(layout) || c.End < in.Sentences[gap].End {
			continue // inside a sentence
		}
		at, own := slices.BinarySearch(found.Boundaries, gap)
		switch {
		case own && r != found.Reasons[at]:
			return fmt.Errorf("chunk %d ends because of %+v, not %+v", i, r, found.Reasons[at])
		case own || len(found.Curve) == 0 || r.Kind == chunk.ReasonHeading || r.Kind == chunk.ReasonParagraph:
		case r.Kind == chunk.ReasonMax && found.Curve[gap] < topic.Level(topic.Finest):
		case r.For == "" || r.Value != found.Curve[gap]:
			return fmt.Errorf("chunk %d ends because of %+v, where the curve is %g", i, r, found.Curve[gap])
		}
		if r.Kind == chunk.ReasonMax && layout[gap].Heading > 0 {
			return fmt.Errorf("chunk %d ends before a heading because of the maximum", i)
		}
	}
	return nil
}

// usual returns the maximum that a method keeps when no limit is given.
func usual(m chunk.Method) int {
	if m.Curve != "" {
		return 0 // the caller must give the default
	}
	return m.Max
}

// Check returns an error if chunks are not valid chunks of v.
func Check(v *text.View, chunks []chunk.Chunk, limits chunk.Limits) error {
	at, start, ids := 0, -1, map[string]bool{}
	for i, c := range chunks {
		if c.Start < 0 || c.End <= c.Start || c.End > len(v.Text) {
			return fmt.Errorf("chunk %d is %v of %d bytes", i, c.Span, len(v.Text))
		}
		got := c.Of(v.Text)
		switch {
		case text.Edge(v.Text, c.Start) != c.Start || text.Edge(v.Text, c.End) != c.End:
			return fmt.Errorf("chunk %d cuts a rune: %.40q", i, got)
		case c.Start < start || c.End < at:
			return fmt.Errorf("chunk %d at %v goes back behind %d to %d", i, c.Span, start, at)
		case limits.Overlap == 0 && c.Start < at:
			return fmt.Errorf("chunk %d begins at %d, before %d", i, c.Start, at)
		case c.Start > at && !blank(v.Text[at:c.Start]):
			return fmt.Errorf("%.40q before chunk %d is lost", v.Text[at:c.Start], i)
		case c.Tokens != limits.Counter.Count(got):
			return fmt.Errorf("chunk %d says %d tokens and has %d", i, c.Tokens, limits.Counter.Count(got))
		case limits.Max > 0 && c.Tokens > limits.Max && !oneGrapheme(got):
			return fmt.Errorf("chunk %d has %d tokens, the maximum is %d: %.60q", i, c.Tokens, limits.Max, got)
		case ids[c.ID] || len(c.ID) < 12:
			return fmt.Errorf("chunk %d has the id %q again", i, c.ID)
		case c.Reason.Kind == "":
			return fmt.Errorf("chunk %d ends for no reason", i)
		case c.First > c.Last || (c.First < 0) != (c.Last < 0):
			return fmt.Errorf("chunk %d is on pages %d to %d", i, c.First, c.Last)
		}
		ids[c.ID] = true
		at, start = c.End, c.Start
	}
	if rest := v.Text[at:]; !blank(rest) && limits.Counter.Count(v.Text) > 0 {
		return fmt.Errorf("%.40q at the end is lost", rest)
	}
	if n := len(chunks); n > 0 && chunks[n-1].Reason.Kind != chunk.ReasonEnd {
		return fmt.Errorf("the last chunk ends because of %q", chunks[n-1].Reason)
	}
	return nil
}

// blank reports whether s may be left out of all chunks: it holds only white space and byte
// order marks.
func blank(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }) == ""
}

func oneGrapheme(s string) bool {
	seg := graphemes.FromString(s)
	return seg.Next() && seg.End() == len(s)
}

// stable tests that an edit far away does not change a chunk's ID.
func stable(t *testing.T, name string, c chunk.Chunker) {
	t.Helper()
	var body strings.Builder
	for i := range 40 {
		fmt.Fprintf(&body, "# Part %d\n\nThe %d. part has a text. It tells of the number %d.\n\n", i, i, i*i)
	}
	ids := func(s string) map[string]string {
		in := Input(text.NewPlain(s))
		in.Vectors, in.Similarities = vector.Matrix{}, nil
		_, chunks, err := chunk.Cut(c, in, chunk.Criterion{}, chunk.Limits{Max: 60, Counter: token.Characters})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		out := map[string]string{}
		for _, x := range chunks {
			out[x.ID] = x.Of(s)
		}
		return out
	}
	before, after := ids(body.String()), ids(body.String()+"One more.")
	kept := 0
	for id, s := range before {
		if after[id] == s {
			kept++
		}
	}
	if kept < len(before)*3/4 {
		t.Errorf("%s: an edit at the end leaves %d of %d ids", name, kept, len(before))
	}
}

// stops tests that an error from the progress hook ends the work.
func stops(t *testing.T, m chunk.Method) {
	t.Helper()
	stop := errors.New("stop")
	in := InputFor(m.Sentences, text.NewPlain(Texts["prose"]))
	for first := range 3 {
		calls := 0
		_, _, err := chunk.Cut(m.Chunker, in, chunk.Criterion{}, chunk.Limits{Max: 30, Counter: token.Words, Progress: func(int, int) error {
			if calls++; calls > first {
				return stop
			}
			return nil
		}})
		if err != stop || calls != first+1 {
			t.Errorf("%s: %v after %d calls of the hook", m.Name, err, calls)
		}
	}
}
