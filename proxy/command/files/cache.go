package files

import (
	"path/filepath"

	"seam/proxy/command/terminal"
	"seam/proxy/filecache"
	"seam/proxy/vectorfile"
	"seam/shared/embed"
)

// CacheOptions are the options of every command that keeps something for the next run.
type CacheOptions struct {
	Cache string `env:"SEAM_CACHE" placeholder:"FOLDER" help:"Folder for texts of PDFs, chunks of searched files, pages of sites and vectors of hosted models, kept between runs; off keeps nothing (default: the user's cache folder, see seam cache)."`
}

// Subfolders of the cache: filesDir for files, RunsDir for runs, MadeDir for vectors that
// take long to compute locally.
const filesDir, RunsDir, MadeDir = "files", "runs", "made"

// Dir returns the folder of the cache, or "" if the cache is off or the user has no cache
// folder.
func (o CacheOptions) Dir() string {
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

// Unless returns the options with the cache turned off if private is set.
func (o CacheOptions) Unless(private bool) CacheOptions {
	if private {
		o.Cache = "off"
	}
	return o
}

// FileCache opens the cache of files, as they are read with the options of std. It returns
// nil if the cache is off or has no folder.
func (o CacheOptions) FileCache(std terminal.IO) *FileCache {
	dir := o.Dir()
	if dir == "" {
		return nil
	}
	return &FileCache{filecache.Open(filepath.Join(dir, filesDir), filecache.DefaultLimit), std.As, std.Encoding, std.HiddenText}
}

// Made returns the store for vectors computed locally, or nil if there is no cache.
func (o CacheOptions) Made() embed.Store {
	dir := o.Dir()
	if dir == "" {
		return nil
	}
	return vectorfile.In(filepath.Join(dir, MadeDir), vectorfile.DefaultLimit)
}
