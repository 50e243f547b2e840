package index

import "seam/shared/text"

// mostRead is the maximum number of words that a reader keeps: 12 MB.
const mostRead = 1 << 20

// reader reads texts word by word and caches the words, because consecutive queries look at
// mostly the same texts.
type reader struct {
	ids   map[string]int32 // numbers of forms, from 0
	texts map[int][]readWord
	words int
}

// readWord is a word of a text: its form and its place.
type readWord struct{ form, start, end int32 }

// id returns the number of a form.
func (r *reader) id(form []byte) int32 {
	id, ok := r.ids[string(form)]
	if !ok {
		if r.ids == nil {
			r.ids = map[string]int32{}
		}
		id = int32(len(r.ids))
		r.ids[string(form)] = id
	}
	return id
}

// read returns the words of text number t. An empty s is a text that could not be read this
// time.
func (r *reader) read(t int, s string) []readWord {
	words, ok := r.texts[t]
	if ok || s == "" {
		return words
	}
	var buf [longestWord + 8]byte
	eachWord(s, buf[:0], func(form []byte, at text.Span, _ bool) {
		words = append(words, readWord{r.id(form), int32(at.Start), int32(at.End)})
	})
	if len(words) > mostRead {
		return words
	}
	if r.texts == nil || r.words+len(words) > mostRead {
		r.texts, r.words = map[int][]readWord{}, 0
	}
	r.texts[t] = words
	r.words += len(words)
	return words
}

// finder finds the words of a query in texts.
type finder struct {
	reader *reader
	terms  []int32 // by form: the number of its term, from 1; 0 if it matches none
}

func newFinder(c *Corpus, terms []term) finder {
	f := finder{reader: &c.reader}
	for i, t := range terms {
		for _, w := range t.known {
			id := int(f.reader.id([]byte(c.forms[w.form])))
			for len(f.terms) <= id {
				f.terms = append(f.terms, make([]int32, max(id+1, len(f.reader.ids))-len(f.terms))...)
			}
			if f.terms[id] == 0 {
				f.terms[id] = int32(i + 1)
			}
		}
	}
	return f
}

// find returns the words of text number t that match a term, in order.
func (f finder) find(t int, s string) (all []foundWord) {
	for n, w := range f.reader.read(t, s) {
		if int(w.form) < len(f.terms) && f.terms[w.form] > 0 {
			all = append(all, foundWord{int(f.terms[w.form]) - 1, n + 1, text.Span{Start: int(w.start), End: int(w.end)}})
		}
	}
	return all
}
