package search

import (
	"strings"

	"seam/shared/index"
	"seam/shared/pipeline"
)

// asideOf returns the words that occur outside the chunks. words are words that no chunk has.
func (s *Searcher) asideOf(words []string) (out []Aside) {
	if len(words) == 0 {
		return nil
	}
	if s.aside == nil {
		s.aside = make([]map[string]bool, len(s.results))
		for i, r := range s.results {
			if shelf := s.shelved[i]; shelf != nil {
				s.aside[i] = shelf.outside
			} else {
				s.aside[i] = outside(r)
			}
		}
	}
	for _, word := range words {
		found := Aside{Word: word, Hidden: true}
		forms := index.Words(word)
		for i, has := range s.aside {
			if ok, hidden := all(forms, has); ok {
				found.Sources = append(found.Sources, i)
				found.Hidden = found.Hidden && hidden
			}
		}
		if len(found.Sources) > 0 {
			out = append(out, found)
		}
	}
	return out
}

// onlyHidden is before the form of a word that only hidden text has.
const onlyHidden = "\x00"

// all reports whether there are forms, and has contains all of them. hidden reports whether
// one of them is only in hidden text.
func all(forms []index.Word, has map[string]bool) (ok, hidden bool) {
	for _, f := range forms {
		if !has[f.Form] {
			if hidden = has[onlyHidden+f.Form]; !hidden {
				return false, false
			}
		}
	}
	return len(forms) > 0, hidden
}

// inWord reports whether t[from:at], which the view leaves out, is a ligature in a word: the
// view has its letters.
func inWord(t string, from, at int) bool {
	return !strings.ContainsAny(t[from:at], " \n") &&
		(from > 0 && t[from-1] > ' ' || at < len(t) && t[at] > ' ')
}

// outside returns the forms of the words of a result's document that are in no chunk: on its
// pages but not in the view, or in the view between two chunks. onlyHidden is before some.
func outside(r *pipeline.Result) map[string]bool {
	has := map[string]bool{}
	add := func(t string) {
		if t = strings.TrimSpace(t); t != "" {
			for _, w := range index.Words(t) {
				has[w.Form] = true
			}
		}
	}
	covered := make([][]bool, len(r.Document.Pages)) // which bytes of each page are in the view
	for i, p := range r.Document.Pages {
		covered[i] = make([]bool, len(p.Text))
	}
	for _, run := range r.Text.Runs {
		for i := range run.Len {
			covered[run.Page][run.From+i] = true
		}
	}
	for i, p := range r.Document.Pages {
		for _, h := range p.Hidden {
			for k := h.Start; k < h.End; k++ {
				covered[i][k] = true
			}
		}
		from := 0
		for at := range len(p.Text) + 1 {
			if at < len(p.Text) && !covered[i][at] {
				continue
			}
			if !inWord(p.Text, from, at) {
				add(p.Text[from:at])
			}
			from = at + 1
		}
	}
	at := 0
	for _, c := range r.Chunks {
		if c.Start > at {
			add(r.Text.Text[at:c.Start])
		}
		at = max(at, c.End)
	}
	add(r.Text.Text[at:])
	for _, p := range r.Document.Pages {
		for _, h := range p.Hidden {
			for _, w := range index.Words(h.Of(p.Text)) {
				if !has[w.Form] {
					has[onlyHidden+w.Form] = true
				}
			}
		}
	}
	return has
}
