package export

import (
	"bytes"
	"encoding/hex"
	"math"

	"seam/shared/chunk"
	"seam/shared/digest"
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

// Documents is the JSON of documents: one or several. A Writer writes it in pieces.
type Documents struct {
	Schema    string  `json:"schema"` // ID
	Chunks    []Chunk `json:"chunks"`
	Curve     *Curve  `json:"curve"`     // of the only document; null if there are several, or for a method without one
	Documents []Head  `json:"documents"` // without a document whose work ended early
}

// Head describes one of the documents.
type Head struct {
	Made
	Curve *Curve `json:"curve"` // null for a method without one
}

// Made says how the chunks of a document were made.
type Made struct {
	File     string `json:"file"`
	Document string `json:"document,omitempty"` // its lasting name, if it is not File
	Origin   string `json:"origin,omitempty"`   // a hash of all that follows but Chunks; absent without SHA256
	SHA256   string `json:"sha256,omitempty"`   // of the document's file
	Seam     string `json:"seam,omitempty"`     // version of the program
	Chunks   int    `json:"chunks"`             // how many there are
	Settings
}

// Made returns the description of the document.
func (o *Of) Made() Made {
	return Made{o.File, o.Lasting, o.origin(), o.SHA256, o.Seam, len(o.Chunks), o.Settings()}
}

// Head returns the description of the document with its curve.
func (o *Of) Head() Head { return Head{o.Made(), CurveOf(o.Result)} }

// origin returns the first 12 hexadecimal digits of a hash of the document's bytes, its view,
// the settings and the version of the program.
func (o *Of) origin() string {
	if o.from != "" || o.SHA256 == "" {
		return o.from
	}
	var b bytes.Buffer
	if Value(&b, Made{SHA256: o.SHA256, Seam: o.Seam, Settings: o.Settings()}) != nil {
		return ""
	}
	sum := digest.Sum256(b.Bytes())
	o.from = hex.EncodeToString(sum[:6])
	return o.from
}

// Beside is the file of settings beside a file of chunks, for the formats that have no room
// for them.
type Beside struct {
	Schema    string `json:"schema"` // ID
	Seam      string `json:"seam"`   // version of the program
	Format    string `json:"format"` // of the file of chunks
	Documents []Made `json:"documents"`
}

// Done is the last line of a document of `seam chunk --lines`. The input line's id and meta,
// if any, come before it.
type Done struct {
	Done bool `json:"done"` // always true
	Made
}
