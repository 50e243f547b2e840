package builtin

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"seam/shared/embed/static"
	"seam/shared/vector"
)

// real opens the model of this package.
func real(t *testing.T) *static.Model {
	t.Helper()
	return shipped(t).Model
}

func TestMeaning(t *testing.T) {
	m := real(t)
	got, err := m.Embed(context.Background(), []string{
		"The doctor treated the patient in the hospital.", "A physician cared for sick people at the clinic.",
		"The river flooded the valley after heavy rain.",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	near, far := vector.Cosine(got.Row(0), got.Row(1)), vector.Cosine(got.Row(0), got.Row(2))
	if near < far+0.1 {
		t.Errorf("a paraphrase has similarity %.2f, another topic %.2f", near, far)
	}
}

// Ligatures from a PDF must count as their letters.
func TestDrawnLetters(t *testing.T) {
	m := real(t)
	got, err := m.Embed(context.Background(), []string{"The \ufb01nal o\ufb03ce was e\ufb03cient", "The final office was efficient"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := got.Row(0), got.Row(1); !slices.Equal(a, b) {
		t.Errorf("their similarity is %.3f", vector.Cosine(a, b))
	}
}

// Compares with the trainer's results: SEAM_REFERENCE names a file of lines {"text", "ids",
// "vector"}.
func TestReference(t *testing.T) {
	name := os.Getenv("SEAM_REFERENCE")
	if name == "" {
		t.Skip("no reference: set SEAM_REFERENCE to a file of the trainer's")
	}
	m := real(t)
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	n, worst := 0, 0.0
	for ; lines.Scan(); n++ {
		var want struct {
			Text   string
			IDs    []uint32
			Vector []float32
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		got, err := m.Embed(context.Background(), []string{want.Text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		// The trainer drops unknown tokens, Count does not.
		if count := m.Counter().Count(want.Text); count < len(want.IDs) {
			t.Errorf("%+q has %d tokens, the trainer knows %d", want.Text, count, len(want.IDs))
		}
		for k, x := range got.Row(0) {
			if d := math.Abs(float64(x - want.Vector[k])); !(d <= 1e-5) {
				t.Errorf("%+q: number %d is %v, should be %v", want.Text, k, x, want.Vector[k])
				break
			} else {
				worst = max(worst, d)
			}
		}
	}
	t.Logf("%d texts, largest difference %.1e", n, worst)
}

// Vectors must be the same to the bit on every target.
func TestBits(t *testing.T) {
	m := load(t)
	texts := []string{"the cat sat on a mat", "The CATS, running. naïve café 中ü 1984", strings.Repeat("cat sat the mat run ##n running ", 99), ""}
	got, err := m.Embed(context.Background(), texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, x := range got.Data {
		h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
	}
	if sum := fmt.Sprintf("%x", h.Sum(nil)[:8]); sum != "a37e739853fc6113" {
		t.Errorf("vectors have hash %s", sum)
	}
}
