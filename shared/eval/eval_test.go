package eval

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"seam/shared/text"
)

// Ten sentences in segments of five. One boundary was found, one sentence late.
func TestSegmentByHand(t *testing.T) {
	// k = round(2.5) = 2. Reference segments are 0 0 0 0 0 1 1 1 1 1, found segments 0 0 0
	// 0 0 0 1 1 1 1. For i = 0…7 the windows (3,5) and (5,7) differ, in both Pk and
	// WindowDiff.
	got := Segment(10, []int{4}, []int{5})
	if want := (Segmentation{2, 2, .25, .25, 0, 1}); got != want {
		t.Errorf("%+v instead of %+v", got, want)
	}
	// WindowDiff notices a second boundary next to a correct one, Pk does not.
	got = Segment(10, []int{4}, []int{4, 5})
	if got.Pk != .125 || got.WindowDiff != .25 || got.F1 != 2./3 {
		t.Errorf("%+v", got)
	}
}

func TestSegmentOfItself(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for range 200 {
		n := 1 + rnd.Intn(60)
		ref, found := some(rnd, n), some(rnd, n)
		want := Segmentation{Segments: len(ref) + 1, Found: len(ref) + 1, F1: 1, F1Near: 1}
		if got := Segment(n, ref, ref); got != want {
			t.Fatalf("n %d %v: %+v", n, ref, got)
		}
		a, b := Segment(n, ref, found), Segment(n, found, ref)
		if a.F1 != b.F1 {
			t.Fatalf("F1 of %v and %v is not symmetric", ref, found)
		}
		if len(ref) == len(found) && (a.Pk != b.Pk || a.WindowDiff != b.WindowDiff) {
			t.Fatalf("with equal numbers of segments, of %v and %v: %+v and %+v", ref, found, a, b)
		}
		slices.Reverse(found)
		if c := Segment(n, ref, append(found, found...)); c != a {
			t.Fatalf("order or repetition of %v counts: %+v and %+v", found, c, a)
		}
	}
}

// some returns a random sorted subset of the n-1 boundaries.
func some(rnd *rand.Rand, n int) []int {
	var out []int
	for i := range n - 1 {
		if rnd.Intn(3) == 0 {
			out = append(out, i)
		}
	}
	return out
}

func TestBaselines(t *testing.T) {
	for _, name := range Baselines {
		for n := range 40 {
			for segments := 1; segments <= max(1, n); segments++ {
				got, err := Baseline(name, n, segments, 5)
				again, _ := Baseline(name, n, segments, 5)
				want := map[string]int{"none": 0, "all": max(0, n-1), "equal": segments - 1, "random": segments - 1}[name]
				if err != nil || len(got) != want || !slices.Equal(got, distinct(got)) || !slices.Equal(got, again) {
					t.Fatalf("%s of %d in %d: %v %v", name, n, segments, got, err)
				}
				if len(got) > 0 && (got[0] < 0 || got[len(got)-1] > n-2) {
					t.Fatalf("%s of %d in %d: %v", name, n, segments, got)
				}
			}
		}
	}
	if _, err := Baseline("best", 3, 2, 0); err == nil {
		t.Error("no error for a name that is none")
	}
}

// All boundaries must be drawn about equally often, and another seed must draw others.
func TestRandomIsEven(t *testing.T) {
	var counts [19]int
	for i := range 10000 {
		got, _ := Baseline("random", 20, 5, Seed(strings.Repeat("x", i%97)+string(rune(i))))
		for _, b := range got {
			counts[b]++
		}
	}
	for b, c := range counts {
		if math.Abs(float64(c)-10000*4./19) > 5*math.Sqrt(10000*4./19) {
			t.Errorf("boundary %d was drawn %d times, others %v", b, c, counts)
		}
	}
}

func TestRetrieveByHand(t *testing.T) {
	refs := []Range{{10, 20}, {30, 40}}
	got := []Passage{{0, Range{5, 15}}, {0, Range{10, 20}}, {1, Range{10, 20}}}
	// 10 of 20 characters are found and 30 were retrieved. In IoU, the 10 missing
	// characters are added to these.
	if r := Retrieve(0, refs, got); r != (Retrieval{Recall: .5, Precision: 1. / 3, IoU: .25}) {
		t.Errorf("%+v", r)
	}
	// The union of the two chunks has 15 characters, and the excerpt outside all chunks 10.
	if o := Omega(0, refs, got); o != 10./25 {
		t.Errorf("%v", o)
	}
	// A chunk that only touches an excerpt counts in Omega.
	if o := Omega(0, refs[:1], []Passage{{0, Range{10, 20}}, {0, Range{20, 30}}, {0, Range{31, 60}}}); o != .5 {
		t.Errorf("%v", o)
	}
	exact := []Passage{{0, refs[0]}, {0, refs[1]}}
	if r := Retrieve(0, refs, exact); r != (Retrieval{Recall: 1, Precision: 1, IoU: 1}) || Omega(0, refs, exact) != 1 {
		t.Errorf("%+v", r)
	}
	for _, nothing := range [][]Passage{nil, {{1, Range{10, 20}}}, {{0, Range{0, 0}}}} {
		if r := Retrieve(0, refs, nothing); r != (Retrieval{}) || Omega(0, refs, nothing) != 0 {
			t.Errorf("%v: %+v", nothing, r)
		}
	}
}

func TestPaired(t *testing.T) {
	// The differences are 1, 2, 3, with mean 2 and sample deviation 1.
	d, err := Paired([]float64{2, 4, 6}, []float64{1, 2, 3})
	if err != nil || d.Mean != 2 || math.Abs(d.Error-1/math.Sqrt(3)) > 1e-15 || d.N != 3 || !d.Sure() {
		t.Errorf("%+v %v", d, err)
	}
	if d, _ := Paired([]float64{1}, []float64{0}); !math.IsNaN(d.Error) || d.Sure() {
		t.Errorf("one document: %+v", d)
	}
	if d, _ := Paired(nil, nil); d.Mean != 0 || !math.IsNaN(d.Error) {
		t.Errorf("no document: %+v", d)
	}
	if d, _ := Paired([]float64{1, 2}, []float64{1, 2}); d.Mean != 0 || d.Error != 0 || d.Sure() {
		t.Errorf("a method and itself: %+v", d)
	}
	if _, err := Paired([]float64{1}, nil); err == nil {
		t.Error("no error for scores of different documents")
	}
}

func TestStatisticsOfUglyValues(t *testing.T) {
	if Mean(nil) != 0 || Deviation(nil) != 0 || !math.IsNaN(Mean([]float64{1, math.Inf(1)})) || !math.IsNaN(Deviation([]float64{math.NaN()})) {
		t.Error("of nothing 0, of what is not finite NaN")
	}
	if m := Mean([]float64{1e300, 1, -1e300}); m != 1./3 {
		t.Errorf("the sum is not exact: %v", m)
	}
	if x := Round(math.Inf(-1), 2); !math.IsInf(x, -1) {
		t.Errorf("%v", x)
	}
}

func TestSummaries(t *testing.T) {
	scores := []Segmentation{{2, 2, .5, .5, 0, 0}, {4, 2, 0, 0, 1, 1}, {2, 3, .1, .2, .5, 1}}
	rows := SummariseSets(scores, []string{"b", "a", "b"})
	want := []SegmentationRow{{"b", 2, 2, 2.5, .3, .35, .25, .5}, {"a", 1, 4, 2, 0, 0, 1, 1},
		{AllDocuments, 3, 2.6667, 2.3333, .2, .2333, .5, .6667}, {MeanOfSets, 3, 3, 2.25, .15, .175, .625, .75}}
	if !slices.Equal(rows, want) {
		t.Errorf("%+v\n%+v", rows, want)
	}
	if SummariseSets(nil, nil) != nil {
		t.Error("rows of nothing")
	}
	texts := SummariseTexts([]Retrieval{{1, .5, .5, .25}, {0, 0, 0, .25}}, []int{0, 1}, []string{"x", "y"}, []Passage{{0, Range{0, 9}}, {0, Range{9, 10}}, {1, Range{0, 4}}})
	if len(texts) != 3 || texts[0] != (RetrievalRow{"all", 2, 3, 4.7, .5, .5, .25, .25, .25, .25, .25, 0}) || texts[1].Chunks != 2 || texts[2].Recall != 0 {
		t.Errorf("%+v", texts)
	}
}

func TestSeparated(t *testing.T) {
	in := "==========\nOne is here. Two is here.\r\n============\r\nThree is here.\n=========\nFour == four.\n==========\n==========\n\n  Five.  \n==========\n"
	plain, ref := Separated(in, false)
	if plain != "One is here. Two is here.\r\nThree is here.\n=========\nFour == four.\n\n  Five.  \n" {
		t.Errorf("%q", plain)
	}
	if n := len(ref.Sentences); !slices.Equal(ref.Boundaries, []int{1, n - 2}) || ref.Sentences[n-1].Of(plain) != "Five." {
		t.Errorf("%v %v", ref.Sentences, ref.Boundaries)
	}
	if err := (Reference{ID: "x", File: "x", Sentences: ref.Sentences, Boundaries: ref.Boundaries}).check(); err != nil {
		t.Error(err)
	}
	_, ref = Separated(in, true)
	if !slices.Equal(ref.Boundaries, []int{0, 3}) || len(ref.Sentences) != 5 || ref.Sentences[4].Of(plain) != "Five." {
		t.Errorf("lines: %v %v", ref.Sentences, ref.Boundaries)
	}
}

func TestReadReferencesRefuses(t *testing.T) {
	for in, want := range map[string]string{
		`[]`:          `this is not {"docs"`,
		`{"docs":[]}`: "lists no documents",
		`{"docs":[{"id":"a","set":"s","file":"f","sentences":[],"boundaries":[]}]}`:                                                `document 1, "a": id, file and sentences are needed`,
		`{"docs":[{"id":"a","set":"s","file":"f","sentences":[[0,5],[4,9]],"boundaries":[]}]}`:                                     "sentence 1, bytes 4 to 9, does not follow",
		`{"docs":[{"id":"a","set":"s","file":"f","sentences":[[0,5],[6,9]],"boundaries":[1]}]}`:                                    "boundary 1 is not between two of 2 sentences",
		`{"docs":[{"id":"a","set":"s","file":"f","sentences":[[0,5]],"boundaries":[]},{"id":"a","file":"f","sentences":[[0,5]]}]}`: "listed twice",
	} {
		if _, err := ReadReferences([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v instead of %q", in, err, want)
		}
	}
	refs, err := ReadReferences([]byte(`{"format":1,"docs":[{"id":"a","set":"s","file":"f","sentences":[[0,5],[6,9]],"boundaries":[0]}]}`))
	if err != nil || refs[0].Sentences[1] != (text.Span{Start: 6, End: 9}) || refs[0].Fits("123456789") != nil || refs[0].Fits("12345678") == nil {
		t.Errorf("%+v %v", refs, err)
	}
}

func TestQuestions(t *testing.T) {
	const own = `{"question":"Where?","file":"a.txt","excerpts":["in  the\nÄther"]}`
	const theirs = `{"id":"c-1","corpus":"c","question":"What?","references":[{"text":"Äther","char_start":7,"char_end":12}]}`
	for _, in := range []string{own + "\n" + theirs, "[" + own + "," + theirs + "]"} {
		q, err := ReadQuestions([]byte(in), "")
		if err != nil || len(q) != 2 || q[0].ID != "1" || q[0].Text != "a.txt" || q[1].ID != "c-1" || q[1].File != "corpora/c.md" {
			t.Fatalf("%+v %v", q, err)
		}
		c := NewRuneIndex("in the Äther, twice: in\n the Äther.")
		if r, err := c.Locate(q[0]); err != nil || r[0] != (Range{0, 12}) {
			t.Errorf("%v %v", r, err)
		}
		if r, err := c.Locate(q[1]); err != nil || r[0] != (Range{7, 12}) {
			t.Errorf("%v %v", r, err)
		}
		c = NewRuneIndex("on the Aether")
		if _, err := c.Locate(q[0]); err == nil || !strings.Contains(err.Error(), `question 1: the excerpt "in  the\nÄther" is not in a.txt`) {
			t.Error(err)
		}
		if _, err := c.Locate(q[1]); err == nil || !strings.Contains(err.Error(), `question c-1: characters 7 to 12 of c are not "Äther"`) {
			t.Error(err)
		}
	}
	for in, want := range map[string]string{
		"":                                  "no questions found",
		"[]":                                "no questions found",
		"hm":                                "after question 0",
		"{}":                                "question 1: a question is",
		own + `{"question":" ","file":"f"}`: "question 2: a question is",
		`{"question":"x","excerpts":["a"]}`: "question 1: a question is",
		`{"question":"x","file":"f","excerpts":["a"],"corpus":"c"}`:                             "question 1: a question is",
		`{"question":"x","corpus":"c","references":[{"text":"a","char_start":4,"char_end":4}]}`: "reference 1: char_start",
		`[{"question":"x","file":"f","excerpts":["a"]},{"question":3}]`:                         "after question 0",
	} {
		if _, err := ReadQuestions([]byte(in), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v instead of %q", in, err, want)
		}
	}
}

func TestQuestionsWithoutExcerpts(t *testing.T) {
	q, err := ReadQuestions([]byte(`[{"question":"Who?","has_answer":false,"ideal_answer":"Nobody says."},{"question":"Where?","has_answer":true,"excerpts":["here"]}]`), "a.txt")
	if err != nil || len(q) != 2 || q[0].File != "a.txt" || q[0].Excerpts != nil || q[0].Ideal != "Nobody says." || !q[0].Unanswerable || len(q[1].Excerpts) != 1 || q[1].Unanswerable {
		t.Errorf("%+v %v", q, err)
	}
	for in, unanswerable := range map[string]bool{
		`{"question":"Why?","ideal_answer":"So.","has_answer":true,"reasoning":"x"}`: false,
		`{"question":"Who?"}`:                    false,
		`{"question":"Who?","has_answer":false}`: true,
	} {
		if q, err := ReadQuestions([]byte(in), ""); err != nil || q[0].Unanswerable != unanswerable || q[0].Excerpts != nil || q[0].File != "" {
			t.Errorf("%s: %+v %v", in, q, err)
		}
	}
	for _, in := range []string{`{"has_answer":false}`, `{"question":"Who?","has_answer":false,"excerpts":[],"corpus":"c"}`} {
		if q, err := ReadQuestions([]byte(in), "a.txt"); err == nil {
			t.Errorf("%s: %+v", in, q)
		}
	}
}

func TestQuestionsOfATable(t *testing.T) {
	for name, in := range map[string]string{
		"commas":       "id,Question , excerpt,ideal_answer\n7,\"Where, and when?\",\"in \"\"the\"\"\nÄther\",There\n,,at noon\n,Who?,\n\n",
		"semicolons":   "\ufeffid;question;excerpt;ideal_answer\r\n7;Where, and when?;\"in \"\"the\"\"\nÄther\";There\r\n;;at noon\r\n;Who?\r\n",
		"Windows-1252": "id;question;excerpt;ideal_answer\r\n7;Where, and when?;\"in \"\"the\"\"\n\xc4ther\";There\r\n;;at noon\r\n;Who?\r\n",
	} {
		q, err := ReadQuestionsCSV([]byte(in), "a.txt")
		if err != nil || len(q) != 2 || q[0].ID != "7" || q[0].Question != "Where, and when?" || q[0].Ideal != "There" || q[0].File != "a.txt" || len(q[0].Excerpts) != 2 ||
			q[0].Excerpts[0].Text != "in \"the\"\nÄther" || q[0].Excerpts[1].Text != "at noon" || q[1].Question != "Who?" || q[1].ID != "2" || q[1].Excerpts != nil || !q[1].Unanswerable || q[0].Unanswerable {
			t.Errorf("%s: %+v %v", name, q, err)
		}
	}
	q, err := ReadQuestionsCSV([]byte("question,ideal_answer,has_answer,made\nWho?,A miller.,,model:m\nWhen?,,FALSE\nWhy?,So.,True\n"), "")
	if err != nil || len(q) != 3 || q[0].Ideal != "A miller." || q[0].Made != "model:m" || q[0].Unanswerable || !q[1].Unanswerable || q[2].Unanswerable {
		t.Errorf("%+v %v", q, err)
	}
	if q, err := ReadQuestionsCSV([]byte("question,excerpt,has_answer\nWho?,,true\nWho?,,\n"), ""); err != nil || q[0].Unanswerable || !q[1].Unanswerable {
		t.Errorf("%+v %v", q, err)
	}
	for in, want := range map[string]string{
		"":                                "needs a header row",
		"question,answer\nWho?,He":        "needs a header row",
		"a,b\nc,d":                        "needs a header row",
		"question,excerpt\n":              "no questions found",
		"question,excerpt\n,lost":         "row 2 has an excerpt",
		"question,excerpt\n\"open":        "a table of questions",
		"question,excerpt,file\nWho?,it,": "question 1",
	} {
		if q, err := ReadQuestionsCSV([]byte(in), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v instead of %q", in, q, err, want)
		}
	}
}

func TestCharacters(t *testing.T) {
	const s = "aÄ日\xff𝄞b"
	c := NewRuneIndex(s)
	if c.Len() != 6 {
		t.Errorf("%d characters", c.Len())
	}
	for _, x := range []struct {
		bytes text.Span
		want  Range
		ok    bool
	}{{text.Span{Start: 0, End: len(s)}, Range{0, 6}, true}, {text.Span{Start: 1, End: 6}, Range{1, 3}, true}, {text.Span{Start: 2, End: 6}, Range{}, false},
		{text.Span{Start: 1, End: 2}, Range{}, false}, {text.Span{Start: 3, End: 1}, Range{}, false}, {text.Span{Start: 0, End: 99}, Range{}, false}} {
		got, err := c.Range(x.bytes)
		if got != x.want || (err == nil) != x.ok {
			t.Errorf("%v: %v %v", x.bytes, got, err)
		}
		if back, _ := c.Of(got); err == nil && back != x.bytes.Of(s) {
			t.Errorf("%v: %q", x.bytes, back)
		}
	}
	if _, ok := c.Of(Range{5, 7}); ok {
		t.Error("more characters than there are")
	}
}
