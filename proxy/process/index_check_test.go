package process

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// pagesIn writes pages with these bodies of <html> into a new folder.
func pagesIn(t *testing.T, pages map[string]string) (site, out string) {
	t.Helper()
	site = t.TempDir()
	for name, page := range pages {
		if err := os.WriteFile(filepath.Join(site, name), []byte("<!doctype html>"+page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return site, filepath.Join(t.TempDir(), "seam")
}

// firstFor returns the page that a search of an index finds first, without its anchor.
func firstFor(t *testing.T, index, query string, args ...string) string {
	t.Helper()
	var found struct{ Hits []struct{ URL string } }
	if err := json.Unmarshal([]byte(ok(t, "", append([]string{"search", "--index", index, "--json", query}, args...)...)), &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Hits) == 0 {
		return ""
	}
	page, _, _ := strings.Cut(found.Hits[0].URL, "#")
	return page
}

// --check finds the pages of words, and fails where text is left out that they are in.
func TestIndexCheck(t *testing.T) {
	site, out := pagesIn(t, map[string]string{
		"a.html": `<html lang="en"><main><h1>Looms</h1><div class="sidebar"><p>Heddles, treadles, shuttles and bobbins belong to each of them.</div>`,
		"b.html": `<html lang="en"><main><h1>Mills</h1><p>Wheels, weirs, sluices and ponds turn the stones of the valley.`,
	})
	if printed := ok(t, "", "index", "--site", site, "--out", out, "--check"); !strings.Contains(printed, "check: 16 of 16 words that occur on one page only find it, 16 of them as the first result") {
		t.Error(printed)
	}
	var report struct {
		LeftOut []struct {
			Why     string
			Words   int
			Largest string
		}
		Check struct {
			Tried, Found int
			Missed       []struct{ Word, Page, First string }
		}
	}
	hidden, out := pagesIn(t, map[string]string{
		"a.html": `<html lang="en"><main><h1>Looms</h1><nav>Heddles treadles shuttles bobbins</nav>`,
		"b.html": `<html lang="en"><main><h1>Mills</h1><p>Wheels and weirs.`,
	})
	r := run(t, "", "index", "--site", hidden, "--out", out, "--check", "--json")
	if err := json.Unmarshal([]byte(r.out), &report); err != nil {
		t.Fatal(err)
	}
	if r.status != 1 || !strings.Contains(r.err, "--check: only 4 of 8 words find the one page that has them") {
		t.Errorf("status %d, %s", r.status, r.err)
	}
	if l := report.LeftOut; len(l) != 1 || l[0].Why != "<nav>" || l[0].Words != 4 || l[0].Largest != "a.html" {
		t.Errorf("left out %+v", l)
	}
	if len(report.Check.Missed) != 4 || report.Check.Missed[0].Page != "a.html" {
		t.Errorf("%+v", report.Check)
	}
}

// A word that the main language lacks is looked for in the others, the last word may be
// unfinished, and "no page" is said only of words that no language has.
func TestSearchInAllLanguages(t *testing.T) {
	german := strings.Repeat("Die Kette wird auf den Baum gewickelt, und danach ist sie nicht mehr zu sehen. ", 3)
	site, out := pagesIn(t, map[string]string{
		"a.html":    `<html lang="en"><main><h1>Looms</h1><p>A loom has a beam.`,
		"b.html":    `<html lang="en"><main><h1>Mills</h1><p>A mill has a wheel.`,
		"b2.html":   `<html lang="en"><main><h1>Carts</h1><p>A cart has two wheels.`,
		"c.html":    `<html><main><h1>Ponds</h1><p>Quagmire.`,
		"de.html":   `<html lang="de"><main><h1>Kettbaum</h1><p>Der Kettbaum trägt die Kette.`,
		"text.html": `<html lang="{{lang}}"><main><h1>Zettelbaum</h1><p>` + german,
	})
	printed := ok(t, "", "index", "--site", site, "--out", out)
	for _, want := range []string{"en: 4 pages", "de: 2 pages"} {
		if !strings.Contains(printed, want) {
			t.Errorf("%s, want %s", printed, want)
		}
	}
	for query, want := range map[string]string{"quagmire": "c.html", "quagm": "c.html", "Kettbaum": "de.html", "zettelb": "text.html", "beam": "a.html"} {
		if got := firstFor(t, out, query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if r := run(t, "", "search", "--index", out, "kettbaum xylophone"); !strings.Contains(r.err, `no page of the index has the word "xylophone"`) || strings.Contains(r.err, "kettbaum") {
		t.Errorf("%s", r.err)
	}
	if got := firstFor(t, out, "kette", "--lang", "de-AT"); got != "de.html" && got != "text.html" {
		t.Errorf("in German: %s", got)
	}
	if r := run(t, "", "search", "--index", out, "--lang", "fr", "loom"); r.status != 2 || !strings.Contains(r.err, "only in: en, de") {
		t.Errorf("status %d, %s", r.status, r.err)
	}
	if printed := ok(t, "", "index", "--site", site, "--out", out, "--lang", "de"); strings.Contains(printed, "en:") {
		t.Errorf("with --lang de: %s", printed)
	}
}

// Pages in other encodings than UTF-8 are read by the detector of documents.
func TestIndexEncodings(t *testing.T) {
	site, out := pagesIn(t, map[string]string{"a.html": `<html lang="en"><main><h1>Looms</h1><p>A loom.`})
	words := map[string]string{}
	for _, c := range []struct {
		name, lang, text, word string
		as                     encoding.Encoding
	}{
		{"gb2312", "zh", "织布机的经线要绷紧，否则梭子会碰到线。", "经线", simplifiedchinese.GBK},
		{"koi8-r", "ru", "Основа ткацкого станка должна быть натянута.", "станка", charmap.KOI8R},
		{"shift_jis", "ja", "織機の経糸はしっかりと張ってください。", "織機", japanese.ShiftJIS},
	} {
		page, err := c.as.NewEncoder().String(`<!doctype html><html lang="` + c.lang + `"><meta charset="` + c.name + `"><main><h1>` + c.word + `</h1><p>` + c.text)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(site, c.name+".html"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		words[c.word] = c.name + ".html"
	}
	ok(t, "", "index", "--site", site, "--out", out)
	for word, want := range words {
		if got := firstFor(t, out, word); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}

// Addresses with signs lead to their files.
func TestIndexAddresses(t *testing.T) {
	site, out := pagesIn(t, map[string]string{
		"C#.html":    `<html lang="en"><main><h1>Sharpish</h1>`,
		"100%.html":  `<html lang="en"><main><h1>Whole</h1>`,
		"what?.html": `<html lang="en"><main><h1>Question</h1>`,
	})
	ok(t, "", "index", "--site", site, "--out", out)
	var got []string
	for _, word := range []string{"sharpish", "whole", "question"} {
		got = append(got, firstFor(t, out, word))
	}
	if want := []string{"C%23.html", "100%25.html", "what%3F.html"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
