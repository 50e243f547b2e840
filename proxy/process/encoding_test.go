package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Commands must find the encoding of texts and pages, read the one that --encoding names, also
// with a cache, and otherwise name the flag.
func TestEncodingsOfFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const river = "\xd0\xe5\xea\xe0 \xf2\xe5\xf7\xb8\xf2 \xed\xe0 \xf1\xe5\xe2\xe5\xf0, \xe8 \xe2\xee\xe4\xe0 \xf5\xee\xeb\xee\xe4\xed\xe0\xff." // windows-1251
	plain, page, unclear := write("river.txt", river), write("site/river.html", "<title>x</title><p>"+river), write("short.txt", "\xe0\xe1")
	for _, args := range [][]string{{"text", plain}, {"chunk", plain}, {"sentences", plain}, {"search", "река", plain}, {"text", page}} {
		if r := run(t, "", args...); r.status != 0 || !strings.Contains(r.out, "Река течёт на север") || !strings.Contains(r.err, "read as windows-1251, found by its letters") {
			t.Errorf("%v: %+v", args, r)
		}
	}
	for _, args := range [][]string{{"text", unclear}, {"chunk", unclear}, {"sentences", unclear}, {"search", "a", unclear}} {
		if r := run(t, "", args...); r.status != failed(args[0]) || !strings.Contains(r.err, "short.txt: the encoding of this text is not clear: choose one, such as windows-1251, with --encoding") {
			t.Errorf("%v: %+v", args, r)
		}
	}
	cache := filepath.Join(dir, "cache")
	for _, want := range []string{"", "koi8-r", "cp1251", ""} {
		args := []string{"search", "река", plain, "--cache", cache}
		if want != "" {
			args = append(args, "--encoding", want)
		}
		if r := run(t, "", args...); strings.Contains(r.out, "Река") == (want == "koi8-r") {
			t.Errorf("%s: %+v", want, r)
		}
	}
	if r := run(t, "", "text", "--encoding", "koi8-r", page); r.status != 0 || strings.Contains(r.out, "Река") {
		t.Errorf("a page: %+v", r)
	}
	for _, args := range [][]string{{"text", "--encoding", "nonesuch", plain}, {"search", "--encoding", "nonesuch", "a", plain}} {
		if r := run(t, "", args...); r.status != 2 || !strings.Contains(r.err, "this encoding is unknown: choose one such as utf-8") {
			t.Errorf("%v: %+v", args, r)
		}
	}
}
