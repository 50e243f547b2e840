package engine

import (
	"context"
	"slices"

	"seam/shared/embed"
	"seam/shared/engine/rpc"
	"seam/shared/pipeline"
)

func (e *Engine) forRead() []message {
	return []message{
		{"encode", handle(e.encode)},
		{"read", handle(e.read)},
	}
}

// Search by meaning uses two engines. One encodes texts, which is slow, and has no
// documents. The other one has the documents. With read it finds the texts to encode next,
// and it searches with the vectors it was given.

// meaningLanguage is the only language of texts that are encoded.
const meaningLanguage = "en"

type encodeParams struct {
	Texts []string `json:"texts"`
	Query bool     `json:"query"` // the texts are queries
}

type encodeReply struct {
	Encoder string `json:"encoder"` // ID of the encoder
	Dim     int    `json:"dim"`     // dimension of a vector; 0 without texts
	blobs
}

// encode computes vectors with Seam's own encoder. The blob holds the vectors. A question
// with only unknown words has none.
func (e *Engine) encode(ctx context.Context, call *rpc.Call, p *encodeParams) (*encodeReply, error) {
	model, err := e.meaningModel(call)
	if err != nil {
		return nil, err
	}
	role := embed.Chunks
	if p.Query {
		role = embed.Queries
		if slices.ContainsFunc(p.Texts, func(t string) bool { return !embed.Knows(model, t) }) {
			return &encodeReply{Encoder: model.ID()}, nil
		}
	}
	m, err := embed.For(model, role).Embed(ctx, p.Texts, func(done, total int) error { return call.Progress(pipeline.StageVectors, done, total) })
	if err != nil {
		return nil, err
	}
	return &encodeReply{model.ID(), m.Dim, blobs{bytesOf(m.Data)}}, nil
}

type readParams struct {
	Encoder string   `json:"encoder"` // ID of the encoder
	Texts   []string `json:"texts"`   // texts with new vectors, which are in blob 0
	Most    int      `json:"most"`    // maximum number of texts to return
	Keep    bool     `json:"keep"`    // store the vectors between visits
}

// read takes vectors of texts and returns the texts of the documents to encode next, chunks
// before sentences.
func (e *Engine) read(ctx context.Context, call *rpc.Call, p *readParams) (*readReply, error) {
	if e.reading == nil || e.reading.encoder != p.Encoder {
		e.reading = &reading{p.Encoder, map[embed.Key][]float32{}, map[*pipeline.Result]*pages{}}
	}
	r := e.reading // e.reading may be cleared while this waits
	if err := e.learn(ctx, call, r, p); err != nil {
		return nil, err
	}
	s, err := e.prepare(ctx, nil, e.hooks(call))
	if err != nil {
		return nil, err
	}
	for i, result := range s.results {
		if r.of[result] == nil {
			if r.of[result], err = e.begin(ctx, call, r, s, i); err != nil {
				return nil, err
			}
		}
	}
	r.forget(s.results)
	return r.ahead(s.results, p.Most), nil
}

// learn stores the vectors of a call.
func (e *Engine) learn(ctx context.Context, call *rpc.Call, r *reading, p *readParams) error {
	if len(p.Texts) == 0 {
		return nil
	}
	b, err := call.Blob(0)
	if err != nil {
		return err
	}
	all := floatsOf(b)
	dim := len(all) / len(p.Texts)
	if dim == 0 || 4*dim*len(p.Texts) != len(b) || slices.ContainsFunc(all, func(x float32) bool { return x-x != 0 }) {
		return badRequest("%d bytes are not vectors of %d texts", len(b), len(p.Texts))
	}
	keys, rows := make([]embed.Key, len(p.Texts)), make([][]float32, len(p.Texts))
	for i, t := range p.Texts {
		keys[i], rows[i] = embed.KeyOf(p.Encoder, t), all[i*dim:][:dim:dim]
		r.vectors[keys[i]] = rows[i]
	}
	if e.host.Read == nil || !p.Keep {
		return nil
	}
	// If the browser has no room for them, they are computed again on the next visit.
	_ = call.Await(func() error { return e.host.Read.Put(ctx, keys, rows) })
	return ctx.Err()
}

// begin finds the texts of a result, and the vectors stored by an earlier visit.
func (e *Engine) begin(ctx context.Context, call *rpc.Call, r *reading, s *searching, i int) (*pages, error) {
	all := &pages{}
	all.texts, all.of = s.ReadingTexts(i, meaningLanguage)
	if len(all.texts) > mostRead {
		n := len(s.results[i].Chunks)
		if n > mostRead {
			n = 0
		}
		all.texts, all.of = all.texts[:n], all.of[:n]
	}
	var ask []embed.Key
	for _, t := range all.texts {
		k := embed.KeyOf(r.encoder, t)
		all.keys = append(all.keys, k)
		if r.vectors[k] == nil {
			ask = append(ask, k)
		}
	}
	if e.host.Read == nil || len(ask) == 0 {
		return all, nil
	}
	var found [][]float32
	_ = call.Await(func() (err error) { found, err = e.host.Read.Get(ctx, ask); return err })
	for i, v := range found {
		if len(v) > 0 {
			r.vectors[ask[i]] = v
		}
	}
	return all, ctx.Err()
}
