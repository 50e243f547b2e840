package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"seam/web/policy"
)

// serviceWorkerKnows is what the service worker is told of the page.
type serviceWorkerKnows struct {
	// Version changes with any file.
	Version string `json:"version"`
	// Files has the integrity of each file that it keeps.
	Files   map[string]string `json:"files"`
	Headers [][2]string       `json:"headers"`
	Open    string            `json:"open"`
	// Sealed has {root} where the address of the page belongs.
	Sealed string `json:"sealed"`
}

// serviceWorkerFile makes sw.js. Its name does not change, as browsers look
// for a new version at the address of the old one.
func serviceWorkerFile(web string, m manifest, dev bool) (file, error) {
	all, err := json.Marshal(m)
	if err != nil {
		return file{}, err
	}
	knows := serviceWorkerKnows{
		Files:  map[string]string{},
		Open:   policy.Open,
		Sealed: policy.Sealed(func(...string) string { return "{root}" }),
	}
	for _, each := range append(policy.Headers(), policy.EnforcedBy("worker")) {
		knows.Headers = append(knows.Headers, [2]string{each.Name, each.Value})
	}
	for _, e := range m {
		// A folder is asked for by its own name.
		name := strings.TrimSuffix(e.File, "index.html")
		knows.Files[name] = e.SHA384
		if path.Ext(name) == ".wasm" && e.GzipSHA384 != "" {
			// The host may take either file for a coding of the other.
			both := e.SHA384 + " " + e.GzipSHA384
			knows.Files[name], knows.Files[name+".gz"] = both, both
		}
	}
	knows.Version = fmt.Sprintf("%x", sha256.Sum256(all))[:12]
	body, err := bundleServiceWorker(web, knows, dev)
	return file{"sw.js", worker, body}, err
}
