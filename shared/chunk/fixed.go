package chunk

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"seam/shared/breakpoint"
	"seam/shared/text"
	"seam/shared/token"
)

// DefaultSize is the default maximum of the methods fixed and recursive, in units of
// Limits.Counter. It is at most half of the chunk size that retrieval studies find best.
const DefaultSize = 256

// fixed cuts windows of Limits.Max units. Each reaches Overlap units back into the one
// before. It takes no minimum. A short last window is kept, even if it lies entirely in the
// window before it, because Python's slicing in the notebook keeps it.
func fixed() Method {
	return Method{Name: "fixed", Label: "Fixed size", View: text.Content, Max: DefaultSize, Overlap: true, Chunker: direct(windows),
		Help: "Cuts windows of the maximum size, regardless of the content: a baseline for comparisons."}
}

func fixedWords() Words {
	return Words{Group: Size, Words: breakpoint.Words{Good: "a baseline that every other method has to beat.",
		German: breakpoint.German{Label: "Feste Größe",
			Help: "Schneidet Fenster der maximalen Größe, unabhängig vom Inhalt: eine Vergleichsgrundlage.",
			Good: "eine Vergleichsgrundlage, die jedes andere Verfahren übertreffen muss."}}}
}

func windows(in Input, limits Limits) ([]Chunk, error) {
	limits = limits.within(DefaultSize)
	if err := limits.Check(); err != nil {
		return nil, err
	}
	s := slider{t: in.View.Text, limits: limits, finisher: newFinisher(in.View, limits)}
	s.slide()
	for i := s.finished; i < len(s.chunks); i++ {
		s.chunks[i].Reason = Reason{Kind: ReasonEnd}
	}
	s.finishAll()
	return s.chunks, s.err
}

// slider makes the windows of a text.
type slider struct {
	t      string
	limits Limits
	units  []text.Span // starting where the next window begins
	chunks []Chunk

	finisher *finisher
	finished int   // number of finished chunks; the others end where the last one does, which may be the end of the text
	err      error // from the hooks of limits
}

func (s *slider) slide() {
	counter, size, step := s.limits.Counter, s.limits.Max, s.limits.Max-s.limits.Overlap
	if counter == token.Characters || counter == token.Estimate { // these units leave nothing between them
		fit := func(at, n int) int { // a grapheme may have more units than a window
			if k := token.Fit(counter, s.t[at:], n); k > 0 {
				return at + k
			}
			return at + len(graphemes.FromString(s.t[at:]).First())
		}
		for at := 0; at < len(s.t) && s.err == nil; at = fit(at, step) {
			s.add(at, fit(at, size), 0)
		}
		return
	}
	token.Each(counter, s.t, func(unit text.Span) bool {
		// Text between two units goes with the first unit, up to the last white space.
		// Nothing else is lost.
		if n := len(s.units); n == 0 && len(s.chunks) == 0 {
			unit.Start = skipBlank(s.t, 0)
		} else if n > 0 {
			last := &s.units[n-1]
			between := s.t[last.End:unit.Start]
			if i := strings.LastIndexFunc(between, unicode.IsSpace); i >= 0 {
				unit.Start = skipBlank(s.t, last.End+i)
				between = between[:i]
			}
			last.End += trimmed(between, len(between))
		}
		// Only here is the end of the window's last unit final.
		if len(s.units) == size {
			s.window(step)
		}
		s.units = append(s.units, unit)
		return s.err == nil
	})
	if n := len(s.units); n > 0 {
		s.units[n-1].End = max(s.units[n-1].End, trimmed(s.t, len(s.t)))
	}
	for len(s.units) > 0 && s.err == nil {
		s.window(step)
	}
}

// window adds the next window and moves on to the start of the one after it.
func (s *slider) window(step int) {
	k := min(s.limits.Max, len(s.units))
	start := s.units[0].Start
	n := s.count(start, k)
	if n > s.limits.Max {
		start = min(skipBlank(s.t, start), s.units[k-1].End)
		n = s.count(start, k)
	}
	for ; n > s.limits.Max && k > 1; step-- { // a cut word may have more tokens than parts
		k--
		n = s.count(start, k)
	}
	end := s.units[k-1].End
	if n > s.limits.Max { // one character: the marks after it go with the next
		if first := start + len(graphemes.FromString(s.t[start:end]).First()); first < end {
			s.add(start, first, 0)
			if len(s.units) > 1 {
				s.units = s.units[1:]
				end = s.units[0].End
			}
			s.units[0] = text.Span{Start: first, End: end}
			return
		}
	}
	s.add(start, end, n)
	s.units = s.units[min(len(s.units), max(1, step)):]
}

func (s *slider) count(start, k int) int {
	return s.limits.Counter.Count(s.t[min(start, s.units[k-1].End):s.units[k-1].End])
}

func (s *slider) add(start, end, tokens int) {
	if start >= end {
		return
	}
	if n := len(s.chunks); n > 0 && s.chunks[n-1].End < end {
		if s.err = s.limits.report(end, len(s.t)); s.err == nil {
			s.finishAll()
		}
	}
	s.chunks = append(s.chunks, Chunk{Span: text.Span{Start: start, End: end}, Tokens: tokens, Reason: Reason{Kind: ReasonSize}})
}

// finishAll finishes all chunks added so far.
func (s *slider) finishAll() {
	for ; s.finished < len(s.chunks) && s.err == nil; s.finished++ {
		s.err = s.finisher.finish(&s.chunks[s.finished])
	}
}
