package topic

import (
	"container/heap"
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// section is a heading and a number of sentences of 100 characters.
type section struct{ level, sentences int }

// manual returns a text of sections, and the gaps before their headings.
func manual(sections ...section) (in Input, heads []int) {
	for i, s := range sections {
		for k := range s.sentences + 1 {
			switch {
			case len(in.Sentences) == 0:
			case k == 0:
				heads = append(heads, len(in.Layout))
				in.Layout = append(in.Layout, Gap{Heading: s.level})
			default:
				in.Layout = append(in.Layout, Gap{Inside: k == 1})
			}
			in.Sentences = append(in.Sentences, fmt.Sprintf("%-99s", fmt.Sprintf("Sentence %d of section %d.", k, i)))
		}
	}
	return in, heads
}

func TestShortSectionsAreJoined(t *testing.T) {
	for name, tt := range map[string]struct {
		sections []section
		want     string
	}{
		"siblings first":             {[]section{{1, 2}, {2, 3}, {2, 3}, {2, 3}, {2, 3}, {1, 8}}, "0 1 2|3 4|5"},
		"then their parent":          {[]section{{1, 8}, {1, 3}, {2, 3}, {1, 8}}, "0|1 2|3"},
		"then a neighbour":           {[]section{{1, 8}, {1, 2}, {1, 20}}, "0 1|2"},
		"long ones stay":             {[]section{{1, 8}, {2, 9}, {2, 10}, {1, 9}}, "0|1|2|3"},
		"a parent with its children": {[]section{{1, 10}, {1, 1}, {2, 2}, {2, 2}, {2, 2}, {1, 10}}, "0|1 2 3 4|5"},
		"none of a use":              {[]section{{1, 30}, {1, 2}, {1, 30}}, "0|1|2"},
		"deeper ones first":          {[]section{{1, 5}, {2, 8}, {3, 3}, {3, 5}, {2, 9}}, "0 1|2 3|4"},
	} {
		in, heads := manual(tt.sections...)
		var cuts []int
		for _, h := range heads {
			cuts = append(cuts, h+1)
		}
		cuts = headed(&in).join(cuts, nil, Target)
		got := "0"
		for i, h := range heads {
			if _, cut := slices.BinarySearch(cuts, h+1); cut {
				got += "|"
			} else {
				got += " "
			}
			got += fmt.Sprint(i + 1)
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// For any sections: at the default granularity and coarser ones, no part that a neighbour
// could absorb is shorter than the target. A coarser granularity adds no boundary.
func TestPartsAreOfTheTarget(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	for range 50 {
		var sections []section
		for range 3 + r.Intn(40) {
			sections = append(sections, section{1 + r.Intn(4), r.Intn(12)})
		}
		in, heads := manual(sections...)
		before := make([]float64, len(in.Layout))
		for i := range before {
			before[i] = float64(r.Intn(13)-6) / 2
			if slices.Contains(heads, i) {
				before[i] = 3
			}
		}
		s := headed(&in)
		after := slices.Clone(before)
		s.strengths(after)
		for i := range after {
			if after[i] > before[i] {
				t.Fatalf("gap %d has %g, and had %g", i, after[i], before[i])
			}
		}
		for level := range levels + 1 {
			ends := append(append([]int{-1}, (&Topics{after}).Boundaries(granularity(level))...), len(in.Layout))
			target := granularity(level) * Target
			for i := 2; i < len(ends); i++ {
				left, right := s.before[ends[i-1]+1]-s.before[ends[i-2]+1], s.before[ends[i]+1]-s.before[ends[i-1]+1]
				if min(left, right) < target && left+right <= mostJoined*target {
					t.Errorf("target %g: parts of %g and %g beside each other", target, left, right)
				}
			}
		}
	}
}

// Only topics divide a text without headings. Three short paragraphs about three subjects
// are three topics.
func TestWithoutHeadingsNothingIsJoined(t *testing.T) {
	in := text(1, 0.8, 5, 5, 5, 5)
	plain := find(t, in).Curve
	in.Layout = make([]Gap, len(in.Sentences)-1)
	if got := find(t, in).Curve; !slices.Equal(got, plain) {
		t.Errorf("%v, want %v", got, plain)
	}
}

func TestLength(t *testing.T) {
	for text, want := range map[string]float64{"": 0, "twenty letters here.": 4, "東京は日本の首都です": 10, "ภาษาไทยครับ": 2.2, "자전거가": 1.6, "два слова ": 2} {
		if got := Length(text); got != want {
			t.Errorf("%q has %g, want %g", text, got, want)
		}
	}
}

// held is meetings as a container/heap.
type held struct{ meetings }

func (h held) Len() int           { return len(h.meetings) }
func (h held) Less(i, j int) bool { return h.meetings[i].before(&h.meetings[j]) }
func (h held) Swap(i, j int)      { h.meetings[i], h.meetings[j] = h.meetings[j], h.meetings[i] }
func (h *held) Push(x any)        { h.meetings = append(h.meetings, x.(meeting)) }
func (h *held) Pop() any {
	last := h.meetings[len(h.meetings)-1]
	h.meetings = h.meetings[:len(h.meetings)-1]
	return last
}

// Meetings must come in the order of container/heap, including equal ones.
func TestMeetingsAreAHeap(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 200 {
		var m meetings
		var h held
		for i := range 60 {
			if len(m) > 0 && r.Intn(3) == 0 {
				if got, want := m.pop(), heap.Pop(&h).(meeting); got != want {
					t.Fatalf("%+v comes, want %+v", got, want)
				}
				continue
			}
			x := meeting{seam: seam{level: r.Intn(3), begin: r.Intn(2) == 0}, length: float64(r.Intn(3)), left: i, right: i + 1, from: r.Intn(3)}
			m.push(x)
			heap.Push(&h, x)
		}
		for len(m) > 0 {
			if got, want := m.pop(), heap.Pop(&h).(meeting); got != want {
				t.Fatalf("%+v comes, want %+v", got, want)
			}
		}
	}
}
