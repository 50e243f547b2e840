package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"seam/web/policy"
)

// serviceWorkerKnows describes the page to the service worker.
type serviceWorkerKnows struct {
	// Version changes with any file, and with the service worker itself.
	Version string `json:"version"`
	// List is the file that lists all others: see fileList.
	List      string `json:"list"`
	Integrity string `json:"integrity"`
	// Proxy is another origin that the open page may reach, or "".
	Proxy string  `json:"proxy"`
	Open  binding `json:"open"`
	// Sealed has {root} in place of the page's address.
	Sealed binding `json:"sealed"`
}

// binding holds the headers for a response of an entry.
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

// serviceWorkerFiles builds sw.js, and the list of files that it names. The name of sw.js
// never changes, because browsers look for a new version at the old address.
func serviceWorkerFiles(web, proxy string, m manifest, dev bool) ([]file, error) {
	list, err := fileList(m)
	if err != nil {
		return nil, err
	}
	knows := serviceWorkerKnows{
		List:      list.name,
		Integrity: integrityOf(list.body),
		Proxy:     proxy,
		Open:      bind(policy.Open(proxy), proxy),
		Sealed:    bind(policy.Sealed(func(...string) string { return "{root}" }), ""),
	}
	unnamed, err := bundleServiceWorker(web, knows, dev)
	if err != nil {
		return nil, err
	}
	knows.Version = fmt.Sprintf("%x", sha256.Sum256(unnamed))[:12]
	body, err := bundleServiceWorker(web, knows, dev)
	return []file{list, {"sw.js", worker, body}}, err
}

// fileList returns the integrity of each file stored for offline use: "small" files for the
// page itself, "large" ones for the programs, and "seldom" ones stored after their first
// use. If the list were in sw.js, it would be downloaded before the page becomes usable.
func fileList(m manifest) (file, error) {
	list := map[string]map[string]string{"small": {}, "large": {}, "seldom": {}}
	for _, e := range m {
		switch e.Group {
		case apart:
		case meaning, ranks, pdfPages, gallery, language:
			list["seldom"][e.File] = e.SHA384
		case engine, pdf, tables, model:
			list["large"][e.File] = e.SHA384
		default:
			// A folder is requested by its own name.
			list["small"][strings.TrimSuffix(e.File, "index.html")] = e.SHA384
		}
		if path.Ext(e.File) == ".wasm" && e.GzipSHA384 != "" {
			// The host may serve either file as an encoding of the other.
			both := e.SHA384 + " " + e.GzipSHA384
			list["large"][e.File], list["large"][e.File+".gz"] = both, both
		}
	}
	b, err := json.Marshal(list)
	return hashed("files.json", worker, b), err
}
