package encoder

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"seam/shared/digest"
	"seam/shared/embed/static/safetensors"
	"seam/shared/embed/static/tokenizer"
)

// ErrModel reports files that are not a usable model.
var ErrModel = errors.New("not an encoder that can be used here")

// Open reads the folder of a sentence-transformers model. It needs config.json,
// tokenizer.json and model.safetensors (float32, float16 or bfloat16). It uses
// 1_Pooling/config.json, modules.json, sentence_bert_config.json and
// config_sentence_transformers.json if they exist. name becomes part of the model's ID.
// Errors are ErrModel.
func Open(fsys fs.FS, name string) (*Model, error) {
	return OpenFiles(func(file string) ([]byte, error) { return fs.ReadFile(fsys, file) }, name)
}

// OpenFiles is Open for files that read returns by name. For a missing file, read must
// return an error that matches fs.ErrNotExist.
func OpenFiles(read func(file string) ([]byte, error), name string) (*Model, error) {
	s, err := readFolder(read, name)
	var m *Model
	if err == nil {
		m, err = s.model(func(rows, columns int, numbers []float32, bias []float32) linear {
			return newLinear32(rows, columns, numbers, bias)
		})
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	return m, nil
}

// source holds a model's parts as read from files.
type source struct {
	config  *Config
	tokens  *tokenizer.Tokenizer
	tensors map[string]safetensors.Tensor
	prefix  string // prefix of all tensor names
	id      string
}

func readFolder(read reader, name string) (*source, error) {
	c, err := configure(read)
	if err != nil {
		return nil, err
	}
	c.Name = name
	s := &source{config: c}
	var version []byte // of the model: the sums of its files, and its configuration
	var files [2][]byte
	for i, file := range []string{"tokenizer.json", "model.safetensors"} {
		if files[i], err = read(file); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("it has no %s", file)
		} else if err != nil {
			return nil, err
		}
		sum := digest.Sum256(files[i])
		version = append(version, sum[:]...)
	}
	sum := digest.Sum256(fmt.Appendf(version, "%+v", *c))
	s.id = Prefix + name + "@" + hex.EncodeToString(sum[:6])
	if s.tokens, err = tokenizer.Parse(files[0]); err != nil {
		return nil, err
	}
	if s.tensors, err = safetensors.Parse(files[1]); err == nil {
		err = s.findPrefix()
	}
	if err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", err)
	}
	return s, nil
}

const wordTable = "embeddings.word_embeddings.weight"

// findPrefix finds the prefix of the tensors' names, such as "bert.".
func (s *source) findPrefix() error {
	for name := range s.tensors {
		if prefix, ok := strings.CutSuffix(name, wordTable); ok && (prefix == "" || strings.Count(prefix, ".") == 1 && strings.HasSuffix(prefix, ".")) {
			s.prefix = prefix
			return nil
		}
	}
	return fmt.Errorf("it has no tensor %q", wordTable)
}

// tensor returns the numbers of a tensor with the given shape. It refuses NaN and
// infinities.
func (s *source) tensor(name string, shape ...int) ([]float32, error) {
	t, ok := s.tensors[s.prefix+name]
	if !ok {
		return nil, fmt.Errorf("it has no tensor %q", s.prefix+name)
	}
	fits, total := len(t.Shape) == len(shape), 1
	for i := range shape {
		fits = fits && t.Shape[i] == shape[i]
		total *= shape[i]
	}
	if !fits {
		return nil, fmt.Errorf("tensor %q is of %d numbers; config.json says %d", s.prefix+name, t.Shape, shape)
	}
	switch t.Type {
	case "F32", "F16", "BF16":
	default:
		return nil, fmt.Errorf("tensor %q is of type %s; F32, F16 and BF16 are supported", s.prefix+name, t.Type)
	}
	out := make([]float32, total)
	t.Floats(out, 0)
	for i, x := range out {
		if x-x != 0 {
			return nil, fmt.Errorf("value %d of tensor %q is not a number", i, s.prefix+name)
		}
	}
	return out, nil
}

// tensorsOf reads tensors one after another and keeps the first error.
type tensorsOf struct {
	*source
	err error
}

func (t *tensorsOf) get(name string, shape ...int) []float32 {
	if t.err != nil {
		return nil
	}
	var x []float32
	x, t.err = t.tensor(name, shape...)
	return x
}

// norm reads a LayerNorm.
func (t *tensorsOf) norm(name string) norm {
	return norm{t.get(name+".weight", t.config.Width), t.get(name+".bias", t.config.Width), float32(t.config.Epsilon)}
}

// makeLinear makes a matrix product from its numbers, rows of columns, and the bias of each
// row's result.
type makeLinear func(rows, columns int, numbers, bias []float32) linear

// model makes the model from its tensors.
func (s *source) model(make makeLinear) (*Model, error) {
	w := s.config.Width
	t := &tensorsOf{source: s}
	m := &Model{Config: *s.config, id: s.id, tokens: s.tokens}
	words := t.get(wordTable, s.config.Vocabulary, w)
	m.words = table32{words, w}
	m.positions = t.get("embeddings.position_embeddings.weight", s.config.Positions, w)
	if types := s.tensors[s.prefix+"embeddings.token_type_embeddings.weight"]; len(types.Shape) > 0 {
		kinds := t.get("embeddings.token_type_embeddings.weight", types.Shape[0], w)
		if t.err == nil && types.Shape[0] > 0 {
			addToRows(m.positions, kinds[:w]) // all tokens of a single text have type 0
		}
	}
	m.norm = t.norm("embeddings.LayerNorm")
	for i := range s.config.Layers {
		if t.err != nil {
			break
		}
		m.layers = append(m.layers, t.layer(fmt.Sprintf("encoder.layer.%d.", i), make))
	}
	if t.err != nil {
		return nil, fmt.Errorf("model.safetensors: %w", t.err)
	}
	return m, m.finish()
}

// layer reads a layer. It divides the queries' weights by the square root of a head's
// width, as attention requires.
func (t *tensorsOf) layer(name string, make makeLinear) layer {
	w, inner := t.config.Width, t.config.Inner
	var numbers, bias []float32
	scale := float32(1 / math.Sqrt(float64(w/t.config.Heads)))
	for _, part := range []string{"query", "key", "value"} {
		n, b := t.get(name+"attention.self."+part+".weight", w, w), t.get(name+"attention.self."+part+".bias", w)
		if part == "query" {
			scaleAll(n, scale)
			scaleAll(b, scale)
		}
		numbers, bias = append(numbers, n...), append(bias, b...)
	}
	full := func(name string, rows, columns int) linear {
		n, b := t.get(name+".weight", rows, columns), t.get(name+".bias", rows)
		if t.err != nil {
			return nil
		}
		return make(rows, columns, n, b)
	}
	var l layer
	if t.err == nil {
		l.in = make(3*w, w, numbers, bias)
	}
	l.out = full(name+"attention.output.dense", w, w)
	l.norm1 = t.norm(name + "attention.output.LayerNorm")
	l.up = full(name+"intermediate.dense", inner, w)
	l.down = full(name+"output.dense", w, inner)
	l.norm2 = t.norm(name + "output.LayerNorm")
	return l
}

func scaleAll(x []float32, by float32) {
	for i := range x {
		x[i] *= by
	}
}

// addToRows adds a row to every row of a table.
func addToRows(table, row []float32) {
	for i := range table {
		table[i] += row[i%len(row)]
	}
}

func errTokens(tokens, vocabulary int) error {
	return fmt.Errorf("tokenizer.json has ids up to %d, config.json says %d", tokens-1, vocabulary)
}

func errWindow(window, around int) error {
	return fmt.Errorf("max_seq_length is %d, but %d tokens surround every text", window, around)
}
