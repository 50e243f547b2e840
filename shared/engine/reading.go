package engine

import (
	"slices"
	"unsafe"

	"seam/shared/embed"
	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
	"seam/shared/search"
	"seam/shared/vector"
)

// reading holds the vectors from one encoder.
type reading struct {
	encoder string
	vectors map[embed.Key][]float32
	of      map[*pipeline.Result]*pages
}

// pages holds the texts of a result and the progress of encoding them.
type pages struct {
	texts []string
	of    []int
	keys  []embed.Key
	next  int          // all texts before this index are encoded
	whole *search.Read // nil until all are encoded
}

// mostRead is the maximum number of texts encoded for a document. If there are more, only
// its chunks are encoded, or nothing if there are too many chunks.
const mostRead = 20_000

type readReply struct {
	Texts []string `json:"texts"` // to encode next; empty if all are encoded
	Done  int      `json:"done"`  // number of encoded texts
	Total int      `json:"total"`
	Ready int      `json:"ready"` // number of fully encoded documents
}

// forget drops vectors that no result needs, if there are many.
func (r *reading) forget(results []*pipeline.Result) {
	needed := 0
	for result, p := range r.of {
		if !slices.Contains(results, result) {
			delete(r.of, result)
			continue
		}
		needed += len(p.keys)
	}
	if len(r.vectors) <= 2*needed+1000 {
		return
	}
	left := make(map[embed.Key][]float32, needed)
	for _, p := range r.of {
		for _, k := range p.keys {
			if v := r.vectors[k]; v != nil {
				left[k] = v
			}
		}
	}
	r.vectors = left
}

// ahead returns the texts to encode next, and the overall progress.
func (r *reading) ahead(results []*pipeline.Result, most int) *readReply {
	reply := &readReply{Texts: []string{}}
	asked := map[embed.Key]bool{}
	for _, result := range results {
		p := r.of[result]
		for p.next < len(p.keys) && r.vectors[p.keys[p.next]] != nil {
			p.next++
		}
		reply.Done, reply.Total = reply.Done+p.next, reply.Total+len(p.keys)
		if len(p.keys) > 0 && p.next == len(p.keys) {
			reply.Ready++
			p.join(r)
		}
		for i := p.next; i < len(p.keys) && len(reply.Texts) < most; i++ {
			if k := p.keys[i]; r.vectors[k] == nil && !asked[k] {
				asked[k] = true
				reply.Texts = append(reply.Texts, p.texts[i])
			}
		}
	}
	return reply
}

// join combines the vectors of all texts for a search.
func (p *pages) join(r *reading) {
	if p.whole != nil {
		return
	}
	m := vector.New(len(p.keys), len(r.vectors[p.keys[0]]))
	for i, k := range p.keys {
		if len(r.vectors[k]) != m.Dim {
			return
		}
		copy(m.Row(i), r.vectors[k])
	}
	p.whole = &search.Read{Vectors: m, Of: p.of}
}

// context returns the encoder's data for a search of some results. It returns nil if no
// encoder was requested. The blob with the given number is the vector of the query.
func (r *reading) context(call *rpc.Call, encoder string, blob int, results []*pipeline.Result) (*search.Context, error) {
	if encoder == "" {
		return nil, nil
	}
	b, err := call.Blob(blob)
	if err != nil || r == nil || r.encoder != encoder {
		return nil, err
	}
	c := &search.Context{Vector: floatsOf(b), Read: make([]*search.Read, len(results))}
	for i, result := range results {
		if p := r.of[result]; p != nil {
			c.Read[i] = p.whole
		}
	}
	return c, nil
}

// bytesOf returns the bytes of numbers. Every target of Seam is little-endian.
func bytesOf(x []float32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
}

// floatsOf returns the numbers stored in bytes.
func floatsOf(b []byte) []float32 {
	x := make([]float32, len(b)/4)
	copy(bytesOf(x), b)
	return x
}
