package encoder

import (
	"encoding/binary"
	"math"
)

// unpacker reads numbers after their total size has been checked.
type unpacker struct {
	bits int
	in   []byte
	odd  bool // a number was NaN, infinite or too large
}

// rowBytes returns the number of bytes in a row with the given columns.
func (u *unpacker) rowBytes(columns int) int {
	if u.bits == Four {
		return groupBytes(columns)
	}
	return 4 + columns
}

// size returns the number of bytes of a model's numbers.
func (u *unpacker) size(c *Config) int64 {
	wide, inner := int64(u.rowBytes(c.Width)), int64(u.rowBytes(c.Inner))
	w, n := int64(c.Width), int64(c.Inner)
	layer := (3*w+w+n)*wide + w*inner + 4*(4*w+n+w) + 4*4*w
	return (int64(c.Vocabulary)+int64(c.Positions))*wide + 4*2*w + int64(c.Layers)*layer
}

// model fills in the parts of a model.
func (u *unpacker) model(m *Model) {
	w := m.Width
	m.words = u.table(m.Vocabulary, w)
	positions := u.table(m.Positions, w)
	m.positions = make([]float32, m.Positions*w)
	for i := range m.Positions {
		positions.row(m.positions[i*w:][:w], uint32(i))
	}
	m.norm = u.norm(&m.Config)
	m.layers = make([]layer, m.Layers)
	for i := range m.layers {
		l := &m.layers[i]
		l.in, l.out, l.up, l.down = u.linear(3*w, w), u.linear(w, w), u.linear(m.Inner, w), u.linear(w, m.Inner)
		l.norm1, l.norm2 = u.norm(&m.Config), u.norm(&m.Config)
	}
}

func (u *unpacker) take(n int) []byte {
	b := u.in[:n]
	u.in = u.in[n:]
	return b
}

// number reads a float32. It sets odd if the number is too large for products.
func (u *unpacker) number(b []byte) float32 {
	x := math.Float32frombits(binary.LittleEndian.Uint32(b))
	if !(x >= -0x1p100 && x <= 0x1p100) {
		u.odd = true
	}
	return x
}

func (u *unpacker) vector(n int) []float32 {
	out, b := make([]float32, n), u.take(4*n)
	for i := range out {
		out[i] = u.number(b[4*i:])
	}
	return out
}

func (u *unpacker) norm(c *Config) norm {
	weight := u.vector(c.Width)
	return norm{weight, u.vector(c.Width), float32(c.Epsilon)}
}

// table reads rows. Rows of 4 bits stay encoded.
func (u *unpacker) table(rows, columns int) table {
	if u.bits == Four {
		t := table4{u.take(rows * groupBytes(columns)), columns}
		for at := 0; at < len(t.rows); at += 2 + group/2 {
			u.number([]byte{0, 0, t.rows[at], t.rows[at+1]})
		}
		return t
	}
	codes, steps := u.rows8(rows, columns)
	return table8{codes, steps, columns}
}

func (u *unpacker) rows8(rows, columns int) (codes []int8, steps []float32) {
	codes, steps = make([]int8, rows*columns), make([]float32, rows)
	for i := range rows {
		b := u.take(4 + columns)
		steps[i] = u.number(b)
		for k, c := range b[4:] {
			codes[i*columns+k] = max(-largest, int8(c))
		}
	}
	return codes, steps
}

// linear reads a matrix and its bias. It rounds rows of 4 bits to 8. This adds a tenth of
// the error of the 4 bits, and only one kind of product is needed.
func (u *unpacker) linear(rows, columns int) linear {
	var codes []int8
	var steps []float32
	if u.bits == Four {
		t, row := u.table(rows, columns), make([]float32, columns)
		codes, steps = make([]int8, rows*columns), make([]float32, rows)
		for i := range rows {
			t.row(row, uint32(i))
			steps[i] = quantizeGo(codes[i*columns:][:columns], row)
		}
	} else {
		codes, steps = u.rows8(rows, columns)
	}
	return newLinear8(rows, columns, codes, steps, u.vector(rows))
}
