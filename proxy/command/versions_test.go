package command

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"seam/proxy/command/files"
	"seam/proxy/command/sites"
	"seam/proxy/command/terminal"
	"seam/shared/chunk"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/search"
	"seam/shared/site"
	"seam/shared/text"
)

// versions is the format of testdata/versions.json: digests of results by the versions of
// readers and methods. If a result changes, its version must be raised. Otherwise users get
// outdated results from their caches.
type versions struct {
	Read made `json:"read"`
	Cut  made `json:"cut"`
	// Methods are the methods Cut covers. Nothing of a new method can be in a cache.
	Methods []string `json:"methods"`
	Pages   made     `json:"pages"` // of a site, as an index has them
	Files   made     `json:"files"` // the documents of the PDFs in SEAM_DATA
}

type made struct {
	Version int    `json:"version"`
	Digest  string `json:"digest"`
}

const versionsFile = "testdata/versions.json"

func TestVersionsAreRaised(t *testing.T) {
	b, err := os.ReadFile(versionsFile)
	if err != nil {
		t.Fatal(err)
	}
	var known versions
	if err := json.Unmarshal(b, &known); err != nil {
		t.Fatal(err)
	}
	docs := kinds(t)
	now := versions{Read: made{read.Version, digestOfDocuments(docs)}, Cut: made{pipeline.Version, digestOfResults(t, docs, known.Methods)}, Methods: known.Methods, Files: made{read.Version, known.Files.Digest}, Pages: made{site.Version, digestOfPages(t)}}
	if files := pdfsOfData(t); files != nil {
		now.Files.Digest = digestOfDocuments(files)
	}
	for name, is := range map[string][2]made{"read.Version": {known.Read, now.Read}, "pipeline.Version": {known.Cut, now.Cut}, "site.Version": {known.Pages, now.Pages}, "read.Version, for the PDFs of SEAM_DATA,": {known.Files, now.Files}} {
		if was, is := is[0], is[1]; was.Digest != is.Digest && was.Version == is.Version {
			t.Errorf("%s: another result is made of the same bytes: raise it, then UPDATE_GOLDEN=1 go test ./proxy/command", name)
		}
	}
	if os.Getenv("UPDATE_GOLDEN") == "" {
		if !t.Failed() && !reflect.DeepEqual(known, now) {
			t.Errorf("%s is of other versions: UPDATE_GOLDEN=1 go test ./proxy/command", versionsFile)
		}
		return
	}
	now.Methods = nil
	for _, m := range chunk.Methods() {
		now.Methods = append(now.Methods, m.Name)
	}
	now.Cut.Digest = digestOfResults(t, docs, now.Methods)
	if b, err = json.MarshalIndent(now, "", "  "); err != nil || t.Failed() {
		t.Fatal(err, "nothing is written")
	}
	if err := os.WriteFile(versionsFile, append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// kinds returns documents of every format.
func kinds(t *testing.T) (docs []*text.Document) {
	t.Helper()
	markdown := "---\ntitle: On mills\ntags: [wind]\n---\n# Windmills\n\nA windmill turns its cap into the wind. The sails drive a shaft of oak. – Größe zählt: 字 and 😀.\n\n## Stones\n\n- The shaft drives the stones.\n- They need dressing.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nLathes\n---\n\nA lathe turns the work and holds the tool still.\n"
	for _, f := range []struct{ name, body string }{
		{"a.md", markdown}, {"a.txt", strings.Repeat(markdown+"\fA second page. It says little; Dr. Miller went home at 5 p.m. on Jan. 3rd.\n", 4)},
		{"b.txt", strings.Repeat("Der Müller öffnete das Wehr. Das Wasser kam herein, und das Rad drehte sich. ", 12)},
		{"a.pdf", string(pdftest.Article(pdftest.Paragraphs...))}, {"b.txt", ""},
		{"a.html", "<html lang=en><title>Mills</title><main><h1>Windmills</h1><p>A windmill turns its <b>cap</b>.<h2>Stones</h2><ul><li>One<li>Two</ul><table><tr><td>a<td>b</table>"},
	} {
		d, err := files.Formats.Read(f.name, []byte(f.body), read.Options{})
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	return docs
}

// pdfsOfData returns the PDFs in SEAM_DATA, or nil if it does not exist.
func pdfsOfData(t *testing.T) (docs []*text.Document) {
	t.Helper()
	root := os.Getenv("SEAM_DATA")
	if root == "" {
		root = "../../../shared/data"
	}
	names, _ := filepath.Glob(filepath.Join(root, "pdf", "*", "*.pdf"))
	more, _ := filepath.Glob(filepath.Join(root, "pdf", "*", "*", "*.pdf"))
	for _, name := range append(names, more...) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if d, err := files.Formats.Read(name, b, read.Options{}); err == nil {
			docs = append(docs, d)
		}
	}
	if docs == nil {
		t.Logf("no PDFs below %s: only the small ones here are looked at", root)
	}
	return docs
}

func digestOfDocuments(docs []*text.Document) string {
	h := sha256.New()
	for _, d := range docs {
		h.Write(text.Encode(d))
	}
	return sum(h)
}

// digestOfResults returns a digest of the chunks these methods make of docs, and of a
// search's vectors and words.
func digestOfResults(t *testing.T, docs []*text.Document, methods []string) string {
	t.Helper()
	h := sha256.New()
	model, err := builtin.Default()
	if err != nil {
		t.Fatal(err)
	}
	hooks := pipeline.Hooks{Embedder: func(string) (embed.Embedder, error) { return model, nil }}
	for _, method := range methods {
		for i, d := range docs {
			p, err := pipeline.NewPlan(pipeline.Settings{Method: method, Headers: i%2 == 0})
			if err != nil {
				t.Fatal(err)
			}
			r, err := pipeline.NewSession(d).Run(context.Background(), p, hooks)
			if err != nil {
				t.Fatal(err)
			}
			made, err := search.Make(context.Background(), r, true, hooks)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(h, "%+v %+v %v %q %q %v %x\n", r.Plan, r.Chunks, r.Sentences, r.Headers, made.Embedder, made.Vectors.Data, made.Words.Encode())
		}
	}
	return sum(h)
}

// digestOfPages returns a digest of the results for the pages of a site.
func digestOfPages(t *testing.T) string {
	t.Helper()
	x, err := sites.NewIndexer(sites.IndexCommand{Site: "../../shared/site/testdata/site", Out: t.TempDir(), LLMs: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := x.Make(t.Context(), terminal.IO{Err: io.Discard}); err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(x.Known)) {
		k := x.Known[name]
		b, err := json.Marshal([]any{name, k.Page, k.Why, k.Markdown, k.Title, k.Cut})
		if err != nil {
			t.Fatal(err)
		}
		h.Write(b)
	}
	return sum(h)
}

func sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }
