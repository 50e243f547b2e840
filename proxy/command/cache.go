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
	Clear   bool `help:"Take the texts and chunks away; they are made again when they are needed."`
	Vectors bool `help:"With --clear: what hosted models gave, too, which was paid for: vectors, and runs of seam eval pipeline, seam eval questions, seam enrich and seam index --enrich, with the passages that were sent."`
	files.CacheOptions
}

func (cacheCommand) Help() string {
	return `Of files that were searched the text, the chunks and their vectors are kept, of other PDFs the text, so that only what has changed is read again:
a file is known by its bytes, not by its name or its time. Nobody but you can read the folder. What is above 2 GB goes, first
what was not used for the longest time. Nothing is kept of files that a password opened, of stdin, and with --cache off or SEAM_CACHE=off.

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
		return terminal.Usagef("--vectors goes with --clear")
	case dir == "" && c.Clear:
		return terminal.Usagef("nothing is kept: there is no cache to clear")
	case dir == "":
		_, err := fmt.Fprintln(std.Out, "off: nothing is kept")
		return err
	}
	kept := c.FileCache()
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
