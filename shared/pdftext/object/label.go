package object

import (
	"slices"
	"strconv"
	"strings"
)

// Limits of the trees in catalogs, and of labels.
const (
	maxNodes = 1 << 16
	maxLabel = 64 // bytes
)

// PageLabels returns the labels of the first n pages (ISO 32000-1, 12.4.2), with "" for a
// page without one. It returns nil for a file without page labels.
func (f *File) PageLabels(n int) (labels []string) {
	defer func() {
		if recover() != nil { // a damaged tree
			labels = nil
		}
	}()
	root, err := f.table.Catalog()
	if err != nil || root["PageLabels"] == nil {
		return nil
	}
	type labelRange struct {
		from int
		Dict
	}
	var ranges []labelRange
	f.leaves(root["PageLabels"], "Nums", func(key, value Object) {
		if from := f.Int(key); from >= 0 && from < n {
			ranges = append(ranges, labelRange{from, f.Dict(value)})
		}
	})
	if len(ranges) == 0 {
		return nil
	}
	slices.SortStableFunc(ranges, func(a, b labelRange) int { return a.from - b.from })
	labels = make([]string, n)
	for i, r := range ranges {
		end := n
		if i+1 < len(ranges) {
			end = ranges[i+1].from
		}
		start := max(1, f.Int(r.Dict["St"]))
		prefix, style := oneText(f.Text(r.Dict["P"])), f.Name(r.Dict["S"])
		for p := r.from; p < end; p++ {
			if s := prefix + numeral(style, start+p-r.from); len(s) <= maxLabel {
				labels[p] = s
			}
		}
	}
	return labels
}

// leaves calls visit for the pairs of a name tree or a number tree. key is the entry of the
// leaves that holds the pairs.
func (f *File) leaves(tree Object, key string, visit func(key, value Object)) {
	seen := map[Ref]bool{}
	left := maxNodes
	var walk func(o Object, depth int)
	walk = func(o Object, depth int) {
		if ref, ok := o.(Ref); ok {
			if seen[ref] {
				return
			}
			seen[ref] = true
		}
		if left--; left < 0 || depth > maxTreeDepth {
			return
		}
		d := f.Dict(o)
		pairs := f.Array(d[key])
		for i := 0; i+1 < len(pairs) && left > 0; i += 2 {
			visit(pairs[i], pairs[i+1])
			left--
		}
		for _, kid := range f.Array(d["Kids"]) {
			walk(kid, depth+1)
		}
	}
	walk(tree, 0)
}

// numeral writes n, from 1, in a style of page labels. It returns "" for any other style,
// and for a number too large for the style.
func numeral(style string, n int) string {
	switch style {
	case "D":
		return strconv.Itoa(n)
	case "R":
		return roman(n)
	case "r":
		return strings.ToLower(roman(n))
	case "A":
		return letters('A', n)
	case "a":
		return letters('a', n)
	}
	return ""
}

// letters returns A to Z, AA to ZZ, and so on.
func letters(first byte, n int) string {
	if n > 26*maxLabel {
		return ""
	}
	return strings.Repeat(string(first+byte((n-1)%26)), (n-1)/26+1)
}

func roman(n int) string {
	if n >= 4000 {
		return ""
	}
	var sb strings.Builder
	values := [...]int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1}
	signs := [...]string{"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"}
	for i, v := range values {
		for ; n >= v; n -= v {
			sb.WriteString(signs[i])
		}
	}
	return sb.String()
}
