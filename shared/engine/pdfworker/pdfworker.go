// Package pdfworker handles messages of the page that need code too large for the engine.
// It reads PDFs, HTML pages and EPUB books, reads and writes bundles, judges answers, and
// processes texts written by models.
package pdfworker

import (
	"context"
	"errors"
	"fmt"
	"time"

	"seam/shared/charset"
	"seam/shared/engine/rpc"
	"seam/shared/pdftext"
	"seam/shared/read"
	"seam/shared/read/epub"
	"seam/shared/read/html"
	"seam/shared/read/pdf"
	"seam/shared/text"
)

// Methods returns the handlers of the PDF worker. now is a monotonic clock. assets returns
// the files described at read.Options.Assets and may take its time; it is nil if the
// program contains them all. tables may be nil, as in charset.Options.
func Methods(now func() time.Duration, assets func(file string) ([]byte, error), tables charset.Tables) map[string]rpc.Handler {
	return map[string]rpc.Handler{
		"extract":  func(_ context.Context, call *rpc.Call) (rpc.Reply, error) { return extract(call, now, assets, tables) },
		"unbundle": func(_ context.Context, call *rpc.Call) (rpc.Reply, error) { return unbundle(call) },
		"attached": attached,
		"bundle":   func(_ context.Context, call *rpc.Call) (rpc.Reply, error) { return write(call) },
		"grid":     grid,
		"judge":    judge,
		"enrich":   enriched,
	}
}

// attached returns the bytes of a file attached to the PDF in blob 0.
func attached(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Name     string `json:"name"`
		Password string `json:"password"`
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	b, err := call.Blob(0)
	if err != nil {
		return rpc.Reply{}, err
	}
	got, err := pdftext.Attached(ctx, b, p.Password, p.Name)
	switch {
	case errors.Is(err, pdftext.ErrPassword):
		return rpc.Reply{}, coded(read.As(read.ErrPassword, err), p.Password != "")
	case err != nil:
		return rpc.Reply{}, &rpc.Error{Code: rpc.Damaged, Message: "this attached file cannot be read", Hint: "Open the PDF in another program and save the file from there."}
	}
	return rpc.Reply{Result: struct {
		Bytes int `json:"bytes"`
	}{len(got)}, Blobs: [][]byte{got}}, nil
}

type result struct {
	Pages        int                `json:"pages"`
	Title        string             `json:"title"`
	Notes        []string           `json:"notes"`
	Milliseconds map[string]float64 `json:"milliseconds"`
}

// maxFile bounds the bytes of a PDF. Its objects take several times as much, in a memory
// limited to 4 GB.
const maxFile = 512 << 20

// formats are the formats that this worker reads.
var formats = read.All().With(pdf.Name, pdf.Read).With(html.Name, html.Read).With(epub.Name, epub.Read)

// reader returns the reader for a file. For a format that this worker does not read, it
// returns the PDF reader.
func reader(name string, b []byte) read.Reader {
	if formats.Recognise(name, b).Read == nil {
		return pdf.Read
	}
	return func(b []byte, o read.Options) (*text.Document, error) { return formats.Read(name, b, o) }
}

func decoder(o charset.Options) func(b []byte) (t string, notes []string, err error) {
	return func(b []byte) (string, []string, error) { return charset.Decode(b, o) }
}

// extract reads a PDF, an HTML page, an EPUB book or a text in any encoding, and returns the
// encoded document.
func extract(call *rpc.Call, now func() time.Duration, assets func(string) ([]byte, error), tables charset.Tables) (rpc.Reply, error) {
	var p struct {
		Name     string `json:"name"`
		Password string `json:"password"`
		Encoding string `json:"encoding"` // of a text; if empty, it is found out
		Any      bool   `json:"any"`      // read a text that looks like no language, too
		Hidden   bool   `json:"hidden"`   // have the text that nobody sees on a page in the reading view
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	b, err := call.Blob(0)
	if err != nil {
		return rpc.Reply{}, err
	}
	if len(b) > maxFile {
		return rpc.Reply{}, &rpc.Error{Code: rpc.TooLarge, Message: fmt.Sprintf("this file is larger than %d MB", maxFile>>20),
			Hint: "Split it, or read it with the command line: seam chunk FILE."}
	}
	start, opened := now(), time.Duration(0)
	doc, err := reader(p.Name, b)(b, read.Options{Password: p.Password, AnyText: p.Any, HiddenText: p.Hidden, Decode: decoder(charset.Options{Name: p.Encoding, Tables: tables}), Assets: awaited(call, assets), Progress: func(done, total int) error {
		if done == 0 {
			opened = now()
		}
		return call.Progress("pages", done, total)
	}})
	if err != nil {
		return rpc.Reply{}, coded(err, p.Password != "")
	}
	doc.Name = p.Name
	end := now()
	r := result{len(doc.Pages), doc.Title, append([]string{}, doc.Notes...), map[string]float64{
		"open": milliseconds(opened - start), "text": milliseconds(end - opened),
	}}
	return rpc.Reply{Result: r, Blobs: [][]byte{text.Encode(doc)}}, nil
}

// awaited returns assets wrapped so that other calls run while it waits.
func awaited(call *rpc.Call, assets func(string) ([]byte, error)) func(string) ([]byte, error) {
	if assets == nil {
		return nil
	}
	return func(file string) (b []byte, err error) {
		err = call.Await(func() (err error) {
			b, err = assets(file)
			return err
		})
		return b, err
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// coded converts an error of a reader to one for the page.
func coded(err error, tried bool) error {
	switch {
	case errors.Is(err, read.ErrPassword) && tried:
		return &rpc.Error{Code: rpc.Password, Message: "this password does not open the file", Hint: "Try another one."}
	case errors.Is(err, read.ErrPassword):
		return &rpc.Error{Code: rpc.Password, Message: "this file is protected by a password", Hint: "Enter it to read the file; it stays in your browser."}
	case errors.Is(err, read.ErrCipher):
		return &rpc.Error{Code: rpc.Damaged, Message: "this PDF is encrypted in a way that no password opens", Hint: "Open it with its certificate in another program, and print it to a PDF."}
	case errors.Is(err, read.ErrOther):
		return &rpc.Error{Code: rpc.NotPDF, Message: "this file is not a PDF, despite its name", Hint: "Open it with the program that made it and save it as a PDF."}
	case errors.Is(err, read.ErrDamaged):
		return &rpc.Error{Code: rpc.Damaged, Message: "this PDF is damaged and cannot be opened", Hint: "Get another copy, or open it in another program and print it to a PDF."}
	case errors.Is(err, epub.ErrBook):
		return &rpc.Error{Code: rpc.Damaged, Message: err.Error(), Hint: "Get a copy without a lock."}
	case errors.Is(err, text.ErrUnclear):
		return &rpc.Error{Code: rpc.Encoding, Message: err.Error(), Hint: "Choose one to read it."}
	case errors.Is(err, read.ErrNoLanguage):
		return &rpc.Error{Code: rpc.NoLanguage, Message: "this file is " + err.Error()}
	case errors.Is(err, text.ErrBinary):
		return &rpc.Error{Code: rpc.NotText, Message: "this file is not a text: it holds binary data", Hint: "Seam reads " + formats.List("and") + "."}
	}
	return err
}
