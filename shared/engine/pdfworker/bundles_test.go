package pdfworker

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"seam/shared/bundle"
	"seam/shared/engine/rpc"
	"seam/shared/kept"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/vector"
)

// Questions must enter and leave a bundle with places in UTF-16 units. Inside they are in
// bytes.
func TestQuestionsThroughABundle(t *testing.T) {
	d := text.NewPlain("Ä 𝄞 one. Where is it? Ä 𝄞 one.")
	p := packed{Name: "a.txt", Plan: pipeline.Plan{Method: "recursive", View: text.Reading, Sentences: ""}}
	p.Questions = []bundle.Question{{Question: "Where?", Made: "model:m", Excerpts: []string{"𝄞 one."}, Places: []bundle.Place{{View: text.Reading, Start: 25}}}}
	none := kept.Vectors{View: text.Reading, Sentences: []text.Span{}, Matrix: vector.New(0, 0)}
	it, err := p.item(kept.Document(d), none.Encode(d))
	if err != nil {
		t.Fatal(err)
	}
	if q := it.Questions[0]; q.File != "a.txt" || q.Places[0].Start != bytes.LastIndex([]byte(d.View(text.Reading).Text), []byte("𝄞")) {
		t.Errorf("in the bundle %+v", q)
	}
	_, with, err := unpacked(it)
	if err != nil || !reflect.DeepEqual(with.Questions, p.Questions) {
		t.Errorf("%v: from the bundle %+v", err, with.Questions)
	}
	it.Questions = nil
	_, without, err := unpacked(it)
	if err != nil || with.Digest == without.Digest || without.Questions == nil {
		t.Errorf("%v: with and without questions it is %s and %s", err, with.Digest, without.Digest)
	}
}

// Tags must enter and leave a bundle. They are no part of its digest, because a document
// with other tags is still the same document.
func TestTagsThroughABundle(t *testing.T) {
	d := text.NewPlain("One sentence.")
	p := packed{Name: "a.txt", Tags: []string{"to read"}, Plan: pipeline.Plan{Method: "recursive", View: text.Reading}}
	none := kept.Vectors{View: text.Reading, Sentences: []text.Span{}, Matrix: vector.New(0, 0)}
	it, err := p.item(kept.Document(d), none.Encode(d))
	if err != nil {
		t.Fatal(err)
	}
	_, with, err := unpacked(it)
	if err != nil || !reflect.DeepEqual(with.Tags, p.Tags) {
		t.Errorf("%v: from the bundle %q", err, with.Tags)
	}
	it.Tags = nil
	_, without, err := unpacked(it)
	if err != nil || with.Digest != without.Digest || without.Tags == nil {
		t.Errorf("%v: without tags %q; the digests are %s and %s", err, without.Tags, with.Digest, without.Digest)
	}
}

// A bundle that is too large for the page must be refused before it is read.
func TestRoomForABundle(t *testing.T) {
	documents := func(n int) *bundle.Manifest { return &bundle.Manifest{Documents: make([]bundle.Entry, n)} }
	sized := func(sizes ...int64) *bundle.Manifest {
		m := documents(1)
		for _, size := range sizes {
			m.Members = append(m.Members, bundle.Member{Size: size})
		}
		return m
	}
	for name, tt := range map[string]struct {
		m    *bundle.Manifest
		code string // empty if it fits
	}{
		"no document":       {documents(0), rpc.Empty},
		"many documents":    {documents(maxDocuments), ""},
		"one more":          {documents(maxDocuments + 1), rpc.TooLarge},
		"large members":     {sized(maxUnpacked/2, maxUnpacked/2), ""},
		"one byte more":     {sized(maxUnpacked/2, maxUnpacked/2, 1), rpc.TooLarge},
		"one large member":  {sized(4<<30 - 1), rpc.TooLarge},
		"all that there is": {sized(make([]int64, 65_534)...), ""},
	} {
		code, err := "", fits(tt.m)
		if told := (*rpc.Error)(nil); errors.As(err, &told) {
			code = told.Code
		}
		if code != tt.code || (err == nil) != (tt.code == "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A text that ends with an empty line must pass through unchanged.
func TestATextFromThePage(t *testing.T) {
	d := text.NewPlain("One sentence.\n\nAnother one.\n")
	p := packed{Name: "a.txt", Plan: pipeline.Plan{Method: "recursive", View: text.Reading}}
	none := kept.Vectors{View: text.Reading, Sentences: []text.Span{}, Matrix: vector.New(0, 0)}
	it, err := p.item(kept.Document(d), none.Encode(d))
	if err != nil {
		t.Fatal(err)
	}
	w, err := bundle.NewWriter(&bytes.Buffer{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Add(it); err != nil {
		t.Error(err)
	}
}
