package encoder

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// uglyTexts are ordinary and unusual inputs.
var uglyTexts = []string{
	"", " \t\n", "the road over the river", "Are the texts long?", "How do I rotate log files without a restart?",
	"Caf\u00e9 cafe\u0301 na\u00efve \u0130stanbul \u1e9e \u00c5ngstr\u00f6m", "窓は長い。病院で働いて", "\ud55c\uad6d\uc5b4 \ud14d\uc2a4\ud2b8", "врач работает", "يعمل الطبيب في المستشفى",
	"👩\u200d👩\u200d👧 family 🏳️\u200d🌈 \u2764\ufe0f", "3.14159e-10 1,000,000 0xDEADBEEF v1.2.3-rc.4", "os.path.join std::vector<int> __init__ camelCaseName snake_case_name -Wno-error=foo",
	strings.Repeat("long", 30), strings.Repeat("a", 100), strings.Repeat("a", 101), strings.Repeat("over the river ", 100),
	"what is [MASK] and [CLS]x[SEP]?", "[mask] [[MASK]]", "\x00nul\x01 bell\a soft\u00adhyphen zero\u200bwidth \ufeff \ufffd", "“quoted” – dash… l’été don't",
	"\u0301\u0302 marks alone", "a\u0915\u094d\u0937\u093f b\u0e01\u0e33 \u1e69", "\u2028line\u2029end\u0085next\u00a0blank\u3000wide", "ﬁne ½ ² Ω \u212b \U0001d400 \U00020000", "fullwidth ＡＢＣ！？",
}

// partsGolden is the expected result of a page's encoder for some parts.
type partsGolden struct {
	Head   []byte      `json:"head"`
	Blocks [][]byte    `json:"blocks"`
	Cases  []partsCase `json:"cases"`
}

type partsCase struct {
	Text   string    `json:"text"`
	IDs    []uint32  `json:"ids"`              // all ids, without those around the text
	Known  bool      `json:"known"`            // the result of Knows
	Vector []float32 `json:"vector,omitempty"` // if the text fits in a window
}

func goldenOf(t *testing.T, packed []byte, rows, first int) partsGolden {
	t.Helper()
	head, blocks, err := Parts(packed, rows, first)
	if err != nil {
		t.Fatal(err)
	}
	m, g := openedPacked(t, packed, "x"), partsGolden{head, blocks, nil}
	for _, s := range uglyTexts {
		c := partsCase{Text: s, IDs: m.tokens.Append(nil, s, 0), Known: m.Knows(s)}
		if len(c.IDs)+len(m.before)+len(m.after) <= m.Window {
			c.Vector = slices.Clone(vectors(t, m, s).Row(0))
		}
		g.Cases = append(g.Cases, c)
	}
	return g
}

// The golden file holds the vectors of the parts. Both Go and the page's tests compare with
// it. With SEAM_MEANING, a packed file, and SEAM_PARTS, an output file, the test writes the
// same for another model.
func TestPartsGolden(t *testing.T) {
	write := func(file string, g partsGolden) []byte {
		b, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("UPDATE_GOLDEN") != "" || file == os.Getenv("SEAM_PARTS") {
			if err := os.WriteFile(file, append(b, '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return append(b, '\n')
	}
	file := filepath.Join("testdata", "parts.json")
	got := write(file, goldenOf(t, packed(t, "bert-f32-mean", Four), 32, 70))
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs (UPDATE_GOLDEN=1 if that is meant): %v", file, err)
	}
	if model := os.Getenv("SEAM_MEANING"); model != "" {
		b, err := os.ReadFile(model)
		if err != nil {
			t.Fatal(err)
		}
		write(os.Getenv("SEAM_PARTS"), goldenOf(t, b, 64, 1536))
	}
}

// Together the parts must contain all numbers of the packed file.
func TestPartsHoldAll(t *testing.T) {
	b := packed(t, "bert-f32-mean", Four)
	le := binary.LittleEndian
	numbers := b[headSize+int(le.Uint32(b[12:]))+int(le.Uint32(b[16:])) : len(b)-32]
	for _, c := range []struct{ rows, first, blocks int }{{64, 70, 3}, {32, 64, 5}, {1, 219, 1}, {7, 220, 0}, {1000, 0, 1}} {
		head, blocks, err := Parts(b, c.rows, c.first)
		if err != nil || len(blocks) != c.blocks {
			t.Fatalf("%+v: %d blocks, %v", c, len(blocks), err)
		}
		var parts [4][]byte
		rest := head[16:]
		for i := range parts {
			n := le.Uint32(head[4*i:])
			parts[i], rest = rest[:n], rest[n:]
		}
		all := slices.Concat(parts[2], slices.Concat(blocks...), parts[3])
		if len(rest) != 0 || !bytes.Equal(all, numbers) {
			t.Errorf("%+v: the parts are not the file", c)
		}
		for i, block := range blocks {
			if i < len(blocks)-1 && len(block) != c.rows*groupBytes(32) {
				t.Errorf("%+v: block %d has %d bytes", c, i, len(block))
			}
		}
		m := openedPacked(t, b, "")
		if words := strings.Split(string(parts[1]), "\n"); !slices.Equal(words, m.tokens.Tokens()) {
			t.Errorf("%+v: the vocabulary is %q", c, words)
		}
		var shape partsHead
		if err := json.Unmarshal(parts[0], &shape); err != nil || shape.Rows != c.rows || shape.First != c.first || shape.Width != 32 ||
			!slices.Equal(shape.Before, m.before) || !slices.Equal(shape.After, m.after) || !strings.HasSuffix(shape.ID, m.ID()[len(Prefix):]) {
			t.Errorf("%+v: %+v %v", c, shape, err)
		}
	}
}

// A model that a page cannot run must give a one-sentence error.
func TestPartsRefused(t *testing.T) {
	good := packed(t, "bert-f32-mean", Four)
	for _, c := range []struct {
		packed      []byte
		rows, first int
		says        string
	}{
		{nil, 64, 0, "not a packed encoder"},
		{packed(t, "bert-f32-mean", Eight), 64, 0, "8 bits"},
		{packed(t, "bert-f16-first-prompts", Four), 64, 0, "not supported"},
		{packed(t, "xlmr-bf16-mean", Four), 64, 0, "tokenizer"},
		{good, 0, 0, "not possible"},
		{good, 64, 221, "not possible"},
		{good, 64, -1, "not possible"},
	} {
		if _, _, err := Parts(c.packed, c.rows, c.first); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; it should say %q", err, c.says)
		}
	}
}
