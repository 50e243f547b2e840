package answer

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"seam/shared/protocol"
)

// Passages are whole and best first, as many as there is room for; the first one
// alone may be shortened.
func TestPassagesFit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab \n\"<\u2028é字😀\x01")
	for range 400 {
		var passages []string
		for range 1 + random.IntN(8) {
			var b strings.Builder
			for range random.IntN([]int{10, 500, 30_000}[random.IntN(3)]) {
				b.WriteRune(letters[random.IntN(len(letters))])
			}
			passages = append(passages, b.String()+"x")
		}
		most := random.IntN(60_000)
		m := &protocol.Chat{Model: "m", Template: "answer", Question: strings.Repeat("\"", random.IntN(200)+1)}
		got, err := fitting(m, passages, most)
		m.ID, m.Passages = math.MaxUint32, got
		frame, encodeErr := protocol.Encode(m)
		size := len(m.Question)
		for _, s := range got {
			size += len(s)
		}
		switch {
		case err != nil:
			if most > 210 {
				t.Fatalf("%v with %d bytes of room", err, most)
			}
		case encodeErr != nil || len(frame) > protocol.MaxText || most > 0 && size > most:
			t.Fatalf("a frame of %d bytes, %d of %d bytes of context: %v", len(frame), size, most, encodeErr)
		case len(got) == 1 && strings.HasPrefix(passages[0], got[0]) && got[0] != "" && utf8.ValidString(got[0]):
			if got[0] != passages[0] && (size < most/2 || most == 0) && len(frame) < protocol.MaxText/2 {
				t.Fatalf("the first passage is cut to %d bytes, a frame of %d with %d bytes of context", len(got[0]), len(frame), most)
			}
		case len(got) == 0 || !slices.Equal(got, passages[:len(got)]):
			t.Fatalf("%d passages that are not the first", len(got))
		}
		// No room is wasted: the next one would not have fitted.
		if err == nil && len(got) < len(passages) && got[0] == passages[0] {
			m.Passages = passages[:len(got)+1]
			frame, _ = protocol.Encode(m)
			if len(frame) <= protocol.MaxText && (most == 0 || size+len(passages[len(got)]) <= most) {
				t.Fatalf("%d of %d passages, though the next has room", len(got), len(passages))
			}
		}
	}
}
