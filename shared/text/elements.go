package text

import "errors"

// ElementKind is what an Element is. The numbers are kept with documents and stay what
// they are.
type ElementKind uint8

// The kinds of elements.
const (
	List        ElementKind = iota + 1 // of items without an order
	OrderedList                        // of items with numbers
	Item                               // of a list, with the mark before it: "• " or "1. ", or another one that a PDF has
	Table
	Row      // of a table; its cells are apart by " | " or, in a PDF, by a tab, and of one without words only that is there
	Cell     // of a row
	HeadCell // of a row, that says what its column or its row is
	Listing  // a text that stays as it is, such as a program
	Quote
	Code // within a line
	Strong
	Emphasis

	lastKind = Emphasis
)

// Element is a part of the reading view that its file sets apart. Elements lie within one
// another or beside one another.
type Element struct {
	Kind ElementKind
	Span // never empty
}

// MostElements is how many elements a text of so many bytes has at most, which no real
// one needs: what is told of a text is no larger than the text.
func MostElements(size int) int { return size + 64 }

// CheckElements refuses more than MostElements, and elements of t of a kind that is not known, in another order than
// that of their starts, the outer one first, or that overlap, are empty, lie outside of
// t or cut a character of it.
func CheckElements(t string, list []Element) error {
	if len(list) > MostElements(len(t)) {
		return errElement
	}
	var around []int // the ends of those that are open
	last := 0
	for _, e := range list {
		if e.Kind == 0 || e.Kind > lastKind || e.Start < last || e.Start >= e.End || e.End > len(t) || Edge(t, e.Start) != e.Start || Edge(t, e.End) != e.End {
			return errElement
		}
		last = e.Start
		for len(around) > 0 && around[len(around)-1] <= e.Start {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && e.End > around[n-1] {
			return errElement
		}
		around = append(around, e.End)
	}
	return nil
}

var errElement = errors.New("an element that is not of this text")
