package encoder

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"seam/shared/digest"
	"seam/shared/embed/static/tokenizer"
)

// A packed file is one model with weights of 8 or 4 bits:
//
//	"SeamEnc1", 8 bytes
//	the bits of a weight, uint32, 8 or 4
//	the length of the configuration, uint32; of the tokenizer, uint32
//	the configuration: Config in JSON
//	the tokenizer: tokenizer.json
//	the numbers
//	the SHA-256 of everything above, 32 bytes
//
// Everything is little endian. The numbers are matrices and tables, row by row, and vectors
// in float32. A row of 8 bits is a step in float32 and its codes; a row of 4 bits is in the
// form of pack4.
//
// The order is: table of words, table of positions, norm (weight, bias). Then for each
// layer come the matrices queries with keys and values, output, up, down, each followed by
// its bias, and the norms after attention and after the feed-forward part. The queries are
// already divided by the square root of a head's width.
const magic = "SeamEnc1"

// headSize is the number of bytes before the configuration.
const headSize = len(magic) + 12

// Bits of a weight in a packed file.
const (
	Eight = 8 // one step per row
	Four  = 4 // one step per 32 numbers
)

// Pack returns the packed file of the model in a folder, read like in OpenFiles, with
// weights of Eight or Four bits. The same model gives the same bytes.
func Pack(read func(file string) ([]byte, error), name string, bits int) ([]byte, error) {
	if bits != Eight && bits != Four {
		return nil, fmt.Errorf("weights of %d bits; %d and %d are supported", bits, Eight, Four)
	}
	s, err := readFolder(read, name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	var layers [][]byte
	p := packer{bits: bits}
	m, err := s.model(func(rows, columns int, numbers, bias []float32) linear {
		p.out = nil
		p.matrix(numbers, columns)
		p.vector(bias)
		layers = append(layers, p.out)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	p.out = []byte(magic)
	config, err := json.Marshal(m.Config)
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	tokens, err := m.tokens.File()
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	for _, n := range []int{bits, len(config), len(tokens)} {
		p.out = binary.LittleEndian.AppendUint32(p.out, uint32(n))
	}
	p.out = append(append(p.out, config...), tokens...)
	p.matrix(m.words.(table32).numbers, m.Width)
	p.matrix(m.positions, m.Width)
	p.norm(m.norm)
	for i, l := range m.layers {
		for _, part := range layers[4*i:][:4] {
			p.out = append(p.out, part...)
		}
		p.norm(l.norm1)
		p.norm(l.norm2)
	}
	sum := digest.Sum256(p.out)
	return append(p.out, sum[:]...), nil
}

// packer writes numbers.
type packer struct {
	bits int
	out  []byte
}

func (p *packer) vector(x []float32) {
	for _, v := range x {
		p.out = binary.LittleEndian.AppendUint32(p.out, math.Float32bits(v))
	}
}

func (p *packer) norm(n norm) {
	p.vector(n.weight)
	p.vector(n.bias)
}

func (p *packer) matrix(x []float32, columns int) {
	codes := make([]int8, columns)
	for ; len(x) > 0; x = x[columns:] {
		if p.bits == Four {
			p.out = pack4(p.out, x[:columns])
			continue
		}
		step := quantizeGo(codes, x[:columns])
		p.out = binary.LittleEndian.AppendUint32(p.out, math.Float32bits(step))
		for _, c := range codes {
			p.out = append(p.out, byte(c))
		}
	}
}

// IsPacked reports whether b begins like a packed file of any version.
func IsPacked(b []byte) bool { return bytes.HasPrefix(b, []byte(magic[:len(magic)-1])) }

// OpenPacked reads the output of Pack. The model computes products with 8-bit integers, and
// may keep b. name becomes part of the model's ID. Errors are ErrModel.
func OpenPacked(b []byte, name string) (*Model, error) {
	m, err := openPacked(b, name)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	return m, nil
}

var errPacked = errors.New("the packed file is damaged or incomplete")

func openPacked(b []byte, name string) (*Model, error) {
	switch {
	case !IsPacked(b):
		return nil, errors.New("this is not a packed encoder")
	case !bytes.HasPrefix(b, []byte(magic)):
		return nil, errors.New("this is a packed encoder of another version of Seam")
	case len(b) < headSize+digest.Size:
		return nil, errPacked
	}
	content, want := b[:len(b)-digest.Size], b[len(b)-digest.Size:]
	if sum := digest.Sum256(content); !bytes.Equal(sum[:], want) {
		return nil, errPacked
	}
	le := binary.LittleEndian
	bits, nConfig, nTokens := le.Uint32(b[8:]), uint64(le.Uint32(b[12:])), uint64(le.Uint32(b[16:]))
	rest := content[headSize:]
	if bits != Eight && bits != Four || nConfig+nTokens > uint64(len(rest)) {
		return nil, errPacked
	}
	m := &Model{id: fmt.Sprintf("%s%s@%x", Prefix, name, want[:6])}
	if err := json.Unmarshal(rest[:nConfig], &m.Config); err != nil {
		return nil, fmt.Errorf("%w: its configuration: %w", errPacked, err)
	}
	if err := m.check(); err != nil {
		return nil, err
	}
	m.Name = name
	var err error
	if m.tokens, err = tokenizer.Parse(rest[nConfig:][:nTokens]); err != nil {
		return nil, err
	}
	u := unpacker{bits: int(bits), in: rest[nConfig+nTokens:]}
	if want := u.size(&m.Config); want != int64(len(u.in)) {
		return nil, fmt.Errorf("%w: %d bytes of weights for %d", errPacked, len(u.in), want)
	}
	u.model(m)
	if u.odd {
		return nil, fmt.Errorf("%w: a weight is not a number", errPacked)
	}
	return m, m.finish()
}
