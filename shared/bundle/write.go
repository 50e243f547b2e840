package bundle

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"seam/shared/bundle/archive"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// Writer writes a bundle, one document after another. Make one with NewWriter, and call
// Close at the end. Equal items give equal bytes.
type Writer struct {
	zip      *archive.Writer
	manifest Manifest
	// Loose stores all members without deflating. The bundle is larger, but faster to write
	// and read. Set it before the first Add.
	Loose bool
}

// NewWriter starts a bundle in w. It does not close w.
func NewWriter(w io.Writer) (*Writer, error) {
	out := &Writer{zip: archive.NewWriter(w), manifest: Manifest{Format: Format, Version: Version, Documents: []Entry{}}}
	_, err := out.zip.Write(mediaTypeName, false, stringTo(MediaType))
	return out, err
}

// stringTo returns a function that writes s.
func stringTo(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// member adds a member and lists it in the manifest.
func (w *Writer) member(name string, pack bool, write func(io.Writer) error) error {
	info, err := w.zip.Write(name, pack && !w.Loose, write)
	if err == nil {
		w.manifest.Members = append(w.manifest.Members, Member{info.Name, info.Size, hex.EncodeToString(info.Digest[:])})
	}
	return err
}

// record adds a JSON member.
func (w *Writer) record(name string, v any) error {
	b, err := marshal(v)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case len(b) > maxRecord:
		return fmt.Errorf("%s would be %d bytes, and the limit is %d", name, len(b), maxRecord)
	}
	return w.member(name, true, stringTo(string(b)))
}

// marshal does not escape markup characters, because records are not put into web pages.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// Add writes a document. It returns an error if w fails or the document cannot be stored;
// the error names the part.
func (w *Writer) Add(it *Item) error {
	if err := it.check(); err != nil {
		return fmt.Errorf("%s cannot be stored: %w", it.Document.Name, err)
	}
	folder := "documents/" + strconv.Itoa(len(w.manifest.Documents)+1)
	w.manifest.Documents = append(w.manifest.Documents, Entry{folder, it.Document.Name, it.Source.Document})
	folder += "/"
	err := w.document(folder, it)
	if err == nil && it.Chunking.Plan != (pipeline.Plan{}) { // otherwise it was not cut
		err = w.record(folder+chunkingName, it.Chunking)
	}
	if err == nil && len(it.Sentences) > 0 {
		err = w.member(folder+sentencesName, true, array[int32]{len(it.Sentences), 2, func(i int, to []int32) {
			to[0], to[1] = int32(it.Sentences[i].Start), int32(it.Sentences[i].End)
		}}.write)
	}
	if err == nil && it.Vectors.Dim > 0 {
		// Vectors do not compress, and are written without another copy in memory.
		err = w.member(folder+vectorsName, false, array[float32]{it.Vectors.Rows, it.Vectors.Dim, func(i int, to []float32) {
			copy(to, it.Vectors.Row(i))
		}}.write)
	}
	if err == nil && it.OfChunks.Dim > 0 {
		err = w.member(folder+ofChunksName, false, array[float32]{it.OfChunks.Rows, it.OfChunks.Dim, func(i int, to []float32) {
			copy(to, it.OfChunks.Row(i))
		}}.write)
	}
	if err == nil && it.Index != nil {
		err = w.member(folder+indexName, true, stringTo(string(it.Index)))
	}
	if err == nil && len(it.Edits) > 0 {
		err = w.record(folder+editsName, it.Edits)
	}
	if err == nil && len(it.Logs) > 0 {
		err = w.record(folder+logName, it.Logs)
	}
	if err == nil && len(it.Questions) > 0 {
		err = w.record(folder+questionsName, it.Questions)
	}
	if err == nil && len(it.Statements) > 0 {
		err = w.record(folder+writtenName, it.Statements)
	}
	return err
}

// check refuses an item that could not be read back.
func (it *Item) check() error {
	d := it.Document
	if err := errors.Join(it.Vectors.Check(), it.checkTags(), it.checkQuestions(), it.checkStatements(), text.CheckElements(d.View(text.Reading).Text, d.Elements),
		text.CheckLinks(d.View(text.Reading).Text, len(d.Pages), d.Links)); err != nil {
		return err
	}
	if it.Vectors.Dim > maxDimensions {
		return fmt.Errorf("vectors of %d numbers: the limit is %d", it.Vectors.Dim, maxDimensions)
	}
	if it.Vectors.Dim > 0 && (it.Vectors.Rows != len(it.Sentences) || it.Vectors.Dim != it.Chunking.Dimensions) {
		return fmt.Errorf("%d vectors of %d numbers for %d sentences and %d dimensions", it.Vectors.Rows, it.Vectors.Dim, len(it.Sentences), it.Chunking.Dimensions)
	}
	if it.Vectors.Dim > 0 {
		if err := finite(it.Vectors.Data, it.Vectors.Dim); err != nil {
			return err
		}
	}
	return it.checkOfChunks()
}

// checkOfChunks checks the vectors of the chunks.
func (it *Item) checkOfChunks() error {
	s := it.Chunking.Searched
	if s == nil {
		s = &Searched{}
	}
	switch err := it.OfChunks.Check(); {
	case err != nil:
		return err
	case it.OfChunks.Dim != s.Dimensions || it.OfChunks.Dim > maxDimensions || it.OfChunks.Dim > 0 && it.OfChunks.Rows != len(it.Chunking.Chunks):
		return fmt.Errorf("%d vectors of %d numbers for %d chunks and %d dimensions", it.OfChunks.Rows, it.OfChunks.Dim, len(it.Chunking.Chunks), s.Dimensions)
	case it.OfChunks.Dim > 0:
		return finite(it.OfChunks.Data, it.OfChunks.Dim)
	}
	return nil
}

// document writes the document itself.
func (w *Writer) document(folder string, it *Item) error {
	d := it.Document
	r := Record{Name: d.Name, Title: d.Title, Author: d.Author, Language: d.Language, Meta: d.Meta, Source: it.Source, Tags: it.Tags, Notes: d.Notes, Links: d.Links, Parts: d.Parts(), Attachments: d.Attachments, Plain: plain(d), Pages: make([]Page, len(d.Pages))}
	at := 0
	for i, p := range d.Pages {
		r.Pages[i] = Page{p.Number, p.Label, p.Width, p.Height, at, at + len(p.Text), p.Furniture, p.Hidden}
		at += len(p.Text) + 1
	}
	for _, b := range d.Outline {
		r.Outline = append(r.Outline, Outline(b))
	}
	for _, s := range d.Sections {
		r.Sections = append(r.Sections, Section(s))
	}
	err := errors.Join(w.record(folder+recordName, r), w.text(folder+pagesName, func(yield func(string) bool) {
		for i, p := range d.Pages {
			if i > 0 && !yield("\f") || !yield(p.Text) {
				return
			}
		}
	}))
	if err == nil && !r.Plain {
		err = w.views(folder, d)
	}
	if err == nil {
		err = w.words(folder, d.Pages)
	}
	if err == nil && len(d.Elements) > 0 {
		err = w.member(folder+elementsName, true, array[int32]{len(d.Elements), 3, func(i int, to []int32) {
			e := d.Elements[i]
			to[0], to[1], to[2] = int32(e.Kind), int32(e.Start), int32(e.End)
		}}.write)
	}
	return err
}

// text adds a text in parts.
func (w *Writer) text(name string, parts func(yield func(string) bool)) error {
	size := 0
	for part := range parts {
		if size += len(part); !utf8.ValidString(part) || size > maxText {
			return fmt.Errorf("%s would not be UTF-8, or be longer than %d bytes", name, maxText)
		}
	}
	return w.member(name, true, func(w io.Writer) (err error) {
		for part := range parts {
			if err == nil {
				_, err = io.WriteString(w, part)
			}
		}
		return err
	})
}

// plain reports whether d equals text.NewPlain of its pages' texts.
func plain(d *text.Document) bool {
	reading := d.View(text.Reading)
	if d.View(text.Content).Text != reading.Text || strings.Count(reading.Text, "\f") != len(d.Pages)-1 {
		return false
	}
	for _, p := range d.Pages {
		if len(p.Words) > 0 || len(p.Furniture)+len(p.Hidden) > 0 || p.Width != 0 || p.Height != 0 || p.Label != "" {
			return false
		}
	}
	made := text.NewPlain(reading.Text)
	same := func(a, b text.Page) bool { return a.Number == b.Number && a.Text == b.Text }
	return slices.EqualFunc(made.Pages, d.Pages, same) && reflect.DeepEqual(made.View(text.Reading), reading) && reflect.DeepEqual(made.View(text.Content), d.View(text.Content))
}

// views writes the views of a document with pages. Readers of a bundle rebuild the content
// view from the pages; it is stored for other programs.
func (w *Writer) views(folder string, d *text.Document) error {
	content, reading := d.View(text.Content), d.View(text.Reading)
	if made := text.NewPaged(d.Pages, *reading); made.View(text.Content).Text != content.Text {
		return errors.New("its content view does not match its pages")
	}
	one := func(s string) func(yield func(string) bool) {
		return func(yield func(string) bool) { yield(s) }
	}
	err := errors.Join(w.text(folder+readingName, one(reading.Text)), w.text(folder+contentName, one(content.Text)))
	if err != nil {
		return err
	}
	return w.member(folder+runsName, true, array[int32]{len(reading.Runs), 4, func(i int, to []int32) {
		r := reading.Runs[i]
		to[0], to[1], to[2], to[3] = int32(r.Start), int32(r.Page), int32(r.From), int32(r.Len)
	}}.write)
}

// words writes the words of all pages with their places.
func (w *Writer) words(folder string, pages []text.Page) error {
	var first []int // index of the first word of each page
	n := 0
	for _, p := range pages {
		first = append(first, n)
		n += len(p.Words)
	}
	if n == 0 {
		return nil
	}
	page := 0
	word := func(i int) text.Word { // word i of all pages; called in ascending order
		if i == 0 {
			page = 0
		}
		for i >= first[page]+len(pages[page].Words) {
			page++
		}
		return pages[page].Words[i-first[page]]
	}
	return errors.Join(
		w.member(folder+wordsName, true, array[int32]{n, 3, func(i int, to []int32) {
			s := word(i).Span
			to[0], to[1], to[2] = int32(page), int32(s.Start), int32(s.End)
		}}.write),
		w.member(folder+boxesName, true, array[float32]{n, 4, func(i int, to []float32) {
			b := word(i).Box
			to[0], to[1], to[2], to[3] = float32(cents(b.X0)), float32(cents(b.Y0)), float32(cents(b.X1)), float32(cents(b.Y1))
		}}.write))
}

// cents rounds points to hundredths, finer than any screen or printer shows. Invalid values
// become 0.
func cents(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 1e6 {
		return 0
	}
	return math.Round(x*100) / 100
}

// Close writes the manifest and the directory. It does not close the underlying writer.
func (w *Writer) Close() error {
	b, err := marshal(w.manifest)
	if err == nil {
		_, err = w.zip.Write(manifestName, !w.Loose, stringTo(string(b)))
	}
	if err != nil {
		return err
	}
	return w.zip.Close()
}
