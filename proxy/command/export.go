package command

import (
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seam/proxy/remote"
	"seam/shared/embed/lexical"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/vector"
)

// The formats of chunks with their vectors, for databases.
const (
	formatQdrant     = "qdrant"     // a line a point: {"id","vector","payload"}
	formatChroma     = "chroma"     // a line for up to chromaBatch chunks: {"ids","embeddings","documents","metadatas"}
	formatOpenSearch = "opensearch" // two lines a chunk, as _bulk takes them: an action and a document
	formatPgvector   = "pgvector"   // CSV with a head, as COPY takes it
)

// chromaBatch is how many chunks a call of collection.add gets: its limit is some 5,000.
const chromaBatch = 100

// exports reports whether a format is one with vectors.
func exports(format string) bool {
	return slices.Contains([]string{formatQdrant, formatChroma, formatOpenSearch, formatPgvector}, format)
}

// extensionOf is what the names of files of a format end with.
func extensionOf(format string) string {
	switch format {
	case "text":
		return ".txt"
	case formatPgvector:
		return ".csv"
	case formatQdrant, formatChroma, formatOpenSearch:
		return ".ndjson"
	}
	return "." + format
}

// checkExport refuses an embedder whose vectors no database could compare.
func checkExport(format string, p pipeline.Plan) error {
	if exports(format) && p.Embedder == lexical.Name {
		return usageError{errLexical}
	}
	return nil
}

var errLexical = fmt.Errorf("the vectors of lexical are made of one document's own words, and cannot be compared with those of a query: name another --embedder, such as builtin")

// chunkVectors makes the vectors of the chunks of a document.
func (c cutter) chunkVectors(ctx context.Context, s *cutting, r *pipeline.Result) (vector.Matrix, error) {
	if r.Plan.Embedder == lexical.Name {
		return vector.Matrix{}, named(s.Session, errLexical)
	}
	m, name, err := search.Vectors(ctx, r, c.hooksOf(s))
	if err == nil && name == "" && len(r.Chunks) > 0 {
		err = fmt.Errorf("%s has no vectors of its chunks or sentences", r.Plan.Embedder)
	}
	return m, named(s.Session, err)
}

// uuidOf names a chunk in a database.
func uuidOf(c chunkJSON) string { return remote.IDOf(c.File, c.ID).String() }

// metadata is what Chroma keeps of a chunk: texts and numbers.
type metadata struct {
	File    string  `json:"file"`
	Chunk   string  `json:"chunk"`
	Start   int     `json:"start"`
	End     int     `json:"end"`
	Tokens  int     `json:"tokens"`
	Page    int     `json:"page"`
	Pages   string  `json:"pages"` // "3;4"
	Section string  `json:"section"`
	Header  *string `json:"header,omitempty"`
	Reason  string  `json:"reason"`
}

// export writes the chunks of a document with their vectors.
func (p *docPrinter) export(d document, vectors vector.Matrix) error {
	all := make([]chunkJSON, len(d.result.Chunks))
	for i := range all {
		all[i] = d.chunk(i)
		all[i].File = d.Name
		if d.result.Plan.Headers {
			h := d.result.Header(i)
			all[i].Header = &h
		}
	}
	if p.format == formatChroma {
		for at := 0; at < len(all); at += chromaBatch {
			if err := p.chroma(all[at:min(len(all), at+chromaBatch)], vectors, at); err != nil {
				return err
			}
		}
		return p.out.flush()
	}
	for i, c := range all {
		var err error
		switch p.format {
		case formatQdrant:
			err = p.point(c, vectors.Row(i))
		case formatOpenSearch:
			err = p.bulk(c, vectors.Row(i))
		default:
			err = p.copyRow(c, vectors.Row(i))
		}
		if err == nil {
			err = p.out.whole()
		}
		if err != nil {
			return err
		}
	}
	return p.out.flush()
}

// numbers adds a vector, as JSON and pgvector write it.
func (l *lines) numbers(row []float32) {
	b := append(l.AvailableBuffer(), '[')
	for i, x := range row {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
	}
	l.Write(append(b, ']'))
}

func (p *docPrinter) point(c chunkJSON, row []float32) error {
	fmt.Fprintf(&p.out.Buffer, `{"id":%q,"vector":`, uuidOf(c))
	p.out.numbers(row)
	p.out.WriteString(`,"payload":`)
	err := p.out.json(c)
	p.out.WriteString("}\n")
	return err
}

// bulk leaves out a vector of zeros, which OpenSearch refuses where it compares by the
// cosine: such a chunk can be found by its words.
func (p *docPrinter) bulk(c chunkJSON, row []float32) error {
	fmt.Fprintf(&p.out.Buffer, `{"index":{"_id":%q}}`+"\n", uuidOf(c))
	if err := p.out.json(c); err != nil {
		return err
	}
	if slices.ContainsFunc(row, func(x float32) bool { return x != 0 }) {
		p.out.Truncate(p.out.Len() - 1) // the bracket
		p.out.WriteString(`,"embedding":`)
		p.out.numbers(row)
		p.out.WriteByte('}')
	}
	p.out.WriteByte('\n')
	return nil
}

func (p *docPrinter) chroma(chunks []chunkJSON, vectors vector.Matrix, at int) error {
	columns := struct {
		IDs       []string   `json:"ids"`
		Documents []string   `json:"documents"`
		Metadatas []metadata `json:"metadatas"`
	}{}
	for _, c := range chunks {
		columns.IDs = append(columns.IDs, uuidOf(c))
		columns.Documents = append(columns.Documents, c.Text)
		columns.Metadatas = append(columns.Metadatas, metadata{c.File, c.ID, c.Start, c.End, c.Tokens, c.Page, pageList(c.Pages, ";"), c.Section, c.Header, c.Reason})
	}
	if err := p.out.json(columns); err != nil {
		return err
	}
	p.out.Truncate(p.out.Len() - 1) // the bracket
	p.out.WriteString(`,"embeddings":[`)
	for i := range chunks {
		if i > 0 {
			p.out.WriteByte(',')
		}
		p.out.numbers(vectors.Row(at + i))
	}
	p.out.WriteString("]}\n")
	return p.out.whole()
}

// pgvectorHead are the columns of formatPgvector: no name is a word of SQL.
const pgvectorHead = "id,file,chunk,start_byte,end_byte,tokens,page,pages,section,reason,text,embedding"

func (p *docPrinter) copyRow(c chunkJSON, row []float32) error {
	var vec lines
	vec.numbers(row)
	// PostgreSQL's texts hold no NUL.
	clean := func(s string) string { return strings.ReplaceAll(s, "\x00", "\ufffd") }
	out := []string{uuidOf(c), clean(c.File), c.ID, strconv.Itoa(c.Start), strconv.Itoa(c.End), strconv.Itoa(c.Tokens), strconv.Itoa(c.Page), pageList(c.Pages, ";"),
		clean(c.Section), c.Reason, clean(c.Text), vec.String()}
	if c.Header != nil {
		out = append(out, clean(*c.Header))
	}
	w := csv.NewWriter(&p.out.Buffer)
	w.Write(out) // into memory: it cannot fail
	w.Flush()
	return w.Error()
}
