package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"seam/proxy/filecache"
	"seam/proxy/runfile"
	"seam/proxy/vectorfile"
	"seam/shared/embed"
)

// cacheOptions are the options of every command that keeps something for the next run.
type cacheOptions struct {
	Cache string `env:"SEAM_CACHE" placeholder:"FOLDER" help:"Where texts of PDFs, chunks of what was searched, pages of sites, and vectors of hosted models, which were paid for, are kept for the next time; off: nowhere (default: this user's cache folder, see seam cache)."`
}

// filesDir is the folder of the entries of files in that of the cache, runsDir that of runs,
// madeDir that of vectors that are made here and take long.
const filesDir, runsDir, madeDir = "files", "runs", "made"

// dir is the folder of the cache; empty where there is none.
func (o cacheOptions) dir() string {
	switch o.Cache {
	case "off":
		return ""
	case "":
		dir, err := vectorfile.DefaultDir()
		if err != nil {
			return ""
		}
		return dir
	}
	return o.Cache
}

// unless is a cache in which what is private is not kept.
func (o cacheOptions) unless(private bool) cacheOptions {
	if private {
		o.Cache = "off"
	}
	return o
}

// keeper opens the part of the cache that is for files; nil where there is none.
func (o cacheOptions) keeper() *keeper {
	dir := o.dir()
	if dir == "" {
		return nil
	}
	return &keeper{filecache.Open(filepath.Join(dir, filesDir), filecache.DefaultLimit)}
}

// made is the store of vectors that are made here; nil where there is none.
func (o cacheOptions) made() embed.Store {
	dir := o.dir()
	if dir == "" {
		return nil
	}
	return vectorfile.In(filepath.Join(dir, madeDir), vectorfile.DefaultLimit)
}

// close ends a keeper, and says if something could not be kept.
func (k *keeper) close(std IO) {
	if k == nil {
		return
	}
	if err := k.Close(); err != nil {
		fmt.Fprintf(std.Err, "seam: what was read is not kept for the next time: %s; --cache names another folder, or off\n", oneLine(err.Error()))
	}
}

type cacheCommand struct {
	Clear   bool `help:"Take the texts and chunks away; they are made again when they are needed."`
	Vectors bool `help:"With --clear: what hosted models gave, too, which was paid for: vectors, and runs of seam eval pipeline, seam eval questions, seam enrich and seam index --enrich, with the passages that were sent."`
	cacheOptions
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

// Run tells where the cache is and what it holds, or clears it.
func (c cacheCommand) Run(_ context.Context, std IO) error {
	dir := c.dir()
	switch {
	case c.Vectors && !c.Clear:
		return usagef("--vectors goes with --clear")
	case dir == "" && c.Clear:
		return usagef("nothing is kept: there is no cache to clear")
	case dir == "":
		_, err := fmt.Fprintln(std.Out, "off: nothing is kept")
		return err
	}
	kept := c.keeper()
	vectors := vectorfile.In(dir, vectorfile.DefaultLimit)
	runs, made := filepath.Join(dir, runsDir), filepath.Join(dir, madeDir)
	ofSites := vectorfile.In(made, vectorfile.DefaultLimit)
	if c.Clear { // what seam has made alone: the folder may be of other things, too
		err := errors.Join(kept.Clear(), ofSites.Clear())
		os.Remove(made) // if nothing else is in it
		if c.Vectors {
			err = errors.Join(err, vectors.Clear(), runfile.Clear(runs))
		}
		if err != nil {
			return fmt.Errorf("clear %s: %w", shown(dir), err)
		}
	}
	files, size, err := kept.Usage()
	if err != nil {
		return fmt.Errorf("%s: %w", shown(dir), reason(err))
	}
	n, taken := runfile.Usage(runs)
	_, err = fmt.Fprintf(std.Out, "%s\ntexts and chunks: %s, %s of at most %s\nvectors of sites: %s of at most %s\nvectors of hosted models: %s of at most %s\nruns with hosted models: %s, %s\n", shown(dir),
		count(files, "file"), megabytes(size), megabytes(filecache.DefaultLimit), megabytes(ofSites.Size()), megabytes(vectorfile.DefaultLimit), megabytes(vectors.Size()), megabytes(vectorfile.DefaultLimit), count(n, "file"), megabytes(taken))
	return err
}

// megabytes is a size for people.
func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
