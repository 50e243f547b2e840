package shards

import (
	"slices"
	"strings"
	"unicode"

	"seam/shared/index"
)

// mostRead is the maximum number of chunks read to find those with a phrase.
const mostRead = 100

// phrases returns the phrases of a query, normalized by plain.
func phrases(query string) (all []string) {
	for _, q := range index.Quoted(query) {
		if p := plain(q); p != "  " {
			all = append(all, p)
		}
	}
	return all
}

// plain returns the letters and digits of a text in lower case, with a space for everything
// in between, at the beginning and at the end.
func plain(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	blank := true
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		b.WriteRune(unicode.ToLower(r))
		blank = false
	}
	if !blank || b.Len() == 1 {
		b.WriteByte(' ')
	}
	return b.String()
}

// verify keeps the chunks that contain all phrases, up to k pages of them.
func (x *Index) verify(found *Found, quotes []string, k int) error {
	read := 0
	var kept []Hit
	for _, h := range found.Hits {
		var chunks []int
		for _, c := range h.Chunks {
			if read++; read > mostRead || len(chunks) == mostChunks {
				break
			}
			block, at, err := x.textOf(c)
			if err != nil {
				return err
			}
			t := plain(block.Chunks[at].Text)
			if !slices.ContainsFunc(quotes, func(q string) bool { return !strings.Contains(t, q) }) {
				chunks = append(chunks, c)
			}
		}
		if len(chunks) > 0 {
			kept = append(kept, Hit{Page: h.Page, Chunks: chunks, Score: h.Score})
		}
		if len(kept) == k || read > mostRead {
			break
		}
	}
	found.Hits, found.Count = kept, len(kept)
	return nil
}
