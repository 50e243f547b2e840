package files

import (
	"path/filepath"

	"seam/proxy/filecache"
	"seam/proxy/vectorfile"
	"seam/shared/embed"
)

// CacheOptions are the options of every command that keeps something for the next run.
type CacheOptions struct {
	Cache string `env:"SEAM_CACHE" placeholder:"FOLDER" help:"Where texts of PDFs, chunks of what was searched, pages of sites, and vectors of hosted models, which were paid for, are kept for the next time; off: nowhere (default: this user's cache folder, see seam cache)."`
}

// filesDir is the folder of the entries of files in that of the cache, runsDir that of runs,
// MadeDir that of vectors that are made here and take long.
const filesDir, RunsDir, MadeDir = "files", "runs", "made"

// Dir is the folder of the cache; empty where there is none.
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

// Unless is a cache in which what is private is not kept.
func (o CacheOptions) Unless(private bool) CacheOptions {
	if private {
		o.Cache = "off"
	}
	return o
}

// FileCache opens the cache of files. It returns nil if the cache is off or has no folder.
func (o CacheOptions) FileCache() *FileCache {
	dir := o.Dir()
	if dir == "" {
		return nil
	}
	return &FileCache{filecache.Open(filepath.Join(dir, filesDir), filecache.DefaultLimit)}
}

// Made is the store of vectors that are made here; nil where there is none.
func (o CacheOptions) Made() embed.Store {
	dir := o.Dir()
	if dir == "" {
		return nil
	}
	return vectorfile.In(filepath.Join(dir, MadeDir), vectorfile.DefaultLimit)
}
