package site

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"seam/shared/pipeline"
	"seam/shared/site/shards"
)

// versioned are pages of a site in several versions, with one page that only an old one has.
func versioned(t *testing.T) []*Page {
	t.Helper()
	var pages []*Page
	add := func(url, head, title, text string) {
		pages = append(pages, read(t, url, fmt.Sprintf(`<html lang="en"><head><title>%s</title>%s</head><main><h1>%s</h1><p>%s</p></main>`, title, head, title, text)))
	}
	warp := "The warp is wound on the beam, thread by thread, and each thread goes through a heddle and the reed. Its tension is set by a lever."
	for _, v := range []string{"1.9", "1.10", "2.0", "next"} {
		add(v+"/warp.html", "", "Warping", warp+" Version "+v)
	}
	add("1.9/pegs.html", "", "Pegs", "Pegs hold the beam of the old looms. The warp was never so loose again.")
	add("2.0/news.html", "", "News", "The reeds of this year.")
	add("1.9/news.html", "", "News", "Other weavers came to town, and they brought silk, wool, flax and a new kind of shuttle with them.")
	add("copy/warp.html", `<link rel="canonical" href="https://looms.example/docs/2.0/warp">`, "Warping again", "A copy of the page on warps.")
	add("2023/talk.html", "", "Talk", "A talk about looms, sheds and picks.")
	add("2024/talk.html", "", "Talk", "A talk about looms, sheds and picks.")
	return pages
}

func TestVersions(t *testing.T) {
	kept, _ := Tidy(versioned(t))
	got := map[string]string{}
	for _, p := range kept {
		var names []string
		for _, v := range p.Versions {
			names = append(names, v.Name+"="+v.URL)
		}
		got[p.URL] = strings.Join(names, " ")
	}
	warp := "2.0=2.0/warp.html =copy/warp.html 1.10=1.10/warp.html 1.9=1.9/warp.html next=next/warp.html"
	for url, want := range map[string]string{
		"2.0/warp.html": warp, "1.9/warp.html": warp, "copy/warp.html": warp,
		"1.9/pegs.html": "", "2.0/news.html": "", "2024/talk.html": "",
	} {
		if got[url] != want {
			t.Errorf("%s: %q, want %q", url, got[url], want)
		}
	}
}

// A search finds one version of a page, the newest that has a word, and words of old ones.
func TestOneVersion(t *testing.T) {
	kept, _ := Tidy(versioned(t))
	x := openPages(t, kept)
	for query, want := range map[string]string{
		"heddle": "2.0/warp.html", "warp beam": "1.9/pegs.html 2.0/warp.html", "pegs": "1.9/pegs.html",
		"talk": "2023/talk.html 2024/talk.html",
	} {
		found, err := x.Search(shards.Query{Text: query})
		if err != nil {
			t.Fatal(err)
		}
		var urls []string
		for _, h := range found.Hits {
			s, err := x.Show(found, h.Chunks[0])
			if err != nil {
				t.Fatal(err)
			}
			url, _, _ := strings.Cut(s.URL, "#")
			urls = append(urls, url)
		}
		if len(urls) != found.Count || strings.Join(slices.Sorted(slices.Values(urls)), " ") != want {
			t.Errorf("%s: %v of %d, want %s", query, urls, found.Count, want)
		}
	}
}

// openPages returns the index of pages in English.
func openPages(t *testing.T, kept []*Page) *shards.Index {
	t.Helper()
	plan, err := pipeline.NewPlan(Settings())
	if err != nil {
		t.Fatal(err)
	}
	var pages []shards.Page
	for _, p := range kept {
		cut, err := Cut(context.Background(), p, plan, hooks)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, *cut)
	}
	entry, files, err := shards.Build("en/", "en", pages)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, entry, files)
}

// A definition comes before pages that name it more often.
func TestDefinitionFirst(t *testing.T) {
	pages := []*Page{
		read(t, "a-list.html", "<html lang=en><main><h1>All functions</h1>"+strings.Repeat("<p>See <a href=x>wind_beam</a>, wind_beam and the beam that wind turns.", 6)+"</main>"),
		read(t, "loom.html", "<html lang=en><main><h1>Loom</h1><p>"+strings.Repeat("The loom of the valley has sheds, picks and a reed of its own. ", 12)+"<dl><dt id=wind>wind_beam(turns)<dd>Turns it.</dl></main>"),
	}
	for i := range 6 {
		pages = append(pages, read(t, fmt.Sprintf("p%d.html", i), "<html lang=en><main><h1>Other</h1><p>Words of other pages, such as silk, wool and flax.</main>"))
	}
	kept, _ := Tidy(pages)
	x := openPages(t, kept)
	found, err := x.Search(shards.Query{Text: "wind_beam"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := x.Show(found, found.Hits[0].Chunks[0])
	if err != nil || s.URL != "loom.html#wind" {
		t.Errorf("first is %v, %v", s, err)
	}
}

func TestNewerFirst(t *testing.T) {
	order := []string{"latest", "3", "v2.10", "v2.9", "2.x", "1.0-rc1", "next"}
	for i, a := range order {
		for j, b := range order {
			if got := newerFirst(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%s before %s: %d", a, b, got)
			}
		}
	}
	for _, name := range []string{"guide", "2024", "v", "x.1", "1.0-final-draft"} {
		if isVersion(name) {
			t.Errorf("%s is no version", name)
		}
	}
}
