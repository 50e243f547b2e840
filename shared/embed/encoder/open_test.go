package encoder

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// folder returns a copy of a fixture in memory, for changes.
func folder(t testing.TB, name string) fstest.MapFS {
	t.Helper()
	files, dir := fstest.MapFS{}, filepath.Join("testdata", name)
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = &fstest.MapFile{Data: b}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Files that cannot be a model must give a one-sentence error with the reason.
func TestRefused(t *testing.T) {
	replaced := func(file, old, with string) func(fstest.MapFS) {
		return func(f fstest.MapFS) {
			if b := bytes.Replace(f[file].Data, []byte(old), []byte(with), 1); bytes.Equal(b, f[file].Data) {
				t.Errorf("%s holds no %s", file, old)
			} else {
				f[file] = &fstest.MapFile{Data: b}
			}
		}
	}
	config := func(old, with string) func(fstest.MapFS) { return replaced("config.json", old, with) }
	without := func(file string) func(fstest.MapFS) { return func(f fstest.MapFS) { delete(f, file) } }
	written := func(file, content string) func(fstest.MapFS) {
		return func(f fstest.MapFS) { f[file] = &fstest.MapFile{Data: []byte(content)} }
	}
	for _, c := range []struct {
		change func(fstest.MapFS)
		says   string
	}{
		{without("config.json"), "no config.json"},
		{without("tokenizer.json"), "no tokenizer.json"},
		{without("model.safetensors"), "no model.safetensors"},
		{written("config.json", "{"), "config.json: unexpected end"},
		{config(`"bert"`, `"mpnet"`), `"mpnet" is not supported`},
		{config(`"gelu"`, `"relu"`), `"relu" is not supported`},
		{config(`"hidden_act"`, `"position_embedding_type": "relative_key", "hidden_act"`), "relative_key"},
		{config(`"hidden_act"`, `"is_decoder": true, "hidden_act"`), "decoder"},
		{config(`"hidden_size": 32`, `"hidden_size": 1000000000`), "hidden_size is 1000000000"},
		{config(`"hidden_size": 32`, `"hidden_size": 33`), "multiples of 8"},
		{config(`"hidden_size": 32`, `"hidden_size": -32`), "hidden_size is -32"},
		{config(`"hidden_size": 32`, `"hidden_size": 64`), "config.json says"},
		{config(`"num_hidden_layers": 2`, `"num_hidden_layers": 1000`), "num_hidden_layers is 1000"},
		{config(`"num_hidden_layers": 2`, `"num_hidden_layers": 3`), `"encoder.layer.2.attention.self.query.weight"`},
		{config(`"num_attention_heads": 4`, `"num_attention_heads": 3`), "3 heads"},
		{config(`"num_attention_heads": 4`, `"num_attention_heads": 0`), "num_attention_heads is 0"},
		{config(`"vocab_size": `, `"vocab_size": 9`), "says [9220 32]"},
		{config(`"vocab_size": `, `"vocab_size": 1, "x": `), "config.json says"},
		{config(`"max_position_embeddings": 64`, `"max_position_embeddings": 65`), "config.json says"},
		{config(`1e-12`, `0`), "layer_norm_eps"},
		{config(`1e-12`, `2`), "layer_norm_eps"},
		{func(f fstest.MapFS) {
			config(`"hidden_size": 32`, `"hidden_size": 4096`)(f)
			config(`"intermediate_size": 64`, `"intermediate_size": 16384`)(f)
			config(`"num_hidden_layers": 2`, `"num_hidden_layers": 48`)(f)
		}, "parameters; at most"},
		{replaced("1_Pooling/config.json", `"pooling_mode_mean_tokens": true`, `"pooling_mode_max_tokens": true`), "max_tokens"},
		{replaced("1_Pooling/config.json", `"pooling_mode_cls_token": false`, `"pooling_mode_cls_token": true`), "alone"},
		{replaced("1_Pooling/config.json", `"pooling_mode_cls_token": false`, `"include_prompt": false`), "include_prompt"},
		{replaced("modules.json", "models.Normalize", "models.Dense"), "Dense"},
		{replaced("modules.json", "models.Pooling", "models.LSTM"), "LSTM"},
		{replaced("sentence_bert_config.json", "48", "2"), "2 tokens surround"},
		{replaced("sentence_bert_config.json", "48", "-1"), "max_seq_length is -1"},
		{replaced("config_sentence_transformers.json", "null", `"query"`), `the default prompt "query" is missing`},
		{written("config_sentence_transformers.json", `{"prompts": {"query": "`+strings.Repeat("x", 5000)+`"}}`), "5000 bytes"},
		{written("tokenizer.json", "{}"), "tokenizer.json"},
		{replaced("tokenizer.json", `"TemplateProcessing"`, `"Surprise"`), "Surprise"},
		{replaced("tokenizer.json", `"ids":[3]`, `"ids":[300000]`), "300000"},
		{written("model.safetensors", "not one"), "model.safetensors"},
		{written("model.safetensors", "\x02\x00\x00\x00\x00\x00\x00\x00{}"), wordTable},
		{func(f fstest.MapFS) {
			b := bytes.Clone(f["model.safetensors"].Data)
			copy(b[len(b)-4:], []byte{0, 0, 0xc0, 0x7f})
			f["model.safetensors"] = &fstest.MapFile{Data: b}
		}, "is not a number"},
		{func(f fstest.MapFS) {
			f["model.safetensors"] = &fstest.MapFile{Data: f["model.safetensors"].Data[:9999]}
		}, "incomplete"},
		{replaced("model.safetensors", "embeddings.LayerNorm.bias", "embeddings.LayerNorm.bios"), `no tensor "embeddings.LayerNorm.bias"`},
	} {
		files := folder(t, "bert-f32-mean")
		c.change(files)
		_, err := Open(files, "x")
		if !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; it should say %q", err, c.says)
		}
	}
}

// Without the optional files, a model must use the defaults.
func TestBareFolder(t *testing.T) {
	files := folder(t, "bert-f32-mean")
	whole := openFixture(t, "bert-f32-mean")
	for name := range files {
		if name != "config.json" && name != "tokenizer.json" && name != "model.safetensors" {
			delete(files, name)
		}
	}
	m, err := Open(files, "bert-f32-mean")
	if err != nil {
		t.Fatal(err)
	}
	if m.Pooling != Mean || m.Window != 64 || m.Query != "" || m.ID() == whole.ID() {
		t.Errorf("%+v, %s", m.Config, m.ID())
	}
}

// For any header or configuration, opening must end, and every model that opens must embed.
func FuzzOpen(f *testing.F) {
	files := folder(f, "xlmr-bf16-mean")
	weights := files["model.safetensors"].Data
	n := 8 + binary.LittleEndian.Uint64(weights)
	f.Add(files["config.json"].Data, files["1_Pooling/config.json"].Data, files["config_sentence_transformers.json"].Data, weights[:n])
	f.Fuzz(func(t *testing.T, config, pooling, prompts, head []byte) {
		changed := fstest.MapFS{"tokenizer.json": files["tokenizer.json"]}
		for name, b := range map[string][]byte{"config.json": config, "1_Pooling/config.json": pooling, "config_sentence_transformers.json": prompts,
			"model.safetensors": append(bytes.Clone(head), weights[n:]...)} {
			changed[name] = &fstest.MapFile{Data: b}
		}
		m, err := Open(changed, "x")
		if err != nil {
			if !errors.Is(err, ErrModel) {
				t.Fatal(err)
			}
			return
		}
		if _, err := m.Embedder().Embed(t.Context(), []string{"", "Rain fell on the roof.", strings.Repeat("x ", 100)}, nil); err != nil {
			t.Fatal(err)
		}
	})
}
