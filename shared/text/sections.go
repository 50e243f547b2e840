package text

// EndSections gives sections, which are in the order of their starts, their ends: where the
// next one of the same level or above begins, or else size.
func EndSections(list []Section, size int) []Section {
	var open []int // those that the next one may be in, the outermost first
	end := func(level, at int) {
		for n := len(open); n > 0 && list[open[n-1]].Level >= level; n-- {
			list[open[n-1]].End = at
			open = open[:n-1]
		}
	}
	for i, s := range list {
		end(s.Level, s.Start)
		open = append(open, i)
	}
	end(0, size)
	return list
}
