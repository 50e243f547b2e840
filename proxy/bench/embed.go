package main

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"strings"
	"unicode"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/pipeline"
	"seam/shared/vector"
)

// local returns the embedder that is built into the program.
var local = pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return builtin.Default() }}

// embedContest embeds 10,000 sentences of 24 tokens.
func embedContest() contest {
	own := []string{
		"The harbour office keeps a list of every ship that has entered the bay since the old lighthouse was taken down.",
		"In spring the farmers open the gates of the upper canal, and for three weeks the meadows stand under water.",
		"A compiler that checks its own output with a second, slower method finds mistakes which no test had looked for.",
		"She wrote many letters in those years; most of them are about money, and hardly any mention the war.",
	}
	var texts []string
	for i := range 10_000 {
		texts = append(texts, own[i%len(own)])
	}
	model, err := builtin.Default()
	plain, plainErr := newPlainModel()
	return contest{"embedding 10,000 sentences", "maps and a plain loop",
		func() error {
			if err != nil {
				return err
			}
			_, err := model.Embed(context.Background(), texts, nil)
			return err
		},
		func() error {
			if plainErr == nil {
				plain.embed(texts)
			}
			return plainErr
		}}
}

// plainModel is a straightforward implementation of the built-in model: word pieces looked
// up in a map, longest first, and their float32 rows summed one after the other.
type plainModel struct {
	pieces map[string]int
	table  []float32
	dim    int
}

func newPlainModel() (*plainModel, error) {
	m, err := builtin.Default()
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	if err := m.Export(func(name string, data []byte) error { files[name] = data; return nil }); err != nil {
		return nil, err
	}
	var tokenizer struct {
		Model struct{ Vocab map[string]int }
	}
	if err := json.Unmarshal(files["tokenizer.json"], &tokenizer); err != nil {
		return nil, err
	}
	tensors := files["model.safetensors"]
	body := tensors[8+binary.LittleEndian.Uint64(tensors):]
	p := &plainModel{tokenizer.Model.Vocab, make([]float32, len(body)/4), m.Dim()}
	for i := range p.table {
		p.table[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))
	}
	return p, nil
}

func (p *plainModel) embed(texts []string) vector.Matrix {
	out := vector.New(len(texts), p.dim)
	for i, t := range texts {
		words := strings.FieldsFunc(strings.ToLower(t), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		for _, w := range words {
			p.add(out.Row(i), w)
		}
	}
	vector.Normalize(out)
	return out
}

func (p *plainModel) add(row []float32, word string) {
	prefix := ""
	for len(word) > 0 {
		n := len(word)
		id, ok := p.pieces[prefix+word]
		for !ok && n > 1 {
			n--
			id, ok = p.pieces[prefix+word[:n]]
		}
		if !ok {
			return
		}
		for k, x := range p.table[id*p.dim : (id+1)*p.dim] {
			row[k] += x
		}
		word, prefix = word[n:], "##"
	}
}
