package object

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
)

var (
	// ErrNotPDF reports bytes that are not a PDF file.
	ErrNotPDF = errors.New("not a pdf file")
	// ErrDamaged reports a PDF file that could not be opened.
	ErrDamaged = errors.New("pdf file is damaged")
	// ErrPassword reports an encrypted PDF file. The password is missing or wrong.
	ErrPassword = errors.New("pdf file is encrypted")
	// ErrCipher reports a PDF file that no password opens, because it is encrypted for the
	// holders of certificates or by an unknown method.
	ErrCipher = errors.New("pdf file is encrypted in a way that no password opens, such as for a certificate")
)

// Limits of one file, far above any honest document.
const (
	maxDecode  = 48 << 20  // bytes of one decoded stream
	maxEncoded = 256 << 20 // bytes of one encoded stream
	maxObjects = 2 << 20
	maxHeader  = 1024 // where the header may begin, as in other readers
)

// disable keeps pdfcpu from looking for its configuration in the file system, which a
// browser does not have. The path is a global variable of pdfcpu.
var disable = sync.OnceFunc(func() { model.ConfigPath = "disable" })

// Open opens the PDF file b. password is the user's or the owner's. A file that opens
// without a password opens with any. If ctx ends, the error is its error.
func Open(ctx context.Context, b []byte, password string) (*File, error) {
	f, err := open(ctx, b, password)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return f, err
}

func open(ctx context.Context, b []byte, password string) (*File, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("%w: no bytes", ErrNotPDF)
	}
	if !bytes.Contains(b[:min(len(b), maxHeader)], []byte("%PDF")) && !bytes.Contains(b, []byte(" obj")) {
		return nil, fmt.Errorf("%w: no header %%PDF", ErrNotPDF)
	}
	disable()
	b = indirectEncrypt(b)
	f, b, err := readMended(ctx, b, password)
	if err == nil && !f.hasPages() || err != nil && !errors.Is(err, pdfcpu.ErrWrongPassword) {
		if again, e := reread(ctx, b, password); e == nil {
			return again, nil
		}
	}
	if password != "" && errors.Is(err, pdfcpu.ErrWrongPassword) {
		if empty, e := read(ctx, b, ""); e == nil {
			return empty, nil
		}
	}
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, pdfcpu.ErrWrongPassword) && password == "":
		return nil, fmt.Errorf("%w: the password is missing", ErrPassword)
	case errors.Is(err, pdfcpu.ErrWrongPassword):
		return nil, fmt.Errorf("%w: the password is wrong", ErrPassword)
	case errors.Is(err, pdfcpu.ErrUnsupportedEncryptionFeature):
		return nil, ErrCipher
	}
	return nil, fmt.Errorf("%w: %s", ErrDamaged, oneLine(err))
}

// readMended is read, with a second attempt after a repair if one is possible. It returns
// the bytes that were read last.
func readMended(ctx context.Context, b []byte, password string) (*File, []byte, error) {
	f, err := read(ctx, b, password)
	if err != nil {
		if plain, ok := plainEncryption(b); ok {
			b = plain
			if f, err = read(ctx, b, password); err == nil {
				f.attachedLocked = true
			}
		}
	}
	if err != nil && !errors.Is(err, pdfcpu.ErrWrongPassword) {
		f, err = mend(ctx, b, password, err)
	}
	return f, b, err
}

// read opens b with pdfcpu.
func read(ctx context.Context, b []byte, password string) (f *File, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("reader gave up: %v", r)
		}
	}()
	conf := model.NewDefaultConfiguration()
	conf.UserPW, conf.OwnerPW = password, password
	conf.ValidationMode = model.ValidationRelaxed
	conf.Limits.MaxDecodeBytes = maxDecode
	conf.Limits.MaxStreamBytes = maxEncoded
	conf.Limits.MaxObjectCount = maxObjects
	conf.Limits.MaxXRefEntries = maxObjects
	table, err := pdfcpu.ReadWithContext(ctx, bytes.NewReader(b), conf)
	if err != nil {
		return nil, err
	}
	return &File{table: table.XRefTable, bytes: b}, nil
}

// reread opens b with a rebuilt cross-reference table.
func reread(ctx context.Context, b []byte, password string) (*File, error) {
	b, ok := rebuild(b)
	if !ok {
		return nil, ErrDamaged
	}
	f, _, err := readMended(ctx, b, password)
	if err == nil && !f.hasPages() {
		err = ErrDamaged
	}
	return f, err
}

// oneLine returns the text of err on one line.
func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}
