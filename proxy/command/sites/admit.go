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

// enrich is the pages with words of what a model has written for their chunks.
func (x *indexer) enrich(ctx context.Context, std terminal.IO, cut []*shards.Page, pages []*site.Page, report *indexReport, m *terminal.Meter) ([]*shards.Page, error) {
	if len(x.Enrich) == 0 {
		return cut, nil
	}
	if _, err := widget.Files(); err != nil {
		return nil, err // before anybody is paid
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
		fmt.Fprintf(std.Err, "seam: %s of %s cannot be used, and the chunks stay as they are; the first, of %s: %s\n",
			terminal.Count(r.Unusable, "answer"), x.Model, cut[bad.page].URL, bad.bad)
	}
	return r.expanded(cut, pages, all), nil
}

// note counts what was written, and returns the first answer that is no use, if there is one.
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

// expanded gives the chunks the words of what was admitted.
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

// amongFirst is among how many chunks a phrase has to find the one that it was written for, to
// be kept: what finds others first would lead readers to the wrong one (Gospodinov and others,
// Doc2Query--: When Less is More, 2023).
const amongFirst = 10

// admit keeps of what was written what finds its chunk by the words of the site alone. It takes
// the bytes of an index without it from those that it adds.
func admit(cut []*shards.Page, pages []*site.Page, all []asking, r *enrichReport, m *terminal.Meter) error {
	byLanguage := map[string][]shards.Page{}
	first, chunks := make([]int, len(cut)), map[string]int{} // of a page in its index; of an index
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

// plainIndex is an index in memory, open as often as there are searches at once.
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
