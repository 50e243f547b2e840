package sites

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/terminal"
	"seam/shared/site"
)

// listName is the list of a site's pages for language models, at the root of the site.
const listName = "llms.txt"

// markdowns returns the files for language models by their paths in the site: the list, and
// next to each page its Markdown.
func (x *indexer) markdowns(pages []*site.Page) map[string][]byte {
	names := map[string]string{}
	for name, k := range x.Known {
		if k.Page != nil {
			names[k.Page.URL] = name
		}
	}
	files := map[string][]byte{}
	var listed []site.LinkedPage
	title := ""
	for _, p := range pages {
		at := names[p.URL] + ".md"
		files[at] = []byte(x.Known[names[p.URL]].Markdown)
		listed = append(listed, site.LinkedPage{Page: p, At: at})
		if p.URL == "./" {
			title = p.Title
		}
	}
	if abs, err := filepath.Abs(x.Site); title == "" && err == nil {
		title = filepath.Base(abs)
	}
	files[listName] = []byte(site.List(title, listed))
	return files
}

// keepBeside writes files for language models into the site and removes stale ones of the
// last run. It returns the names it wrote, and the names it skipped because the site has
// another file there. It notes the files before it writes them, so that a later run knows
// the files of a killed one.
func (c IndexCommand) keepBeside(files map[string][]byte, old generationsJSON) (ours, foreign []string, err error) {
	at := func(name string) string { return filepath.Join(c.Site, filepath.FromSlash(name)) }
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if _, err := os.Lstat(at(name)); err == nil && !slices.Contains(old.Beside, name) {
			foreign = append(foreign, name)
			continue
		}
		ours = append(ours, name)
	}
	if len(ours)+len(old.Beside) == 0 {
		return nil, foreign, nil
	}
	noted := old
	noted.Beside = slices.Compact(slices.Sorted(slices.Values(slices.Concat(old.Beside, ours))))
	if err := os.MkdirAll(c.Out, 0o777); err != nil {
		return nil, nil, notWritten(c.Out, err)
	}
	if err := noted.write(c.Out); err != nil {
		return nil, nil, err
	}
	for _, name := range ours {
		if err := terminal.WriteFile(at(name), files[name]); err != nil {
			return nil, nil, err
		}
	}
	for _, name := range old.Beside {
		if !slices.Contains(ours, name) && filepath.IsLocal(filepath.FromSlash(name)) && (name == listName || strings.HasSuffix(name, ".md")) {
			os.Remove(at(name))
		}
	}
	return ours, foreign, nil
}
