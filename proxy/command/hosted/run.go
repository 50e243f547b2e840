package hosted

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/shared/text"
)

// RunHead returns the identity of a run. settings is everything that its answers depend on.
func RunHead(b terminal.Build, what, file string, d *text.Document, settings any) runfile.Head {
	s, err := json.Marshal(settings)
	if err != nil {
		panic(err) // only strings and finite numbers, so it cannot fail
	}
	named := *d
	if d.Name == terminal.Called(file) { // the sum includes the name
		named.Name = files.Lasting(file)
	}
	return runfile.Head{Seam: string(b), Pipeline: what, Document: terminal.Called(filepath.Base(file)), SHA256: sumOf(&named), Was: sumOf(d), Settings: s}
}

func sumOf(d *text.Document) string {
	return fmt.Sprintf("%x", sha256.Sum256(text.Encode(d)))
}

// OpenRun opens the file of a run: the named one, or else one in the cache folder. at is
// its name, or "" if nothing is kept. With only, the file is opened for reading; with
// mayMiss, it need not exist.
func OpenRun(cache files.CacheOptions, name string, only, mayMiss bool, head runfile.Head) (run *runfile.File, at string, err error) {
	if dir := cache.Dir(); name == "" && dir != "" {
		folder := filepath.Join(dir, files.RunsDir)
		if only || os.MkdirAll(folder, 0o700) == nil {
			at := func(sum string) string {
				id := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", head.Pipeline, sum, head.Settings))
				return filepath.Join(folder, fmt.Sprintf("%s-%x.jsonl", head.Pipeline, id[:8]))
			}
			name = at(head.SHA256)
			if _, err := os.Stat(name); err != nil && head.Was != "" {
				if _, err := os.Stat(at(head.Was)); err == nil {
					name = at(head.Was)
				}
			}
		}
	}
	if name == "" {
		return runfile.None(), "", nil
	}
	open := runfile.Open
	if only {
		open = runfile.Replay
	}
	run, err = open(name, head)
	switch {
	case err == nil:
		return run, name, nil
	case mayMiss && errors.Is(err, fs.ErrNotExist):
		return runfile.None(), "", nil
	case errors.Is(err, runfile.ErrOther):
		return nil, "", terminal.Usagef("--run %s: %v; choose another file, or use the same settings", terminal.Shown(name), err)
	}
	return nil, "", fmt.Errorf("the run's file %s: %w", terminal.Shown(name), err)
}
