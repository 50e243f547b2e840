package static

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"unicode/utf8"

	"seam/shared/digest"
	"seam/shared/embed/static/safetensors"
	"seam/shared/embed/static/tokenizer"
)

// ErrModel reports a directory that is not a usable model.
var ErrModel = errors.New("not a Model2Vec model")

// defaultLength is the number of tokens of a text that count if the configuration does not
// say.
const defaultLength = 512

// config holds the relevant fields of config.json. All may be missing.
type config struct {
	Normalize *bool           `json:"normalize"`
	MaxLength json.RawMessage `json:"max_length"`
}

// Open reads the directory of a Model2Vec model: model.safetensors, tokenizer.json and, if
// it exists, config.json. It also reads a static model of sentence-transformers, with its
// files possibly in 0_StaticEmbedding. name becomes part of the model's ID.
func Open(fsys fs.FS, name string) (*Model, error) {
	return OpenFiles(func(file string) ([]byte, error) { return fs.ReadFile(fsys, file) }, name)
}

// OpenFiles is Open for files that read returns by name. For a missing file, read must
// return an error that matches fs.ErrNotExist.
func OpenFiles(read func(file string) ([]byte, error), name string) (*Model, error) {
	m, err := open(read, name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	return m, nil
}

// oneOf returns the first of several files that exists.
func oneOf(read func(string) ([]byte, error), names ...string) (b []byte, err error) {
	for _, name := range names {
		if b, err = read(name); err == nil || !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return b, err
}

func open(read func(string) ([]byte, error), name string) (*Model, error) {
	var files [3][]byte
	for i, names := range [][]string{
		{"model.safetensors", "0_StaticEmbedding/model.safetensors"},
		{"tokenizer.json", "0_StaticEmbedding/tokenizer.json"},
		{"config.json", "config_sentence_transformers.json"},
	} {
		b, err := oneOf(read, names...)
		switch absent := errors.Is(err, fs.ErrNotExist); {
		case absent && i < 2:
			return nil, fmt.Errorf("it has no %s", names[0])
		case err != nil && !absent:
			return nil, err
		}
		files[i] = b
	}
	p := Parts{ID: "static:" + name + "@" + version(files[:])}
	if err := p.configure(files[2]); err != nil {
		return nil, fmt.Errorf("config.json: %w", err)
	}
	t, err := tokenizer.Parse(files[1])
	if err != nil {
		return nil, err
	}
	if err := p.read(files[0], t); err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	p.Tokenizer, p.Unknown = t, t.Unknown()
	if p.MaxTokens > 0 {
		p.MaxRunes = p.MaxTokens * medianLength(t.Tokens())
	}
	return New(p)
}

// version returns 12 hexadecimal digits of the SHA-256 of the files' digests.
func version(files [][]byte) string {
	var all []byte
	for _, f := range files {
		sum := digest.Sum256(f)
		all = append(all, sum[:]...)
	}
	sum := digest.Sum256(all)
	return hex.EncodeToString(sum[:6])
}

// configure reads config.json, which may be empty.
func (p *Parts) configure(b []byte) error {
	p.MaxTokens = defaultLength
	if len(b) == 0 {
		return nil
	}
	var c config
	if err := json.Unmarshal(b, &c); err != nil {
		return err
	}
	p.Normalize = c.Normalize != nil && *c.Normalize
	switch string(c.MaxLength) {
	case "": // the default
	case "null":
		p.MaxTokens = 0
	default:
		if err := json.Unmarshal(c.MaxLength, &p.MaxTokens); err != nil || p.MaxTokens < 1 || p.MaxTokens > math.MaxInt32 {
			return fmt.Errorf("max_length is %s, not a number of tokens", c.MaxLength)
		}
	}
	return nil
}

// medianLength returns the median length of the tokens in characters, rounded down.
func medianLength(tokens []string) int {
	var lengths []int
	for _, s := range tokens {
		if s != "" {
			lengths = append(lengths, utf8.RuneCountInString(s))
		}
	}
	slices.Sort(lengths)
	n := len(lengths)
	if n == 0 {
		return 0
	}
	return (lengths[(n-1)/2] + lengths[n/2]) / 2
}

// read fills in the data from the tensors.
func (p *Parts) read(b []byte, t *tokenizer.Tokenizer) error {
	tensors, err := safetensors.Parse(b)
	if err != nil {
		return err
	}
	e, ok := tensors["embeddings"]
	if !ok {
		e, ok = tensors["embedding.weight"]
	}
	if !ok || len(e.Shape) != 2 {
		return errors.New(`it has no table "embeddings"`)
	}
	if p.Tokens, p.Dim = len(t.Tokens()), e.Shape[1]; p.Dim < 1 || p.Dim > MaxDim {
		return fmt.Errorf("vectors of %d dimensions; at most %d are supported", p.Dim, MaxDim)
	}
	x := &tensorTable{table: e, dim: p.Dim}
	p.Table, p.Half = x, e.Type == "F16"
	mapping, mapped := tensors["mapping"]
	if mapped {
		if err := x.remap(mapping, p.Tokens, e.Shape[0]); err != nil {
			return err
		}
	} else if e.Shape[0] != t.Size() || p.Tokens != t.Size() {
		return fmt.Errorf("%d vectors for %d tokens with ids below %d", e.Shape[0], t.Size(), p.Tokens)
	}
	if w, ok := tensors["weights"]; ok {
		if err := x.weigh(w, p.Tokens); err != nil {
			return err
		}
	}
	return x.check()
}

// tensorTable holds the vectors as stored in the file.
type tensorTable struct {
	table   safetensors.Tensor
	dim     int
	mapping []uint32  // row of each token; nil for the identity
	weights []float32 // of each token; nil for 1
	half    bool      // NumPy multiplies in float16
}

func (x *tensorTable) remap(m safetensors.Tensor, tokens, rows int) error {
	to, err := m.Integers()
	if err != nil {
		return fmt.Errorf("mapping: %w", err)
	}
	if len(to) < tokens || len(m.Shape) != 1 {
		return fmt.Errorf("mapping: %d entries for %d tokens", len(to), tokens)
	}
	x.mapping = make([]uint32, tokens)
	for i := range x.mapping {
		if to[i] < 0 || to[i] >= int64(rows) {
			return fmt.Errorf("mapping: token %d has vector %d of %d", i, to[i], rows)
		}
		x.mapping[i] = uint32(to[i])
	}
	return nil
}

func (x *tensorTable) weigh(w safetensors.Tensor, tokens int) error {
	if w.Len() < tokens || len(w.Shape) != 1 {
		return fmt.Errorf("weights: %d numbers for %d tokens", w.Len(), tokens)
	}
	x.weights = make([]float32, tokens)
	x.half = w.Type == "F16" && (x.table.Type == "F16" || x.table.Type == "I8" || x.table.Type == "U8")
	w.Floats(x.weights, 0)
	if i := firstInvalid(x.weights); i >= 0 {
		return fmt.Errorf("weights: the weight of token %d is not a number", i)
	}
	return nil
}

// check refuses NaN and infinities in the table.
func (x *tensorTable) check() error {
	row := make([]float32, x.dim)
	for i := range x.table.Shape[0] {
		x.table.Floats(row, i*x.dim)
		if k := firstInvalid(row); k >= 0 {
			return fmt.Errorf("value %d of vector %d is not a number", k, i)
		}
	}
	return nil
}

// firstInvalid returns the index of the first NaN or infinity, or -1.
func firstInvalid(row []float32) int {
	for i, f := range row {
		if f-f != 0 {
			return i
		}
	}
	return -1
}

// Expand writes the vector of a token, multiplied by its weight.
func (x *tensorTable) Expand(dst []float32, id uint32) {
	row := id
	if x.mapping != nil {
		row = x.mapping[id]
	}
	x.table.Floats(dst, int(row)*x.dim)
	if x.weights == nil {
		return
	}
	for i, f := range dst {
		dst[i] = float32(f * x.weights[id])
		if x.half {
			dst[i] = safetensors.RoundHalf(dst[i])
		}
	}
}
