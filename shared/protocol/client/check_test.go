package client

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"seam/shared/protocol"
)

// vector returns the vector that the fake proxy gives a text.
func vector(t string, dims int) []float32 {
	v := make([]float32, dims)
	sum := sha256.Sum256([]byte(t))
	for i := range v {
		v[i] = float32(binary.LittleEndian.Uint16(sum[2*(i%16):])) + float32(i)
	}
	return v
}

func words(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d %s", i, strings.Repeat("x", i%37))
	}
	return texts
}

// embedded requests the vectors of texts and checks that each is correct.
func embedded(t *testing.T, c *Client, texts []string, dims int) (protocol.Usage, error) {
	t.Helper()
	seen := make([]int, len(texts))
	usage, err := c.Embed(context.Background(), "e", texts, 0, func(i int, v []float32) error {
		seen[i]++
		if !slices.Equal(v, vector(texts[i], dims)) {
			t.Errorf("vector %d is another", i)
		}
		return nil
	})
	for i, n := range seen {
		if err == nil && n != 1 {
			t.Errorf("vector %d came %d times", i, n)
			break
		}
	}
	return usage, err
}

// code returns the code of err and fails the test if it has none.
func code(t *testing.T, err error) protocol.Code {
	t.Helper()
	var e *protocol.Error
	if !errors.As(err, &e) {
		t.Errorf("%v (%T) has no *protocol.Error inside", err, err)
		return ""
	}
	if e.Message == "" || strings.Contains(e.Message, "\n") {
		t.Errorf("%q is no sentence", e.Message)
	}
	return e.Code
}
