package pdftext_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
)

// pagesOf returns a file with pages of one word each. The pages in slow continue endlessly
// after it.
func pagesOf(n int, slow ...int) []byte {
	var d pdftest.Doc
	for i := range n {
		p := pdftest.Page{Width: 300, Height: 300, Texts: []pdftest.Text{{X: 50, Y: 200, Size: 12, S: "Words."}}}
		if slices.Contains(slow, i) {
			p.Raw = strings.Repeat("0 0 m n\n", 5000)
		}
		d.Pages = append(d.Pages, p)
	}
	return pdftest.Write(d)
}

func TestSlowPagesAreLeft(t *testing.T) {
	clock := time.Duration(0)
	tick := func() time.Duration { clock += time.Second; return clock }
	told := 0
	d, err := pdftext.Extract(pagesOf(4, 1, 3), pdftext.Options{Now: tick, PageTime: 10 * time.Second, OutOfTime: func() { told++ }})
	if err != nil {
		t.Fatal(err)
	}
	want := "pages 2, 4 took too long and could not be read completely"
	if !slices.Equal(d.Notes, []string{want}) || told != 1 {
		t.Errorf("notes %q, told %d times", d.Notes, told)
	}
	for _, p := range d.Pages {
		if !strings.Contains(p.Text, "Words.") {
			t.Errorf("page %d: %q", p.Number, p.Text)
		}
	}
	if clock > time.Minute {
		t.Errorf("%s for two slow pages", clock)
	}
}

// Reading must end even if all pages are slow.
func TestManySlowPages(t *testing.T) {
	all := make([]int, 60)
	for i := range all {
		all[i] = i
	}
	clock := time.Duration(0)
	tick := func() time.Duration { clock += 100 * time.Millisecond; return clock }
	d, err := pdftext.Extract(pagesOf(60, all...), pdftext.Options{Now: tick, PageTime: 800 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if clock > 15*time.Second || d.Pages[20].Text == "" || d.Pages[59].Text != "" {
		t.Errorf("%s, page 21 %q, page 60 %q", clock, d.Pages[20].Text, d.Pages[59].Text)
	}
}

func TestContext(t *testing.T) {
	b := pagesOf(5)
	if _, err := pdftext.Extract(b, pdftext.Options{OutOfTime: func() { t.Error("time was out for honest pages") }}); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	stop := func(done, _ int) error {
		if done == 2 {
			cancel()
		}
		return nil
	}
	if _, err := pdftext.Extract(b, pdftext.Options{Context: cancelled, Progress: stop}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	late, cancel := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancel()
	if _, err := pdftext.Extract(b, pdftext.Options{Context: late}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}
