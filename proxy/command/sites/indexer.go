package sites

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/shared/embed"
	"seam/shared/pipeline"
	"seam/shared/site"
	"seam/shared/site/shards"
)

// indexer makes the index of a site, and again after pages have changed: what it has made
// of the others is kept.
type indexer struct {
	IndexCommand
	reader  *site.Reader
	folders site.Folders
	Known   map[string]*knownPage // by path
	beside  map[string][]byte     // files for language models, by path in the site
	vectors *embed.Cached         // of chunks; nil where meaning is not asked for
	kept    *files.FileCache      // of pages, for the next run; nil: they are not kept
	options string                // names all that decides what is made of a page, but its file
	told    bool                  // the whole report was printed: later ones have its numbers alone
	build   terminal.Build
	asks    bool          // a model may be asked for what is not kept of it
	run     *runfile.File // what one gave; nil: it is not open yet
	runName string        // of its file; "": it is not kept
}

// knownPage is what was made of a file.
type knownPage struct {
	name string
	kept bool // for the next run
	sum  [sha256.Size]byte
	Page *site.Page // as it was read; nil: it belongs in no index
	Why  string     // it does not
	// markdown is the page in Markdown, where that is wanted.
	Markdown string
	// title is that under which the page was cut: pages of a site shorten each other's.
	Title string
	Cut   *shards.Page
}

// NewIndexer returns what makes the index that c describes. It fails if c contradicts itself.
func NewIndexer(c IndexCommand) (*indexer, error) {
	if err := c.indexEnrichOptions.check(); err != nil {
		return nil, err
	}
	reader, err := site.NewReader(c.Body, c.Ignore)
	if err != nil {
		return nil, terminal.Usagef("%w", err)
	}
	folders, err := site.ParseFolders(c.Folders)
	if err != nil {
		return nil, terminal.Usagef("--folders: %w", err)
	}
	x := &indexer{IndexCommand: c, reader: reader, folders: folders, Known: map[string]*knownPage{}}
	if c.Meaning {
		x.vectors, err = c.openMeaning()
	}
	return x, err
}

// write makes the index, keeps it in its folder and prints the report.
func (x *indexer) write(ctx context.Context, std terminal.IO) error {
	files, report, err := x.Make(ctx, std)
	if err != nil {
		return err
	}
	x.tellTrouble(std)
	if !x.told { // not each time that a site which is watched has changed
		if report.Dearest, err = x.dearestOf(files, report.Languages[0]); err != nil {
			return err
		}
	}
	old := generationsOf(x.Out)
	var beside []string
	if beside, report.Foreign, err = x.keepBeside(x.beside, old); err != nil {
		return err
	}
	report.Markdown = len(beside)
	if err := keepIndex(x.Out, files, old, beside); err != nil {
		return err
	}
	if x.told && !x.JSON {
		report.Left, report.Titles = nil, nil
	}
	x.told, x.asks = true, false
	out := bufio.NewWriter(std.Out)
	return errors.Join(x.print(out, report), out.Flush())
}

// Of a site with many pages garbage is collected less often. Debian's rust-doc, of 21,897
// pages, takes 36.3 s of processor time and 1.38 GB so, and 42.7 s and 1.16 GB without; to
// small sites memory is worth more.
const (
	manyPages    = 5000
	percentThere = 160 // as GOGC has it
)

// Make makes the files of an index.
func (x *indexer) Make(ctx context.Context, std terminal.IO) (map[string][]byte, indexReport, error) {
	report := indexReport{Left: map[string]string{}, Titles: map[string][]string{}}
	names, err := x.pages()
	if err != nil {
		return nil, report, err
	}
	if len(names) > manyPages && os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(percentThere))
	}
	meter := terminal.NewMeter(ctx, std, x.Site)
	defer meter.Clear()
	pages, known, err := x.read(names, &report, meter)
	if err != nil {
		return nil, report, err
	}
	cut, err := x.cutPages(ctx, pages, known, meter)
	if err != nil {
		return nil, report, err
	}
	for _, k := range x.Known { // those that are not cut
		x.remember(k)
	}
	if len(cut) == 0 {
		return nil, report, fmt.Errorf("%s: no page has a text to search", x.Site)
	}
	if x.LLMs {
		x.beside = x.markdowns(pages)
	}
	if err := x.writeChunks(cut); err != nil {
		return nil, report, err
	}
	if cut, err = x.expand(std, cut, &report); err != nil {
		return nil, report, err
	}
	if cut, err = x.enrich(ctx, std, cut, pages, &report, meter); err != nil {
		return nil, report, err
	}
	files, err := x.filesOf(ctx, cut, pages, &report, meter)
	return files, report, err
}

// read reads the pages, and leaves out what belongs in no index. The pages it returns may
// be changed; known has what is kept of each, by its address.
func (x *indexer) read(names []string, report *indexReport, m *terminal.Meter) ([]*site.Page, map[string]*knownPage, error) {
	all := make([]*knownPage, len(names))
	err := eachOf(len(names), "page", m, func(i int) error {
		all[i] = x.readPage(names[i], x.Known[names[i]])
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	x.Known = map[string]*knownPage{}
	byURL := map[string]*knownPage{}
	var pages []*site.Page
	for i, k := range all {
		x.Known[names[i]] = k
		if k.Page == nil {
			report.Left[names[i]] = k.Why
			continue
		}
		p := *k.Page
		p.Filters = maps.Clone(p.Filters)
		x.folders.Mark(&p, names[i])
		byURL[p.URL] = k
		pages = append(pages, &p)
	}
	kept, left := site.Tidy(pages)
	maps.Copy(report.Left, left)
	titles := map[string][]string{}
	for _, p := range kept {
		titles[p.Title] = append(titles[p.Title], p.URL)
	}
	for t, urls := range titles {
		if len(urls) > 1 {
			report.Titles[t] = urls
		}
	}
	return kept, byURL, nil
}

// readPage reads a file, unless it is as it was.
func (x *indexer) readPage(name string, before *knownPage) *knownPage {
	if site.Generated(name) {
		return &knownPage{name: name, Why: "it is an index or a search of its generator"}
	}
	b, err := os.ReadFile(filepath.Join(x.Site, filepath.FromSlash(name)))
	if err != nil {
		return &knownPage{name: name, Why: terminal.OneLine(terminal.Reason(err).Error())}
	}
	sum := sha256.Sum256(b)
	if before != nil && before.sum == sum {
		return before
	}
	if k := x.recall(name, sum); k != nil {
		return k
	}
	k := &knownPage{name: name, sum: sum}
	if k.Page, err = x.reader.Read(site.Address(name), b); err != nil {
		k.Page, k.Why = nil, terminal.OneLine(terminal.Reason(err).Error())
		return k
	}
	if x.LLMs {
		if k.Markdown, err = x.reader.Markdown(b); err != nil {
			k.Page, k.Why = nil, terminal.OneLine(terminal.Reason(err).Error())
		}
	}
	return k
}

// cutPages cuts the pages into chunks that were not cut before under the same title.
func (x *indexer) cutPages(ctx context.Context, pages []*site.Page, known map[string]*knownPage, m *terminal.Meter) ([]*shards.Page, error) {
	plan, err := pipeline.NewPlan(site.Settings())
	if err != nil {
		return nil, err
	}
	model := cut.EmbedderOptions{}.Models(terminal.IO{Err: io.Discard})
	out := make([]*shards.Page, len(pages))
	err = eachOf(len(pages), "cut page", m, func(i int) error {
		p, k := pages[i], known[pages[i].URL]
		if k.Cut == nil || k.Title != p.Title {
			cut, err := site.Cut(ctx, p, plan, model.Hooks())
			if err != nil {
				return fmt.Errorf("%s: %w", p.URL, err)
			}
			k.Cut, k.Title, k.kept = cut, p.Title, false
			x.remember(k)
		}
		if k.Cut != nil {
			now := *k.Cut
			now.Filters = p.Filters // which other pages and the options decide, too
			out[i] = &now
		}
		return nil
	})
	return out, err
}

// between is how often a site that is watched is looked at, and how long it must stay as
// it is: a generator writes its files one after the other.
const between = 300 * time.Millisecond

// watch makes the index, and again after each change, until ctx ends. A site that is half
// written may have no index; that is told, and watched on.
func (x *indexer) watch(ctx context.Context, std terminal.IO) error {
	tick := time.NewTicker(between)
	defer tick.Stop()
	var made, seen []byte
	for first := true; ; first = false {
		now := x.stamp()
		if first || bytes.Equal(now, seen) && !bytes.Equal(now, made) {
			err := x.write(ctx, std)
			switch {
			case ctx.Err() != nil:
				return nil
			case err != nil && first:
				return err
			case err != nil:
				fmt.Fprintf(std.Err, "seam: %v\n", err)
			}
			made = now
		}
		seen = now
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// stamp tells whether pages of the site have changed: it is another when one has another
// size or time, or is new or gone; nil where the site cannot be read.
func (x *indexer) stamp() []byte {
	names, err := x.pages()
	if err != nil {
		return nil
	}
	h := sha256.New()
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(x.Site, filepath.FromSlash(name))); err == nil {
			fmt.Fprintf(h, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
		}
	}
	return h.Sum(nil)
}
