package epub

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"seam/shared/read"
	"seam/shared/text"
)

const container = `<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`

// opf returns a package document with one page for each of the spine lines.
func opf(metadata, manifest string, spine ...string) string {
	return `<?xml version="1.0" encoding="utf-8"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">` + metadata +
		`</metadata><manifest>` + manifest + `</manifest><spine>` + strings.Join(spine, "") + `</spine></package>`
}

func page(body string) string {
	return `<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><style type="text/css"/></head><body>` + body + `</body></html>`
}

// mill is a book of five pages. One page is outside the reading order and one is the table
// of contents.
func mill() map[string]string {
	return map[string]string{
		"mimetype":               "application/epub+zip",
		"META-INF/container.xml": container,
		"OEBPS/book.opf": opf(`<dc:title>The  Mill</dc:title><dc:title>A subtitle</dc:title><dc:creator>Ada Reed</dc:creator><dc:creator>Bo Lind</dc:creator><dc:language>en-GB</dc:language>`,
			`<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="a" href="text/part%20one.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="text/two.xhtml" media-type="application/xhtml+xml"/><item id="n" href="notes.xhtml" media-type="application/xhtml+xml"/><item id="p" href="p.png" media-type="image/png"/>
<item id="c" href="../last.html#top" media-type="text/html"/><item id="gone" href="gone.xhtml" media-type="application/xhtml+xml"/>`,
			`<itemref idref="nav"/>`, `<itemref idref="a"/>`, `<itemref idref="b"/>`, `<itemref idref="gone"/>`, `<itemref idref="n" linear="no"/>`, `<itemref idref="p"/>`, `<itemref idref="c"/>`, `<itemref idref="a"/>`),
		"OEBPS/nav.xhtml":           page(`<nav><ol><li>The contents</li></ol></nav><p>Contents</p>`),
		"OEBPS/text/part one.xhtml": page(`<h1>The river</h1><p>It turns the <em>wheel</em>.</p>`),
		"OEBPS/text/two.xhtml":      page(`<h2>Höhe</h2><ul><li>low</li><li>high</li></ul>`),
		"OEBPS/notes.xhtml":         page(`<p>A note.</p>`),
		"last.html":                 page(`<h1>The end</h1><p>It <a href="https://example.org/">stops</a>.</p>`),
	}
}

// packed returns a zip file with these members, in order of their names.
func packed(t testing.TB, members map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var names []string
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(members[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRead(t *testing.T) {
	done := []int{}
	d, err := Read(packed(t, mill()), read.Options{Progress: func(n, total int) error {
		done = append(done, n, total)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	all := d.View(text.Reading).Text
	if want := "The river\n\nIt turns the wheel.\n\nHöhe\n\n• low\n• high\n\nThe end\n\nIt stops."; all != want {
		t.Fatalf("%q, want %q", all, want)
	}
	if d.Title != "The Mill" || d.Author != "Ada Reed, Bo Lind" || d.Language != "en-GB" {
		t.Errorf("%q by %q in %q", d.Title, d.Author, d.Language)
	}
	var sections []string
	for _, s := range d.Sections {
		sections = append(sections, fmt.Sprintf("%d %s: %q", s.Level, s.Title, s.Of(all)))
	}
	if want := []string{`1 The river: "The river\n\nIt turns the wheel.\n\nHöhe\n\n• low\n• high\n\n"`, `2 Höhe: "Höhe\n\n• low\n• high\n\n"`, `1 The end: "The end\n\nIt stops."`}; !slices.Equal(sections, want) {
		t.Errorf("%q, want %q", sections, want)
	}
	var elements []string
	for _, e := range d.Elements {
		elements = append(elements, e.Of(all))
	}
	if want := []string{"wheel", "• low\n• high", "• low", "• high"}; !slices.Equal(elements, want) || text.CheckElements(all, d.Elements) != nil {
		t.Errorf("%q, want %q", elements, want)
	}
	if len(d.Links) != 1 || d.Links[0].URL != "https://example.org/" || d.Links[0].Of(all) != "stops" {
		t.Errorf("links %+v", d.Links)
	}
	if want := []int{0, 4, 1, 4, 2, 4, 3, 4, 4, 4}; !slices.Equal(done, want) {
		t.Errorf("progress %v, want %v", done, want)
	}
}

// Links between chapters have the place of their target. Those to pages that are not read
// have none.
func TestLinksWithin(t *testing.T) {
	m := mill()
	m["last.html"] = page(`<p><a href="OEBPS/text/two.xhtml#h">one</a> <a href="OEBPS/text/part%20one.xhtml">two</a> <a href="OEBPS/text/two.xhtml#none">three</a> <a href="#here">four</a> <a href="gone.html">five</a> <a href="https://e.org/#here">six</a></p><p id="here">Here.</p>`)
	m["OEBPS/text/two.xhtml"] = page(`<p>Water.</p><h2 id="h">Höhe</h2><p>Falls.</p>`)
	d, err := Read(packed(t, m), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := d.View(text.Reading).Text
	var got []string
	for _, l := range d.Links {
		got = append(got, fmt.Sprintf("%s %.5q", l.Of(all), all[l.To:]))
	}
	if want := []string{`one "Höhe\n"`, `two "he ri"`, `three "Water"`, `four "Here."`, `five "The r"`, `six "The r"`}; !slices.Equal(got, want) || text.CheckLinks(all, 1, d.Links) != nil {
		t.Errorf("%q, not %q", got, want)
	}
}

func TestOtherBooks(t *testing.T) {
	for name, c := range map[string]struct {
		change func(m map[string]string)
		want   string // part of the text, or of the error
		err    error
	}{
		"all pages are aside": {func(m map[string]string) {
			m["OEBPS/book.opf"] = opf("", `<item id="n" href="notes.xhtml" media-type="application/xhtml+xml"/>`, `<itemref idref="n" linear="no"/>`)
		}, "A note.", nil},
		"a package with a prefix": {func(m map[string]string) {
			m["OEBPS/book.opf"] = strings.NewReplacer("<item ", "<opf:item ", "<itemref ", "<opf:itemref ", "<package xmlns=", "<package xmlns:opf=").Replace(m["OEBPS/book.opf"])
		}, "The river", nil},
		"a package that breaks off": {func(m map[string]string) {
			m["OEBPS/book.opf"] = strings.TrimSuffix(m["OEBPS/book.opf"], "</spine></package>")
		}, "The river", nil},
		"fonts that are enciphered": {func(m map[string]string) {
			m["META-INF/encryption.xml"] = `<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/font.otf"/></CipherData></EncryptedData></encryption>`
		}, "The river", nil},
		"pages that are, all": {func(m map[string]string) {
			m["META-INF/encryption.xml"] = `<encryption><EncryptedData><CipherReference URI="OEBPS/text/two.xhtml"/><CipherReference URI="OEBPS/text/part%20one.xhtml"/><CipherReference URI="last.html"/></EncryptedData></encryption>`
		}, "its shop has locked it (DRM)", ErrBook},
		"a page whose name is no address": {func(m map[string]string) {
			m["OEBPS/book.opf"] = strings.Replace(m["OEBPS/book.opf"], "text/two.xhtml", "Part 2: 100%.xhtml", 1)
			m["OEBPS/Part 2: 100%.xhtml"] = page("<p>In full.</p>")
		}, "In full.", nil},
		"a page that is none": {func(m map[string]string) { m["OEBPS/text/two.xhtml"] = "\x00\x01" }, "wheel.\n\nThe end", nil},
		"no container":        {func(m map[string]string) { delete(m, "META-INF/container.xml") }, "no list of its pages", ErrBook},
		"a container of none": {func(m map[string]string) { m["META-INF/container.xml"] = "<container/>" }, "no list of its pages", ErrBook},
		"a package elsewhere": {func(m map[string]string) {
			m["META-INF/container.xml"] = strings.Replace(container, "OEBPS/book.opf", "https://example.org/book.opf", 1)
		}, "no list of its pages", ErrBook},
		"a page of blanks": {func(m map[string]string) { m["last.html"] = strings.Repeat(" ", maxPage+1) }, "larger than 256 MB", ErrBook},
	} {
		m := mill()
		c.change(m)
		d, err := Read(packed(t, m), read.Options{})
		if c.err != nil {
			if !errors.Is(err, c.err) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !strings.Contains(d.View(text.Reading).Text, c.want) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	if _, err := Read([]byte("PK\x03\x04"), read.Options{}); !errors.Is(err, ErrBook) {
		t.Errorf("no zip file: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(packed(t, mill()), read.Options{Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// lost returns the zip file of a book with the page damaged or locked in the zip file itself.
func lost(t *testing.T, m map[string]string, page string, how func(f *zip.FileHeader, b []byte)) []byte {
	t.Helper()
	b := packed(t, m)
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		in, err := f.OpenRaw()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if f.Name == page {
			how(&f.FileHeader, raw)
		}
		to, err := w.CreateRaw(&f.FileHeader)
		if err == nil {
			_, err = to.Write(raw)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A page that is left out is named, and the other pages are read.
func TestPagesLeftOut(t *testing.T) {
	const two, gone = "OEBPS/text/two.xhtml", `missing from the book: "OEBPS/gone.xhtml"`
	enciphered := func(page string) string {
		return `<encryption><EncryptedData><CipherData><CipherReference URI="` + page + `"/></CipherData></EncryptedData></encryption>`
	}
	nothing := func(*zip.FileHeader, []byte) {}
	for name, c := range map[string]struct {
		change func(m map[string]string)
		how    func(f *zip.FileHeader, b []byte)
		want   string
	}{
		"checksum":    {nil, func(f *zip.FileHeader, _ []byte) { f.CRC32++ }, `left out as damaged: "OEBPS/text/two.xhtml"`},
		"data":        {nil, func(_ *zip.FileHeader, b []byte) { clear(b); b[0] = 7 }, `left out as damaged: "OEBPS/text/two.xhtml"`},
		"compression": {nil, func(f *zip.FileHeader, _ []byte) { f.Method = 99 }, `left out as damaged: "OEBPS/text/two.xhtml"`},
		"binary":      {func(m map[string]string) { m[two] = "\x00\x01" }, nothing, `left out as damaged: "OEBPS/text/two.xhtml"`},
		"flag":        {nil, func(f *zip.FileHeader, _ []byte) { f.Flags |= 1 }, `left out as encrypted: "OEBPS/text/two.xhtml"`},
		"list":        {func(m map[string]string) { m["META-INF/encryption.xml"] = enciphered(two) }, nothing, `left out as encrypted: "OEBPS/text/two.xhtml"`},
		"name": {func(m map[string]string) {
			m["OEBPS/book.opf"] = strings.Replace(m["OEBPS/book.opf"], "text/two.xhtml", "100%.xhtml", 1)
			m["OEBPS/100%.xhtml"], m["META-INF/encryption.xml"] = page("Höhe"), enciphered("OEBPS/100%.xhtml")
		}, nothing, `left out as encrypted: "OEBPS/100%.xhtml"`},
	} {
		m := mill()
		if c.change != nil {
			c.change(m)
		}
		d, err := Read(lost(t, m, two, c.how), read.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		all := d.View(text.Reading).Text
		want := []string{c.want, gone}
		if !strings.Contains(all, "The river") || !strings.Contains(all, "It stops.") || strings.Contains(all, "Höhe") || !slices.Equal(d.Notes, want) {
			t.Errorf("%s: %q, notes %q, want %q", name, all, d.Notes, want)
		}
	}
	r := reader{}
	r.lost[missing] = slices.Repeat([]string{"a\n"}, 40)
	if got, want := r.notes(), "missing from the book: "+strings.Repeat(`"a\n", `, mostNames)+"… (40)"; len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Many pages with an element each must not exceed the number of elements allowed in a
// document.
func TestElementsOfManyPages(t *testing.T) {
	m := map[string]string{"META-INF/container.xml": container}
	var manifest strings.Builder
	var spine []string
	for i := range 400 {
		fmt.Fprintf(&manifest, `<item id="i%d" href="%d.html" media-type="text/html"/>`, i, i)
		spine = append(spine, fmt.Sprintf(`<itemref idref="i%d"/>`, i))
		m[fmt.Sprintf("OEBPS/%d.html", i)] = strings.Repeat("<ul><li>", 30) + "a"
	}
	m["OEBPS/book.opf"] = opf("", manifest.String(), spine...)
	d, err := Read(packed(t, m), read.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := text.CheckElements(d.View(text.Reading).Text, d.Elements); err != nil {
		t.Errorf("%d elements: %v", len(d.Elements), err)
	}
}

// FuzzRead checks that sections and elements lie within the text for any lists and pages.
func FuzzRead(f *testing.F) {
	m := mill()
	f.Add(m["META-INF/container.xml"], m["OEBPS/book.opf"], m["last.html"])
	f.Add(container, opf("", `<item id="a" href="../../../last.html" media-type="text/html"/>`, `<itemref idref="a"/>`), "<h3>x<h1>y")
	f.Fuzz(func(t *testing.T, container, list, body string) {
		m := mill()
		m["META-INF/container.xml"], m["OEBPS/book.opf"], m["last.html"] = container, list, body
		d, err := Read(packed(t, m), read.Options{})
		if err != nil {
			return
		}
		all := d.View(text.Reading).Text
		last := 0
		for _, s := range d.Sections {
			if s.Start < last || s.End > len(all) || s.End < s.Start || s.Level < 1 {
				t.Fatalf("section %+v of %q", s, all)
			}
			last = s.Start
		}
		if err := text.CheckElements(all, d.Elements); err != nil {
			t.Fatal(err)
		}
	})
}

func ExampleRead() {
	var t testing.T
	d, _ := Read(packed(&t, mill()), read.Options{})
	fmt.Println(d.Title, "by", d.Author)
	// Output:
	// The Mill by Ada Reed, Bo Lind
}
