package process

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A chunk is found by the words that --expansions adds to its id, and an index without
// expansions is unchanged.
func TestIndexExpansions(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	plain := ok(t, "", "index", "--site", handbook, "--out", at("plain"), "--chunks", at("chunks.jsonl"))
	if strings.Contains(plain, "expansions") {
		t.Errorf("%q", plain)
	}
	var lines strings.Builder
	chunks := 0
	for line := range strings.Lines(readFile(t, at("chunks.jsonl"))) {
		var c struct{ ID, URL, Title, Text string }
		if err := json.Unmarshal([]byte(line), &c); err != nil || c.ID == "" || c.URL == "" || c.Text == "" {
			t.Fatalf("%q: %v", line, err)
		}
		if chunks++; strings.Contains(c.URL, "mending") {
			fmt.Fprintf(&lines, `{"id":%q,"terms":{"Stopfnadel":2,"Zwirnen dublieren":1,"zero":0,"less":-1}}`+"\n", c.ID)
		}
		if strings.Contains(c.URL, "guide/tension") {
			fmt.Fprintf(&lines, `{"id":%q,"terms":{"stopfnadel":0.25}}`+"\n", c.ID)
		}
	}
	lines.WriteString(`{"id":"nobody","terms":{"x":1}}` + "\n")
	words := file(t, "expansions.jsonl", []byte(lines.String()))
	if out := ok(t, "", "index", "--site", handbook, "--out", at("more"), "--expansions", words); !strings.Contains(out, "expansions: for 2 chunks; 1 id match no chunk") {
		t.Errorf("%q", out)
	}
	find := func(index, query string) (urls []string) {
		var found struct{ Hits []struct{ URL string } }
		if err := json.Unmarshal([]byte(ok(t, "", "search", "--index", at(index), "--json", query)), &found); err != nil {
			t.Fatal(err)
		}
		for _, h := range found.Hits {
			urls = append(urls, h.URL)
		}
		return urls
	}
	for query, want := range map[string]int{"Stopfnadel": 2, "dublieren": 1, "zwirnen": 1, "zero": 0, "less": 0} {
		if got := find("plain", query); len(got) > 0 {
			t.Errorf("%s: %q without", query, got)
		}
		if got := find("more", query); len(got) != want || want > 0 && !strings.Contains(got[0], "mending") {
			t.Errorf("%s: %q with, not %d", query, got, want)
		}
	}
	ok(t, "", "index", "--site", handbook, "--out", at("again"), "--expansions", words)
	for _, name := range written(t, at("more")) {
		if readFile(t, filepath.Join(at("more"), name)) != readFile(t, filepath.Join(at("again"), name)) {
			t.Errorf("%s is another", name)
		}
	}
	if out := ok(t, "", "index", "--site", handbook, "--out", at("none"), "--expansions", file(t, "none.jsonl", nil)); !strings.Contains(out, "expansions: for 0 chunks\n") {
		t.Errorf("%q", out)
	}
	if r := run(t, "", "index", "--site", handbook, "--out", at("none"), "--chunks", "-"); r.status != 2 || !strings.Contains(r.err, "--chunks -: give a file name") {
		t.Errorf("%+v", r)
	}
	for _, ugly := range []string{"{", `{"terms":{"x":1}}`, `{"id":"a","terms":{"x":"y"}}`} {
		if r := run(t, "", "index", "--site", handbook, "--out", at("bad"), "--expansions", file(t, "bad.jsonl", []byte(ugly))); r.status != 1 || !strings.Contains(r.err, `line 1 is not of the form {"id","terms":{"word":weight}}`) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: %+v", ugly, r)
		}
	}
}
