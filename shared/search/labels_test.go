package search

import (
	"context"
	"slices"
	"strings"
	"testing"

	"seam/shared/pipeline"
	"seam/shared/text"
)

// A shelved result knows the printed page numbers of its chunks, and the page of each byte.
func TestShelvedPages(t *testing.T) {
	d := text.NewPlain("A heddle has an eye.\f\fThe warp goes through it.\fThe sails drive a shaft.\f")
	for i := range d.Pages {
		d.Pages[i].Label = []string{"iv", "", "3", "A-1", ""}[i]
	}
	plan, err := pipeline.NewPlan(pipeline.Settings{Method: "fixed", Unit: "chars", MaxTokens: 400})
	if err != nil {
		t.Fatal(err)
	}
	r, err := pipeline.NewSession(d).Run(context.Background(), plan, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	_, shelf := shelvedFile(t, r)
	for what, r := range map[string]*pipeline.Result{"open": r, "shelved": shelf.Result} {
		if labels := r.Labels(0); !slices.Equal(labels, []string{"iv", "2", "3", "A-1"}) || len(r.Pages(0)) != len(labels) {
			t.Errorf("%s: labels %q of pages %v", what, labels, r.Pages(0))
		}
		at := strings.Index(d.View(text.Reading).Text, "The warp")
		for byteAt, want := range map[int]int{0: 1, at - 1: 3, at: 3, at + 30: 4, 1000: 0} {
			if got := r.PageAt(byteAt); got != want {
				t.Errorf("%s: byte %d is on page %d, want %d", what, byteAt, got, want)
			}
		}
	}
	for i := range d.Pages {
		d.Pages[i].Label = []string{"1", "", "3", "4", ""}[i]
	}
	if labels := r.Labels(0); labels != nil {
		t.Errorf("labels %q that are the numbers", labels)
	}
}

// shelvedFile returns the file of a stored result, and the result from its head.
func shelvedFile(t *testing.T, r *pipeline.Result) ([]byte, *Shelved) {
	t.Helper()
	made, err := Make(context.Background(), r, false, pipeline.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	file := Shelve(r, made)
	size, err := ShelfHead(file)
	if err != nil {
		t.Fatal(err)
	}
	shelf, err := ReadShelf(file[:size], r.Document.Name)
	if err != nil {
		t.Fatal(err)
	}
	return file, shelf
}
