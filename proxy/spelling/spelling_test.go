package spelling

import (
	"fmt"
	"testing"
)

func ExampleNearest() {
	known := []string{"percentile", "semantic", "sentences"}
	fmt.Println(Nearest("percentil", known, 3))
	fmt.Println(Nearest("sentance", known, 3))
	fmt.Printf("%q\n", Nearest("words", known, 3))
	// Output:
	// percentile
	// sentences
	// ""
}

func TestNearest(t *testing.T) {
	known := []string{"card", "cart", "cord", "words"}
	for _, tt := range []struct {
		name string
		most int
		want string
	}{
		{"cart", 0, "cart"}, {"carx", 1, "card"}, {"carx", 0, ""}, {"ords", 1, "words"}, {"", 3, ""}, {"", 4, "card"}, {"card", -1, ""},
	} {
		if got := Nearest(tt.name, known, tt.most); got != tt.want {
			t.Errorf("%q within %d: %q, want %q", tt.name, tt.most, got, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"same", "same", 0}, {"ab", "ba", 2}} {
		for _, got := range []int{Distance(tt.a, tt.b), Distance(tt.b, tt.a)} {
			if got != tt.want {
				t.Errorf("%q and %q: %d, want %d", tt.a, tt.b, got, tt.want)
			}
		}
	}
}
