package sites

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"seam/proxy/command/terminal"
	"seam/shared/site"
	"seam/shared/site/shards"
	"seam/web/widget"
)

// enrich returns the pages, their chunks expanded with words from the model's answers.
func (x *indexer) enrich(ctx context.Context, std terminal.IO, cut []*shards.Page, pages []*site.Page, report *indexReport, m *terminal.Meter) ([]*shards.Page, error) {
	if len(x.Enrich) == 0 {
		return cut, nil
	}
	if _, err := widget.Files(); err != nil {
		return nil, err // before the model costs money
	}
	r := &enrichReport{Model: x.Model}
	all, err := x.written(ctx, std, cut, r, m)
	if err != nil {
		return nil, err
	}
	if err := admit(cut, pages, all, r, m); err != nil {
		return nil, err
	}
	report.Enriched = r
	bad := r.note(all)
	if bad != nil && x.asks {
		fmt.Fprintf(std.Err, "seam: %s of %s unusable, and those chunks stay unchanged; the first, for %s: %s\n",
			terminal.Count(r.Unusable, "answer"), x.Model, cut[bad.page].URL, bad.bad)
	}
	return r.expanded(cut, pages, all), nil
}

// note counts the answers, and returns the first unusable one or nil.
func (r *enrichReport) note(all []asking) (first *asking) {
	for i := range all {
		a := &all[i]
		if a.what == wantQuestions {
			r.Questions, r.KeptQuestions = r.Questions+len(a.phrases), r.KeptQuestions+len(a.admitted)
		} else {
			r.Headers, r.KeptHeaders = r.Headers+len(a.phrases), r.KeptHeaders+len(a.admitted)
		}
		if a.bad != "" {
			if r.Unusable++; first == nil {
				first = a
			}
		}
	}
	return first
}

// expanded adds the words of the admitted phrases to the chunks.
func (r *enrichReport) expanded(cut []*shards.Page, pages []*site.Page, all []asking) []*shards.Page {
	phrases := map[[2]int][]string{}
	for _, a := range all {
		at := [2]int{a.page, a.chunk}
		phrases[at] = append(phrases[at], a.admitted...)
	}
	return changed(cut, func(i, k int, c *shards.Chunk) {
		r.Of++
		words := shards.Asked(cut[i], k, site.Primary(pages[i].Language), phrases[[2]int{i, k}])
		if len(words) == 0 {
			return
		}
		r.Chunks, r.Words = r.Chunks+1, r.Words+len(words)
		for w, weight := range c.Expansions {
			words[w] = max(words[w], weight)
		}
		c.Expansions = words
	})
}

// amongFirst is the rank within which a phrase must find its own chunk to be kept. A phrase
// that finds others first would lead readers to the wrong chunk (Gospodinov and others,
// Doc2Query--: When Less is More, 2023).
const amongFirst = 10

// admit keeps the phrases that find their chunk by the words of the site alone. It
// subtracts the size of the plain index from r.Bytes, which leaves the bytes that the
// phrases add.
func admit(cut []*shards.Page, pages []*site.Page, all []asking, r *enrichReport, m *terminal.Meter) error {
	byLanguage := map[string][]shards.Page{}
	first, chunks := make([]int, len(cut)), map[string]int{} // of each page in its index, and of each index
	for i, p := range cut {
		if p != nil {
			l := site.Primary(pages[i].Language)
			byLanguage[l] = append(byLanguage[l], *p)
			first[i] = chunks[l]
			chunks[l] += len(p.Chunks)
		}
	}
	plain := map[string]*plainIndex{}
	for _, l := range slices.Sorted(maps.Keys(byLanguage)) {
		entry, files, err := shards.Build(l+"/", l, byLanguage[l])
		if err != nil {
			return fmt.Errorf("index the pages in %s: %w", l, err)
		}
		plain[l] = &plainIndex{entry: entry, files: files}
		r.Bytes -= sizeOf(files)
	}
	return eachOf(len(all), "question", m, func(i int) error {
		a := &all[i]
		if len(a.phrases) == 0 {
			return nil
		}
		index := plain[site.Primary(pages[a.page].Language)]
		x, err := index.take()
		if err != nil {
			return fmt.Errorf("open the index of the pages: %w", err)
		}
		defer index.give(x)
		for _, phrase := range a.phrases {
			before, err := x.Place(phrase, first[a.page]+a.chunk)
			if err != nil {
				return fmt.Errorf("search %s for %q: %w", cut[a.page].URL, phrase, err)
			}
			if before >= 0 && before < amongFirst {
				a.admitted = append(a.admitted, phrase)
			}
		}
		return nil
	})
}

// plainIndex is an index in memory, with one open reader per concurrent search.
type plainIndex struct {
	entry string
	files shards.Files

	mu   sync.Mutex
	idle []*shards.Index
}

func (p *plainIndex) take() (*shards.Index, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		x := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return x, nil
	}
	return shards.Open(func(name string) ([]byte, error) {
		if b, there := p.files[name]; there {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}, p.entry)
}

func (p *plainIndex) give(x *shards.Index) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, x)
}
