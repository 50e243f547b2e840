package cut

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"

	"seam/proxy/parquet"
	"seam/proxy/remote"
	"seam/shared/export"
)

// flat adds the line of a chunk in a format with flat metadata.
func flat(p *DocPrinter, c export.Chunk, row []float32) error {
	id, m, vector := uuidOf(c), metadataOf(c), json.RawMessage(nil)
	if !remote.Zero(row) {
		var l Lines
		l.numbers(row)
		vector = bytes.Clone(l.Bytes())
	}
	var err error
	switch p.Format {
	case formatLlamaIndex:
		err = p.Out.Json(struct {
			ID        string          `json:"id_"`
			Text      string          `json:"text"`
			Metadata  metadata        `json:"metadata"`
			Embedding json.RawMessage `json:"embedding,omitempty"`
		}{id, c.Text, m, vector})
	case formatWeaviate: // its objects may lack a vector
		err = p.Out.Json(struct {
			UUID       string          `json:"uuid"`
			Properties withText        `json:"properties"`
			Vector     json.RawMessage `json:"vector,omitempty"`
		}{id, withText{c.Text, m}, vector})
	case formatPinecone:
		if vector == nil {
			p.Left++
			return nil
		}
		err = p.Out.Json(struct {
			ID       string          `json:"id"`
			Values   json.RawMessage `json:"values"`
			Metadata withText        `json:"metadata"`
		}{id, vector, withText{c.Text, m}})
	default:
		if c.Header == nil { // every row has the same columns
			m.Header = new(string)
		}
		err = p.Out.Json(tableRow{id, slices.Clone(row), c.Text, m.File, m.Document, m.Chunk, m.Origin, m.Start, m.End, m.Tokens, m.Page, c.Pages, orNone(c.Labels), m.Section, *m.Header, m.Reason, m.Index, c.Topic, m.View})
	}
	p.Out.WriteByte('\n')
	return err
}

// withText is metadata with the text, for databases with no other place for it.
type withText struct {
	Text string `json:"text"`
	metadata
}

// orNone returns an empty list instead of nil, which JSON has as null.
func orNone(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// tableRow is a row of a table: no key is ever missing.
type tableRow struct {
	ID       string    `json:"id"`
	Vector   []float32 `json:"vector"`
	Text     string    `json:"text"`
	File     string    `json:"file"`
	Document string    `json:"document"`
	Chunk    string    `json:"chunk"`
	Origin   string    `json:"origin"`
	Start    int       `json:"start"`
	End      int       `json:"end"`
	Tokens   int       `json:"tokens"`
	Page     int       `json:"page"`
	Pages    []int     `json:"pages"`
	Labels   []string  `json:"labels"`
	Section  string    `json:"section"`
	Header   string    `json:"header"`
	Reason   string    `json:"reason"`
	Index    int       `json:"index"`
	Topic    int       `json:"topic"`
	View     string    `json:"view"`
}

// columns are the columns of tableRow in Parquet.
var columns = []parquet.Column{{Name: "id"}, {Name: "vector", Kind: parquet.Float32s}, {Name: "text"}, {Name: "file"}, {Name: "document"}, {Name: "chunk"}, {Name: "origin"},
	{Name: "start", Kind: parquet.Int}, {Name: "end", Kind: parquet.Int}, {Name: "tokens", Kind: parquet.Int}, {Name: "page", Kind: parquet.Int}, {Name: "pages", Kind: parquet.Ints},
	{Name: "labels", Kind: parquet.Strings}, {Name: "section"}, {Name: "header"}, {Name: "reason"}, {Name: "index", Kind: parquet.Int}, {Name: "topic", Kind: parquet.Int}, {Name: "view"}}

// table makes a file of Parquet out of the lines of rows. Several files are cut at once, and
// only their lines come in order.
type table struct {
	*parquet.Writer
	rest []byte // of a line that is not complete
}

func (t *table) begin(w io.Writer) (err error) {
	t.Writer, err = parquet.NewWriter(w, columns, [2]string{"schema", export.ID})
	return err
}

// lines adds the rows of lines.
func (t *table) lines(b []byte) error {
	t.rest = append(t.rest, b...)
	for {
		line, rest, whole := bytes.Cut(t.rest, []byte("\n"))
		if !whole {
			t.rest = bytes.Clone(t.rest)
			return nil
		}
		var r tableRow
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if err := t.Row(r.ID, r.Vector, r.Text, r.File, r.Document, r.Chunk, r.Origin, r.Start, r.End, r.Tokens, r.Page, r.Pages, r.Labels, r.Section, r.Header, r.Reason, r.Index, r.Topic, r.View); err != nil {
			return err
		}
		t.rest = rest
	}
}

func (t *table) end() error { return t.Close() }
