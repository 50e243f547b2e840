// Package pdftest writes small PDF files for tests: texts at known places, with the defects
// and oddities of real files.
package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// Doc is a file to write.
type Doc struct {
	Title    string // of the document information, like Author
	Author   string
	Dates    string // more entries of the document information, such as " /CreationDate (D:2024)"
	Language string
	Names    string // the name tree of destinations, unless there is an outline
	Labels   string // the pairs of the number tree of page labels
	XMP      string
	Outline  []Bookmark
	Pages    []Page
	Attached []File // in the name tree and among the associated files, unless there are Names or an Outline
	Compress bool   // deflate the streams
	Tags     string // the entries of the structure tree's root; "%[1]d 0 R" is the first page, and so on
	Layers   bool   // add the properties On and Off to the resources: a visible and a hidden layer
	Loop     bool   // the page tree contains its own root among its kids

	// Password is the user's password for encryption (RC4, 40 bits) if Encrypt is set.
	// Direct puts the encryption dictionary directly into the trailer.
	Encrypt  bool
	Password string
	Direct   bool
}

// File is an attached file.
type File struct {
	Name    string
	Data    string
	Entries string // more entries of its stream
}

// Page is a page to write. All measures are in points. Y counts upwards from the bottom of
// the media box.
type Page struct {
	Width, Height float64     // of the media box; 595 × 842 if zero
	Crop          *[4]float64 // x0, y0, x1, y1
	Rotate        int
	UserUnit      float64
	Texts         []Text
	Form          []Text   // shown in a form XObject, moved up by 100
	Note          string   // a FreeText annotation at (72, 72) with this text
	Field         string   // a text field at (72, 42) with this value and no appearance
	Image         bool     // paint an image
	Links         []string // the entries of link annotations, such as "/Rect [0 0 9 9] /Dest (a)"
	Parts         bool     // contents as an array, cut between operators and without white space
	Raw           string   // appended to the content stream
}

// Text is a text at a place.
type Text struct {
	X, Y, Size float64
	// Font is the name of a core font. "Unicode" is a composite font, and "Japanese" is a
	// font that is not embedded and has no ToUnicode. "" is Helvetica.
	Font string
	S    string // for the font Japanese, codes in Shift-JIS
}

const (
	fontUnicode  = "Unicode"
	fontJapanese = "Japanese"
)

// Write returns the file. It panics if a core font cannot show a text.
func Write(d Doc) []byte {
	w := &writer{doc: d}
	w.catalog = w.reserve()
	w.tree = w.reserve()
	w.codes = map[rune]int{}
	w.fonts = map[string]int{}
	if d.Encrypt {
		w.prepareEncryption()
	}
	if d.Layers {
		w.on, w.off = w.add("<< /Type /OCG /Name (on) >>"), w.add("<< /Type /OCG /Name (off) >>")
	}
	kids, pages := "", make([]int, len(d.Pages))
	for i, p := range d.Pages {
		pages[i] = w.page(p)
		kids += fmt.Sprintf("%d 0 R ", pages[i])
	}
	if d.Loop {
		kids += fmt.Sprintf("%d 0 R ", w.tree)
	}
	w.set(w.tree, fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", kids, len(d.Pages)))
	w.set(w.catalog, fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R%s >>", w.tree, w.catalogEntries(pages)))
	w.writeFonts()
	return w.file()
}

// writer collects the objects of a file. Object numbers start at 1.
type writer struct {
	doc           Doc
	objects       [][]byte
	catalog, tree int
	on, off       int            // layers
	fonts         map[string]int // name -> object
	codes         map[rune]int   // of the composite font
	runes         []rune         // by code - 1
	key           []byte         // of the encryption; nil without
	encryption    string         // the dictionary
}

func (w *writer) reserve() int {
	w.objects = append(w.objects, nil)
	return len(w.objects)
}

func (w *writer) set(n int, body string) { w.objects[n-1] = []byte(body) }

func (w *writer) add(body string) int {
	n := w.reserve()
	w.set(n, body)
	return n
}

// stream adds a stream with additional dictionary entries.
func (w *writer) stream(entries, data string) int {
	n := w.reserve()
	b := []byte(data)
	if w.doc.Compress {
		var z bytes.Buffer
		zw := zlib.NewWriter(&z)
		zw.Write(b)
		zw.Close()
		b, entries = z.Bytes(), entries+" /Filter /FlateDecode"
	}
	b = w.encrypt(n, b)
	w.set(n, fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(b), entries, b))
	return n
}

// page adds a page and returns its object number.
func (w *writer) page(p Page) int {
	if p.Width == 0 {
		p.Width, p.Height = 595, 842
	}
	content, xobjects := w.show(p.Texts), ""
	if len(p.Form) > 0 {
		body := w.show(p.Form) // registers the fonts
		form := w.stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 %g %g] /Matrix [1 0 0 1 0 100] /Resources << %s >>",
			p.Width, p.Height, w.fontResources()), body)
		xobjects += fmt.Sprintf("/Fm %d 0 R ", form)
		content += "/Fm Do\n"
	}
	if p.Image {
		image := w.stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", "x")
		xobjects += fmt.Sprintf("/Im %d 0 R ", image)
		content += "q 400 0 0 400 72 72 cm /Im Do Q\n"
	}
	body := fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %g %g]", w.tree, p.Width, p.Height)
	annotations := ""
	if p.Note != "" {
		annotations += fmt.Sprintf("%d 0 R ", w.annotation(p.Note))
	}
	if p.Field != "" {
		annotations += fmt.Sprintf("%d 0 R ", w.add(fmt.Sprintf("<< /Type /Annot /Subtype /Widget /FT /Tx /T (f) /V <%x> /Rect [72 42 272 62] /F 4 /DA (/Helv 10 Tf) >>", w.encrypt(len(w.objects)+1, []byte(p.Field)))))
	}
	for _, entries := range p.Links {
		annotations += fmt.Sprintf("%d 0 R ", w.add("<< /Type /Annot /Subtype /Link "+entries+" >>"))
	}
	if annotations != "" {
		body += " /Annots [" + annotations + "]"
	}
	if p.Crop != nil {
		body += fmt.Sprintf(" /CropBox [%g %g %g %g]", p.Crop[0], p.Crop[1], p.Crop[2], p.Crop[3])
	}
	if p.Rotate != 0 {
		body += fmt.Sprintf(" /Rotate %d", p.Rotate)
	}
	if p.UserUnit != 0 {
		body += fmt.Sprintf(" /UserUnit %g", p.UserUnit)
	}
	contents := w.contents(content+p.Raw, p.Parts)
	properties := ""
	if w.doc.Layers {
		properties = fmt.Sprintf("/Properties << /On %d 0 R /Off %d 0 R >>", w.on, w.off)
	}
	return w.add(body + fmt.Sprintf(" /Resources << %s %s /XObject << %s >> >> /Contents %s >>",
		w.fontResources(), properties, xobjects, contents))
}

// contents adds one or several content streams.
func (w *writer) contents(content string, parts bool) string {
	if !parts {
		return fmt.Sprintf("%d 0 R", w.stream("", content))
	}
	refs := ""
	for line := range strings.Lines(content) {
		refs += fmt.Sprintf("%d 0 R ", w.stream("", strings.TrimSuffix(line, "\n")))
	}
	return "[" + refs + "]"
}

func (w *writer) annotation(note string) int {
	body := w.show([]Text{{X: 2, Y: 5, Size: 10, S: note}})
	look := w.stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << %s >>", w.fontResources()), body)
	return w.add(fmt.Sprintf("<< /Type /Annot /Subtype /FreeText /Rect [72 72 272 92] /F 4 /AP << /N %d 0 R >> >>", look))
}

// file assembles the objects.
func (w *writer) file() []byte {
	trailer := fmt.Sprintf("/Root %d 0 R", w.catalog)
	if w.doc.Title != "" || w.doc.Author != "" || w.doc.Dates != "" {
		n := w.reserve()
		title, author := w.encrypt(n, []byte(w.doc.Title)), w.encrypt(n, []byte(w.doc.Author))
		w.set(n, fmt.Sprintf("<< /Title <%x> /Author <%x>%s >>", title, author, w.doc.Dates))
		trailer += fmt.Sprintf(" /Info %d 0 R", n)
	}
	if w.doc.Encrypt {
		trailer += fmt.Sprintf(" /ID [<%x> <%x>]", fileID, fileID)
		if w.doc.Direct {
			trailer += " /Encrypt " + w.encryption
		} else {
			trailer += fmt.Sprintf(" /Encrypt %d 0 R", w.add(w.encryption))
		}
	}
	return assemble(w.objects, trailer)
}

// Raw assembles a file from the given objects, numbered from 1. The first is the catalog.
func Raw(objects ...string) []byte {
	var list [][]byte
	for _, o := range objects {
		list = append(list, []byte(o))
	}
	return assemble(list, "/Root 1 0 R")
}

// Stream returns the body of a stream object for Raw.
func Stream(entries, data string) string {
	return fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(data), entries, data)
}

func assemble(objects [][]byte, trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, trailer, start)
	return b.Bytes()
}
