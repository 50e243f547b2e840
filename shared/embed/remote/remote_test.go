package remote

import (
	"context"
	"slices"
	"testing"

	"seam/shared/protocol"
)

// fake is a client with known vectors.
type fake struct{ sent [][]string }

func (f *fake) Embed(_ context.Context, _ string, texts []string, dims int, got func(int, []float32) error) (protocol.Usage, error) {
	f.sent = append(f.sent, slices.Clone(texts))
	for i, t := range texts {
		v := make([]float32, max(dims, 5))
		v[len(t)%len(v)] = 3
		if err := got(i, v); err != nil {
			return protocol.Usage{}, err
		}
	}
	return protocol.Usage{}, nil
}

func (f *fake) Calls(_ string, texts []string, _ int) (int, error) { return (len(texts) + 1) / 2, nil }

func ptr(x float64) *float64 { return &x }

func TestEmbedAndQuote(t *testing.T) {
	f, ctx := &fake{}, context.Background()
	e := New(f, protocol.Model{ID: "m", Price: ptr(0.5)}, Options{})
	m, err := e.Embed(ctx, []string{"a", "bb", "a"}, nil)
	if err != nil || m.Rows != 3 || m.Dim != 5 || len(f.sent) != 1 || !slices.Equal(f.sent[0], []string{"a", "bb"}) {
		t.Fatalf("%d×%d %v, sent %q", m.Rows, m.Dim, err, f.sent)
	}
	if q, err := e.Quote(ctx, []string{"a", "dddddddd", "e", "e"}); err != nil || q.Texts != 4 || q.Missing != 2 || q.Tokens != 3 || q.Calls != 1 || *q.Dollars != 1.5e-6 {
		t.Errorf("%+v %v", q, err)
	}
	short := New(f, protocol.Model{ID: "m"}, Options{Dimensions: 256})
	if e.ID() != "openai:m" || short.ID() != "openai:m@256" || e.Counter().Count("12345") != 2 {
		t.Errorf("%s, %s, %s", e.ID(), short.ID(), e.Counter().Name())
	}
	if m, err := short.Embed(ctx, []string{"a"}, nil); err != nil || m.Dim != 256 {
		t.Errorf("%d numbers, %v", m.Dim, err)
	}
	if q, err := short.Quote(ctx, []string{"x"}); err != nil || q.Dollars != nil {
		t.Errorf("%+v %v", q, err)
	}
}
