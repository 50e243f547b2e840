package encoder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"

	"seam/shared/embed"
)

// Limits of a model. A model beyond them is damaged, or too large to run here.
const (
	MaxWidth      = 4096    // numbers of a token
	MaxInner      = 1 << 14 // numbers of a token within the feed-forward part
	MaxLayers     = 48
	MaxPositions  = 1 << 16
	MaxVocabulary = 1 << 21
	MaxParameters = 1 << 30 // 4 GB in float32
)

// unit is the number of floats in a 256-bit register. The widths of a model must be
// multiples of it.
const unit = 8

// Pooling is the way to combine the vectors of a text's tokens.
type Pooling string

// The kinds of pooling.
const (
	Mean  Pooling = "mean" // of all tokens, including special ones
	First Pooling = "cls"  // the first token's vector
)

// Config is the shape of a model and the way to use it. It is also the header of a packed
// file.
type Config struct {
	Vocabulary int     `json:"vocabulary"` // number of token ids
	Width      int     `json:"width"`      // numbers of a token, and of a vector
	Inner      int     `json:"inner"`      // numbers of a token within the feed-forward part
	Layers     int     `json:"layers"`
	Heads      int     `json:"heads"`
	Positions  int     `json:"positions"` // rows of the table of positions
	Offset     int     `json:"offset"`    // position of a text's first token
	Epsilon    float64 `json:"epsilon"`   // added to variances
	Window     int     `json:"window"`    // maximum tokens of a text at once, including special ones
	Pooling    Pooling `json:"pooling"`
	Query      string  `json:"query"`         // prefix for a query
	Passage    string  `json:"passage"`       // prefix for a text to be found
	Default    string  `json:"default"`       // prefix for any other text
	Name       string  `json:"name,omitzero"` // for display
}

// check returns an error for impossible values, before memory is allocated for them.
func (c *Config) check() error {
	for _, x := range []struct {
		name                string
		value, most, factor int
	}{
		{"vocab_size", c.Vocabulary, MaxVocabulary, 1}, {"hidden_size", c.Width, MaxWidth, unit}, {"intermediate_size", c.Inner, MaxInner, unit},
		{"num_hidden_layers", c.Layers, MaxLayers, 1}, {"num_attention_heads", c.Heads, c.Width, 1}, {"max_position_embeddings", c.Positions, MaxPositions, 1},
	} {
		if x.value < 1 || x.value > x.most || x.value%x.factor != 0 {
			if x.factor > 1 {
				return fmt.Errorf("%s is %d; multiples of %d up to %d are supported", x.name, x.value, x.factor, x.most)
			}
			return fmt.Errorf("%s is %d; 1 to %d are supported", x.name, x.value, x.most)
		}
	}
	switch {
	case c.Width%c.Heads != 0 || c.Width/c.Heads%unit != 0:
		return fmt.Errorf("%d heads for a hidden_size of %d; heads of a multiple of %d numbers are supported", c.Heads, c.Width, unit)
	case c.parameters() > MaxParameters:
		return fmt.Errorf("%d parameters; at most %d are supported", c.parameters(), MaxParameters)
	case c.Offset < 0 || c.Offset >= c.Positions:
		return fmt.Errorf("pad_token_id %d does not go with %d positions", c.Offset-1, c.Positions)
	case c.Window < 1 || c.Window > c.Positions-c.Offset:
		return fmt.Errorf("max_seq_length is %d; 1 to %d are supported", c.Window, c.Positions-c.Offset)
	case !(c.Epsilon > 0 && c.Epsilon < 1):
		return fmt.Errorf("layer_norm_eps is %v, which is not between 0 and 1", c.Epsilon)
	case c.Pooling != Mean && c.Pooling != First:
		return fmt.Errorf("pooling %q is not supported; %s and %s are", c.Pooling, Mean, First)
	}
	return nil
}

// parameters returns the number of a model's parameters. It does not overflow if each size
// is within its limit.
func (c *Config) parameters() int64 {
	w, inner := int64(c.Width), int64(c.Inner)
	layer := 4*w*(w+1) + 2*w*inner + inner + w + 4*w
	return (int64(c.Vocabulary)+int64(c.Positions)+3)*w + int64(c.Layers)*layer
}

// prompt returns the prefix for a text in a role.
func (c *Config) prompt(r embed.Role) string {
	switch r {
	case embed.Queries:
		return c.Query
	case embed.Chunks:
		return c.Passage
	}
	return c.Default
}

// transformer holds the relevant fields of config.json.
type transformer struct {
	Type       string   `json:"model_type"`
	Vocabulary int      `json:"vocab_size"`
	Hidden     int      `json:"hidden_size"`
	Inner      int      `json:"intermediate_size"`
	Layers     int      `json:"num_hidden_layers"`
	Heads      int      `json:"num_attention_heads"`
	Positions  int      `json:"max_position_embeddings"`
	Act        string   `json:"hidden_act"`
	Kind       *string  `json:"position_embedding_type"`
	Epsilon    *float64 `json:"layer_norm_eps"`
	Pad        *int     `json:"pad_token_id"`
	Decoder    bool     `json:"is_decoder"`
}

// reader returns a file of a model's folder by name. The error for a missing file must
// match fs.ErrNotExist.
type reader func(file string) ([]byte, error)

// json reads a file into v. absent reports whether the file is missing.
func (read reader) json(file string, v any) (absent bool, err error) {
	b, err := read(file)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", file, err)
	}
	return false, nil
}

// configure reads the model's shape and use from its folder.
func configure(read reader) (*Config, error) {
	var t transformer
	absent, err := read.json("config.json", &t)
	switch {
	case err != nil:
		return nil, err
	case absent:
		return nil, errors.New("it has no config.json")
	}
	c, err := t.config()
	if err != nil {
		return nil, fmt.Errorf("config.json: %w", err)
	}
	for _, step := range []func(reader) error{c.readPooling, c.readModules, c.readWindow, c.readPrompts} {
		if err := step(read); err != nil {
			return nil, err
		}
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("config.json: %w", err)
	}
	return c, nil
}

// Describes reports whether a config.json belongs to a transformer, supported here or not.
// A Model2Vec model has such a file, too.
func Describes(config []byte) bool {
	var t transformer
	return json.Unmarshal(config, &t) == nil && t.Layers > 0
}

// config returns the shape given by config.json.
func (t *transformer) config() (*Config, error) {
	c := &Config{Vocabulary: t.Vocabulary, Width: t.Hidden, Inner: t.Inner, Layers: t.Layers, Heads: t.Heads, Positions: t.Positions,
		Epsilon: 1e-12, Pooling: Mean} // transformers' default
	switch t.Type {
	case "bert":
	case "roberta", "xlm-roberta", "camembert": // positions begin after the padding position
		pad := 1
		if t.Pad != nil {
			pad = *t.Pad
		}
		if pad < 0 || pad >= MaxPositions {
			return nil, fmt.Errorf("pad_token_id is %d", pad)
		}
		c.Offset = pad + 1
	default:
		return nil, fmt.Errorf("model_type %q is not supported; bert, roberta, xlm-roberta and camembert are", t.Type)
	}
	switch {
	case t.Act != "gelu":
		return nil, fmt.Errorf("hidden_act %q is not supported; gelu is", t.Act)
	case t.Kind != nil && *t.Kind != "absolute":
		return nil, fmt.Errorf("position_embedding_type %q is not supported; absolute is", *t.Kind)
	case t.Decoder:
		return nil, errors.New("it is a decoder, which reads a text in one direction")
	}
	if t.Epsilon != nil {
		c.Epsilon = *t.Epsilon
	}
	c.Window = min(c.Positions-c.Offset, 512)
	return c, nil
}

// readPooling reads 1_Pooling/config.json. Without it, pooling is the mean.
func (c *Config) readPooling(read reader) error {
	const file = "1_Pooling/config.json"
	modes := map[string]json.RawMessage{}
	absent, err := read.json(file, &modes)
	if absent || err != nil {
		return err
	}
	var on []string
	for name, value := range modes {
		if mode, ok := strings.CutPrefix(name, "pooling_mode_"); ok && string(value) == "true" {
			on = append(on, mode)
		}
	}
	switch {
	case len(on) == 1 && on[0] == "mean_tokens":
		c.Pooling = Mean
	case len(on) == 1 && on[0] == "cls_token":
		c.Pooling = First
	default:
		return fmt.Errorf("%s: pooling by %q is not supported; mean_tokens or cls_token alone is", file, on)
	}
	if prompt, ok := modes["include_prompt"]; ok && string(prompt) == "false" {
		return fmt.Errorf("%s: include_prompt false is not supported", file)
	}
	return nil
}

// readModules refuses unknown processing steps.
func (c *Config) readModules(read reader) error {
	const file = "modules.json"
	var modules []struct {
		Type string `json:"type"`
		Path string `json:"path"`
	}
	if absent, err := read.json(file, &modules); absent || err != nil {
		return err
	}
	for i, m := range modules {
		kind := m.Type[strings.LastIndexByte(m.Type, '.')+1:]
		switch {
		case kind == "Transformer" && i == 0 && m.Path == "", kind == "Pooling" && i == 1 && m.Path == "1_Pooling", kind == "Normalize" && i == 2:
		default:
			return fmt.Errorf("%s: step %d, %q in %q, is not supported; Transformer, Pooling and Normalize in this order are", file, i, m.Type, m.Path)
		}
	}
	return nil
}

// readWindow reads the maximum number of tokens from sentence_bert_config.json.
func (c *Config) readWindow(read reader) error {
	var s struct {
		Length *int `json:"max_seq_length"`
	}
	const file = "sentence_bert_config.json"
	if absent, err := read.json(file, &s); absent || err != nil || s.Length == nil {
		return err
	}
	if *s.Length < 1 || *s.Length > math.MaxInt32 {
		return fmt.Errorf("%s: max_seq_length is %d", file, *s.Length)
	}
	c.Window = min(*s.Length, c.Positions-c.Offset)
	return nil
}

// mostPrompt is the maximum length of a prompt in bytes.
const mostPrompt = 4096

// readPrompts reads the prefixes of texts from config_sentence_transformers.json.
func (c *Config) readPrompts(read reader) error {
	var s struct {
		Prompts map[string]string `json:"prompts"`
		Default *string           `json:"default_prompt_name"`
	}
	const file = "config_sentence_transformers.json"
	if absent, err := read.json(file, &s); absent || err != nil {
		return err
	}
	for name, prompt := range s.Prompts {
		if len(prompt) > mostPrompt {
			return fmt.Errorf("%s: the prompt %.40q has %d bytes; at most %d are supported", file, name, len(prompt), mostPrompt)
		}
	}
	if s.Default != nil {
		prompt, ok := s.Prompts[*s.Default]
		if !ok {
			return fmt.Errorf("%s: the default prompt %.40q is missing", file, *s.Default)
		}
		c.Query, c.Passage, c.Default = prompt, prompt, prompt
	}
	for _, x := range []struct {
		names []string
		into  *string
	}{{[]string{"query"}, &c.Query}, {[]string{"passage", "document"}, &c.Passage}} {
		for _, name := range x.names {
			if prompt, ok := s.Prompts[name]; ok {
				*x.into = prompt
				break
			}
		}
	}
	return nil
}
