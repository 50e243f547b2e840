package export

import (
	"math"

	"seam/shared/chunk"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// Settings are the settings of a result: those that the user chose and those that method
// and document gave.
type Settings struct {
	Method      string        `json:"method"`
	View        text.ViewName `json:"view"`
	Setting     *float64      `json:"setting"`   // null for a method without one
	Threshold   *float64      `json:"threshold"` // on the curve; null if there is none
	Count       *int          `json:"count"`     // the requested number of chunks; null if none was requested
	Embedder    string        `json:"embedder"`
	Unit        string        `json:"unit"`      // of lengths
	MinTokens   *int          `json:"minTokens"` // null if there is no minimum
	MaxTokens   *int          `json:"maxTokens"` // null if there is no maximum
	Overlap     int           `json:"overlap"`
	Headers     bool          `json:"headers"`
	PageJoin    *string       `json:"pageJoin"` // null if pages are joined by one space
	EditsByHand int           `json:"editsByHand"`
	Offsets     Unit          `json:"offsets"` // the unit of start and end
}

// Settings returns the settings of a result.
func (o *Of) Settings() Settings {
	p, found := o.Plan, o.Found
	s := Settings{Method: o.Method.Name, View: p.View, Embedder: p.Embedder, Unit: p.Limits.Unit, MinTokens: positive(p.Limits.Min), MaxTokens: positive(p.Limits.Max),
		Overlap: p.Limits.Overlap, Headers: p.Headers, EditsByHand: o.Edits.Count, Offsets: o.Unit}
	if o.Method.Curve != "" {
		s.Threshold = finite(found.Threshold)
	}
	if o.Method.Setting != nil {
		s.Setting = finite(found.Setting)
	}
	if p.Criterion.By == chunk.ByCount {
		s.Count = positive(int(p.Criterion.Value))
	}
	if p.Join.Given {
		s.PageJoin = &p.Join.With
	}
	return s
}

// positive returns nil for 0.
func positive(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// finite returns nil for a number that JSON does not have.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Curve is the curve of a document.
type Curve struct {
	Kind       string    `json:"kind"`       // distance, similarity, gradient or strength
	Values     []float64 `json:"values"`     // one for each gap between sentences
	Threshold  *float64  `json:"threshold"`  // null if there is none
	Boundaries []int     `json:"boundaries"` // a break after sentence i
	Sentences  int       `json:"sentences"`
}

// CurveOf returns the curve of a result, or nil for a method without one. The curve shares
// no memory with the result.
func CurveOf(r *pipeline.Result) *Curve {
	if r.Method.Curve == "" {
		return nil
	}
	return &Curve{Kind: string(r.Method.Curve), Values: append([]float64{}, r.Found.Curve...), Threshold: finite(r.Found.Threshold),
		Boundaries: append([]int{}, r.Found.Boundaries...), Sentences: len(r.Sentences)}
}

// Document is the JSON of one document. A Writer writes it in pieces.
type Document struct {
	Head
	Chunks []Chunk `json:"chunks"`
	Curve  *Curve  `json:"curve"` // null for a method without one, or if the work ended early
}

// Head is the beginning of a Document.
type Head struct {
	File string `json:"file"`
	Settings
	Schema string `json:"schema"` // ID
}

// Head returns the beginning of the document.
func (o *Of) Head() Head { return Head{o.File, o.Settings(), ID} }

// Documents is the JSON of several documents.
type Documents struct {
	Chunks    []Chunk     `json:"chunks"`
	Curves    []FileCurve `json:"curves"`
	Schema    string      `json:"schema"` // ID
	Documents []Head      `json:"documents"`
}

// FileCurve is the curve of one of several documents.
type FileCurve struct {
	File  string `json:"file"`
	Curve *Curve `json:"curve"`
}

// Beside is the file of settings beside a file of chunks, for the formats that have no room
// for them.
type Beside struct {
	Schema    string        `json:"schema"` // ID
	Seam      string        `json:"seam"`   // version of the program
	Format    string        `json:"format"` // of the file of chunks
	Documents []BesideChunk `json:"documents"`
}

// BesideChunk describes one document of a file of chunks.
type BesideChunk struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256,omitempty"` // of the document's file
	Chunks int    `json:"chunks"`           // how many there are
	Settings
}

// Beside returns the description of the document. sum is the SHA-256 of its file.
func (o *Of) Beside(sum string) BesideChunk {
	return BesideChunk{o.File, sum, len(o.Chunks), o.Settings()}
}
