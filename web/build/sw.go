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
	// Files has the integrity of each file that it keeps, but for those that the
	// programs ask for with theirs.
	Files map[string]string `json:"files"`
	// Proxy is the origin that the open page may ask beside its own, or "".
	Proxy string  `json:"proxy"`
	Open  binding `json:"open"`
	// Sealed has {root} where the address of the page belongs.
	Sealed binding `json:"sealed"`
}

// binding is what a response of an entry is given.
type binding struct {
	Policy  string      `json:"policy"`
	Headers [][2]string `json:"headers"`
}

func bind(csp, proxy string) binding {
	b := binding{Policy: csp}
	for _, each := range append(policy.Headers(proxy), policy.EnforcedBy("worker")) {
		b.Headers = append(b.Headers, [2]string{each.Name, each.Value})
	}
	return b
}

// serviceWorkerFile makes sw.js. Its name does not change, as browsers look
// for a new version at the address of the old one.
func serviceWorkerFile(web, proxy string, m manifest, dev bool) (file, error) {
	all, err := json.Marshal(m)
	if err != nil {
		return file{}, err
	}
	knows := serviceWorkerKnows{
		Files:  map[string]string{},
		Proxy:  proxy,
		Open:   bind(policy.Open(proxy), proxy),
		Sealed: bind(policy.Sealed(func(...string) string { return "{root}" }), ""),
	}
	for _, e := range m {
		if e.Group == tables || e.Group == ranks {
			continue
		}
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
