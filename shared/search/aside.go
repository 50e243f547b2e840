package search

import (
	"cmp"
	"slices"
	"strings"

	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// asideOf returns the words that occur outside the chunks. words are words that no chunk has.
func (s *Searcher) asideOf(words []string) (out []Aside) {
	if len(words) == 0 {
		return nil
	}
	if s.aside == nil {
		s.aside = make([]map[string]bool, len(s.results))
		for i, r := range s.results {
			s.aside[i] = outside(r)
		}
	}
	for _, word := range words {
		found := Aside{Word: word}
		forms := index.Words(word)
		for i, has := range s.aside {
			if all(forms, has) {
				found.Sources = append(found.Sources, i)
			}
		}
		if len(found.Sources) > 0 {
			out = append(out, found)
		}
	}
	return out
}

// all reports whether there are forms, and has contains all of them.
func all(forms []index.Word, has map[string]bool) bool {
	for _, f := range forms {
		if !has[f.Form] {
			return false
		}
	}
	return len(forms) > 0
}

// outside returns the forms of the words of a result's document that are in no chunk: on its
// pages but not in the view, or in the view between two chunks.
func outside(r *pipeline.Result) map[string]bool {
	has := map[string]bool{}
	add := func(t string) {
		if t = strings.TrimSpace(t); t != "" {
			for _, w := range index.Words(t) {
				has[w.Form] = true
			}
		}
	}
	runs := slices.SortedFunc(slices.Values(r.Text.Runs), func(a, b text.Run) int {
		return cmp.Or(a.Page-b.Page, a.From-b.From)
	})
	for i, p := range r.Document.Pages {
		at := 0
		for len(runs) > 0 && runs[0].Page == i {
			if runs[0].From > at {
				add(p.Text[at:runs[0].From])
			}
			at = max(at, runs[0].From+runs[0].Len)
			runs = runs[1:]
		}
		add(p.Text[at:])
	}
	at := 0
	for _, c := range r.Chunks {
		if c.Start > at {
			add(r.Text.Text[at:c.Start])
		}
		at = max(at, c.End)
	}
	add(r.Text.Text[at:])
	return has
}
