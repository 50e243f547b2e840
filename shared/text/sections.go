package text

// EndSections sets the ends of sections, which are in order of their starts. A section ends
// where the next one of the same or a higher level begins, otherwise at size.
func EndSections(list []Section, size int) []Section {
	var open []int // sections that may contain the next one, outermost first
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
