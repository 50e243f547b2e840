package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"seam/shared/token"
	"seam/shared/vector"
)

// scripted is a source with known vectors that fails at a chosen point.
type scripted struct {
	id    string
	asked int // requested dimensions
	dims  int // of the model
	after int // number of vectors before err
	err   error
	spoil func(i int, v []float32) (int, []float32)

	mu   sync.Mutex
	sent [][]string
}

func (s *scripted) ID() string             { return s.id }
func (s *scripted) Counter() token.Counter { return token.Words }
func (s *scripted) Dimensions() int        { return s.asked }

func (s *scripted) EmbedEach(_ context.Context, texts []string, got func(int, []float32) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, slices.Clone(texts))
	for n := range texts {
		i := len(texts) - 1 - n // in reverse order
		if s.err != nil && n == s.after {
			return s.err
		}
		v := make([]float32, max(s.asked, s.dims))
		v[len(texts[i])%len(v)] = 3
		v[0] += 4
		at := i
		if s.spoil != nil {
			if at, v = s.spoil(i, v); v == nil {
				continue
			}
		}
		if err := got(at, v); err != nil {
			return err
		}
	}
	return nil
}

// shelf is an in-memory Store that can be made to fail.
type shelf struct {
	mu      sync.Mutex
	vectors map[Key][]float32
	puts    []int // number of vectors in each Put
	err     error
}

func newShelf() *shelf { return &shelf{vectors: map[Key][]float32{}} }

func (s *shelf) Get(_ context.Context, keys []Key) ([][]float32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	out := make([][]float32, len(keys))
	for i, k := range keys {
		out[i] = slices.Clone(s.vectors[k])
	}
	return out, nil
}

func (s *shelf) Put(ctx context.Context, keys []Key, vectors [][]float32) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil || ctx.Err() != nil {
		return errors.Join(s.err, ctx.Err())
	}
	s.puts = append(s.puts, len(keys))
	for i, k := range keys {
		s.vectors[k] = slices.Clone(vectors[i])
	}
	return nil
}

var background = context.Background()

func numbered(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint("text ", i)
	}
	return texts
}

func TestCachedEmbed(t *testing.T) {
	s := &scripted{id: "m", dims: 5}
	texts := []string{"a", " \n", "b\n b", "a", "", "ccc", " b b"}
	var seen [][2]int
	m, err := NewCached(s, "", nil).Embed(background, texts, func(done, total int) error { seen = append(seen, [2]int{done, total}); return nil })
	if err != nil || m.Rows != 7 || m.Dim != 5 {
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
	if !slices.Equal(m.Row(0), m.Row(3)) || !slices.Equal(m.Row(2), m.Row(6)) || m.Row(2)[3] == 0 || m.Row(5)[3] == 0 {
		t.Errorf("%v", m.Data)
	}
	if len(s.sent) != 1 || !slices.Equal(s.sent[0], []string{"a", "b b", "ccc"}) {
		t.Errorf("sent %q", s.sent)
	}
	if want := [][2]int{{2, 7}, {3, 7}, {5, 7}, {7, 7}}; !slices.Equal(seen, want) {
		t.Errorf("progress %v", seen)
	}
}

// Vectors received before a failure or a Stop must not be requested again, neither by the
// same Cached nor by another one with the same store.
func TestNothingIsAskedForTwice(t *testing.T) {
	texts, stop := numbered(200), errors.New("stop")
	whole, err := NewCached(&scripted{id: "m", dims: 3}, "", nil).Embed(background, texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, first := range map[string]func(s *scripted, c *Cached) error{
		"failure": func(s *scripted, c *Cached) error {
			s.err, s.after = stop, 137
			_, err := c.Embed(background, texts, nil)
			s.err = nil
			return err
		},
		"stop": func(_ *scripted, c *Cached) error {
			ctx, cancel := context.WithCancel(background)
			_, err := c.Embed(ctx, texts, func(done, _ int) error {
				if done == 137 {
					cancel()
					return stop
				}
				return nil
			})
			return err
		},
	} {
		for _, fresh := range []bool{false, true} {
			s, store := &scripted{id: "m", dims: 3}, newShelf()
			c := NewCached(s, "", store)
			if err := first(s, c); !errors.Is(err, stop) {
				t.Errorf("%s: %v", name, err)
			}
			if want := []int{64, 64, 9}; !slices.Equal(store.puts, want) {
				t.Errorf("%s: kept %v at a time", name, store.puts)
			}
			if fresh {
				c = NewCached(s, "", store)
			}
			if n := len(c.Missing(background, texts)); n != 63 {
				t.Errorf("%s: %d texts are missing", name, n)
			}
			again, err := c.Embed(background, texts, nil)
			if err != nil || len(s.sent[1]) != 63 || !slices.Equal(again.Data, whole.Data) {
				t.Errorf("%s: %v, %d texts sent, or other vectors than in one go", name, err, len(s.sent[1]))
			}
			if c.Trouble() != nil {
				t.Error(c.Trouble())
			}
		}
	}
}

// A key must depend on place, model, dimensions and text only.
func TestKeys(t *testing.T) {
	store, texts := newShelf(), numbered(3)
	embed := func(scope, id string, asked int) int {
		t.Helper()
		s := &scripted{id: id, asked: asked, dims: 4}
		if _, err := NewCached(s, scope, store).Embed(background, texts, nil); err != nil {
			t.Fatal(err)
		}
		return len(s.sent)
	}
	for i, k := range []struct {
		scope, id string
		asked     int
	}{{"", "m", 0}, {"here", "m", 0}, {"here", "n", 0}, {"here", "n", 9}} {
		if embed(k.scope, k.id, k.asked) != 1 || embed(k.scope, k.id, k.asked) != 0 || len(store.vectors) != 3*(i+1) {
			t.Errorf("%+v: %d vectors are kept", k, len(store.vectors))
		}
	}
}

// A store that fails or holds invalid data may cost a second request, but nothing else.
func TestBadStore(t *testing.T) {
	full := errors.New("the disk is full")
	store := newShelf()
	store.err = full
	c := NewCached(&scripted{id: "m", dims: 3}, "", store)
	want, err := c.Embed(background, numbered(5), nil)
	if err != nil || !errors.Is(c.Trouble(), full) {
		t.Errorf("%v, trouble %v", err, c.Trouble())
	}
	store.err = nil
	for i, bad := range [][]float32{nil, {}, {1, float32(math.NaN()), 0}, {float32(math.Inf(1)), 0, 0}, {1, 0}} {
		store.vectors[c.key(fmt.Sprint("text ", i))] = bad
	}
	s := &scripted{id: "m", dims: 3}
	got, err := NewCached(s, "", store).Embed(background, numbered(5), nil)
	if err != nil || !slices.Equal(got.Data, want.Data) {
		t.Errorf("%v: %v instead of %v", err, got.Data, want.Data)
	}
}

// If a model's vectors change their length, the earlier ones must be requested again.
func TestLengthChanged(t *testing.T) {
	store := newShelf()
	if _, err := NewCached(&scripted{id: "m", dims: 3}, "", store).Embed(background, numbered(6), nil); err != nil {
		t.Fatal(err)
	}
	s := &scripted{id: "m", dims: 4}
	m, err := NewCached(s, "", store).Embed(background, numbered(9), func(done, total int) error {
		if done > total {
			t.Errorf("%d of %d done", done, total)
		}
		return nil
	})
	if err != nil || m.Dim != 4 || len(s.sent) != 2 || len(s.sent[0]) != 3 || len(s.sent[1]) != 6 {
		t.Errorf("%v: %d numbers, sent %q", err, m.Dim, s.sent)
	}
	s = &scripted{id: "m", dims: 4}
	if _, err := NewCached(s, "", store).Embed(background, numbered(9), nil); err != nil || len(s.sent) != 0 {
		t.Errorf("%v: the old ones are still there: %q", err, s.sent)
	}
}

func TestWhatComesBackIsChecked(t *testing.T) {
	nan := float32(math.NaN())
	for name, spoil := range map[string]func(i int, v []float32) (int, []float32){
		"one missing":      func(i int, v []float32) (int, []float32) { return i, map[bool][]float32{true: nil, false: v}[i == 2] },
		"one twice":        func(i int, v []float32) (int, []float32) { return i / 2, v },
		"one too many":     func(i int, v []float32) (int, []float32) { return i + 1, v },
		"NaN":              func(i int, v []float32) (int, []float32) { return i, []float32{nan, v[1], 0} },
		"infinity":         func(i int, v []float32) (int, []float32) { return i, []float32{float32(math.Inf(-1)), v[1], 0} },
		"two lengths":      func(i int, v []float32) (int, []float32) { return i, v[:2+i%2] },
		"no number at all": func(i int, v []float32) (int, []float32) { return i, v[:0] },
	} {
		c := NewCached(&scripted{id: "m", dims: 3, spoil: spoil}, "", nil)
		if _, err := c.Embed(background, numbered(5), nil); err == nil || !strings.HasPrefix(err.Error(), "m gave ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := NewCached(&scripted{id: "m", asked: 7, spoil: func(i int, v []float32) (int, []float32) { return i, v[:6] }}, "", nil)
	if _, err := c.Embed(background, numbered(2), nil); err == nil {
		t.Error("other dimensions than were asked for")
	}
}

// Memory must be bounded: the oldest vectors are evicted first, the newest stays.
func TestOldVectorsAreLetGo(t *testing.T) {
	c := NewCached(&scripted{id: "m", dims: 4}, "", nil)
	c.limit = 3 * 4 * 4
	for _, text := range []string{"a", "b", "c", "b", "d"} {
		if _, err := c.Embed(background, []string{text}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if missing := c.Missing(background, []string{"a", "b", "c", "d"}); !slices.Equal(missing, []string{"a"}) {
		t.Errorf("%q are missing", missing)
	}
	c.limit = 1
	if m, err := c.Embed(background, []string{"x", "y", "z"}, nil); err != nil || m.Row(0)[1] == 0 || len(c.vectors) != 1 || len(c.order) != 1 {
		t.Errorf("%v %v, %d kept", m, err, len(c.vectors))
	}
}

func TestDimensionsOfNothing(t *testing.T) {
	m, err := NewCached(&scripted{id: "m", asked: 7}, "", nil).Embed(background, []string{"a", " "}, nil)
	if err != nil || m.Dim != 7 || m.Rows != 2 {
		t.Errorf("%d×%d %v", m.Rows, m.Dim, err)
	}
	if m, err = NewCached(&scripted{id: "m", dims: 7}, "", nil).Embed(background, []string{" ", ""}, nil); err != nil || m.Rows != 2 || m.Check() != nil {
		t.Errorf("%v %v", m, err)
	}
}

func TestCachedConcurrently(t *testing.T) {
	c := NewCached(&scripted{id: "m", dims: 3}, "", newShelf())
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				text := fmt.Sprint("text ", (i+j)%20)
				if _, err := c.Embed(background, []string{text}, nil); err != nil {
					t.Error(err)
				}
				c.Missing(background, []string{text})
			}
		})
	}
	all.Wait()
}
