package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/proxy/filecache"
	"seam/proxy/runfile"
	"seam/proxy/vectorfile"
)

type cacheCommand struct {
	Clear   bool `help:"Delete texts and chunks; seam makes them again when needed."`
	Vectors bool `help:"With --clear: also delete paid results of hosted models: vectors, and runs of seam eval, seam enrich and seam index --enrich."`
	files.CacheOptions
}

func (cacheCommand) Help() string {
	return `Seam keeps the text, chunks and vectors of searched files, and the text of other PDFs, so that it reads again only files that
changed. It recognizes a file by its content, not by its name or time. Only you can read the folder. Above 2 GB, the
least recently used entries are deleted. Seam keeps nothing from files opened with a password or from stdin, and nothing
at all with --cache off or SEAM_CACHE=off.

Examples:
  seam cache
  seam cache --clear
  seam search --cache off "sample size" papers/`
}

// Run prints the folder and contents of the cache, or clears it.
func (c cacheCommand) Run(_ context.Context, std terminal.IO) error {
	dir := c.Dir()
	switch {
	case c.Vectors && !c.Clear:
		return terminal.Usagef("--vectors needs --clear")
	case dir == "" && c.Clear:
		return terminal.Usagef("the cache is off: nothing to clear")
	case dir == "":
		_, err := fmt.Fprintln(std.Out, "off: nothing is stored")
		return err
	}
	kept := c.FileCache(std)
	vectors := vectorfile.In(dir, vectorfile.DefaultLimit)
	runs, made := filepath.Join(dir, files.RunsDir), filepath.Join(dir, files.MadeDir)
	ofSites := vectorfile.In(made, vectorfile.DefaultLimit)
	if c.Clear { // only seam's own files, because the folder may have others
		err := errors.Join(kept.Clear(), ofSites.Clear())
		os.Remove(made) // fails if the folder has other files
		if c.Vectors {
			err = errors.Join(err, vectors.Clear(), runfile.Clear(runs))
		}
		if err != nil {
			return fmt.Errorf("clear %s: %w", terminal.Shown(dir), err)
		}
	}
	files, size, err := kept.Usage()
	if err != nil {
		return fmt.Errorf("%s: %w", terminal.Shown(dir), terminal.Reason(err))
	}
	n, taken := runfile.Usage(runs)
	_, err = fmt.Fprintf(std.Out, "%s\ntexts and chunks: %s, %s of at most %s\nvectors of sites: %s of at most %s\nvectors of hosted models: %s of at most %s\nruns with hosted models: %s, %s\n", terminal.Shown(dir),
		terminal.Count(files, "file"), terminal.Megabytes(size), terminal.Megabytes(filecache.DefaultLimit), terminal.Megabytes(ofSites.Size()), terminal.Megabytes(vectorfile.DefaultLimit), terminal.Megabytes(vectors.Size()), terminal.Megabytes(vectorfile.DefaultLimit), terminal.Count(n, "file"), terminal.Megabytes(taken))
	return err
}
