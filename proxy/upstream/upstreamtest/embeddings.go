package upstreamtest

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
)

// Vector returns the vector of a text: dims numbers derived from its hash, with length 1.
func Vector(text string, dims int) []float32 {
	h := fnv.New64a()
	h.Write([]byte(text))
	state := h.Sum64()
	v := make([]float32, dims)
	sum := 0.0
	for i := range v { // splitmix64
		state += 0x9e3779b97f4a7c15
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		v[i] = float32(int32(z>>32)) / (1 << 31)
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// Tokens returns the number of tokens that the provider reports for texts: about one per
// four bytes.
func Tokens(texts ...string) int {
	n := 0
	for _, s := range texts {
		n += len(s)/4 + 1
	}
	return n
}

func (a *reply) embeddings() {
	if a.q.Encoding == "base64" && a.has(NoBase64) {
		a.refuse("encoding_format", "It takes float.")
		return
	}
	a.hold()
	body := a.embeddingsBody()
	if a.has(CutBody) {
		a.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		body = body[:len(body)/2]
	}
	a.start("application/json")
	switch {
	case a.has(Garbage):
		body = []byte("<html>It works!</html>")
	case a.has(EndlessLine):
		a.endless()
		return
	}
	a.w.Write(body)
	if a.has(CutBody) {
		a.breakOff()
	}
}

func (a *reply) embeddingsBody() []byte {
	order := make([]int, len(a.q.Input))
	for i := range order {
		order[i] = i
	}
	switch a.script.Fault {
	case WrongOrder:
		slices.Reverse(order)
	case WrongCount:
		order = order[1:]
	}
	b := []byte(`{"object":"list","data":[`)
	for k, i := range order {
		if k > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"object":"embedding"`...)
		switch a.script.Fault {
		case NoIndex:
		case SameIndex:
			b = append(b, `,"index":0`...)
		default:
			b = strconv.AppendInt(append(b, `,"index":`...), int64(i), 10)
		}
		b = append(b, `,"embedding":`...)
		b = a.appendVector(b, Vector(a.q.Input[i], a.dims), k == len(order)-1)
		b = append(b, '}')
	}
	b = append(b, `],"model":`...)
	b = strconv.AppendQuote(b, a.q.Model)
	if !a.has(NoUsage) {
		n := strconv.Itoa(Tokens(a.q.Input...))
		b = append(b, `,"usage":{"prompt_tokens":`+n+`,"total_tokens":`+n+`}`...)
	}
	return append(b, '}')
}

// appendVector appends v in the requested encoding. Faults affect only the last vector.
func (a *reply) appendVector(b []byte, v []float32, last bool) []byte {
	if last && a.has(WrongDims) {
		v = v[:len(v)-1]
	}
	if last && a.has(NaN) {
		v[0] = float32(math.NaN())
	}
	if a.q.Encoding != "base64" || a.has(OnlyFloats) {
		return appendNumbers(b, v)
	}
	var packed []byte
	for _, x := range v {
		packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(x))
	}
	if last && a.has(OddBase64) {
		packed = packed[:len(packed)-1]
	}
	b = append(b, '"')
	if last && a.has(BadBase64) {
		b = append(b, "!!!"...)
	}
	return append(base64.StdEncoding.AppendEncode(b, packed), '"')
}

func appendNumbers(b []byte, v []float32) []byte {
	b = append(b, '[')
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		if x != x {
			b = append(b, "null"...) // like JSON.stringify and nlohmann::json
			continue
		}
		b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
	}
	return append(b, ']')
}
