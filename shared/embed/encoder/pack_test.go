package encoder

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/vector"
)

// packed returns the packed file of a fixture.
func packed(t testing.TB, name string, bits int) []byte {
	t.Helper()
	files := folder(t, name)
	b, err := Pack(func(file string) ([]byte, error) { return fs.ReadFile(files, file) }, name, bits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func openedPacked(t testing.TB, b []byte, name string) *Model {
	t.Helper()
	m, err := OpenPacked(b, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A packed model must give nearly the reference vectors, the same ones each time, with the
// same configuration and tokens. Random weights of 48 columns are the hardest to round;
// TestMiniLM has the figures of a real model.
func TestPacked(t *testing.T) {
	for _, name := range fixtures {
		want, whole := readExpected(t, name), openFixture(t, name)
		ids := []string{whole.ID()}
		for bits, least := range map[int]float64{Eight: .995, Four: .7} {
			b := packed(t, name, bits)
			if !bytes.Equal(b, packed(t, name, bits)) || !IsPacked(b) {
				t.Fatalf("%s: a packed file differs from the next one", name)
			}
			m := openedPacked(t, b, name)
			if m.Config != whole.Config {
				t.Errorf("%s: %+v, not %+v", name, m.Config, whole.Config)
			}
			if slices.Contains(ids, m.ID()) || !strings.HasPrefix(m.ID(), Prefix+name+"@") {
				t.Errorf("%s: ID %s beside %s", name, m.ID(), ids)
			}
			ids = append(ids, m.ID())
			got, worst := vectors(t, m, want.Texts...), 1.0
			for i := 1; i < got.Rows; i++ { // the first text is empty
				sum := 0.0
				for j, x := range want.Vectors[i] {
					sum += x * float64(got.Row(i)[j])
				}
				worst = min(worst, sum)
			}
			t.Logf("%s at %d bits, %d bytes: worst cosine %.5f", name, bits, len(b), worst)
			if worst < least {
				t.Errorf("%s at %d bits: a cosine of %.5f", name, bits, worst)
			}
			if q := vectors(t, embed.For(m.Embedder(), embed.Queries), want.Texts[1]); whole.Query != "" && slices.Equal(q.Row(0), got.Row(1)) {
				t.Errorf("%s: a query without its prompt", name)
			}
		}
	}
}

// A packed file that is damaged, cut off or of another kind must give a one-sentence error.
func TestPackedRefused(t *testing.T) {
	whole := packed(t, "bert-f32-mean", Eight)
	refused := func(b []byte, says string) {
		t.Helper()
		if _, err := OpenPacked(b, "x"); !errors.Is(err, ErrModel) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; it should say %q", err, says)
		}
	}
	for at := 8; at < len(whole); at += 97 {
		b := bytes.Clone(whole)
		b[at] ^= 4
		refused(b, "damaged")
	}
	for n := 8; n < len(whole); n += 997 {
		refused(whole[:n], "damaged")
	}
	refused(nil, "not a packed encoder")
	refused([]byte("something else"), "not a packed encoder")
	refused(append([]byte("SeamEnc2"), whole[8:]...), "another version")
	le := binary.LittleEndian
	size := func(at int, n uint32) func([]byte) []byte {
		return func(b []byte) []byte { le.PutUint32(b[at:], n); return b }
	}
	nConfig := int(le.Uint32(whole[12:]))
	config := func(old, with string) func([]byte) []byte {
		return func(b []byte) []byte {
			c := bytes.Replace(b[headSize:][:nConfig], []byte(old), []byte(with), 1)
			le.PutUint32(b[12:], uint32(len(c)))
			return slices.Concat(b[:headSize], c, b[headSize+nConfig:])
		}
	}
	for _, c := range []struct {
		change func([]byte) []byte
		says   string
	}{
		{size(8, 3), "damaged"},
		{size(8, Four), "bytes of weights"},
		{size(12, math.MaxUint32), "damaged"},
		{size(16, math.MaxUint32), "damaged"},
		{config(`"width":32`, `"width":2147483648`), "hidden_size"},
		{config(`"width":32`, `"width":64`), "bytes of weights"},
		{config(`"layers":2`, `"layers":48`), "bytes of weights"},
		{config(`"vocabulary":220`, `"vocabulary":2000000`), "bytes of weights"},
		{config(`"pooling":"mean"`, `"pooling":"max"`), "pooling"},
		{config(`"window":48`, `"window":2`), "surround every text"},
		{config(`"window":48`, `"window":-1`), "max_seq_length"},
		{config(`"offset":0`, `"offset":-1`), "pad_token_id"},
		{config(`"epsilon":`, `"epsilon":true,"x":`), "configuration"},
		{func(b []byte) []byte { le.PutUint32(b[len(b)-4:], math.Float32bits(float32(math.NaN()))); return b }, "not a number"},
	} {
		b := c.change(bytes.Clone(whole[:len(whole)-sha256.Size]))
		sum := sha256.Sum256(b)
		refused(append(b, sum[:]...), c.says)
	}
	if _, err := Pack(nil, "x", 5); err == nil {
		t.Error("weights of 5 bits")
	}
	if _, err := Pack(func(string) ([]byte, error) { return nil, fs.ErrNotExist }, "x", Four); !errors.Is(err, ErrModel) {
		t.Errorf("nothing is packed: %v", err)
	}
}

// For any contents with a correct checksum, opening must end, and every model that opens
// must embed.
func FuzzOpenPacked(f *testing.F) {
	whole := packed(f, "xlmr-bf16-mean", Four)
	n := headSize + int(binary.LittleEndian.Uint32(whole[12:]))
	f.Add(whole[:n], whole[len(whole)-200:len(whole)-sha256.Size])
	f.Fuzz(func(t *testing.T, head, tail []byte) {
		b := append(bytes.Clone(head), whole[min(len(whole), n):len(whole)-200]...)
		b = append(b, tail...)
		sum := sha256.Sum256(b)
		m, err := OpenPacked(append(b, sum[:]...), "x")
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

// Decoded 4-bit rows of any length must be within half a step.
func TestFourBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 100; n++ {
		row, back := make([]float32, n), make([]float32, n)
		for i := range row {
			row[i] = float32(r.NormFloat64())
		}
		b := pack4(nil, row)
		if len(b) != groupBytes(n) {
			t.Fatalf("%d numbers take %d bytes, not %d", n, len(b), groupBytes(n))
		}
		expand4(back, b)
		for i := 0; i < n; i += group {
			part, got := row[i:min(n, i+group)], back[i:min(n, i+group)]
			most := float32(0)
			for _, x := range part {
				most = max(most, float32(math.Abs(float64(x))))
			}
			diff := make([]float32, len(part))
			for k := range part {
				diff[k] = part[k] - got[k]
			}
			if step := float64(most) / 7; vector.Dot(diff, diff) > float64(len(part))*step*step/4*1.1 {
				t.Errorf("%v came back as %v", part, got)
			}
		}
	}
	for _, x := range []float32{0, 1e-40, float32(math.NaN())} {
		back := make([]float32, 1)
		if expand4(back, pack4(nil, []float32{x})); back[0] != 0 {
			t.Errorf("%v came back as %v", x, back[0])
		}
	}
}

// The names in the configuration of a packed file must not change.
func TestPackedConfiguration(t *testing.T) {
	b := packed(t, "bert-f16-first-prompts", Four)
	var c map[string]any
	if err := json.Unmarshal(b[headSize:][:binary.LittleEndian.Uint32(b[12:])], &c); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]any{"width": 48., "layers": 2., "heads": 2., "pooling": "cls", "query": "doctor: ", "passage": "rain: ", "window": 64., "offset": 0.} {
		if c[name] != want {
			t.Errorf("%s is %v", name, c[name])
		}
	}
}
