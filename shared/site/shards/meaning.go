package shards

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"seam/shared/vector"
)

// Meaning is what an index holds beside its words for searches by meaning.
type Meaning struct {
	Model   string        // ID of the encoder that made the vectors
	Vectors vector.Matrix // of length 1, of the texts of Readings; their length is a multiple of 8
	Parts   []int         // how many of them each chunk has
	// Encoder are the files by which a page makes the vector of a query.
	Encoder EncoderFiles
}

// EncoderFiles are the names of the parts of an encoder, relative to the entry.
type EncoderFiles struct {
	Head   string   // all but most of the table of words
	Blocks []string // hashes in the names of the rest of the table: meaning/w0.HASH.bin …
}

// perShard is how many chunks share a file of 8-bit vectors, 1.5 kB: the best of a question are
// seldom neighbours, so that larger files are as many requests and more bytes.
const perShard = 2

// meaningVersion is of the shape of the files of vectors.
const meaningVersion = 2

// Of a vector numbers along axes are told (axesOf), as many as a first question may fetch:
// on a larger site fewer of each.
const (
	mostAxes  = 160
	leastAxes = 64
	mostTold  = 352_000 // bytes of the axes, the numbers and the factors
)

// axesFor is how many numbers are told of each of so many vectors.
func axesFor(vectors, dim int) int {
	n := min(mostAxes, dim&^7)
	for n > leastAxes && told(vectors, n, dim) > mostTold {
		n -= 8
	}
	return n
}

// told is how many bytes so many axes take.
func told(vectors, axes, dim int) int { return axes*(4+dim/2) + vectors*(axes/4+1) }

// fits reports whether enough can be told of so many vectors.
func fits(vectors int) bool { return vectors*(leastAxes/4+1) <= mostTold }

// BuildMeaning writes the files of vectors. The names of its files begin with prefix; the
// name of the first to be read is returned.
//
// A vector is the mean of all and what it differs by. In the first file that difference is
// told along some axes, by 2 bits for each, −3, −1, 1 or 3, and one factor: the product of a
// query with the difference is about the factor times the sum of these numbers, each times
// the query's along its axis. The best are compared again by the files of 8-bit numbers.
func BuildMeaning(prefix string, m Meaning) (entry string, files Files) {
	b := &builder{prefix: prefix, files: Files{}}
	mean := meanOf(m.Vectors)
	a := axesOf(m.Vectors, mean, axesFor(m.Vectors.Rows, m.Vectors.Dim))
	p := &packer{}
	p.uint(meaningVersion)
	p.string(m.Model)
	p.string(m.Encoder.Head)
	p.uint(len(m.Encoder.Blocks))
	for _, h := range m.Encoder.Blocks {
		p.hash(h)
	}
	p.uint(m.Vectors.Dim)
	p.uint(a.count())
	p.uint(len(m.Parts))
	for _, n := range m.Parts {
		p.uint(n)
	}
	p.uint((len(m.Parts) + perShard - 1) / perShard)
	at := 0
	for from := 0; from < len(m.Parts); from += perShard {
		first := at
		for _, n := range m.Parts[from:min(from+perShard, len(m.Parts))] {
			at += n
		}
		p.hash(b.hashed("n", from/perShard, bytesOf(m.Vectors, first, at)))
	}
	for _, x := range mean {
		p.float(x)
	}
	p.axes(a)
	codes, factors := codesOf(m.Vectors, mean, a)
	p.factors(factors)
	p.b = append(p.b, codes...)
	entry = b.put("v", p.b)
	return entry, b.compress()
}

func (p *packer) float(x float32) { p.b = binary.LittleEndian.AppendUint32(p.b, math.Float32bits(x)) }

// axes writes the step of each axis and its codes, two in a byte, the first in the lower half.
func (p *packer) axes(a axes) {
	for k, step := range a.steps {
		p.float(step)
		codes := a.codes[k*a.dim:][:a.dim]
		for i := 0; i < len(codes); i += 2 {
			p.b = append(p.b, byte(codes[i]+8)|byte(codes[i+1]+8)<<4)
		}
	}
}

// factors writes factors in 8 bits: what 1 is worth, and the numbers.
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

// EncoderHead is the number of the head among the parts of an encoder; blocks of its table
// have numbers from 0 on.
const EncoderHead = -1

// PutEncoder writes a part of an encoder, and returns its name and the hash in that.
func PutEncoder(files Files, part int, content []byte) (name, hash string) {
	b := &builder{prefix: encoderFolder, files: files}
	if part == EncoderHead {
		name = b.put("e", content)
	} else {
		name = b.put(fmt.Sprintf("w%d", part), content)
	}
	b.compress()
	hash = strings.TrimSuffix(name, ".bin")
	return name, hash[len(hash)-2*hashSize:]
}

// encoderFolder is where the files of an encoder are, which are the same for all languages.
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

// bestStep is the best width of each of four steps, in standard deviations of what is told
// by them (Max, Quantizing for Minimum Distortion, 1960).
const bestStep = .9957

// ofRest is how much of what the axes leave out of a vector its factor makes up for. With 1
// the guess has no bias for a query in the vector's own direction, with 0 for one that
// lies in what the axes span; questions to the chunks nearest to them are between these.
const ofRest = .7

// codesOf tells vectors along axes: the codes, four in a byte, the first in the lowest bits,
// and the factor of each vector.
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

// bytesOf are some vectors in 8 bits: what 1 is worth, in float32, and the numbers.
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
