package pdfworker

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/engine/rpc"
	"seam/shared/pdftext/pdftest"
	"seam/shared/read"
	"seam/shared/text"
)

type answer struct {
	Event  string
	Result result
	Error  *rpc.Error
	blobs  [][]byte
}

// extractCall sends the worker the page's request for a PDF.
func extractCall(t *testing.T, file []byte, password string, assets func(string) ([]byte, error)) (got answer, events int) {
	t.Helper()
	return extractNamed(t, "a.pdf", file, password, assets)
}

func extractNamed(t *testing.T, name string, file []byte, password string, assets func(string) ([]byte, error)) (got answer, events int) {
	t.Helper()
	clock := time.Duration(0)
	now := func() time.Duration { clock += 60 * time.Millisecond; return clock }
	server := rpc.NewServer(rpc.Host{Now: now, Post: func(b []byte, blobs [][]byte) {
		var a answer
		if err := json.Unmarshal(b, &a); err != nil {
			t.Errorf("%s: %v", b, err)
		}
		if a.Event != "" {
			events++
			return
		}
		a.blobs = blobs
		got = a
	}}, Methods(now, assets, nil))
	request, _ := json.Marshal(map[string]any{"id": 1, "method": "extract", "params": map[string]string{"name": name, "password": password}})
	<-server.Receive(request, [][]byte{file})
	return got, events
}

func TestExtract(t *testing.T) {
	var paragraphs []string
	for range 60 {
		paragraphs = append(paragraphs, "# A heading", strings.Repeat("A sentence about nothing in particular. ", 12))
	}
	got, events := extractCall(t, pdftest.Article(paragraphs...), "", nil)
	if got.Error != nil || got.Result.Pages < 5 || len(got.blobs) != 1 || events == 0 {
		t.Fatalf("%+v, %d events", got, events)
	}
	d, err := text.DecodeDocument(got.blobs[0])
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "a.pdf" || len(d.Pages) != got.Result.Pages || strings.Count(d.View(text.Content).Text, "nothing in particular") < 600 {
		t.Errorf("%s, %d pages", d.Name, len(d.Pages))
	}
	if got.Result.Milliseconds["open"] <= 0 || got.Result.Milliseconds["text"] <= 0 {
		t.Errorf("times %v", got.Result.Milliseconds)
	}
}

func TestEveryFormatHasAReader(t *testing.T) {
	for _, f := range formats {
		if f.Room != "" && f.Read == nil && f.Name != read.Bundle {
			t.Errorf("nobody reads %s", f.Name)
		}
	}
}

func TestExtractHTML(t *testing.T) {
	got, _ := extractNamed(t, "a.html", []byte("<title>Mills</title><nav>Menu</nav><h1>Mills</h1><p>They turn.</p>"), "", nil)
	if got.Error != nil || got.Result.Title != "Mills" || len(got.blobs) != 1 {
		t.Fatalf("%+v", got)
	}
	d, err := text.DecodeDocument(got.blobs[0])
	if err != nil || d.Name != "a.html" || d.View(text.Reading).Text != "Mills\n\nThey turn." || len(d.Sections) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	for file, code := range map[string]string{"<p>\x00": rpc.NotText, "<p>\xe0\xe1\x82\xff": rpc.Encoding} {
		if got, _ := extractNamed(t, "a.html", []byte(file), "", nil); got.Error == nil || got.Error.Code != code {
			t.Errorf("%q: %+v", file, got.Error)
		}
	}
}

func TestErrors(t *testing.T) {
	good := pdftest.Article("Some text.")
	for name, tt := range map[string]struct {
		file []byte
		code string
	}{
		"a JPEG":  {[]byte("\xff\xd8\xff\xe0\x00\x10JFIF"), rpc.NotPDF},
		"nothing": {nil, rpc.NotPDF},
		"a stump": {good[:60], rpc.Damaged},
		"a giant": {make([]byte, maxFile+1), rpc.TooLarge},
	} {
		got, _ := extractCall(t, tt.file, "", nil)
		if got.Error == nil || got.Error.Code != tt.code || got.Error.Hint == "" {
			t.Errorf("%s: %+v", name, got.Error)
		}
	}
}

func TestPassword(t *testing.T) {
	locked := pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Width: 300, Height: 300, Texts: []pdftest.Text{{X: 50, Y: 200, Size: 12, S: "Secret words."}}}}, Encrypt: true, Password: "open sesame"})
	for password, code := range map[string]string{"": rpc.Password, "wrong": rpc.Password} {
		if got, _ := extractCall(t, locked, password, nil); got.Error == nil || got.Error.Code != code {
			t.Errorf("password %q: %+v", password, got.Error)
		}
	}
	got, _ := extractCall(t, locked, "open sesame", nil)
	if got.Error != nil {
		t.Fatalf("%+v", got.Error)
	}
	d, err := text.DecodeDocument(got.blobs[0])
	if err != nil || !strings.Contains(d.View(text.Content).Text, "Secret words.") {
		t.Errorf("%v, %v", d, err)
	}
}

// Tables must be fetched once, when a document needs them, while other calls may run.
// Without them the text must be as complete as possible, and the page must be informed.
func TestAssets(t *testing.T) {
	file := pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{
		{X: 72, Y: 700, Size: 12, S: "Latin"}, {X: 72, Y: 600, Size: 12, Font: "Japanese", S: "\x93\xfa\x96\x7b\x8c\xea"},
	}}}})
	var asked []string
	read := func(file string) ([]byte, error) {
		asked = append(asked, file)
		return os.ReadFile(filepath.Join("..", "..", "pdftext", "collection", "data", file))
	}
	if got, _ := extractCall(t, pdftest.Article("No Japanese here."), "", read); got.Error != nil || len(asked) > 0 {
		t.Errorf("%+v, asked for %v", got.Error, asked)
	}
	content := func(read func(string) ([]byte, error)) (string, []string) {
		got, _ := extractCall(t, file, "", read)
		if got.Error != nil {
			t.Fatal(got.Error)
		}
		d, err := text.DecodeDocument(got.blobs[0])
		if err != nil {
			t.Fatal(err)
		}
		return d.View(text.Content).Text, got.Result.Notes
	}
	if got, notes := content(read); got != "Latin\n日本語" || len(notes) > 0 || !slices.Equal(asked, []string{"japan1.cmaps"}) {
		t.Errorf("%q, notes %q, asked for %v", got, notes, asked)
	}
	offline := func(string) ([]byte, error) { return nil, errors.New("no network") }
	got, notes := content(offline)
	if want := "characters of Japanese fonts could not be read: no network"; !strings.HasPrefix(got, "Latin\n") || !slices.Equal(notes, []string{want}) {
		t.Errorf("%q, notes %q", got, notes)
	}
}
