package cut

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/bundle"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/text"
)

// WrittenRow is a line printed by seam enrich, of either kind.
type WrittenRow struct {
	text.Span
	Text       string          `json:"text"`
	Statements []StatementJSON `json:"statements"`
	Header     string          `json:"header"`
	Written    bool            `json:"written"`
}

// ReadWritten reads files printed by seam enrich.
func ReadWritten(std terminal.IO, names []string) (rows []WrittenRow, err error) {
	for _, name := range names {
		b, err := files.ReadText(std, name, "lines of JSON")
		if err != nil {
			return nil, err
		}
		d := json.NewDecoder(bytes.NewReader(b))
		for line := 1; ; line++ {
			var r WrittenRow
			if err := d.Decode(&r); errors.Is(err, io.EOF) {
				break
			} else if err != nil || r.Text == "" {
				return nil, fmt.Errorf("%s: line %d is not output of seam enrich knowledge or headers", name, line)
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// statements returns the statements of the rows that match a document, with the same text
// at the same offsets. It marks these rows in found.
func statements(rows []WrittenRow, found []bool, r *pipeline.Result) (list []bundle.Statement) {
	for i, row := range rows {
		t := r.Text.Text
		if row.Start < 0 || row.End > len(t) || row.Start > row.End || t[row.Start:row.End] != row.Text {
			continue
		}
		found[i] = true
		add := func(text string, grounded, title bool) {
			list = append(list, bundle.Statement{View: r.Plan.View, Span: row.Span, Text: text, Grounded: grounded, Title: title, Made: "model"})
		}
		for _, s := range row.Statements {
			add(s.Text(), s.Grounded, false)
		}
		if row.Written {
			add(row.Header, true, true)
		}
	}
	return list
}

// reportUnmatched prints a note on rows that match no document.
func reportUnmatched(std terminal.IO, found []bool) {
	strangers := 0
	for _, known := range found {
		if !known {
			strangers++
		}
	}
	if strangers > 0 {
		fmt.Fprintf(std.Err, "seam: of %s in --enriched, %d match no file: use the same --view, and enrich changed files again\n", terminal.Count(len(found), "part"), strangers)
	}
}

// WrittenOf returns the generated texts for the documents, from their bundles and from
// rows. It leaves out statements that their part of the text does not support.
func WrittenOf(std terminal.IO, docs []Document, rows []WrittenRow) [][]search.Written {
	all, found := make([][]search.Written, len(docs)), make([]bool, len(rows))
	for i, d := range docs {
		for _, s := range append(d.statements, statements(rows, found, d.Result)...) {
			if s.Grounded && s.View == d.Result.Plan.View {
				all[i] = append(all[i], search.Written{Part: s.Span, Text: s.Text, Title: s.Title})
			}
		}
	}
	reportUnmatched(std, found)
	return all
}
