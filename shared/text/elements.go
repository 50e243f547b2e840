package text

import "errors"

// ElementKind is the kind of an Element. The numbers are stored with documents and must not
// change.
type ElementKind uint8

// The kinds of elements.
const (
	List        ElementKind = iota + 1 // with unordered items
	OrderedList                        // with numbered items
	Item                               // of a list, including its mark: "• " or "1. ", or another mark in a PDF
	Table
	Row      // of a table; cells are separated by " | ", or by a tab in a PDF, and a row without words has only these
	Cell     // of a row
	HeadCell // of a row; a header of its column or row
	Listing  // preformatted text, such as a program
	Quote
	Code // within a line
	Strong
	Emphasis
	Image // its description, or its marks with it

	lastKind = Image
)

// kindNames are the names of the kinds.
var kindNames = [...]string{"", "list", "ordered list", "item", "table", "row", "cell", "head cell", "listing", "quote", "code", "strong", "emphasis", "image"}

// String returns the name of a kind, such as "image", or "" for a kind that is unknown.
func (k ElementKind) String() string {
	if k > lastKind {
		return ""
	}
	return kindNames[k]
}

// Element is a part of the reading view with its own markup in the file. Elements are
// nested or disjoint.
type Element struct {
	Kind ElementKind
	Span // never empty
}

// MostElements returns the maximum number of elements in a text of the given size in bytes.
// No real text needs more. It keeps the data about a text no larger than the text.
func MostElements(size int) int { return size + 64 }

// CheckElements returns an error if list has more than MostElements. It also refuses
// elements of an unknown kind, elements out of order (by start, outer first), and elements
// that overlap, are empty, lie outside t or split a character of t.
func CheckElements(t string, list []Element) error {
	if len(list) > MostElements(len(t)) {
		return errElement
	}
	var around []int // ends of the open elements
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

// Listings returns the spans of the document's listings in the reading view, ascending.
func (d *Document) Listings() (spans []Span) {
	for _, e := range d.Elements {
		if e.Kind == Listing {
			spans = append(spans, e.Span)
		}
	}
	return spans
}
