package reading

import "testing"

func TestMarker(t *testing.T) {
	for _, s := range []string{"• one", "- one", "1. one", "12) one", "(a) one", "iv. one", "2.1. one"} {
		if !marker(s) {
			t.Errorf("%q is no item", s)
		}
	}
	for _, s := range []string{"one", "1 one", "2020. A year", "Mr. Smith", "e.g. this", "-one", "end. Next", ""} {
		if marker(s) {
			t.Errorf("%q is an item", s)
		}
	}
}
