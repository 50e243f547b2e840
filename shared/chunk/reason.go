package chunk

import (
	"fmt"
	"math"
	"strconv"

	"seam/shared/breakpoint"
)

// Kind names the cause of a chunk's end.
type Kind string

// The kinds of reasons. A kind that comes from a curve has the curve's name.
const (
	ReasonEnd        Kind = "end"        // the text ends
	ReasonDistance   Kind = "distance"   // the distance is above the threshold
	ReasonGradient   Kind = "gradient"   // the gradient of the distances is above the threshold
	ReasonSimilarity Kind = "similarity" // the similarity is below the threshold
	ReasonStrength   Kind = "strength"   // a topic ends; Value is the strength of its boundary
	ReasonTopic      Kind = "topic"      // a topic ends that exists only because a number of chunks was asked for
	ReasonLargest    Kind = "largest"    // the distance is one of the Of largest
	ReasonCluster    Kind = "cluster"
	ReasonHeading    Kind = "heading" // a heading begins; Name is its title
	ReasonPage       Kind = "page"    // a page begins
	ReasonParagraph  Kind = "paragraph"
	ReasonLine       Kind = "line"
	ReasonSentence   Kind = "sentence"
	ReasonClause     Kind = "clause"
	ReasonWord       Kind = "word"
	ReasonMax        Kind = "max"    // only the maximum needs it, and nothing else begins there
	ReasonSize       Kind = "size"   // the size is reached, regardless of content
	ReasonManual     Kind = "manual" // see package edit
)

// Kinds lists all kinds in a fixed order that programs may rely on.
func Kinds() []Kind {
	return []Kind{ReasonEnd, ReasonDistance, ReasonGradient, ReasonSimilarity, ReasonStrength, ReasonTopic, ReasonLargest, ReasonCluster, ReasonHeading,
		ReasonPage, ReasonParagraph, ReasonLine, ReasonSentence, ReasonClause, ReasonWord, ReasonMax, ReasonSize, ReasonManual}
}

// Reason is the reason a chunk ends. Fields that do not apply to a kind are zero.
type Reason struct {
	Kind      Kind    `json:"kind"`
	Value     float64 `json:"value,omitempty"`     // on the curve
	Threshold float64 `json:"threshold,omitempty"` // on the curve
	Of        int     `json:"of,omitempty"`        // for ReasonLargest: how many boundaries were chosen
	Name      string  `json:"name,omitempty"`      // name of the part that begins after the boundary
	// For is ForMax if the boundary would not be there without the maximum. The other
	// fields then describe its place. Value then need not pass the threshold.
	For string `json:"for,omitempty"`
}

// ForMax is the value of Reason.For for boundaries that the maximum needs.
const ForMax = "max"

// Needed returns the reason for a boundary that would be gone without the maximum.
func (r Reason) Needed() Reason {
	if r.Kind != ReasonMax {
		r.For = ForMax
	}
	return r
}

// String returns the reason in the words of the page, such as "distance 0.41, line at 0.33".
// The two numbers have at least two digits, and as many as they need to differ. A value that
// did not pass the threshold comes with the limit: "distance 0.21, needed for the maximum".
func (r Reason) String() string {
	if r.For == "" {
		return r.words()
	}
	const needed = ", needed for the maximum"
	switch r.Kind {
	case ReasonDistance, ReasonLargest:
		return fmt.Sprintf("distance %.2f", r.Value) + needed
	case ReasonGradient:
		return fmt.Sprintf("rise %.2f", r.Value) + needed
	case ReasonSimilarity:
		return fmt.Sprintf("similarity %.2f", r.Value) + needed
	case ReasonStrength:
		return r.words() + needed
	}
	return r.words()
}

// words is String without For.
func (r Reason) words() string {
	switch r.Kind {
	case ReasonDistance:
		return compared("distance", r.Value, r.Threshold)
	case ReasonGradient:
		return compared("rise", r.Value, r.Threshold)
	case ReasonSimilarity:
		return compared("similarity", r.Value, r.Threshold)
	case ReasonStrength:
		return fmt.Sprintf("topic %.2g", math.Exp2(r.Value))
	case ReasonLargest:
		if r.Of > 1 {
			return fmt.Sprintf("distance %.2f, one of the %d largest", r.Value, r.Of)
		}
		return fmt.Sprintf("distance %.2f, the largest", r.Value)
	case ReasonMax:
		return "max tokens"
	}
	return string(r.Kind)
}

func compared(what string, a, b float64) string {
	for digits := 2; ; digits++ {
		x, y := strconv.FormatFloat(a, 'f', digits, 64), strconv.FormatFloat(b, 'f', digits, 64)
		if x != y || digits == 17 {
			return what + " " + x + ", line at " + y
		}
	}
}

// kindOf returns the kind of a reason that comes from a curve.
func kindOf(c breakpoint.Curve) Kind {
	switch c {
	case breakpoint.Similarity:
		return ReasonSimilarity
	case breakpoint.Gradient:
		return ReasonGradient
	}
	return ReasonDistance
}
