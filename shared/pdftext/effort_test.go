package pdftext_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/pdftext"
	"seam/shared/pdftext/interp"
	"seam/shared/pdftext/pdftest"
)

// pagesOf returns a file with pages of one word each. Pages of work have that many operators
// after it.
func pagesOf(n int, work map[int]int) []byte {
	d := pdftest.Doc{Compress: true}
	for i := range n {
		p := pdftest.Page{Width: 300, Height: 300, Texts: []pdftest.Text{{X: 50, Y: 200, Size: 12, S: "Words."}}}
		p.Raw = strings.Repeat("n\n", work[i])
		d.Pages = append(d.Pages, p)
	}
	return pdftest.Write(d)
}

const tooMuch = interp.MaxWork + 1

func TestLargePagesAreLeft(t *testing.T) {
	d := must(t, pagesOf(4, map[int]int{1: tooMuch, 2: interp.MaxWork / 2, 3: tooMuch}), pdftext.Options{})
	want := "pages 2, 4 could not be read completely: too much content"
	if !slices.Equal(d.Notes, []string{want}) {
		t.Errorf("notes %q", d.Notes)
	}
	for _, p := range d.Pages {
		if !strings.Contains(p.Text, "Words.") {
			t.Errorf("page %d: %q", p.Number, p.Text)
		}
	}
}

// Reading must end even if all pages are large.
func TestManyLargePages(t *testing.T) {
	work := map[int]int{}
	for i := range 60 {
		work[i] = 1 << 20 // above the limit after some pages of this size
	}
	d := must(t, pagesOf(60, work), pdftext.Options{})
	if d.Pages[20].Text == "" || d.Pages[59].Text != "" {
		t.Errorf("page 21 %q, page 60 %q", d.Pages[20].Text, d.Pages[59].Text)
	}
	if len(d.Notes) != 1 || !strings.HasSuffix(d.Notes[0], "–60 could not be read completely: too much content") {
		t.Errorf("notes %q", d.Notes)
	}
}

// A context that ends gives its error, and no part of the text.
func TestContext(t *testing.T) {
	b := pagesOf(5, map[int]int{3: 1 << 18})
	for done := range 5 {
		cancelled, cancel := context.WithCancel(context.Background())
		stop := func(n, _ int) error {
			if n == done {
				cancel()
			}
			return nil
		}
		if d, err := pdftext.Extract(b, pdftext.Options{Context: cancelled, Progress: stop}); !errors.Is(err, context.Canceled) || d != nil {
			t.Errorf("after page %d: document %v, error %v", done, d, err)
		}
	}
	late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	if _, err := pdftext.Extract(b, pdftext.Options{Context: late}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}
