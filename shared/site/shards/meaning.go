package shards

import (
	"encoding/binary"
	"math"

	"seam/shared/vector"
)

// Meaning is the data of an index for searches by meaning.
type Meaning struct {
	Model   string        // ID of the encoder of the vectors
	Vectors vector.Matrix // of length 1, one per text of Readings; their dimension is a multiple of 8
	Parts   []int         // number of vectors per chunk
	// Encoder names the files that a page needs to embed a query.
	Encoder EncoderFiles
}

// EncoderFiles holds the names of an encoder's parts, relative to the entry.
type EncoderFiles struct {
	Head   string      // everything except most of the word table
	Blocks EncoderRows // the other parts of the table
}

// perShard is the number of chunks that share a file of 8-bit vectors, 1.5 kB. The best
// chunks for a question are rarely neighbours, so larger files would need as many requests
// and more bytes.
const perShard = 2

// meaningVersion is the version of the vector files' format.
const meaningVersion = 3

// Vectors are stored as numbers along axes (axesOf), as many as a first question may fetch.
// Larger sites get fewer numbers per vector.
const (
	mostAxes  = 160
	leastAxes = 64
	mostTold  = 352_000 // bytes of the axes, the numbers and the factors
)

// axesFor returns the number of axes for the given number of vectors.
func axesFor(vectors, dim int) int {
	n := min(mostAxes, dim&^7)
	for n > leastAxes && vectorBytes(vectors, n, dim) > mostTold {
		n -= 8
	}
	return n
}

// vectorBytes returns the number of bytes that the vectors take with the given number of axes.
func vectorBytes(vectors, axes, dim int) int { return axes*(4+dim/2) + vectors*(axes/4+1) }

// fits reports whether the vectors fit with the minimum number of axes.
func fits(vectors int) bool { return vectors*(leastAxes/4+1) <= mostTold }

// BuildMeaning writes the files of vectors. File names begin with prefix. It returns the
// name of the file to read first.
//
// A vector is the mean of all vectors plus a difference. The first file stores the
// difference along some axes, with 2 bits for each, −3, −1, 1 or 3, and one factor. The dot
// product of a query with the difference is about the factor times the sum of these
// numbers, each times the query's component along its axis. The best chunks are compared
// again using the files of 8-bit numbers.
func BuildMeaning(prefix string, m Meaning) (entry string, files Files) {
	b := &builder{prefix: prefix, files: Files{}}
	mean := meanOf(m.Vectors)
	a := axesOf(m.Vectors, mean, axesFor(m.Vectors.Rows, m.Vectors.Dim))
	p := &packer{}
	p.uint(meaningVersion)
	p.string(m.Model)
	p.string(m.Encoder.Head)
	if len(m.Encoder.Blocks) == 0 {
		b.packing("w").write(p)
	}
	p.b = append(p.b, m.Encoder.Blocks...)
	p.uint(m.Vectors.Dim)
	p.uint(a.count())
	p.uint(len(m.Parts))
	for _, n := range m.Parts {
		p.uint(n)
	}
	rows := b.packing("n")
	at := 0
	for from := 0; from < len(m.Parts); from += perShard {
		first := at
		for _, n := range m.Parts[from:min(from+perShard, len(m.Parts))] {
			at += n
		}
		rows.add(bytesOf(m.Vectors, first, at))
	}
	rows.write(p)
	for _, x := range mean {
		p.float(x)
	}
	p.axes(a)
	codes, factors := codesOf(m.Vectors, mean, a)
	p.factors(factors)
	p.b = append(p.b, codes...)
	entry = b.put("v", p.b)
	return entry, b.files
}

func (p *packer) float(x float32) { p.b = binary.LittleEndian.AppendUint32(p.b, math.Float32bits(x)) }

// axes writes the step of each axis and its codes, two per byte, the first in the lower
// half.
func (p *packer) axes(a axes) {
	for k, step := range a.steps {
		p.float(step)
		codes := a.codes[k*a.dim:][:a.dim]
		for i := 0; i < len(codes); i += 2 {
			p.b = append(p.b, byte(codes[i]+8)|byte(codes[i+1]+8)<<4)
		}
	}
}

// factors writes factors in 8 bits: the unit, followed by the numbers.
func (p *packer) factors(factors []float64) {
	most := 0.
	for _, f := range factors {
		most = max(most, f)
	}
	step := float32(most / math.MaxUint8)
	p.float(step)
	for _, f := range factors {
		code := 0.
		if step > 0 {
			code = math.Round(f / float64(step))
		}
		p.b = append(p.b, byte(min(code, math.MaxUint8)))
	}
}

// EncoderRows is the list of the places of parts of an encoder's table, as it is written.
type EncoderRows []byte

// PutEncoder writes the files of an encoder: its head, and the parts of its table.
func PutEncoder(files Files, head []byte, rows [][]byte) EncoderFiles {
	b := &builder{prefix: encoderFolder, files: files}
	parts := b.packing("w")
	for _, r := range rows {
		parts.add(r)
	}
	var p packer
	parts.write(&p)
	return EncoderFiles{Head: b.put("e", head), Blocks: p.b}
}

// encoderFolder holds the files of an encoder, which all languages share.
const encoderFolder = "meaning/"

func meanOf(m vector.Matrix) []float32 {
	sums, out := make([]float64, m.Dim), make([]float32, m.Dim)
	for i := range m.Rows {
		for k, x := range m.Row(i) {
			sums[k] += float64(x)
		}
	}
	for k, x := range sums {
		out[k] = float32(x / float64(max(1, m.Rows)))
	}
	return out
}

// bestStep is the best width of four quantization steps, in standard deviations (Max,
// Quantizing for Minimum Distortion, 1960).
const bestStep = .9957

// ofRest is the share of the part of a vector outside the axes that its factor compensates
// for. With 1 the estimate is unbiased for a query in the vector's own direction, with 0
// for one in the span of the axes. Questions lie between these for the chunks nearest to
// them.
const ofRest = .7

// codesOf quantizes vectors along axes. It returns the codes, four per byte with the first
// in the lowest bits, and the factor of each vector.
func codesOf(m vector.Matrix, mean []float32, a axes) (codes []byte, factors []float64) {
	n := a.count()
	numbers, squares := make([]float64, m.Rows*n), make([]float64, m.Rows)
	vector.Divide(m.Rows, 64, func(from, to int) {
		d := make([]float64, m.Dim)
		for i := from; i < to; i++ {
			difference(m.Row(i), mean, d)
			a.along(d, numbers[i*n:][:n])
			l := length(d)
			squares[i] = float64(l * l)
		}
	})
	l := length(numbers)
	step := bestStep * l / math.Sqrt(float64(max(1, len(numbers))))
	codes, factors = make([]byte, m.Rows*n/4), make([]float64, m.Rows)
	for i := range m.Rows {
		inside, sum := 0., 0.
		for k, x := range numbers[i*n:][:n] {
			code := 2.
			if step > 0 {
				code = max(0, min(2+math.Floor(x/step), 3))
			}
			codes[(i*n+k)/4] |= byte(code) << (k % 4 * 2)
			inside += float64(x * x)
			sum += float64(x * (2*code - 3))
		}
		if sum > 0 {
			factors[i] = (float64(ofRest*squares[i]) + float64((1-ofRest)*inside)) / sum
		}
	}
	return codes, factors
}

// bytesOf returns some vectors in 8 bits: for each its unit, a float32, and its numbers.
func bytesOf(m vector.Matrix, from, to int) (out []byte) {
	for i := from; i < to; i++ {
		most := float32(0)
		for _, x := range m.Row(i) {
			most = max(most, x, -x)
		}
		step := most / math.MaxInt8
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(step))
		for _, x := range m.Row(i) {
			code := int8(0)
			if step > 0 {
				code = int8(math.Round(float64(x / step)))
			}
			out = append(out, byte(code))
		}
	}
	return out
}
