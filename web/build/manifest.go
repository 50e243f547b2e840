package main

import (
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
)

// manifestEntry is one file of the page. Sizes are bytes; a size of 0 means
// that there is no such form.
type manifestEntry struct {
	File   string `json:"file"`
	Group  group  `json:"group"`
	Bytes  int    `json:"bytes"`
	Gzip   int    `json:"gzip,omitempty"`
	Brotli int    `json:"brotli,omitempty"`
	// SHA384 is of the uncompressed bytes, as subresource integrity wants it.
	SHA384 string `json:"sha384"`
}

type manifest []manifestEntry

func newEntry(f file) manifestEntry {
	sum := sha512.Sum384(f.body)
	return manifestEntry{File: f.name, Group: f.group, Bytes: len(f.body), SHA384: "sha384-" + base64.StdEncoding.EncodeToString(sum[:])}
}

func (e *manifestEntry) set(ext string, size int) {
	if ext == ".br" {
		e.Brotli = size
	} else {
		e.Gzip = size
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
	for _, g := range []group{engine, pdf, page, worker, other} {
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
