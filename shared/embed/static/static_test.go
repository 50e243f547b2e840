package static

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"seam/shared/vector"
)

func texts(t testing.TB) []string {
	var all []string
	readJSON(t, "testdata/texts.json", &all)
	return all
}

func vectors(t testing.TB, m *Model, texts ...string) vector.Matrix {
	t.Helper()
	out, err := m.Embed(context.Background(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRowsHaveLengthOneOrZero(t *testing.T) {
	for _, name := range fixtures(t, "testdata") {
		m := openFixture(t, "testdata", name)
		got := vectors(t, m, texts(t)...)
		if got.Check() != nil || got.Dim != m.Dim() {
			t.Fatalf("%s: %d×%d", name, got.Rows, got.Dim)
		}
		for i := range got.Rows {
			if n := math.Sqrt(vector.Dot(got.Row(i), got.Row(i))); n != 0 && math.Abs(n-1) > 1e-6 {
				t.Errorf("%s: text %d has length %v", name, i, n)
			}
		}
		if vector.Dot(got.Row(0), got.Row(0)) != 0 {
			t.Errorf("%s: the empty text has a vector", name)
		}
	}
}

func TestBatchesDoNotMatter(t *testing.T) {
	for _, name := range fixtures(t, "testdata") {
		all := vectors(t, openFixture(t, "testdata", name), texts(t)...)
		one := openFixture(t, "testdata", name)
		for i, s := range texts(t) {
			if !slices.Equal(vectors(t, one, s).Data, all.Row(i)) {
				t.Errorf("%s: %+q differs alone and among others", name, s)
			}
		}
	}
}

// Vectors must be the same to the bit on every target. UPDATE_GOLDEN=1 rewrites their
// hashes.
func TestBits(t *testing.T) {
	got := map[string]string{}
	for _, name := range fixtures(t, "testdata") {
		h := sha256.New()
		for _, x := range vectors(t, openFixture(t, "testdata", name), texts(t)...).Data {
			h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
		got[name] = fmt.Sprintf("%x", h.Sum(nil)[:8])
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		b, err := json.MarshalIndent(got, "", "  ")
		if err == nil {
			err = os.WriteFile("testdata/bits.json", append(b, '\n'), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var want map[string]string
	readJSON(t, "testdata/bits.json", &want)
	for name, bits := range got {
		if want[name] != bits {
			t.Errorf("%s: vectors have hash %s, should have %s", name, bits, want[name])
		}
	}
}

func TestConcurrentCalls(t *testing.T) {
	for _, name := range []string{"bert", "llama2-int8", "xlm-int8-mapping"} {
		all := texts(t)
		want := vectors(t, openFixture(t, "testdata", name), all...)
		m := openFixture(t, "testdata", name)
		var wait sync.WaitGroup
		for k := range 8 {
			wait.Add(1)
			go func() {
				defer wait.Done()
				for i := range all {
					i = (i + 7*k) % len(all)
					got, err := m.Embed(context.Background(), all[i:i+1], nil)
					if err != nil || !slices.Equal(got.Data, want.Row(i)) {
						t.Errorf("%s: text %d differs among other calls (%v)", name, i, err)
					}
					m.Counter().Spans(all[i])
				}
			}()
		}
		wait.Wait()
	}
}

func TestCancel(t *testing.T) {
	m := openFixture(t, "testdata", "bert")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Embed(ctx, []string{"a"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	stop := errors.New("stop")
	var seen []int
	_, err := m.Embed(context.Background(), make([]string, 1000), func(done, total int) error {
		if seen = append(seen, done); total != 1000 {
			t.Errorf("%d of %d", done, total)
		}
		if done >= 512 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || !slices.Equal(seen, []int{0, 256, 512}) {
		t.Errorf("%v %v", seen, err)
	}
}

func TestLongTextsAreCut(t *testing.T) {
	m := openFixture(t, "testdata", "gpt2-short")
	head := strings.Repeat("bridge ", 40)
	if a, b := vectors(t, m, head), vectors(t, m, head+"lighthouse"); !slices.Equal(a.Data, b.Data) {
		t.Error("what is behind 20 tokens changes the vector")
	}
	m = openFixture(t, "testdata", "llama3-f64")
	long := strings.Repeat("bridge ", 4000)
	if a, b := vectors(t, m, long), vectors(t, m, long+strings.Repeat("lighthouse ", 4000)); vector.Cosine(a.Row(0), b.Row(0)) > 0.99 {
		t.Error("a model without a limit has one")
	}
}

func TestIDNamesTheModel(t *testing.T) {
	a, b := openFixture(t, "testdata", "bert"), openFixture(t, "testdata", "words")
	id, ok := strings.CutPrefix(a.ID(), "static:bert@")
	if !ok || len(id) != 12 || strings.HasSuffix(b.ID(), id) {
		t.Errorf("%s, %s", a.ID(), b.ID())
	}
	if a.Counter().Name() != "model" {
		t.Errorf("the unit is called %q", a.Counter().Name())
	}
}

// files reads a fixture into memory.
func files(t testing.TB, name string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	for _, file := range []string{"model.safetensors", "tokenizer.json", "config.json"} {
		b, err := os.ReadFile(filepath.Join("testdata", name, file))
		if err != nil {
			t.Fatal(err)
		}
		all[file] = b
	}
	return all
}

func openAll(all map[string][]byte) (*Model, error) {
	return OpenFiles(func(file string) ([]byte, error) {
		if b, ok := all[file]; ok {
			return b, nil
		}
		return nil, fs.ErrNotExist
	}, "test")
}

func TestLayouts(t *testing.T) {
	want := vectors(t, openFixture(t, "testdata", "bert"), texts(t)...)
	all := files(t, "bert")
	delete(all, "config.json")
	m, err := openAll(all)
	if err != nil || m.parts.MaxTokens != 512 || m.parts.Normalize {
		t.Fatalf("without config.json: %v, %+v", err, m)
	}
	nested := map[string][]byte{
		"0_StaticEmbedding/tokenizer.json":    all["tokenizer.json"],
		"0_StaticEmbedding/model.safetensors": bytes.Replace(all["model.safetensors"], []byte(`"embeddings":`), []byte(`"embedding.weight":`), 1),
	}
	// The name is 6 bytes longer, and safetensors pads headers with spaces.
	b := nested["0_StaticEmbedding/model.safetensors"]
	binary.LittleEndian.PutUint64(b, binary.LittleEndian.Uint64(b)+6)
	m, err = openAll(nested)
	if err != nil {
		t.Fatal(err)
	}
	if got := vectors(t, m, texts(t)...); !slices.Equal(got.Data, want.Data) {
		t.Error("vectors of the layout of sentence-transformers differ")
	}
}

func TestRefused(t *testing.T) {
	tensors := func(head string, data int) []byte {
		b := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
		return append(append(b, head...), make([]byte, data)...)
	}
	n := len(openFixture(t, "testdata", "bert").parts.Tokenizer.(interface{ Tokens() []string }).Tokens())
	table := func(rows, dim int, more string, data int) []byte {
		return tensors(fmt.Sprintf(`{"embeddings":{"dtype":"F32","shape":[%d,%d],"data_offsets":[0,%d]}%s}`, rows, dim, 4*rows*dim, more), 4*rows*dim+data)
	}
	nan := table(n, 2, "", 0)
	binary.LittleEndian.PutUint32(nan[len(nan)-4:], math.Float32bits(float32(math.Inf(1))))
	end := 8 * n
	for name, c := range map[string]struct {
		file string
		b    []byte
		says string
	}{
		"more vectors than tokens":  {"model.safetensors", table(n+1, 2, "", 0), "vectors for"},
		"fewer vectors than tokens": {"model.safetensors", table(n-1, 2, "", 0), "vectors for"},
		"no dimensions":             {"model.safetensors", table(n, 0, "", 0), "0 dimensions"},
		"infinity":                  {"model.safetensors", nan, "not a number"},
		"no table":                  {"model.safetensors", tensors(`{}`, 0), "embeddings"},
		"a vector for a table":      {"model.safetensors", tensors(`{"embeddings":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4), "embeddings"},
		"short mapping":             {"model.safetensors", table(n, 2, fmt.Sprintf(`,"mapping":{"dtype":"I8","shape":[1],"data_offsets":[%d,%d]}`, end, end+1), 1), "mapping: 1 entries"},
		"mapping of floats":         {"model.safetensors", table(n, 2, fmt.Sprintf(`,"mapping":{"dtype":"F32","shape":[1],"data_offsets":[%d,%d]}`, end, end+4), 4), "not integers"},
		"mapping beyond": {"model.safetensors", func() []byte {
			b := table(n, 2, fmt.Sprintf(`,"mapping":{"dtype":"I8","shape":[%d],"data_offsets":[%d,%d]}`, n, end, end+n), n)
			b[len(b)-1] = 0xff
			return b
		}(), "vector -1"},
		"short weights":       {"model.safetensors", table(n, 2, fmt.Sprintf(`,"weights":{"dtype":"F16","shape":[1],"data_offsets":[%d,%d]}`, end, end+2), 2), "weights: 1 numbers"},
		"config is no JSON":   {"config.json", []byte("{"), "config.json"},
		"length 0":            {"config.json", []byte(`{"max_length":0}`), "max_length is 0"},
		"length in words":     {"config.json", []byte(`{"max_length":"long"}`), "max_length"},
		"tokenizer is empty":  {"tokenizer.json", nil, "tokenizer.json"},
		"tokenizer is a list": {"tokenizer.json", []byte("[]"), "tokenizer.json"},
	} {
		all := files(t, "bert")
		all[c.file] = c.b
		if _, err := openAll(all); !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, missing := range []string{"model.safetensors", "tokenizer.json"} {
		all := files(t, "bert")
		delete(all, missing)
		if _, err := openAll(all); !errors.Is(err, ErrModel) || !strings.HasSuffix(err.Error(), "it has no "+missing) {
			t.Errorf("without %s: %v", missing, err)
		}
	}
}

// A part of a file must not open, and a file with a changed byte must fail or work.
func TestDamage(t *testing.T) {
	for _, name := range []string{"bert", "xlm-int8-mapping", "llama2-int8"} {
		whole := files(t, name)
		for _, file := range []string{"model.safetensors", "tokenizer.json"} {
			for i := 0; i < len(whole[file]); i += 1 + len(whole[file])/60 {
				all := files(t, name)
				all[file] = whole[file][:i]
				if _, err := openAll(all); !errors.Is(err, ErrModel) {
					t.Fatalf("%s: %s cut to %d bytes: %v", name, file, i, err)
				}
				all[file] = bytes.Clone(whole[file])
				all[file][i] ^= 1 << (i % 8)
				if m, err := openAll(all); err == nil {
					vectors(t, m, texts(t)[:20]...)
				}
			}
		}
	}
}

func FuzzOpen(f *testing.F) {
	head := `{"embeddings":{"dtype":"F16","shape":[2,3],"data_offsets":[0,12]},"weights":{"dtype":"I8","shape":[2],"data_offsets":[12,14]},"mapping":{"dtype":"U8","shape":[2],"data_offsets":[14,16]}}`
	tensors := append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head+"0123456789abcd\x00\x01"...)
	f.Add(tensors, []byte(`{"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"a":1}}}`), []byte(`{"normalize":true,"max_length":9}`), "a b")
	f.Fuzz(func(t *testing.T, tensors, tokenizer, config []byte, text string) {
		m, err := openAll(map[string][]byte{"model.safetensors": tensors, "tokenizer.json": tokenizer, "config.json": config})
		if err == nil {
			vectors(t, m, text)
		}
	})
}
