package builtin

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"seam/shared/embed/static"
	"seam/shared/vector"
)

// words is the vocabulary of the small test model. The unknown token is not first.
var words = strings.Fields("the cat sat on mat [UNK] a ##s ##ting run ##n ##ing . , naive cafe 中 ü und 1 ##9 ##8 ##4")

const dim = 66 // more than a lane, and not a multiple of one

// noise returns a 32-bit number that depends on i alone.
func noise(i int) uint32 { return uint32((uint64(i)+1)*0x9e3779b97f4a7c15>>29) * 2654435761 }

// file writes a model in the form of the package comment. change may damage the header
// before it is written.
func file(change func(map[string]any)) []byte {
	levels := make([]float64, 16)
	for i := range levels {
		levels[i] = float64(i-8) / 7
	}
	head := map[string]any{"name": "test-1", "language": "en", "license": "none", "vocab": len(words), "dim": dim, "bits": 4,
		"levels": levels, "unk": 5, "max_word": 10, "lowercase": true, "strip_accents": true}
	if change != nil {
		change(head)
	}
	h, err := json.Marshal(head)
	if err != nil {
		panic(err)
	}
	vocabulary := strings.Join(words, "\n")
	b := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(h)))
	b = binary.LittleEndian.AppendUint32(append(b, h...), uint32(len(vocabulary)))
	b = append(b, vocabulary...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	for i := range words {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(1+noise(i)%100)/37))
	}
	for i := range len(words) * dim / 2 {
		b = append(b, byte(noise(i)>>20))
	}
	return seal(b)
}

// seal appends the digest.
func seal(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

func load(t *testing.T) *static.Model {
	t.Helper()
	m, err := Load(file(nil))
	if err != nil {
		t.Fatal(err)
	}
	return m.Model
}

func TestVectors(t *testing.T) {
	m := load(t)
	if m.Dim() != dim || !strings.HasPrefix(m.ID(), "builtin:test-1@") || len(m.ID()) != len("builtin:test-1@")+12 {
		t.Errorf("%s of %d dimensions", m.ID(), m.Dim())
	}
	text := "The  cats sat; Sit on: running mat, CAFÉ 1984 unknown"
	// ; : sit and "unknown" are unknown
	want := []string{"the", "cat", "##s", "sat", "on", "run", "##n", "##ing", "mat", ",", "cafe", "1", "##9", "##8", "##4"}
	sum := make([]float64, dim)
	for _, w := range want {
		for id, x := range words {
			if x != w {
				continue
			}
			scale := float32(1+noise(id)%100) / 37
			for k := range sum {
				code := byte(noise(id*dim/2+k/2)>>20) >> (4 * (k % 2)) & 15
				level := float32(float64(int(code)-8) / 7)
				sum[k] += float64(float32(scale * level))
			}
		}
	}
	got, err := m.Embed(context.Background(), []string{text, "", "unknown ; ?"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	square := 0.0
	for _, x := range sum {
		square += x * x
	}
	for k, x := range got.Row(0) {
		if math.Abs(float64(x)-sum[k]/math.Sqrt(square)) > 1e-6 {
			t.Fatalf("number %d is %v, want %v", k, x, sum[k]/math.Sqrt(square))
		}
	}
	for i := 1; i < 3; i++ {
		if vector.Dot(got.Row(i), got.Row(i)) != 0 {
			t.Errorf("text %d has a vector", i)
		}
	}
	if n := m.Counter().Count(text); n != len(want)+4 {
		t.Errorf("%d tokens, want %d", n, len(want)+4)
	}
}

func TestWholeText(t *testing.T) {
	m := load(t)
	long := strings.Repeat("cat ", 5000) + strings.Repeat("mat ", 5000)
	got, err := m.Embed(context.Background(), []string{long, "cat mat"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := vector.Cosine(got.Row(0), got.Row(1)); c < 0.99999 {
		t.Errorf("the end of a long text is left out: cosine %v", c)
	}
}

func TestDamage(t *testing.T) {
	good := file(nil)
	for i := range good {
		if _, err := Load(good[:i]); !errors.Is(err, ErrModel) {
			t.Fatalf("cut to %d bytes: %v", i, err)
		}
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if _, err := Load(bad); !errors.Is(err, ErrModel) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
	}
	for name, value := range map[string]any{
		"vocab": len(words) + 1, "dim": 68, "bits": 8, "levels": []float64{1}, "unk": len(words), "max_word": 0,
		"name": 7, "lowercase": "yes",
	} {
		if _, err := Load(file(func(h map[string]any) { h[name] = value })); !errors.Is(err, ErrModel) {
			t.Errorf("%s %v: %v", name, value, err)
		}
	}
	for _, odd := range []map[string]any{{"dim": 3}, {"dim": -2}, {"vocab": -1}, {"vocab": int64(1) << 62}, {"dim": int64(1) << 40}, {"unk": -1}} {
		for k, v := range odd {
			if _, err := Load(file(func(h map[string]any) { h[k] = v })); !errors.Is(err, ErrModel) {
				t.Errorf("%s %v: %v", k, v, err)
			}
		}
	}
}

func TestScalesAreNumbers(t *testing.T) {
	b := file(nil)
	b = b[:len(b)-sha256.Size]
	at := len(b) - len(words)*(dim/2+4)
	binary.LittleEndian.PutUint32(b[at:], math.Float32bits(float32(math.NaN())))
	if _, err := Load(seal(b)); !errors.Is(err, ErrModel) || !strings.Contains(fmt.Sprint(err), "token 0") {
		t.Errorf("%v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(file(nil), "the cat sat")
	f.Fuzz(func(t *testing.T, b []byte, text string) {
		m, err := LoadVerified(b)
		if err != nil {
			return
		}
		if _, err := m.Embed(context.Background(), []string{text}, nil); err != nil {
			t.Fatal(err)
		}
	})
}
