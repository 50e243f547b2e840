//go:build js && kernel

// Command bench is the engine's vector work for web/bench, which measures it in Chromium.
// It exports functions over one matrix, without the rest of a page's engine.
package main

//lint:file-ignore U1000 the page calls what is exported

import (
	"context"
	"math/rand/v2"
	"unsafe"

	"seam/shared/breakpoint"
	"seam/shared/embed/builtin"
	"seam/shared/vector"
	"seam/wasm/kernel"
)

var (
	rows  vector.Matrix
	bytes vector.Int8
	query []float32
	hits  []vector.Hit
	curve []float64

	file      []byte
	model     *builtin.Model
	sentences []string
)

// nearest is how many rows a search returns.
const nearest = 10

func main() { select {} }

//go:wasmexport startKernel
func startKernel() bool { return kernel.Start() }

// fill makes rows of length 1 around 300 directions, and returns their address.
//
//go:wasmexport fill
func fill(n, dim int32) unsafe.Pointer {
	r := rand.New(rand.NewPCG(3, 8))
	centres := vector.New(300, int(dim))
	for i := range centres.Data {
		centres.Data[i] = float32(r.NormFloat64())
	}
	rows, bytes = vector.New(int(n), int(dim)), vector.Int8{}
	for i := range rows.Rows {
		for j, c := range centres.Row(r.IntN(centres.Rows)) {
			rows.Row(i)[j] = c + r.Float32()*3 - 1.5
		}
	}
	vector.Normalize(rows)
	query = make([]float32, dim)
	return unsafe.Pointer(unsafe.SliceData(rows.Data))
}

// ask makes a query near a row, and returns its address.
//
//go:wasmexport ask
func ask(row int32) unsafe.Pointer {
	r := rand.New(rand.NewPCG(9, uint64(row)))
	for j, x := range rows.Row(int(row)) {
		query[j] = x + 0.06*(r.Float32()-0.5)
	}
	vector.Normalize(vector.Matrix{Rows: 1, Dim: len(query), Data: query})
	return unsafe.Pointer(unsafe.SliceData(query))
}

//go:wasmexport search
func search() { hits = vector.TopK(rows, query, nearest) }

// searchUnit is search for vectors known to have length 1.
//
//go:wasmexport searchUnit
func searchUnit() { hits = vector.Nearest(rows, query, nearest) }

//go:wasmexport quantize
func quantize() { bytes = vector.Quantize(rows) }

//go:wasmexport searchBytes
func searchBytes() { hits = bytes.TopK(query, nearest) }

//go:wasmexport hit
func hit(i int32) int32 { return int32(hits[i].Row) }

// neighbours computes the curve of similarities.
//
//go:wasmexport neighbours
func neighbours() { curve = vector.Adjacent(rows) }

// cuts finds breakpoints of the curve by its mean and quartiles, and returns their number.
//
//go:wasmexport cuts
func cuts() int32 {
	method, err := breakpoint.Lookup("iqr")
	if err != nil {
		panic(err)
	}
	found, err := method.Find(curve, method.Default())
	if err != nil {
		panic(err)
	}
	return int32(len(found.Boundaries))
}

// room allocates space for the file of the built-in model, and returns its address.
//
//go:wasmexport room
func room(size int32) unsafe.Pointer {
	file = make([]byte, size)
	return unsafe.Pointer(unsafe.SliceData(file))
}

//go:wasmexport open
func open() {
	var err error
	if model, err = builtin.LoadVerified(file); err != nil {
		panic(err)
	}
	own := []string{
		"The harbour office keeps a list of every ship that has entered the bay since the old lighthouse was taken down.",
		"In spring the farmers open the gates of the upper canal, and for three weeks the meadows stand under water.",
		"A compiler that checks its own output with a second, slower method finds mistakes which no test had looked for.",
		"She wrote 214 letters between 1871 and 1879; most of them are about money, and hardly any mention the war.",
	}
	for i := range 10_000 {
		sentences = append(sentences, own[i%len(own)])
	}
}

// embed embeds 10,000 sentences of 24 tokens.
//
//go:wasmexport embed
func embed() {
	if _, err := model.Embed(context.Background(), sentences, nil); err != nil {
		panic(err)
	}
}
