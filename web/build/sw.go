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
	// Version changes with any file, and with the service worker itself.
	Version string `json:"version"`
	// List is the file that has the names of all others: see fileList.
	List      string `json:"list"`
	Integrity string `json:"integrity"`
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

// serviceWorkerFiles makes sw.js, and the list of files that it names. The name of
// sw.js does not change, as browsers look for a new version at the address of the
// old one.
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

// fileList has the integrity of each file that is kept for offline use: "small" of
// those that the page itself needs, "large" of the programs and what belongs to them,
// "seldom" of what is kept once it was used.
// In sw.js it would be downloaded before the page is of any use.
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
			// A folder is asked for by its own name.
			list["small"][strings.TrimSuffix(e.File, "index.html")] = e.SHA384
		}
		if path.Ext(e.File) == ".wasm" && e.GzipSHA384 != "" {
			// The host may take either file for a coding of the other.
			both := e.SHA384 + " " + e.GzipSHA384
			list["large"][e.File], list["large"][e.File+".gz"] = both, both
		}
	}
	b, err := json.Marshal(list)
	return hashed("files.json", worker, b), err
}
