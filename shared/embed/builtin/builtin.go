// Package builtin is Seam's own embedding model. It has 4 bits per weight, opens in a few
// milliseconds, and contains its tokenizer.
//
// The file is little endian and consists of:
//
//   - the 8 bytes SEAMVEC1
//   - a uint32 length and a JSON header
//   - a uint32 length and the vocabulary in order of its ids, separated by "\n", with "##" before pieces that continue a word
//   - zeros up to a multiple of 4 bytes from the file's start
//   - a float32 scale for each token
//   - rows of 4-bit codes, the even dimension in the lower half of a byte
//   - as many bytes of openings as the header says, see train/openings.py
//   - the SHA-256 of everything before it
//
// A weight is scale × levels[code], rounded to float32.
package builtin

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"seam/shared/digest"
	"seam/shared/embed"
	"seam/shared/embed/static"
	"seam/shared/embed/static/wordpiece"
)

// Name is the model's name in the option --embedder.
const Name = "builtin"

const magic = "SEAMVEC1"

// ErrModel reports bytes that are not a model of this package.
var ErrModel = errors.New("not a built-in model of Seam")

// header is the file's JSON header.
type header struct {
	Name         string    `json:"name"`
	Vocab        int       `json:"vocab"`
	Dim          int       `json:"dim"`
	Bits         int       `json:"bits"`
	Levels       []float32 `json:"levels"`
	Unknown      int       `json:"unk"`
	MaxWord      int       `json:"max_word"`
	Lowercase    bool      `json:"lowercase"`
	StripAccents bool      `json:"strip_accents"`
	Openings     int       `json:"openings"` // bytes; 0 for none
}

// Model is a model of this package. It is safe for concurrent use.
type Model struct {
	*static.Model
	openings *openings // nil if there are none
}

var _ embed.OpeningModel = (*Model)(nil)

// Load opens a model after checking its digest. The model keeps b, which must not be
// changed.
func Load(b []byte) (*Model, error) {
	if n := len(b) - digest.Size; n < len(magic) || digest.Sum256(b[:n]) != [digest.Size]byte(b[n:]) {
		if !strings.HasPrefix(string(b), magic) {
			return nil, fmt.Errorf("%w: it does not begin with %s", ErrModel, magic)
		}
		return nil, fmt.Errorf("%w: its digest is wrong, it is damaged or incomplete; fetch it again", ErrModel)
	}
	return LoadVerified(b)
}

// LoadVerified is Load for bytes that have been checked already, for example by the
// integrity attribute of a page's request. The digest takes most of Load's time in
// WebAssembly.
func LoadVerified(b []byte) (*Model, error) {
	h, rest, err := readHeader(b)
	if err != nil {
		return nil, err
	}
	words, rest, err := counted(rest, "vocabulary")
	if err != nil {
		return nil, err
	}
	tokens, err := entries(words, h.Vocab)
	if err != nil {
		return nil, err
	}
	pad := -(len(b) - len(rest)) & 3
	if want := pad + h.Vocab*(4+h.Dim/2) + h.Openings + digest.Size; len(rest) != want {
		return nil, fmt.Errorf("%w: %d bytes follow its vocabulary, not %d", ErrModel, len(rest), want)
	}
	rest = rest[pad:]
	t := &table{dim: h.Dim, levels: [16]float32(h.Levels), scales: make([]float32, h.Vocab), codes: rest[4*h.Vocab : h.Vocab*(4+h.Dim/2)]}
	for i := range t.scales {
		s := math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
		if math.IsNaN(float64(s)) || math.IsInf(float64(s), 0) {
			return nil, fmt.Errorf("%w: the scale of token %d is not a number", ErrModel, i)
		}
		t.scales[i] = s
	}
	tokenizer, err := wordpiece.New(tokens, wordpiece.Options{
		Prefix: "##", MaxWord: h.MaxWord, Unknown: uint32(h.Unknown),
		Clean: true, Han: true, StripAccents: h.StripAccents, Lowercase: h.Lowercase, Ligatures: true,
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	m := &Model{}
	if h.Openings > 0 {
		if m.openings, err = readOpenings(rest[h.Vocab*(4+h.Dim/2):len(rest)-digest.Size], h.Dim); err != nil {
			return nil, err
		}
	}
	m.Model, err = static.New(static.Parts{
		ID:     Name + ":" + h.Name + "@" + hex.EncodeToString(b[len(b)-digest.Size:][:6]),
		Tokens: h.Vocab, Dim: h.Dim, Tokenizer: tokenizer, Table: t, Unknown: h.Unknown, Normalize: true,
	})
	return m, err
}

// readHeader checks the data before the vocabulary, and returns the bytes after it.
func readHeader(b []byte) (header, []byte, error) {
	var h header
	if !strings.HasPrefix(string(b[:min(len(b), len(magic))]), magic) {
		return h, nil, fmt.Errorf("%w: it does not begin with %s", ErrModel, magic)
	}
	text, rest, err := counted(b[len(magic):], "header")
	if err != nil {
		return h, nil, err
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, nil, fmt.Errorf("%w: its header: %w", ErrModel, err)
	}
	switch {
	case h.Bits != 4 || len(h.Levels) != 16:
		return h, nil, fmt.Errorf("%w: %d bits and %d levels; this version reads 4 and 16", ErrModel, h.Bits, len(h.Levels))
	case h.Vocab < 1 || h.Vocab > len(b) || h.Dim < 2 || h.Dim%2 != 0 || h.Dim > static.MaxDim:
		return h, nil, fmt.Errorf("%w: %d tokens of %d dimensions", ErrModel, h.Vocab, h.Dim)
	case h.Openings < 0 || h.Openings > len(b):
		return h, nil, fmt.Errorf("%w: %d bytes of openings", ErrModel, h.Openings)
	case h.Unknown < 0 || h.Unknown >= h.Vocab || h.MaxWord < 1:
		return h, nil, fmt.Errorf("%w: token %d is its unknown one, words have at most %d characters", ErrModel, h.Unknown, h.MaxWord)
	}
	return h, rest, nil
}

// counted reads a length and that many bytes.
func counted(b []byte, what string) (part, rest []byte, err error) {
	if len(b) < 4 {
		return nil, nil, fmt.Errorf("%w: it ends before its %s", ErrModel, what)
	}
	n := binary.LittleEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-4) {
		return nil, nil, fmt.Errorf("%w: it ends within its %s", ErrModel, what)
	}
	return b[4 : 4+n], b[4+n:], nil
}

// entries returns the n lines of the vocabulary.
func entries(b []byte, n int) ([]string, error) {
	tokens := make([]string, 0, n)
	rest, more := string(b), true
	for more && len(tokens) < n {
		var token string
		token, rest, more = strings.Cut(rest, "\n")
		tokens = append(tokens, token)
	}
	if more || len(tokens) != n || !utf8.Valid(b) {
		return nil, fmt.Errorf("%w: its vocabulary is not of %d entries in UTF-8", ErrModel, n)
	}
	return tokens, nil
}

// table holds the vectors as stored in the file.
type table struct {
	dim    int
	levels [16]float32
	scales []float32
	codes  []byte
}

// Expand writes the vector of a token.
func (t *table) Expand(dst []float32, id uint32) {
	var level [16]float32
	for i, l := range t.levels {
		level[i] = float32(t.scales[id] * l)
	}
	half := t.dim / 2
	for j, c := range t.codes[int(id)*half : int(id+1)*half] {
		dst[2*j], dst[2*j+1] = level[c&15], level[c>>4]
	}
}
