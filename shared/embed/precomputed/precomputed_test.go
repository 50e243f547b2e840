package precomputed

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"seam/shared/embed"
	"seam/shared/vector"
)

var (
	background = context.Background()
	texts      = []string{"One turns.", "Two\n turn.", "Three \"turn\"."}
	rows       = vector.Matrix{Rows: 3, Dim: 2, Data: []float32{3, 4, 0, -2, 1, 0}}
	units      = []float32{.6, .8, 0, -1, 1, 0}
)

func npy(m vector.Matrix) string { return string(vector.AppendNPY(nil, m)) }

// files returns a function that reads files from a map.
func files(m map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if s, ok := m[name]; ok {
			return []byte(s), nil
		}
		return nil, fmt.Errorf("%s: no such file", name)
	}
}

func jsonl(keys ...string) string {
	out := ""
	for i, k := range keys {
		if k != "" {
			k += ","
		}
		out += fmt.Sprintf(`{%s"vector":[%g,%g]}`+"\n", k, rows.Row(i)[0], rows.Row(i)[1])
	}
	return out
}

func TestEveryForm(t *testing.T) {
	hash := func(t string) string { return fmt.Sprintf(`"hash":"%x"`, sha256.Sum256([]byte(t))) }
	for name, file := range map[string]string{
		"npy":            npy(rows),
		"by row":         jsonl("", "", ""),
		"text":           jsonl(`"start":0,"end":9,"text":"One turns."`, `"text":"Two turn."`, `"text":"Three \"turn\"."`),
		"exact hash":     jsonl(hash(texts[0]), hash(texts[1]), hash(texts[2])),
		"hash of normal": jsonl(hash(texts[0]), hash("Two turn."), strings.ToUpper(hash(texts[2])[:8])+hash(texts[2])[8:]),
		"embedding":      strings.ReplaceAll(jsonl("", "", ""), "vector", "embedding"),
		"other order":    jsonl(`"text":"One turns."`, `"text":"Two turn."`, `"text":"Three \"turn\"."`) + jsonl(`"text":"One turns."`),
	} {
		v, err := Parse("v,1", files(map[string]string{"v,1": file}))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m, err := embed.For(v, embed.Sentences).Embed(background, texts, nil)
		if err != nil || !slices.Equal(m.Data, units) || m.Dim != 2 {
			t.Errorf("%s: %v %v", name, m, err)
		}
		if again, err := v.Embed(background, texts, nil); err != nil || !slices.Equal(again.Data, units) {
			t.Errorf("%s, again: %v %v", name, again, err)
		}
		keyed := name != "npy" && name != "by row" && name != "embedding"
		if (v.As(embed.Chunks) != nil) != keyed || (v.As(embed.Queries) != nil) != keyed {
			t.Errorf("%s: it has other roles", name)
		}
	}
}

func TestRoles(t *testing.T) {
	one := vector.Matrix{Rows: 1, Dim: 2, Data: []float32{0, 5}}
	folder := files(map[string]string{"s.npy": npy(rows), "c.npy": npy(one), "q.npy": npy(rows)})
	v, err := Parse("chunks=c.npy,sentences=s.npy,queries=q.npy", folder)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := v.As(embed.Chunks).Embed(background, []string{"all"}, nil); err != nil || !slices.Equal(m.Data, []float32{0, 1}) {
		t.Errorf("%v %v", m, err)
	}
	if err := v.Bind(embed.Queries, texts); err != nil {
		t.Fatal(err)
	}
	if m, err := v.As(embed.Queries).Embed(background, []string{texts[1]}, nil); err != nil || !slices.Equal(m.Data, units[2:4]) {
		t.Errorf("%v %v", m, err)
	}
	other, err := Parse("sentences=s.npy", folder)
	if err != nil || other.As(embed.Chunks) != nil || other.ID() == v.ID() || !strings.HasPrefix(v.ID(), Prefix) {
		t.Errorf("%v: %s, %s", err, v.ID(), other.ID())
	}
	chunksOnly, err := Parse("chunks=c.npy", folder)
	if err != nil || chunksOnly.As(embed.Sentences) != nil {
		t.Errorf("%v", err)
	}
	if _, err := chunksOnly.Embed(background, texts, nil); err == nil {
		t.Error("sentences of no file")
	}
}

func TestRefused(t *testing.T) {
	nan := vector.Matrix{Rows: 2, Dim: 1, Data: []float32{1, float32(math.NaN())}}
	wide := vector.Matrix{Rows: 3, Dim: 3, Data: make([]float32, 9)}
	folder := files(map[string]string{
		"ok": npy(rows), "nan": npy(nan), "wide": npy(wide), "none": npy(vector.New(0, 3)), "flat": npy(vector.New(3, 0)), "cut": npy(rows)[:90],
		"empty": "", "text": "hello", "noVector": `{"text":"a"}`, "twoLengths": `{"vector":[1]}{"vector":[1,2]}`,
		"mixed": `{"text":"a","vector":[1]}` + "\n" + `{"vector":[1]}`, "twice": `{"text":"a","vector":[1]}{"text":" a ","vector":[2]}`,
		"hash": `{"hash":"abc","vector":[1]}`, "overflow": `{"vector":[1e99]}`, "null": `{"vector":null}`, "notNumbers": `{"vector":["a"]}`,
	})
	for spec, says := range map[string]string{
		"nobody": "no such file", "nan": "NaN", "none": "no vectors", "flat": "no vectors", "cut": "npy", "empty": "no vectors", "text": "vector 1",
		"noVector": "line 1", "twoLengths": "vector 2 has 2", "mixed": "1 of 2 lines", "twice": "lines 1 and 2", "hash": "SHA-256", "overflow": "vector 1",
		"null": "line 1", "notNumbers": "vector 1", "sentences=ok,chunks=wide": "3", "sentences=ok,sentences=ok": "one file for each",
		"sentences=": "one file for each", "sentences=ok,wide": "sentences=FILE",
	} {
		if _, err := Parse(spec, folder); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

func TestCountsAndTexts(t *testing.T) {
	folder := files(map[string]string{"v": npy(rows), "t": jsonl(`"text":"One turns."`, `"query":"Two turn."`)})
	v, err := Parse("v", folder)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Embed(background, texts[:2], nil); err == nil || !strings.Contains(err.Error(), "v has 3 rows for 2 sentences: `seam sentences`") {
		t.Error(err)
	}
	if _, err := v.Embed(background, texts, nil); err != nil {
		t.Error(err)
	}
	// The same number of texts from another document must be refused.
	if _, err := v.Embed(background, []string{"a", "b", "c"}, nil); err == nil || !strings.Contains(err.Error(), "JSONL") {
		t.Error(err)
	}
	if v, err = Parse("t", folder); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Embed(background, texts, nil); err == nil || errors.Is(err, embed.ErrNone) || !strings.Contains(err.Error(), `1 of 3 sentences, the first is "Three`) {
		t.Error(err)
	}
	if _, err := v.As(embed.Chunks).Embed(background, []string{"x", "y"}, nil); !errors.Is(err, embed.ErrNone) {
		t.Error(err)
	}
	if err := v.Bind(embed.Queries, []string{"only", "by", "row"}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := v.Embed(ctx, texts[:2], nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(npy(rows)))
	f.Add([]byte(jsonl(`"text":"a"`, `"text":"b"`, `"text":"c"`)))
	f.Add([]byte(jsonl("", "", "")))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := Parse("f", func(string) ([]byte, error) { return b, nil })
		if err != nil {
			return
		}
		m, err := v.Embed(background, texts, nil)
		if err == nil && (m.Rows != 3 || m.Check() != nil || m.Dim == 0) {
			t.Errorf("%+v", m)
		}
	})
}
