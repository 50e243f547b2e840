package embed_test

import (
	"testing"

	"seam/shared/embed"
	"seam/shared/embed/lexical"
)

// byRole is an embedder with a separate vector for each role of a text.
type byRole struct{ embed.Embedder }

func (b byRole) As(embed.Role) embed.Embedder { return b.Embedder }

// saysSo is a byRole with vectors that depend only on role and text.
type saysSo struct{ byRole }

func (saysSo) ByText() bool { return true }

func TestByText(t *testing.T) {
	if embed.ByText(&lexical.Embedder{}) || embed.ByText(byRole{}) || !embed.ByText(saysSo{}) {
		t.Error("an embedder that is fitted, or by role, gives a text one vector; or one that says so does not")
	}
}
