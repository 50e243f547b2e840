package cmap

import "slices"

// Range maps the keys Lo to Hi to Value, Value+1, …
type Range struct{ Lo, Hi, Value uint32 }

// from returns the part of r starting at lo.
func (r Range) from(lo uint32) Range { return Range{lo, r.Hi, r.Value + lo - r.Lo} }

// Ranges is a list of ranges, sorted by key and without overlap.
type Ranges []Range

// Find returns the value of key.
func (r Ranges) Find(key uint32) (value uint32, ok bool) {
	i, found := slices.BinarySearchFunc(r, key, func(x Range, key uint32) int {
		switch {
		case x.Hi < key:
			return -1
		case x.Lo > key:
			return 1
		}
		return 0
	})
	if !found {
		return 0, false
	}
	return r[i].Value + key - r[i].Lo, true
}

// sorted converts ranges in file order to Ranges. A later range overrides an earlier one.
func sorted(r []Range) Ranges {
	for i := 1; i < len(r); i++ {
		if r[i].Lo <= r[i-1].Hi {
			half := len(r) / 2
			return overlay(sorted(r[:half]), sorted(r[half:]))
		}
	}
	return r
}

// overlay returns over, and under where over has no entry.
func overlay(under, over Ranges) Ranges {
	out := make(Ranges, 0, len(under)+len(over))
	for _, u := range under {
		hidden := false
		for len(over) > 0 && over[0].Lo <= u.Hi && !hidden {
			o := over[0]
			if u.Lo < o.Lo {
				out = append(out, Range{u.Lo, o.Lo - 1, u.Value})
			}
			if hidden = o.Hi >= u.Hi; hidden {
				break // it may hide more
			}
			out, over = append(out, o), over[1:]
			if o.Hi >= u.Lo {
				u = u.from(o.Hi + 1)
			}
		}
		if !hidden {
			out = append(out, u)
		}
	}
	return append(out, over...)
}
