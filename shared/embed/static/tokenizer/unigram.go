package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sort"
	"unicode/utf8"
)

// unigram chooses the most likely of all ways to assemble a word (Kudo 2018), in one pass
// from left to right.
type unigram struct {
	names        []string
	scores       []float64
	ids          map[string]uint32
	sorted       []uint32 // ids by name, only the last among equal names
	unknown      uint32
	unknownScore float64
	byteFallback bool
}

// unknownPenalty is how much less likely an unknown character is than the least likely
// token (SentencePiece, kUnkPenalty).
const unknownPenalty = 10

func parseUnigram(f *file) (model, error) {
	var rows [][2]json.RawMessage
	if err := json.Unmarshal(f.Model.Vocab, &rows); err != nil {
		return nil, fmt.Errorf("the vocabulary of Unigram: %w", err)
	}
	if f.Model.UnknownID == nil || *f.Model.UnknownID < 0 || *f.Model.UnknownID >= len(rows) {
		return nil, errors.New("the vocabulary of Unigram has no unknown token")
	}
	m := &unigram{ids: make(map[string]uint32, len(rows)), unknown: uint32(*f.Model.UnknownID), byteFallback: f.Model.ByteFallback}
	least := math.Inf(1)
	for i, row := range rows {
		var name string
		var score float64
		if err := errors.Join(json.Unmarshal(row[0], &name), json.Unmarshal(row[1], &score)); err != nil {
			return nil, fmt.Errorf("token %d of Unigram: %w", i, err)
		}
		m.names, m.scores, m.ids[name] = append(m.names, name), append(m.scores, score), uint32(i)
		least = min(least, score)
	}
	m.unknownScore = least - unknownPenalty
	for i, name := range m.names {
		if m.ids[name] == uint32(i) && name != "" {
			m.sorted = append(m.sorted, uint32(i))
		}
	}
	sort.Sort(byName{m.sorted, m.names})
	return m, nil
}

// byName sorts ids by their names.
type byName struct {
	ids   []uint32
	names []string
}

func (b byName) Len() int           { return len(b.ids) }
func (b byName) Swap(i, j int)      { b.ids[i], b.ids[j] = b.ids[j], b.ids[i] }
func (b byName) Less(i, j int) bool { return b.names[b.ids[i]] < b.names[b.ids[j]] }

// node is the best way to reach a place in a word.
type node struct {
	id    uint32
	from  int
	score float64
	known bool // whether there is a way
}

func (m *unigram) tokens(dst []token, w *word) []token {
	best := m.best(w.text)
	type stretch struct {
		from, to int
		id       uint32
	}
	var back []stretch // from the end
	for end := len(w.text); end > 0; {
		n := best[end]
		if last := len(back) - 1; last >= 0 && n.id == m.unknown && back[last].id == m.unknown && back[last].from == end {
			back[last].from = n.from // merges neighbouring unknown characters
		} else {
			back = append(back, stretch{n.from, end, n.id})
		}
		end = n.from
	}
	for i := len(back) - 1; i >= 0; i-- {
		s := back[i]
		text := w.text[s.from:s.to]
		id, ok := m.ids[text]
		if !ok && m.byteFallback {
			if ids, all := bytesOf(nil, text, m.ids); all {
				for _, id := range ids {
					dst = append(dst, w.token(id, s.from, s.to))
				}
				continue
			}
		}
		if !ok {
			id = m.unknown
		}
		dst = append(dst, w.token(id, s.from, s.to))
	}
	return dst
}

// best finds the best way to every place.
func (m *unigram) best(s string) []node {
	best := make([]node, len(s)+1)
	for at := 0; at < len(s); {
		_, width := utf8.DecodeRuneInString(s[at:])
		here := best[at].score
		reach := func(to int, id uint32, score float64) {
			if n := &best[to]; !n.known || score > n.score {
				*n = node{id, at, score, true}
			}
		}
		single := false
		m.prefixes(s[at:], func(id uint32, n int) {
			reach(at+n, id, m.scores[id]+here)
			single = single || n == width
		})
		if !single {
			reach(at+width, m.unknown, m.unknownScore+here)
		}
		at += width
	}
	return best
}

// prefixes yields the tokens at the beginning of s, shortest first. Each byte of s narrows
// the range of matching names.
func (m *unigram) prefixes(s string, yield func(id uint32, n int)) {
	lo, hi := 0, len(m.sorted)
	for i := 0; i < len(s) && lo < hi; i++ {
		c := s[i]
		search := func(from, to int, above bool) int {
			for from < to {
				mid := int(uint(from+to) >> 1)
				name := m.names[m.sorted[mid]]
				if len(name) <= i || name[i] < c || above && name[i] == c {
					from = mid + 1
				} else {
					to = mid
				}
			}
			return from
		}
		lo = search(lo, hi, false)
		hi = search(lo, hi, true)
		if lo < hi && len(m.names[m.sorted[lo]]) == i+1 {
			yield(m.sorted[lo], i+1)
		}
	}
}
