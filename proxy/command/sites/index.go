package sites

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/site/shards"
)

// IndexCommand implements seam index.
type IndexCommand struct {
	Site       string   `placeholder:"DIR" help:"Folder of the built site, with its .html files."`
	Out        string   `short:"o" placeholder:"DIR" help:"Folder for the index and widget.js, usually inside the site."`
	Body       []string `sep:"none" placeholder:"SELECTOR" help:"CSS selector of the part of a page to search; the first one that matches is used (default: the part marked in the page, <main>, or <article>)."`
	Ignore     []string `sep:"none" placeholder:"SELECTOR" help:"CSS selector of elements to leave out."`
	Include    []string `placeholder:"GLOB" help:"Only pages with a matching path: guide/**."`
	Exclude    []string `placeholder:"GLOB" help:"No pages with a matching path: **/archive/**."`
	Folders    []string `placeholder:"PATTERN" help:"Let readers filter by folder: docs/{version}/** for docs/1.0/, docs/2.0/; {version:v*}/** if only some folders are versions; version is short for {version}/**. Metadata in a page takes precedence, such as the version from Docusaurus."`
	LLMs       bool     `name:"llms" help:"Also write llms.txt and, next to each page, a Markdown copy (guide.html.md), for language models."`
	Chunks     string   `placeholder:"FILE" help:"Also write the chunks, one JSON line each, with the ids for --expansions."`
	Expansions string   `placeholder:"FILE" help:"Extra search words of chunks: lines {\"id\",\"terms\":{\"word\":weight}}, with the ids of --chunks. Weight 1 counts like a word that occurs once in the chunk."`
	Lang       string   `placeholder:"CODE" help:"Language of all pages, such as de, instead of the one that they declare or that their text shows."`
	Check      bool     `help:"Also search for up to 400 words that occur on one page only, and fail if fewer than 95 % of them find it."`
	Meaning    bool     `help:"Also search by meaning, to find pages that use other words. English only; the widget loads about 2.5 MB once, after the results by words."`
	Config     string   `placeholder:"FILE" help:"YAML file with these options (site, out, body, ignore, include, exclude, folders, lang, llms, meaning, expansions, enrich, model, run); the command line takes precedence (default: seam-index.yaml, if it exists)."`
	Watch      bool     `help:"Keep running and rebuild the index when pages change, until Ctrl-C."`
	JSON       bool     `name:"json" help:"Print the report as JSON."`
	indexEnrichOptions
	files.CacheOptions

	served *pages // serves the site, and so decides which files it has; nil for seam index
}

// Help returns the text that seam index -h prints below its options.
func (IndexCommand) Help() string {
	return `Builds the search of a site: an index in small files, and widget.js, which searches it in the reader's browser, without a
server or a model. Run it after the site's generator, and add to the pages

  <script type="module" src="/seam/widget.js"></script>
  <seam-search index="/seam/"></seam-search>

Unchanged pages are not cut again, and the work of a killed run is reused (see --cache).

The index covers the main part of each page, without navigation. Pages can set data-seam-body, data-seam-ignore,
data-seam-filter="name", data-seam-meta="name:value", data-seam-weight="2" and <meta name="robots" content="noindex">;
data-pagefind-* works too. The report names the text that is left out, and why.

With --enrich, a model of your choice writes questions or a header for each chunk, once. Their words also find the chunk, and
count a quarter of the chunk's own words. A question or header that does not find its chunk among the first ten by the site's
own words is dropped. The text of the pages is sent, and the price is printed first. The answers are stored (--run), so that
the next build pays only for changed chunks. seam serve, and --watch after the first index, use stored answers and send
nothing.

Examples:
  seam index --site public --out public/seam
  seam index                      # with site and out in seam-index.yaml
  seam index --site build --out build/seam --body article --ignore .changelog --exclude 'blog/**'
  seam index --site public --out public/seam --folders '{language}/{version}/**'
  seam index --site public --out public/seam --watch
  seam index --site public --out public/seam --check     # prove that the words of each page find it
  seam index --site public --out public/seam --llms
  seam index --site public --out public/seam --meaning
  seam index --site public --out public/seam --chunks chunks.jsonl                # for a sparse encoder, see the widget's docs
  seam index --site public --out public/seam --expansions expansions.jsonl
  OPENAI_API_KEY=… seam index --site public --out public/seam --enrich questions,headers --model gpt-4o-mini --run enriched.jsonl
  seam serve --site public        # while you write: the site with an up-to-date search
  seam search --index public/seam "rotate log files"`
}

// indexReport describes an index that was made.
type indexReport struct {
	Pages     int                 `json:"pages"`
	Chunks    int                 `json:"chunks"`
	Files     int                 `json:"files"`
	Bytes     int                 `json:"bytes"`
	Languages []shards.Language   `json:"languages"`
	Left      map[string]string   `json:"left"`   // pages not in the index, with the reason
	Titles    map[string][]string `json:"titles"` // titles shared by several pages, with those pages
	Dearest   *dearest            `json:"dearest,omitempty"`
	Expanded  int                 `json:"expanded,omitempty"`  // chunks with expansions
	Strangers int                 `json:"strangers,omitempty"` // ids of expansions that match no chunk
	Markdown  int                 `json:"markdown,omitempty"`  // files for language models
	Foreign   []string            `json:"foreign,omitempty"`   // of these, not written because the site has its own file
	LeftOut   []leftReport        `json:"leftOut"`             // text of pages that is not in the index
	Check     *checkReport        `json:"check,omitempty"`
	Meaning   *meaningReport      `json:"meaning,omitempty"`
	Enriched  *enrichReport       `json:"enriched,omitempty"`
}

// Run runs seam index.
func (c IndexCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	if err := c.configure(std.Err); err != nil {
		return err
	}
	if c.Site == "" || c.Out == "" {
		return terminal.Usagef("set the built site and the folder for its index: seam index --site public --out public/seam")
	}
	if c.Chunks == "-" {
		return terminal.Usagef("--chunks -: give a file name, because stdout has the report")
	}
	x, err := NewIndexer(c)
	if err != nil {
		return err
	}
	x.encoded(std)
	if kept := c.FileCache(std); kept != nil {
		if err := x.keep(kept); err != nil {
			return err
		}
		defer x.closeKept(std)
	}
	x.build, x.asks = b, true
	defer x.closeRun()
	if !c.Watch {
		return x.write(ctx, std)
	}
	return x.watch(ctx, std)
}

// pages lists the pages of the site by their paths.
func (c IndexCommand) pages() ([]string, error) {
	site, err := whereIs(c.Site)
	if err != nil {
		return nil, fmt.Errorf("--site %s: %w", c.Site, terminal.Reason(err))
	}
	out, err := whereIs(c.Out)
	if err != nil {
		out = "" // it does not exist yet
	}
	var names []string
	err = filepath.WalkDir(site, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == out && d.IsDir() && name != site {
			return fs.SkipDir
		}
		ext := strings.ToLower(filepath.Ext(name))
		if d.IsDir() || ext != ".html" && ext != ".htm" {
			return nil
		}
		at, err := filepath.Rel(site, name)
		if err != nil {
			return err
		}
		if at = filepath.ToSlash(at); c.served != nil && d.Type()&fs.ModeSymlink != 0 && !c.served.has(at) {
			return nil
		}
		if c.wants(at) {
			names = append(names, at)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("--site %s: %w", c.Site, terminal.Reason(err))
	case len(names) == 0:
		return nil, fmt.Errorf("--site %s: no .html file in this folder; build the site first", c.Site)
	}
	slices.Sort(names)
	return names, nil
}

// whereIs returns the absolute name of an existing file, with links resolved.
func whereIs(name string) (string, error) {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	if name, err = filepath.Abs(name); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(name)
}

// wants reports whether a page's path is included.
func (c IndexCommand) wants(at string) bool {
	matches := func(pattern string) bool { return matchPath(strings.Split(pattern, "/"), strings.Split(at, "/")) }
	return (len(c.Include) == 0 || slices.ContainsFunc(c.Include, matches)) && !slices.ContainsFunc(c.Exclude, matches)
}

// matchPath reports whether a path matches a pattern, in which ** matches any number of
// folders.
func matchPath(pattern, at []string) bool {
	switch {
	case len(pattern) == 0:
		return len(at) == 0
	case pattern[0] == "**":
		return matchPath(pattern[1:], at) || len(at) > 0 && matchPath(pattern, at[1:])
	case len(at) == 0:
		return false
	}
	ok, err := path.Match(pattern[0], at[0])
	return err == nil && ok && matchPath(pattern[1:], at[1:])
}

// eachOf calls do for each index below n, several at a time, and reports progress. It
// returns the first error and then starts no more calls.
func eachOf(n int, stage string, m *terminal.Meter, do func(i int) error) error {
	var group sync.WaitGroup
	var mu sync.Mutex
	var failed error
	next, done := 0, 0
	for range max(1, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				if failed == nil {
					failed = m.Report(stage, done, n)
				}
				ended := failed != nil || i >= n
				mu.Unlock()
				if ended {
					return
				}
				err := do(i)
				mu.Lock()
				done++
				failed = cmp.Or(failed, err)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return failed
}

// maxListed is how many pages of a group the report names.
const maxListed = 5

func (c IndexCommand) print(w *bufio.Writer, r indexReport) error {
	if c.JSON {
		return terminal.WriteJSON(w, r)
	}
	fmt.Fprintf(w, "%s: %d pages, %d chunks, %d files, %d kB\n", c.Out, r.Pages, r.Chunks, r.Files, (r.Bytes+500)/1000)
	if len(r.Languages) > 1 {
		for _, l := range r.Languages {
			fmt.Fprintf(w, "  %s: %d pages\n", l.Language, l.Pages)
		}
	}
	if r.Dearest != nil && r.Dearest.Bytes >= 1000 {
		fmt.Fprintf(w, "  a first search loads at most %d kB, over %d sample queries: %q\n", (r.Dearest.Bytes+500)/1000, r.Dearest.Tried, r.Dearest.Query)
	}
	if r.Meaning != nil {
		r.Meaning.print(w)
	}
	if c.Expansions != "" {
		fmt.Fprintf(w, "  expansions: for %s", terminal.Count(r.Expanded, "chunk"))
		if r.Strangers > 0 {
			fmt.Fprintf(w, "; %s match no chunk: get the ids with --chunks", terminal.Count(r.Strangers, "id"))
		}
		fmt.Fprintln(w)
	}
	if r.Enriched != nil {
		r.Enriched.print(w)
	}
	if r.Markdown > 0 {
		fmt.Fprintf(w, "  %s: %d files for language models, listed by %s\n", c.Site, r.Markdown, listName)
	}
	if len(r.Foreign) > 0 {
		fmt.Fprintf(w, "  kept the site's own: %s\n", someOf(r.Foreign))
	}
	printLeft(w, r.LeftOut)
	if r.Check != nil {
		r.Check.print(w)
	}
	names := slices.Sorted(maps.Keys(r.Left))
	for i, name := range names {
		if i == maxListed {
			fmt.Fprintf(w, "  %d more pages skipped; list them with --json\n", len(names)-i)
			break
		}
		fmt.Fprintf(w, "  skipped: %s: %s\n", terminal.Shown(name), r.Left[name])
	}
	titles := slices.Sorted(maps.Keys(r.Titles))
	for i, t := range titles {
		if i == maxListed {
			fmt.Fprintf(w, "  %d more titles are shared by several pages\n", len(titles)-i)
			break
		}
		fmt.Fprintf(w, "  the title %q is shared by %d pages: %s\n", t, len(r.Titles[t]), someOf(r.Titles[t]))
	}
	return nil
}

// someOf joins the first three items of a list.
func someOf(list []string) string { return strings.Join(list[:min(3, len(list))], ", ") }
