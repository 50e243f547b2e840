package shards

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"seam/shared/vector"
)

// Meaning is what an index holds beside its words for searches by meaning.
type Meaning struct {
	Model   string        // ID of the encoder that made the vectors
	Vectors vector.Matrix // of length 1, one a chunk in the order of the pages
	// Encoder are the files by which a page makes the vector of a query.
	Encoder EncoderFiles
}

// EncoderFiles are the names of the parts of an encoder, relative to the entry.
type EncoderFiles struct {
	Head   string   // all but most of the table of words
	Blocks []string // hashes in the names of the rest of the table: meaning/w0.HASH.bin …
}

// Readings are the chunks of pages as an encoder reads them: below the title of their page
// and those of the sections around.
func Readings(pages []Page) (texts []string) {
	for _, p := range pages {
		for _, c := range p.Chunks {
			titles := []string{p.Title}
			for _, s := range c.Section {
				if !slices.Contains(titles, s) {
					titles = append(titles, s)
				}
			}
			texts = append(texts, strings.Join(titles, " > ")+"\n"+c.Text)
		}
	}
	return texts
}

// perShard is how many chunks share a file of 8-bit vectors: some 6 kB.
const perShard = 16

// BuildMeaning writes the files of vectors. The names of its files begin with prefix; the
// name of the first to be read is returned.
//
// A chunk's vector is the mean of all and what it differs by. In the first file that
// difference is told by the signs of its numbers and one factor f, for which the
// product of any query with the difference is about f times the sum of the query's numbers
// with these signs: f = Σ r² / Σ |r|, for which the error has no bias (RaBitQ, Gao and Long,
// 2024). The best are compared again by the files of 8-bit numbers.
func BuildMeaning(prefix string, m Meaning) (entry string, files Files) {
	b := &builder{prefix: prefix, files: Files{}}
	mean := meanOf(m.Vectors)
	p := &packer{}
	p.uint(version)
	p.string(m.Model)
	p.string(m.Encoder.Head)
	p.uint(len(m.Encoder.Blocks))
	for _, h := range m.Encoder.Blocks {
		p.hash(h)
	}
	p.uint(m.Vectors.Dim)
	p.uint(m.Vectors.Rows)
	p.uint((m.Vectors.Rows + perShard - 1) / perShard)
	for from := 0; from < m.Vectors.Rows; from += perShard {
		p.hash(b.hashed("n", from/perShard, bytesOf(m.Vectors, from, min(m.Vectors.Rows, from+perShard))))
	}
	for _, x := range mean {
		p.b = binary.LittleEndian.AppendUint32(p.b, math.Float32bits(x))
	}
	factors, signs := make([]float64, m.Vectors.Rows), []byte(nil)
	most := 0.
	for i := range m.Vectors.Rows {
		var bits []byte
		bits, factors[i] = signsOf(m.Vectors.Row(i), mean)
		signs = append(signs, bits...)
		most = max(most, factors[i])
	}
	step := float32(most / math.MaxUint8)
	p.b = binary.LittleEndian.AppendUint32(p.b, math.Float32bits(step))
	for _, f := range factors {
		code := 0.
		if step > 0 {
			code = math.Round(f / float64(step))
		}
		p.b = append(p.b, byte(min(code, math.MaxUint8)))
	}
	p.b = append(p.b, signs...)
	return b.put("v", p.b), b.files
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

// signsOf tells which numbers of row are not below the mean's, eight in a byte, the first
// in the lowest bit, and the factor of the row.
func signsOf(row, mean []float32) (bits []byte, factor float64) {
	bits = make([]byte, (len(row)+7)/8)
	squares, sum := 0., 0.
	for k, x := range row {
		d := float64(x) - float64(mean[k])
		if d >= 0 {
			bits[k/8] |= 1 << (k % 8)
		}
		squares += float64(d * d)
		sum += math.Abs(d)
	}
	if sum > 0 {
		factor = squares / sum
	}
	return bits, factor
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
