package cut

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/remote"
	"seam/shared/embed/lexical"
	"seam/shared/export"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/vector"
)

// The formats of chunks with their vectors, for databases.
const (
	formatQdrant     = "qdrant"     // one line per point: {"id","vector","payload"}
	formatChroma     = "chroma"     // one line for up to chromaBatch chunks: {"ids","embeddings","documents","metadatas"}
	formatOpenSearch = "opensearch" // two lines per chunk for _bulk: an action and a document
	formatPgvector   = "pgvector"   // CSV with a header, for COPY
	formatLlamaIndex = "llamaindex" // one line per TextNode: {"id_","text","metadata","embedding"}
	formatLanceDB    = "lancedb"    // one line per row: {"id","vector","text",…}
	formatWeaviate   = "weaviate"   // one line per object: {"uuid","properties","vector"}
	formatPinecone   = "pinecone"   // one line per vector: {"id","values","metadata"}
	formatParquet    = "parquet"    // the rows of formatLanceDB as columns
)

// chromaBatch is the number of chunks in a call of collection.add. Chroma's limit is about
// 5,000.
const chromaBatch = 100

// Exports reports whether a format includes vectors.
func Exports(format string) bool {
	return slices.Contains([]string{formatQdrant, formatChroma, formatOpenSearch, formatPgvector, formatLlamaIndex, formatLanceDB, formatWeaviate, formatPinecone, formatParquet}, format)
}

// ExtensionOf returns the file name extension for a format.
func ExtensionOf(format string) string {
	switch format {
	case FormatText:
		return ".txt"
	case formatPgvector, string(export.Spreadsheet):
		return ".csv"
	case string(export.LangChain):
		return ".jsonl"
	case formatQdrant, formatChroma, formatOpenSearch, formatLlamaIndex, formatLanceDB, formatWeaviate, formatPinecone:
		return ".ndjson"
	}
	return "." + format
}

// CheckExport refuses an embedder whose vectors no database could compare.
func CheckExport(format string, p pipeline.Plan) error {
	if Exports(format) && p.Embedder == lexical.Name {
		return terminal.UsageError{Err: ErrLexical}
	}
	return nil
}

// ErrLexical says that the vectors of lexical are not comparable with others.
var ErrLexical = fmt.Errorf("lexical vectors are fitted to one document and cannot be compared with a query's: choose another --embedder, such as builtin")

// ChunkVectors computes the vectors of the chunks of a document.
func (c Cutter) ChunkVectors(ctx context.Context, s *Cutting, r *pipeline.Result) (vector.Matrix, error) {
	if r.Plan.Embedder == lexical.Name {
		return vector.Matrix{}, hosted.Named(s.Session, ErrLexical)
	}
	m, name, err := search.Vectors(ctx, r, c.HooksOf(s))
	if err == nil && name == "" && len(r.Chunks) > 0 {
		err = fmt.Errorf("%s made no vectors of the chunks or sentences", r.Plan.Embedder)
	}
	return m, hosted.Named(s.Session, err)
}

// uuidOf returns the id of a chunk in a database.
func uuidOf(c export.Chunk) string { return remote.IDOf(c.Document, c.ID).String() }

// metadata is a chunk's metadata in databases that hold only strings and numbers.
type metadata struct {
	File     string  `json:"file"`
	Chunk    string  `json:"chunk"`
	Start    int     `json:"start"`
	End      int     `json:"end"`
	Tokens   int     `json:"tokens"`
	Page     int     `json:"page"`
	Pages    string  `json:"pages"` // such as "3;4"
	Section  string  `json:"section"`
	Header   *string `json:"header,omitempty"`
	Reason   string  `json:"reason"`
	Index    int     `json:"index"`
	View     string  `json:"view"`
	Document string  `json:"document"` // the lasting name of the document
	Origin   string  `json:"origin,omitempty"`
	Label    string  `json:"label,omitempty"`  // of the place
	Labels   string  `json:"labels,omitempty"` // such as "iii;iv"
}

func metadataOf(c export.Chunk) metadata {
	m := metadata{c.File, c.ID, c.Start, c.End, c.Tokens, c.Page, PageList(c.Pages, ";"), c.Section, c.Header, c.Reason, c.Index, string(c.View), c.Document, c.Origin, "", strings.Join(c.Labels, ";")}
	if c.Place != nil {
		m.Label = c.Place.Label
	}
	return m
}

// Export writes the chunks of a document with their vectors.
func (p *DocPrinter) Export(d Document, vectors vector.Matrix) error {
	all, of := make([]export.Chunk, len(d.Result.Chunks)), d.Of(d.Name, p.Offsets)
	for i := range all {
		all[i] = of.Chunk(i)
		all[i].Document = cmp.Or(all[i].Document, all[i].File) // always there, as ids rest on it
	}
	if p.Format == formatChroma {
		for at := 0; at < len(all); at += chromaBatch {
			if err := p.chroma(all[at:min(len(all), at+chromaBatch)], vectors, at); err != nil {
				return err
			}
		}
		return p.Out.Flush()
	}
	for i, c := range all {
		var err error
		switch p.Format {
		case formatQdrant:
			err = p.point(c, vectors.Row(i))
		case formatOpenSearch:
			err = p.bulk(c, vectors.Row(i))
		case formatPgvector:
			err = p.copyRow(c, vectors.Row(i))
		default:
			err = flat(p, c, vectors.Row(i))
		}
		if err == nil {
			err = p.Out.Whole()
		}
		if err != nil {
			return err
		}
	}
	return p.Out.Flush()
}

// numbers adds a vector in the notation that JSON and pgvector share.
func (l *Lines) numbers(row []float32) {
	b := append(l.AvailableBuffer(), '[')
	for i, x := range row {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
	}
	l.Write(append(b, ']'))
}

func (p *DocPrinter) point(c export.Chunk, row []float32) error {
	fmt.Fprintf(&p.Out.Buffer, `{"id":%q,"vector":`, uuidOf(c))
	p.Out.numbers(row)
	p.Out.WriteString(`,"payload":`)
	err := p.Out.Json(c)
	p.Out.WriteString("}\n")
	return err
}

// bulk adds the two lines of a chunk. It leaves out a zero vector, because OpenSearch
// refuses one under cosine similarity. The chunk can still be found by its words.
func (p *DocPrinter) bulk(c export.Chunk, row []float32) error {
	fmt.Fprintf(&p.Out.Buffer, `{"index":{"_id":%q}}`+"\n", uuidOf(c))
	if err := p.Out.Json(c); err != nil {
		return err
	}
	if slices.ContainsFunc(row, func(x float32) bool { return x != 0 }) {
		p.Out.Truncate(p.Out.Len() - 1) // the closing brace
		p.Out.WriteString(`,"embedding":`)
		p.Out.numbers(row)
		p.Out.WriteByte('}')
	}
	p.Out.WriteByte('\n')
	return nil
}

func (p *DocPrinter) chroma(chunks []export.Chunk, vectors vector.Matrix, at int) error {
	columns := struct {
		IDs       []string   `json:"ids"`
		Documents []string   `json:"documents"`
		Metadatas []metadata `json:"metadatas"`
	}{}
	for _, c := range chunks {
		columns.IDs = append(columns.IDs, uuidOf(c))
		columns.Documents = append(columns.Documents, c.Text)
		columns.Metadatas = append(columns.Metadatas, metadataOf(c))
	}
	if err := p.Out.Json(columns); err != nil {
		return err
	}
	p.Out.Truncate(p.Out.Len() - 1) // the closing brace
	p.Out.WriteString(`,"embeddings":[`)
	for i := range chunks {
		if i > 0 {
			p.Out.WriteByte(',')
		}
		p.Out.numbers(vectors.Row(at + i))
	}
	p.Out.WriteString("]}\n")
	return p.Out.Whole()
}

// pgvectorHead lists the columns of formatPgvector. No name is an SQL keyword.
const pgvectorHead = "id,file,chunk,start_byte,end_byte,tokens,page,pages,section,reason,text,embedding"

func (p *DocPrinter) copyRow(c export.Chunk, row []float32) error {
	var vec Lines
	vec.numbers(row)
	// PostgreSQL's text type cannot hold NUL.
	clean := func(s string) string { return strings.ReplaceAll(s, "\x00", "\ufffd") }
	out := []string{uuidOf(c), clean(c.File), c.ID, strconv.Itoa(c.Start), strconv.Itoa(c.End), strconv.Itoa(c.Tokens), strconv.Itoa(c.Page), PageList(c.Pages, ";"),
		clean(c.Section), c.Reason, clean(c.Text), vec.String()}
	if c.Header != nil {
		out = append(out, clean(*c.Header))
	}
	w := csv.NewWriter(&p.Out.Buffer)
	w.Write(out) // into memory, so it cannot fail
	w.Flush()
	return w.Error()
}
