package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"seam/proxy/command/terminal"
	"seam/shared/charset"
	"seam/shared/read"
	"seam/shared/read/html"
	"seam/shared/read/pdf"
	"seam/shared/text"
)

// refuse returns an error if the beginning of a long file shows that seam cannot read it.
func refuse(name string, head []byte) error {
	format := Formats.Recognise(name, head)
	var err error
	switch {
	case format.Name == read.Bundle: // openFile returns the error
	case format.Read == nil:
		_, err = Formats.Read(name, head, read.Options{})
	case format.Name == pdf.Name:
		if !bytes.Contains(head, []byte("%PDF-")) {
			err = errNotPDF
		}
	case format.Room == read.Engine || format.Name == html.Name:
		if _, _, failed := charset.Decode(head, charset.Options{}); errors.Is(failed, text.ErrBinary) {
			err = fmt.Errorf("%w; seam reads %s", failed, Formats.List("and"))
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", terminal.Shown(name), err)
	}
	return nil
}

var errNotPDF = errors.New("not a PDF: its first MB has no %PDF-")

// refused reports whether a long file is refused, without reading it.
func refused(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() <= terminal.LongFile {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, terminal.HeadOfLong)
	n, _ := io.ReadFull(f, head)
	return refuse(name, head[:n]) != nil
}
