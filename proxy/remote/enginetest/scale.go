package enginetest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"seam/proxy/remote"
)

// Scale measures a collection of each number of chunks in SEAM_SCALE: the speed of a push,
// the duration of searches, and how many of the ten nearest chunks they find. It is skipped
// if SEAM_SCALE is not set. Words are as rare as in a language, and vectors gather around
// topics like the vectors of encoders.
func Scale(t *testing.T, start func(testing.TB) Opener) {
	if os.Getenv("SEAM_SCALE") == "" {
		t.Skip("SEAM_SCALE names no number of chunks")
	}
	open := start(t)
	for size := range strings.FieldsSeq(os.Getenv("SEAM_SCALE")) {
		n, err := strconv.Atoi(size)
		must(t, err)
		t.Run(size, func(t *testing.T) { scale(t, open(t, fmt.Sprintf("scale%d", n)), n) })
	}
}

const (
	scaleDimensions = 384
	scaleWords      = 120 // per chunk
	scaleVocabulary = 30000
	scalePerFile    = 50
	scaleQueries    = 100
	scaleNearest    = 10
)

// world makes the chunks, each from its number alone.
type world struct{ topics [][]float32 }

func newWorld(n int) *world {
	w := &world{}
	r := rand.New(rand.NewPCG(7, 7))
	for range max(20, n/100) {
		w.topics = append(w.topics, direction(r, nil, 1))
	}
	return w
}

// direction returns a random unit vector near about, or anywhere if about is nil.
func direction(r *rand.Rand, about []float32, spread float64) []float32 {
	v := make([]float32, scaleDimensions)
	sum := 0.0
	for i := range v {
		x := r.NormFloat64() * spread / math.Sqrt(scaleDimensions)
		if about != nil {
			x += float64(about[i])
		}
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func (w *world) chunk(i int) remote.Chunk {
	r := rand.New(rand.NewPCG(uint64(i), 1))
	zipf := rand.NewZipf(r, 1.1, 20, scaleVocabulary-1)
	var text strings.Builder
	for range scaleWords {
		fmt.Fprintf(&text, "%s ", word(zipf.Uint64()))
	}
	c := remote.ChunkOf(remote.Record{File: fmt.Sprintf("file%d.md", i/scalePerFile), Chunk: fmt.Sprint(i), Start: i % scalePerFile * 800, End: i%scalePerFile*800 + 800,
		Tokens: scaleWords, Section: "Chapter › Section", Text: text.String(), Reason: "a topic ends"})
	c.Vector = direction(r, w.topics[r.IntN(len(w.topics))], .8)
	return c
}

// telling returns a plausible query for a text: the longest three of its first eight words,
// which are the rarest.
func telling(text string) string {
	words := strings.Fields(text)[:8]
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return strings.Join(words[:3], " ")
}

// word spells a number.
func word(n uint64) string {
	const syllables = "bacedifogumarelitosuvawexiyozu"
	s := ""
	for n += 15; n > 0; n /= 15 {
		at := 2 * (n % 15)
		s += syllables[at : at+2]
	}
	return s
}

func scale(t *testing.T, e remote.Engine, n int) {
	ctx := t.Context()
	w := newWorld(n)
	s := Shape
	s.Dimensions = scaleDimensions
	must(t, e.Create(ctx, s))
	if held, err := e.Count(ctx); err == nil && held > 0 {
		t.Fatalf("%d chunks are there already", held)
	}
	queries, exact := make([]remote.Query, scaleQueries), make([][]neighbour, scaleQueries)
	r := rand.New(rand.NewPCG(3, 3))
	for i := range queries {
		c := w.chunk(r.IntN(n))
		queries[i] = remote.Query{Text: telling(c.Text), Vector: direction(r, c.Vector, .3), K: scaleNearest}
	}
	pushed, settled := fill(t, e, w, n, queries, exact)
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	t.Logf("%T: %d chunks pushed in %.1f s, %.0f a second; searchable after %.1f s; %.0f a second in all; %d MB of ours", e, n, pushed.Seconds(),
		float64(n)/pushed.Seconds(), settled.Seconds(), float64(n)/(pushed+settled).Seconds(), memory.Sys>>20)
	for _, mode := range []remote.Mode{remote.Dense, remote.Keyword, remote.Hybrid} {
		var times []time.Duration
		found := 0
		for range 2 { // the first round fills the caches
			times, found = nil, 0
			for i, q := range queries {
				q.Mode = mode
				from := time.Now()
				hits, err := e.Search(ctx, q)
				must(t, err)
				times = append(times, time.Since(from))
				for _, h := range hits {
					if slices.ContainsFunc(exact[i], func(x neighbour) bool { return x.id == h.ID }) {
						found++
					}
				}
			}
		}
		slices.Sort(times)
		line := fmt.Sprintf("%s: p50 %.1f ms, p95 %.1f ms", mode, ms(times[len(times)/2]), ms(times[len(times)*95/100]))
		if mode == remote.Dense {
			line += fmt.Sprintf(", recall@10 against exact %.3f", float64(found)/float64(scaleNearest*scaleQueries))
		}
		t.Log(line)
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

type neighbour struct {
	id  uuid.UUID
	cos float64
}

// fill pushes the chunks and finds the exact neighbours of the queries. The time to
// generate the chunks is not counted.
func fill(t *testing.T, e remote.Engine, w *world, n int, queries []remote.Query, exact [][]neighbour) (pushed, settled time.Duration) {
	ctx := t.Context()
	p := remote.NewPusher(quick{e}, nil)
	const part = 10000
	for from := 0; from < n; from += part {
		chunks := make([]remote.Chunk, min(part, n-from))
		for i := range chunks {
			chunks[i] = w.chunk(from + i)
			for q := range queries {
				exact[q] = near(exact[q], neighbour{chunks[i].ID, cosine(queries[q].Vector, chunks[i].Vector)})
			}
		}
		began := time.Now()
		must(t, p.Add(ctx, chunks, nil))
		must(t, p.Close(ctx))
		pushed += time.Since(began)
	}
	began := time.Now()
	must(t, e.Settle(ctx))
	return pushed, time.Since(began)
}

// quick skips Settle after each part.
type quick struct{ remote.Engine }

func (quick) Settle(context.Context) error { return nil }

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// near inserts x into a list of the nearest neighbours.
func near(all []neighbour, x neighbour) []neighbour {
	if len(all) == scaleNearest && x.cos <= all[len(all)-1].cos {
		return all
	}
	at, _ := slices.BinarySearchFunc(all, x, func(a, b neighbour) int { return cmp.Compare(b.cos, a.cos) })
	all = slices.Insert(all, at, x)
	return all[:min(len(all), scaleNearest)]
}
