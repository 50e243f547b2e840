package builtin

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"seam/shared/vector"
)

// trainedTitles returns the distinct titles of titles.txt.gz.
func trainedTitles(t *testing.T) []string {
	t.Helper()
	f, err := os.Open("titles.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for line := range strings.Lines(string(all)) {
		_, title, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if title != "" {
			titles = append(titles, title)
		}
	}
	slices.Sort(titles)
	return slices.Compact(titles)
}

// A search through bytes must find the same as the exact one, for 10,000 titles and parts
// of some of them.
func TestBytesFindWhatNumbersFind(t *testing.T) {
	data, err := os.ReadFile("model.bin")
	if err != nil {
		t.Fatal(err)
	}
	model, err := LoadVerified(data)
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for i, title := range trainedTitles(t) {
		if i%3 == 0 {
			titles = append(titles, title)
		}
	}
	var queries []string
	for i := 0; i < len(titles); i += len(titles) / 120 {
		words := strings.Fields(titles[i])
		queries = append(queries, strings.Join(words[:(len(words)+1)/2], " "))
	}
	m, err := model.Embed(context.Background(), titles, nil)
	if err != nil {
		t.Fatal(err)
	}
	q, err := model.Embed(context.Background(), queries, nil)
	if err != nil {
		t.Fatal(err)
	}
	const k = 10
	x, found, asked := vector.Quantize(m), 0, 0
	for i := range queries {
		want := vector.TopK(m, q.Row(i), k)
		if want[k-1].Score == 0 {
			continue // the model knows no word of the query
		}
		for _, h := range x.TopK(q.Row(i), k) {
			asked++
			if slices.Contains(want, h) {
				found++
			}
		}
	}
	t.Logf("%d titles, %d queries: %d of %d hits", m.Rows, len(queries), found, asked)
	if asked < 1000 || float64(found) < .999*float64(asked) {
		t.Errorf("%d of %d hits are those of the exact search", found, asked)
	}
}
