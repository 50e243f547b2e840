package remote

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"seam/shared/protocol"
	"seam/shared/vector"
)

// fake is a client whose vectors are known, and which stops where it is told.
type fake struct {
	sent  [][]string
	after int   // vectors before err; 0: all
	err   error //
	dims  int
}

func (f *fake) Embed(_ context.Context, _ string, texts []string, dims int, got func(int, []float32) error) (protocol.Usage, error) {
	f.sent = append(f.sent, slices.Clone(texts))
	for n := range texts {
		i := len(texts) - 1 - n // not in their order
		if f.err != nil && n == f.after {
			return protocol.Usage{}, f.err
		}
		v := make([]float32, max(dims, f.dims))
		v[len(texts[i])%len(v)] = 3
		v[0] += 4
		if err := got(i, v); err != nil {
			return protocol.Usage{}, err
		}
	}
	return protocol.Usage{}, nil
}

func (f *fake) Calls(_ string, texts []string, _ int) (int, error) { return (len(texts) + 1) / 2, nil }

func ptr(x float64) *float64 { return &x }

func TestEmbed(t *testing.T) {
	f := &fake{dims: 5}
	e := New(f, protocol.Model{ID: "m", Price: ptr(0.5)}, 0)
	texts := []string{"a", " \n", "bb", "a", "", "ccc"}
	var seen [][2]int
	m, err := e.Embed(context.Background(), texts, func(done, total int) error { seen = append(seen, [2]int{done, total}); return nil })
	if err != nil || m.Rows != 6 || m.Dim != 5 {
		t.Fatalf("%d×%d %v", m.Rows, m.Dim, err)
	}
	for i, text := range texts {
		want := 1.0
		if strings.TrimSpace(text) == "" {
			want = 0
		}
		if n := math.Sqrt(vector.Dot(m.Row(i), m.Row(i))); math.Abs(n-want) > 1e-6 {
			t.Errorf("row %d has length %v", i, n)
		}
	}
	if !slices.Equal(m.Row(0), m.Row(3)) || m.Row(2)[2] == 0 || m.Row(5)[3] == 0 {
		t.Errorf("%v", m.Data)
	}
	if len(f.sent) != 1 || !slices.Equal(f.sent[0], []string{"a", "bb", "ccc"}) {
		t.Errorf("sent %q", f.sent)
	}
	if want := [][2]int{{2, 6}, {3, 6}, {4, 6}, {6, 6}}; !slices.Equal(seen, want) {
		t.Errorf("progress %v", seen)
	}
	if q, err := e.Quote([]string{"a", "dddddddd", "e", "e"}); err != nil || q.Texts != 4 || q.Missing != 2 || q.Tokens != 3 || q.Calls != 1 || *q.Dollars != 1.5e-6 {
		t.Errorf("%+v %v", q, err)
	}
	if e.ID() != "openai:m" || New(f, protocol.Model{ID: "m"}, 256).ID() != "openai:m@256" || e.Counter().Count("12345") != 2 {
		t.Errorf("%s, %s", e.ID(), e.Counter().Name())
	}
	if q, err := New(f, protocol.Model{ID: "m"}, 0).Quote([]string{"x"}); err != nil || q.Dollars != nil {
		t.Errorf("%+v %v", q, err)
	}
}

// What came before a failure, or before a Stop, is not sent again.
func TestNothingIsPaidTwice(t *testing.T) {
	texts := make([]string, 20)
	for i := range texts {
		texts[i] = fmt.Sprint("text ", i)
	}
	stop := errors.New("stop")
	for name, first := range map[string]func(f *fake, e *Embedder) error{
		"failure": func(f *fake, e *Embedder) error {
			f.err, f.after = stop, 7
			_, err := e.Embed(context.Background(), texts, nil)
			f.err = nil
			return err
		},
		"stop": func(_ *fake, e *Embedder) error {
			_, err := e.Embed(context.Background(), texts, func(done, _ int) error {
				if done == 7 {
					return stop
				}
				return nil
			})
			return err
		},
	} {
		f := &fake{dims: 3}
		e := New(f, protocol.Model{ID: "m"}, 0)
		if err := first(f, e); !errors.Is(err, stop) {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(e.Missing(texts)); n != 13 {
			t.Errorf("%s: %d texts are missing", name, n)
		}
		again, err := e.Embed(context.Background(), texts, nil)
		if err != nil || len(f.sent[1]) != 13 {
			t.Errorf("%s: %v, %d texts sent", name, err, len(f.sent[1]))
		}
		whole, err := New(&fake{dims: 3}, protocol.Model{ID: "m"}, 0).Embed(context.Background(), texts, nil)
		if err != nil || !slices.Equal(again.Data, whole.Data) {
			t.Errorf("%s: other vectors than in one go: %v", name, err)
		}
	}
}

// Memory is bounded: the oldest vectors go first, the newest stays.
func TestOldVectorsAreLetGo(t *testing.T) {
	e := New(&fake{dims: 4}, protocol.Model{ID: "m"}, 0)
	e.keep = 3 * 4 * 4
	for _, text := range []string{"a", "b", "c", "b", "d"} {
		if _, err := e.Embed(context.Background(), []string{text}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if missing := e.Missing([]string{"a", "b", "c", "d"}); !slices.Equal(missing, []string{"a"}) {
		t.Errorf("%q are missing", missing)
	}
	e.keep = 1
	if m, err := e.Embed(context.Background(), []string{"x", "y", "z"}, nil); err != nil || m.Row(0)[1] == 0 || len(e.vectors) != 1 || len(e.order) != 1 {
		t.Errorf("%v %v, %d kept", m, err, len(e.vectors))
	}
}

func TestDimensions(t *testing.T) {
	f := &fake{}
	m, err := New(f, protocol.Model{ID: "m"}, 7).Embed(context.Background(), []string{"a", " "}, nil)
	if err != nil || m.Dim != 7 || m.Rows != 2 {
		t.Errorf("%d×%d %v", m.Rows, m.Dim, err)
	}
	if m, err = New(f, protocol.Model{ID: "m"}, 0).Embed(context.Background(), []string{" ", ""}, nil); err != nil || m.Rows != 2 || m.Check() != nil {
		t.Errorf("%v %v", m, err)
	}
	f.dims = 3
	e := New(f, protocol.Model{ID: "m"}, 0)
	if _, err := e.Embed(context.Background(), []string{"a"}, nil); err != nil {
		t.Fatal(err)
	}
	f.dims = 4
	var told *protocol.Error
	if _, err := e.Embed(context.Background(), []string{"a", "b"}, nil); !errors.As(err, &told) {
		t.Errorf("vectors of two lengths: %v", err)
	}
}

func TestConcurrent(t *testing.T) {
	e := New(&lockedFake{fake: fake{dims: 3}}, protocol.Model{ID: "m"}, 0)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				text := fmt.Sprint("text ", (i+j)%20)
				if _, err := e.Embed(context.Background(), []string{text}, nil); err != nil {
					t.Error(err)
				}
				e.Missing([]string{text})
			}
		})
	}
	all.Wait()
}

type lockedFake struct {
	mu sync.Mutex
	fake
}

func (f *lockedFake) Embed(ctx context.Context, model string, texts []string, dims int, got func(int, []float32) error) (protocol.Usage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fake.Embed(ctx, model, texts, dims, got)
}
