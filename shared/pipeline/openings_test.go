package pipeline

import (
	"context"
	"slices"
	"testing"

	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/token"
	"seam/shared/vector"
)

// unlearned returns the built-in model's vectors but has not learned how sections begin,
// like a hosted model.
type unlearned struct{ of embed.Embedder }

func (u unlearned) ID() string             { return "unlearned" }
func (u unlearned) Counter() token.Counter { return u.of.Counter() }
func (u unlearned) Embed(ctx context.Context, texts []string, progress embed.Progress) (vector.Matrix, error) {
	return u.of.Embed(ctx, texts, progress)
}

// For other embedders, the built-in model predicts how sections begin, but only in its own
// language.
func TestOpeningsForOtherEmbedders(t *testing.T) {
	model, err := local.Embedder(builtin.Name)
	if err != nil {
		t.Fatal(err)
	}
	for code, helps := range map[string]bool{"en": true, "de": false} {
		asked := false
		h := Hooks{Embedder: func(name string) (embed.Embedder, error) {
			if name == builtin.Name {
				asked = true
				return model, nil
			}
			return unlearned{model}, nil
		}}
		curve := func(embedder string) []float64 {
			p, err := NewPlan(Settings{Embedder: embedder})
			if err != nil {
				t.Fatal(err)
			}
			r, err := NewSession(inLanguage(t, code, "subjects")).Run(context.Background(), p, h)
			if err != nil {
				t.Fatal(err)
			}
			return r.Found.Curve
		}
		other := curve("openai:model")
		if asked != helps {
			t.Errorf("%s: the built-in model was asked: %v", code, asked)
		}
		if same := slices.Equal(other, curve(builtin.Name)); same != helps {
			t.Errorf("%s: the same vectors make the same curve: %v", code, same)
		}
	}
}
