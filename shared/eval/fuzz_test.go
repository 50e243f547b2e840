package eval

import (
	"slices"
	"testing"
	"unicode/utf8"

	"seam/shared/text"
)

// numbers converts bytes to small whole numbers, some of them negative.
func numbers(b []byte) []int {
	out := make([]int, len(b))
	for i, x := range b {
		out[i] = int(x) - 3
	}
	return out
}

func within(x float64) bool { return x >= 0 && x <= 1 }

func FuzzSegment(f *testing.F) {
	f.Add(0, []byte{}, []byte{})
	f.Add(1, []byte{3}, []byte{})
	f.Add(2, []byte{3, 3, 0, 250}, []byte{9, 2})
	f.Add(-5, []byte{1}, []byte{4, 3})
	f.Fuzz(func(t *testing.T, n int, ref, found []byte) {
		n %= 300
		r, h := numbers(ref), numbers(found)
		s := Segment(n, r, h)
		if !within(s.Pk) || !within(s.WindowDiff) || !within(s.F1) || !within(s.F1Near) || s.Pk > s.WindowDiff || s.F1 > s.F1Near {
			t.Errorf("n %d, %v, %v: %+v", n, r, h, s)
		}
		if same := Segment(n, r, r); same.Pk != 0 || same.WindowDiff != 0 || same.F1 != 1 || same.F1Near != 1 {
			t.Errorf("n %d, %v: %+v", n, r, same)
		}
		for _, name := range Baselines {
			b, err := Baseline(name, n, len(r), uint64(n))
			if err != nil || len(b) > max(0, n-1) {
				t.Errorf("%s of %d: %v %v", name, n, b, err)
			}
		}
	})
}

func FuzzBounds(f *testing.F) {
	f.Add([]byte{}, []byte{5})
	f.Add([]byte{3, 8, 9, 20}, []byte{3, 4, 9, 200, 0})
	f.Add([]byte{20, 3, 3, 3}, []byte{9, 7})
	f.Fuzz(func(t *testing.T, edges, starts []byte) {
		n := numbers(edges)
		var sentences []text.Span
		for i := 0; i+1 < len(n); i += 2 {
			sentences = append(sentences, text.Span{Start: n[i], End: n[i+1]})
		}
		got := Bounds(sentences, numbers(starts))
		if !slices.Equal(got, distinct(got)) || len(got) > 0 && (got[0] < 0 || got[len(got)-1] > len(sentences)-2) {
			t.Errorf("%v in %v: %v", starts, sentences, got)
		}
	})
}

func FuzzRetrieve(f *testing.F) {
	f.Add([]byte{}, []byte{})
	f.Add([]byte{10, 10, 15, 10}, []byte{10, 10, 20, 5, 0, 0})
	f.Add([]byte{50, 175, 50, 227}, []byte{126, 97}) // overlapping excerpts: IoU exceeds recall
	f.Fuzz(func(t *testing.T, refs, chunks []byte) {
		var r []Range
		for i := 0; i+1 < len(refs); i += 2 {
			r = append(r, Range{int(refs[i]), int(refs[i]) + int(refs[i+1])})
		}
		var c []Passage
		for i := 0; i+1 < len(chunks); i += 2 {
			c = append(c, Passage{int(chunks[i] & 1), Range{int(chunks[i] / 2), int(chunks[i]/2) + int(chunks[i+1])}})
		}
		kept := slices.Clone(r)
		s := Retrieve(0, r, c)
		s.Omega = Omega(0, r, c)
		if !within(s.Recall) || !within(s.Precision) || !within(s.IoU) || !within(s.Omega) || s.IoU > s.Precision {
			t.Errorf("%v in %v: %+v", r, c, s)
		}
		if !slices.Equal(r, kept) {
			t.Errorf("the excerpts were changed: %v", r)
		}
	})
}

func FuzzFind(f *testing.F) {
	f.Add("a b  c", "b c")
	f.Add(" \u00a0x", "x")
	f.Add("Ä\nÄ", "Ä Ä")
	f.Add("\xffa", "\xff")
	f.Fuzz(func(t *testing.T, in, excerpt string) {
		c := NewRuneIndex(in)
		r, ok := c.Find(excerpt)
		if !ok {
			return
		}
		got, ok := c.Of(r)
		plain, _ := single(got)
		wanted, _ := single(excerpt)
		if !ok || utf8.ValidString(in) && utf8.ValidString(excerpt) && plain != trim(wanted) {
			t.Errorf("%q in %q: %v %q", excerpt, in, r, got)
		}
	})
}

// trim removes one space from each end.
func trim(s string) string {
	if len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	if len(s) > 0 && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}

func FuzzRead(f *testing.F) {
	f.Add(`{"docs":[{"id":"a","set":"s","file":"f","sentences":[[0,5],[6,9]],"boundaries":[0]}]}`)
	f.Add(`{"question":"x","file":"f","excerpts":["a"]}`)
	f.Add("question,excerpt\nx,a\n,b")
	f.Add("One.\n==========\nTwo.")
	f.Fuzz(func(t *testing.T, in string) {
		refs, _ := ReadReferences([]byte(in))
		questions, _ := ReadQuestions([]byte(in), "")
		rows, _ := ReadQuestionsCSV([]byte(in), "f")
		for _, q := range append(questions, rows...) {
			NewRuneIndex(in).Locate(q)
		}
		for _, lines := range []bool{false, true} {
			plain, ref := Separated(in, lines)
			ref.ID, ref.File = "x", "x"
			refs = append(refs, ref)
			if len(ref.Sentences) > 0 && ref.Fits(plain) != nil {
				t.Errorf("%q: %v", in, ref)
			}
		}
		for _, r := range refs {
			if len(r.Sentences) > 0 && r.check() != nil {
				t.Errorf("%q: %v", in, r.check())
			}
		}
	})
}

func FuzzRank(f *testing.F) {
	f.Add("a b", "b c", "b", 5)
	f.Fuzz(func(t *testing.T, a, b, query string, n int) {
		n %= 10
		got := NewRanker([]string{a, b, a, ""}).Top(query, n)
		sorted := distinct(got)
		if len(got) != min(max(n, 0), 4) || len(sorted) != len(got) {
			t.Errorf("%q %q %q: %v", a, b, query, got)
		}
		if one, two := slices.Index(got, 0), slices.Index(got, 2); two >= 0 && (one < 0 || one > two) {
			t.Errorf("of two equal texts the later comes first: %v", got)
		}
	})
}
