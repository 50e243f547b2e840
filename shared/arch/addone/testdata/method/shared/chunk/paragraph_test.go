package chunk

import (
	"slices"
	"testing"

	"seam/shared/token"
)

func TestParagraph(t *testing.T) {
	const body = "One mill turns.\nIt grinds.\n\nA lathe turns, too.\n\n\nEnd."
	var got []string
	for _, c := range cut(t, method("paragraph"), input(body, 1), Limits{Counter: token.Words}) {
		got = append(got, c.Of(body))
	}
	if want := []string{"One mill turns.\nIt grinds.", "A lathe turns, too.", "End."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
