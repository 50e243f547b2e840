package chunk

import (
	"slices"

	"seam/shared/topic"
)

// namer names boundaries that a method does not choose itself, because only the maximum
// needs them. It looks at the text when it names the first one.
type namer struct {
	in     Input
	kind   Kind        // of a value on curve
	curve  []float64   // one value per gap, or nil
	least  float64     // the lowest value that explains a boundary
	layout []topic.Gap // of in
	ends   int         // line ends that part two paragraphs; 0 if the text has no paragraphs
	code   *code       // of in; nil until it is needed
}

// listings returns the code of the text, which is found once for all cuts of an analysis.
func (n *namer) listings() *code {
	if n == nil {
		return &code{}
	}
	if n.code == nil {
		c := codeOf(n.in, fenced(n.in.View.Text))
		n.code = &c
	}
	return n.code
}

// at returns the reason for a boundary after sentence i: the heading that begins there,
// otherwise the value on the curve, otherwise the paragraph that begins there, otherwise
// the maximum.
func (n *namer) at(i int) Reason {
	s, t := n.in.Sentences, n.in.View.Text
	if n.layout == nil {
		n.layout = Layout(n.in)
		n.ends = paragraphEnds(t, s)
	}
	switch gap := n.layout[i]; {
	case gap.Heading > 0:
		return Reason{Kind: ReasonHeading, Name: titleAt(t, s[i+1].Start), For: ForMax}
	case i < len(n.curve) && n.curve[i] >= n.least:
		return Reason{Kind: n.kind, Value: n.curve[i], For: ForMax}
	case !gap.Inside && n.ends > 0 && lineEnds(t[s[i].End:s[i+1].Start]) >= n.ends:
		return Reason{Kind: ReasonParagraph, For: ForMax}
	}
	return forced
}

// reason returns the reason for a boundary after sentence i: the method's own, if it chose
// the boundary.
func (b *builder) reason(i int) Reason {
	if k, ok := slices.BinarySearchFunc(b.ends, i, func(x boundary, i int) int { return x.after - i }); ok {
		return b.ends[k].reason
	}
	return b.names.at(i)
}
