package sites

import (
	"bufio"
	"bytes"
	"cmp"
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

// indexer makes the index of a site. When pages have changed, it makes the index again and
// reuses the unchanged pages.
type indexer struct {
	IndexCommand
	reader  *site.Reader
	folders site.Folders
	Known   map[string]*knownPage // by path
	beside  map[string][]byte     // files for language models, by path in the site
	vectors *embed.Cached         // of chunks; nil without search by meaning
	kept    *files.FileCache      // cache of pages for the next run; nil if off
	indexed map[string]bool       // the URLs of the pages in the last index
	options string                // names every setting that decides the result for a page, apart from its file
	told    bool                  // the full report has been printed; later reports have only the numbers
	build   terminal.Build
	// encoding is the encoding of the pages, as in terminal.IO.
	encoding string

	asks    bool          // whether a model may be asked for missing answers
	run     *runfile.File // answers of models; nil if not open yet
	runName string        // the name of run's file; "" if it is not stored
}

// knownPage is the result for one file.
type knownPage struct {
	name string
	kept bool // stored for the next run
	sum  [sha256.Size]byte
	Page *site.Page // as read; nil if it does not belong in an index
	Why  string     // why Page is nil
	// Markdown is the page in Markdown, if that is wanted.
	Markdown string
	// Title is the title the page was cut with. Titles of a site are shortened by comparing
	// them with each other.
	Title string
	// Language is the language the page was cut with. A page without one has the site's.
	Language string
	Cut      *shards.Page
}

// NewIndexer returns an indexer with the options of c. It returns an error if they
// contradict each other.
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

// encoded sets the encoding of the pages.
func (x *indexer) encoded(std terminal.IO) {
	if x.encoding = std.Encoding; x.encoding != "" {
		x.reader.Decode = files.Decoder(std)
	}
}

// write makes the index, writes it to its folder and prints the report.
func (x *indexer) write(ctx context.Context, std terminal.IO) error {
	files, report, err := x.Make(ctx, std)
	if err != nil {
		return err
	}
	x.warnUncached(std)
	if !x.told { // when watching, print this only once
		if report.Dearest, err = x.dearestOf(files, report.Languages[0]); err != nil {
			return err
		}
	}
	if x.Check {
		if report.Check, err = checkOf(x, files, report.Languages); err != nil {
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
		report.Left, report.Titles, report.LeftOut = nil, nil, nil
	}
	x.told, x.asks = true, false
	out := bufio.NewWriter(std.Out)
	return errors.Join(x.print(out, report), out.Flush(), report.Check.err())
}

// For a site with many pages, garbage is collected less often. Debian's rust-doc, with
// 21,897 pages, takes 36.3 s of processor time and 1.38 GB this way, and 42.7 s and 1.16 GB
// without. For small sites memory matters more.
const (
	manyPages    = 5000
	percentThere = 160 // in the unit of GOGC
)

// Make returns the files of an index and a report.
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
	for _, k := range x.Known { // pages left out of the index
		x.remember(k)
	}
	if len(cut) == 0 {
		return nil, report, fmt.Errorf("%s: no page has text to search", x.Site)
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

// read reads the pages and leaves out those that do not belong in an index. The caller may
// change the returned pages; known has the stored result of each, by URL.
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
		p.Language = cmp.Or(x.Lang, p.Language)
		x.folders.Mark(&p, names[i])
		byURL[p.URL] = k
		pages = append(pages, &p)
	}
	kept, left := site.Tidy(pages)
	maps.Copy(report.Left, left)
	x.indexed = map[string]bool{}
	for _, p := range kept {
		x.indexed[p.URL] = true
	}
	report.LeftOut = leftOf(x)
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

// readPage reads a file, or returns before if the file is unchanged.
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
		k.Page, k.Why = nil, terminal.OneLine(files.WithEncoding(terminal.Reason(err)).Error())
		return k
	}
	if x.LLMs {
		if k.Markdown, err = x.reader.Markdown(b); err != nil {
			k.Page, k.Why = nil, terminal.OneLine(terminal.Reason(err).Error())
		}
	}
	return k
}

// cutPages cuts the pages into chunks. It reuses the chunks of a page that was cut before
// under the same title.
func (x *indexer) cutPages(ctx context.Context, pages []*site.Page, known map[string]*knownPage, m *terminal.Meter) ([]*shards.Page, error) {
	plan, err := pipeline.NewPlan(site.Settings())
	if err != nil {
		return nil, err
	}
	model := cut.EmbedderOptions{}.Models(terminal.IO{Err: io.Discard})
	out := make([]*shards.Page, len(pages))
	err = eachOf(len(pages), "cut page", m, func(i int) error {
		p, k := pages[i], known[pages[i].URL]
		if k.Cut == nil || k.Title != p.Title || k.Language != p.Language {
			cut, err := site.Cut(ctx, p, plan, model.Hooks())
			if err != nil {
				return fmt.Errorf("%s: %w", p.URL, err)
			}
			k.Cut, k.Title, k.Language, k.kept = cut, p.Title, p.Language, false
			x.remember(k)
		}
		if k.Cut != nil {
			now := *k.Cut
			now.Filters, now.Versions = p.Filters, p.Versions // they also depend on other pages and on the options
			out[i] = &now
		}
		return nil
	})
	return out, err
}

// between is how often a watched site is checked, and how long it must stay unchanged
// before the index is made: a generator writes its files one after the other.
const between = 300 * time.Millisecond

// watch makes the index, and again after each change, until ctx ends. A half-written site
// may fail to index; the error is printed and watching continues.
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

// stamp returns a digest that changes when a page is added or removed, or changes its size
// or time. It returns nil if the site cannot be read.
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
