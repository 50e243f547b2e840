package static

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// Export writes the model as a directory that the Python package can open, with equal
// vectors: config.json, tokenizer.json, and model.safetensors in float32. Each token's
// weight is included in its vector. write is called once for each file; if it returns an
// error, Export stops with that error.
func (m *Model) Export(write func(name string, data []byte) error) error {
	p := &m.parts
	config := struct {
		Normalize bool   `json:"normalize"`
		MaxLength *int   `json:"max_length"` // null means the whole text
		Type      string `json:"model_type"`
		Dtype     string `json:"embedding_dtype"`
		Hidden    int    `json:"hidden_dim"`
	}{p.Normalize, nil, "model2vec", "float32", p.Dim}
	if p.MaxTokens > 0 {
		config.MaxLength = &p.MaxTokens
	}
	data, err := json.MarshalIndent(config, "", "  ")
	if err != nil {
		return fmt.Errorf("export config.json: %w", err)
	}
	if err := write("config.json", data); err != nil {
		return err
	}
	data, err = p.Tokenizer.File()
	if err != nil {
		return fmt.Errorf("export tokenizer.json: %w", err)
	}
	if err := write("tokenizer.json", data); err != nil {
		return err
	}
	return write("model.safetensors", m.tensors())
}

// tensors returns the table in the safetensors format: the length of a header, the header,
// and the numbers.
func (m *Model) tensors() []byte {
	p := &m.parts
	size := 4 * p.Tokens * p.Dim
	head := fmt.Appendf(nil, `{"embeddings":{"dtype":"F32","shape":[%d,%d],"data_offsets":[0,%d]}}`, p.Tokens, p.Dim, size)
	head = append(head, bytes.Repeat([]byte{' '}, -len(head)&7)...)
	out := make([]byte, 0, 8+len(head)+size)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(head)))
	out = append(out, head...)
	row := make([]float32, p.Dim)
	for id := range p.Tokens {
		p.Table.Expand(row, uint32(id))
		for _, x := range row {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	return out
}
