package sites

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/terminal"
	"seam/shared/site"
	"seam/shared/site/shards"
	"seam/web/widget"
)

// root returns the site's address relative to the index. An index outside the site is
// assumed to be served from a folder of the site.
func (c IndexCommand) root() string {
	out, err := filepath.Abs(c.Out)
	if err != nil {
		return "../"
	}
	site, err := filepath.Abs(c.Site)
	if err != nil {
		return "../"
	}
	at, err := filepath.Rel(out, site)
	if err != nil || strings.Trim(filepath.ToSlash(at), "./") != "" {
		return "../"
	}
	return filepath.ToSlash(at) + "/"
}

// filesOf returns the index files of each language, and the widget's files.
func (x *indexer) filesOf(ctx context.Context, cut []*shards.Page, pages []*site.Page, report *indexReport, m *terminal.Meter) (map[string][]byte, error) {
	byLanguage := map[string][]shards.Page{}
	for i, p := range cut {
		if p != nil {
			l := site.Primary(pages[i].Language)
			byLanguage[l] = append(byLanguage[l], *p)
		}
	}
	files, err := widget.Files()
	if err != nil {
		return nil, err
	}
	for _, l := range slices.Sorted(maps.Keys(byLanguage)) {
		entry, made, err := shards.Build(l+"/", l, byLanguage[l])
		if err != nil {
			return nil, fmt.Errorf("index the pages in %s: %w", l, err)
		}
		if report.Enriched != nil {
			report.Enriched.Bytes += sizeOf(made)
		}
		chunks := 0
		for _, p := range byLanguage[l] {
			chunks += len(p.Chunks)
		}
		meaning, err := x.addMeaning(ctx, l, byLanguage[l], files, report, m)
		if err != nil {
			return nil, err
		}
		report.Languages = append(report.Languages, shards.Language{Language: l, Meta: entry, Pages: len(byLanguage[l]), Chunks: chunks, Meaning: meaning})
		report.Pages += len(byLanguage[l])
		report.Chunks += chunks
		maps.Copy(files, made)
	}
	slices.SortStableFunc(report.Languages, func(a, b shards.Language) int { return b.Pages - a.Pages })
	first := shards.NewEntry(x.root(), report.Languages)
	first.Unread = unreadOf(x.Known)
	entry, err := json.MarshalIndent(first, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", shards.EntryName, err)
	}
	files[shards.EntryName] = append(entry, '\n')
	report.Files = len(files)
	report.Bytes = sizeOf(files)
	return files, nil
}

// sizeOf returns the total size of files in bytes.
func sizeOf(files map[string][]byte) (n int) {
	for _, b := range files {
		n += len(b)
	}
	return n
}

// generations is the name of the file that lists the files of the current index and of the
// previous one. The previous files stay because pages cached yesterday still search with
// them.
const generations = "generations.json"

type generationsJSON struct {
	Now    []string `json:"now"`
	Before []string `json:"before"`
	// Beside lists files in the site that were written for language models.
	Beside []string `json:"beside,omitempty"`
}

// generationsOf reads the list of a folder's files. If the list is missing or damaged it
// returns an empty one, and no files are removed.
func generationsOf(dir string) (g generationsJSON) {
	b, err := os.ReadFile(filepath.Join(dir, generations))
	if err != nil || json.Unmarshal(b, &g) != nil {
		return generationsJSON{}
	}
	return g
}

// write writes the list into the folder.
func (g generationsJSON) write(dir string) error {
	list, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return terminal.WriteFile(filepath.Join(dir, generations), list)
}

// writable makes the folder of an index, and returns an error if files cannot be written
// there.
func writable(dir string) error {
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(dir, ".seam-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	return notWritten(dir, err)
}

// notWritten wraps an error of writing to the index folder; nil stays nil.
func notWritten(dir string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("--out %s cannot be written: %w", dir, terminal.Reason(err))
}

// keepIndex writes an index. It skips unchanged files, writes the entry last, and removes
// the files of older generations: it keeps the current and the previous one. old is the
// list found in the folder, and beside the files of the index outside it.
func keepIndex(dir string, files map[string][]byte, old generationsJSON, beside []string) error {
	now := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(n string) bool { return n == shards.EntryName || n == widget.Name })
	for _, name := range now {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if there, err := os.ReadFile(at); err == nil && bytes.Equal(there, files[name]) {
			continue
		}
		err := os.MkdirAll(filepath.Dir(at), 0o777)
		if err == nil {
			err = os.WriteFile(at, files[name], 0o666)
		}
		if err != nil {
			return notWritten(dir, err)
		}
	}
	next := generationsJSON{Now: now, Before: old.Before, Beside: beside}
	if !slices.Equal(old.Now, now) {
		next.Before = old.Now
	}
	for _, name := range []string{widget.Name, shards.EntryName} {
		if err := terminal.WriteFile(filepath.Join(dir, name), files[name]); err != nil {
			return err
		}
	}
	if err := next.write(dir); err != nil {
		return err
	}
	for _, name := range old.Before {
		if !slices.Contains(next.Now, name) && !slices.Contains(next.Before, name) && filepath.IsLocal(filepath.FromSlash(name)) {
			os.Remove(filepath.Join(dir, filepath.FromSlash(name)))
		}
	}
	return nil
}
