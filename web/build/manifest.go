package main

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
)

// manifestEntry describes a file of the page. Sizes are in bytes; 0 means that there is no
// such form.
type manifestEntry struct {
	File   string `json:"file"`
	Group  group  `json:"group"`
	Bytes  int    `json:"bytes"`
	Gzip   int    `json:"gzip,omitempty"`
	Brotli int    `json:"brotli,omitempty"`
	// SHA384 is the hash of the uncompressed bytes, for subresource integrity.
	SHA384 string `json:"sha384"`
	// GzipSHA384 is the hash of the .gz file, for programs that fetch it as a file.
	GzipSHA384 string `json:"gzipSha384,omitempty"`
}

type manifest []manifestEntry

func newEntry(f file) manifestEntry {
	return manifestEntry{File: f.name, Group: f.group, Bytes: len(f.body), SHA384: integrityOf(f.body)}
}

// integrityOf returns an integrity attribute that allows any of the bodies. nil bodies are
// skipped.
func integrityOf(bodies ...[]byte) string {
	var hashes []string
	for _, body := range bodies {
		if body != nil {
			sum := sha512.Sum384(body)
			hashes = append(hashes, "sha384-"+base64.StdEncoding.EncodeToString(sum[:]))
		}
	}
	return strings.Join(hashes, " ")
}

func (e *manifestEntry) set(p form) {
	if p.ext == ".br" {
		e.Brotli = len(p.body)
	} else {
		e.Gzip, e.GzipSHA384 = len(p.body), integrityOf(p.body)
	}
}

func (m manifest) write(name string) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(b, '\n'), 0o644)
}

// print writes the sizes of each group as a table.
func (m manifest) print(w io.Writer) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "bytes\tgzip\tbrotli\t\t")
	for _, g := range []group{engine, pdf, tables, model, meaning, ranks, page, worker, pdfPages, gallery, language, other, apart} {
		var sum manifestEntry
		for _, e := range m {
			if e.Group == g {
				sum.Bytes += e.Bytes
				sum.Gzip += e.Gzip
				sum.Brotli += e.Brotli
			}
		}
		fmt.Fprintf(table, "%d\t%d\t%d\t  %s\t\n", sum.Bytes, sum.Gzip, sum.Brotli, g)
	}
	table.Flush()
}
