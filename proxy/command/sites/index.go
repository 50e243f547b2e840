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
	Site       string   `placeholder:"DIR" help:"Folder of the built site: its .html files are read."`
	Out        string   `short:"o" placeholder:"DIR" help:"Folder for the index and widget.js; best one within the site."`
	Body       []string `sep:"none" placeholder:"SELECTOR" help:"CSS selector of the part of a page that is searched; of several the first that finds something. Else what pages mark, then <main>, then <article>."`
	Ignore     []string `sep:"none" placeholder:"SELECTOR" help:"CSS selector of elements that are left out."`
	Include    []string `placeholder:"GLOB" help:"Only pages with such a path: guide/**."`
	Exclude    []string `placeholder:"GLOB" help:"No pages with such a path: **/archive/**."`
	Folders    []string `placeholder:"PATTERN" help:"Let readers narrow the search by folders: docs/{version}/** for docs/1.0/, docs/2.0/; {version:v*}/** where only some folders are versions; version alone for {version}/**. What a page says of itself goes first, such as the version that Docusaurus writes into it."`
	LLMs       bool     `name:"llms" help:"Also write llms.txt, and beside each page the same in Markdown (guide.html.md), for language models."`
	Chunks     string   `placeholder:"FILE" help:"Also write the chunks, a line of JSON each, with the ids that --expansions takes."`
	Expansions string   `placeholder:"FILE" help:"Words that chunks can be found by though they do not have them: lines of {\"id\",\"terms\":{\"word\":weight}}, with the ids of --chunks. A weight of 1 is that of a word which a chunk has once."`
	Meaning    bool     `help:"Also search by meaning: pages that answer a question in other words are found. For pages in English; readers fetch some 2.5 MB for it, once, after the words have answered."`
	Config     string   `placeholder:"FILE" help:"YAML with these options by their names (site, out, body, ignore, include, exclude, folders, llms, meaning, expansions, enrich, model, run); what the command line says goes first. Default: seam.yaml, if it is there."`
	Watch      bool     `help:"Go on, and make the index again whenever pages of the site have changed, until Ctrl-C."`
	JSON       bool     `name:"json" help:"Print the report as one JSON object."`
	indexEnrichOptions
	files.CacheOptions
}

// Help returns the text that seam index -h prints below its options.
func (IndexCommand) Help() string {
	return `Makes the search of a built site: an index in small files, and widget.js, which searches it in the reader's browser. Nothing
else is needed, no server and no model. Run it after the site's generator, then put into the pages

  <script type="module" src="/seam/widget.js"></script>
  <seam-search index="/seam/"></seam-search>

A page that has not changed is not cut again, and a run that was killed has not worked for nothing (see --cache).

A page is searched by its main part; navigation is left out. Pages say more by data-seam-body, data-seam-ignore, data-seam-filter="name",
data-seam-meta="name:value", data-seam-weight="2" and <meta name="robots" content="noindex">; data-pagefind-* is understood as well.

With --enrich a model of your choice writes, once for each chunk, questions that people would ask it or a header, and their words find it, too:
a quarter of what a word of its own counts. A question or header that does not find its chunk among the first ten by the site's own words is
left out. The text of the pages is sent; the price is told before. What the model gave is kept (--run): who builds again pays for the chunks
that have changed. While a site is watched, after its first index, and by seam serve nobody is asked: what is kept is used.

Examples:
  seam index --site public --out public/seam
  seam index                      # with site and out in seam.yaml
  seam index --site build --out build/seam --body article --ignore .changelog --exclude 'blog/**'
  seam index --site public --out public/seam --folders '{language}/{version}/**'
  seam index --site public --out public/seam --watch
  seam index --site public --out public/seam --llms
  seam index --site public --out public/seam --meaning
  seam index --site public --out public/seam --chunks chunks.jsonl                # for a sparse encoder, see the widget's docs
  seam index --site public --out public/seam --expansions expansions.jsonl
  OPENAI_API_KEY=… seam index --site public --out public/seam --enrich questions,headers --model gpt-4o-mini --run enriched.jsonl
  seam serve --site public        # while you write: the site, with the search of what it is now
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
	Meaning   *meaningReport      `json:"meaning,omitempty"`
	Enriched  *enrichReport       `json:"enriched,omitempty"`
}

// Run runs seam index.
func (c IndexCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	if err := c.configure(); err != nil {
		return err
	}
	if c.Site == "" || c.Out == "" {
		return terminal.Usagef("name the built site and where its index goes: seam index --site public --out public/seam")
	}
	if c.Chunks == "-" {
		return terminal.Usagef("--chunks -: name a file, as stdout has the report")
	}
	x, err := NewIndexer(c)
	if err != nil {
		return err
	}
	if kept := c.FileCache(); kept != nil {
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
		if at = filepath.ToSlash(at); c.wants(at) {
			names = append(names, at)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("--site %s: %w", c.Site, terminal.Reason(err))
	case len(names) == 0:
		return nil, fmt.Errorf("--site %s: there is no .html file in it; build the site first", c.Site)
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
		fmt.Fprintf(w, "  a first search takes at most %d kB of it, of %d that were tried: %q\n", (r.Dearest.Bytes+500)/1000, r.Dearest.Tried, r.Dearest.Query)
	}
	if r.Meaning != nil {
		r.Meaning.print(w)
	}
	if c.Expansions != "" {
		fmt.Fprintf(w, "  expansions: of %s", terminal.Count(r.Expanded, "chunk"))
		if r.Strangers > 0 {
			fmt.Fprintf(w, "; %s of no chunk of this index: --chunks writes those that there are", terminal.Count(r.Strangers, "id"))
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
		fmt.Fprintf(w, "  kept as the site has them: %s\n", someOf(r.Foreign))
	}
	names := slices.Sorted(maps.Keys(r.Left))
	for i, name := range names {
		if i == maxListed {
			fmt.Fprintf(w, "  and %d more pages are left out; --json names them\n", len(names)-i)
			break
		}
		fmt.Fprintf(w, "  left out: %s: %s\n", terminal.Shown(name), r.Left[name])
	}
	titles := slices.Sorted(maps.Keys(r.Titles))
	for i, t := range titles {
		if i == maxListed {
			fmt.Fprintf(w, "  and %d more titles that several pages have\n", len(titles)-i)
			break
		}
		fmt.Fprintf(w, "  the title %q is that of %d pages: %s\n", t, len(r.Titles[t]), someOf(r.Titles[t]))
	}
	return nil
}

// someOf joins the first three items of a list.
func someOf(list []string) string { return strings.Join(list[:min(3, len(list))], ", ") }
