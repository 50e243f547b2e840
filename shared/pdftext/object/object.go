// Package object opens a PDF file and hands out its objects. It is the one
// place that knows pdfcpu (but for the widths of the core fonts, package
// font), and the one place for what pdfcpu's low-level reader needs help with:
//
//   - panics on damaged files are turned into errors (open.go),
//   - pages are found by an own walk (pages.go): pdfcpu's trusts /Count,
//   - files without a usable cross-reference table get a new one (rebuild.go),
//   - one object that it can't read is mended or taken out (mend.go): pdfcpu's
//     refuses the whole file,
//   - streams with a corrupt end or a wrong length keep what could be decoded
//     (stream.go),
//   - /Encrypt may be a direct dictionary in the trailer, or lack the length
//     of its key (encrypt.go).
package object

import (
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// The objects of a PDF file. A nil Object is PDF's null.
type (
	Object  = types.Object      // any object
	Dict    = types.Dict        // keys without their slash
	Array   = types.Array       // of objects
	Name    = types.Name        // without its slash
	Integer = types.Integer     // an int
	Ref     = types.IndirectRef // the number and generation of an object elsewhere in the file
	Stream  = types.StreamDict  // a dictionary and the bytes that follow it
)

// maxReferences is how many references to references are followed.
const maxReferences = 8

// File is an open PDF file. It must not be used by two goroutines at once.
type File struct {
	table  *model.XRefTable
	bytes  []byte  // that the table was read from
	layers *Layers // nil until asked for

	inflater inflater
	unfolded int // bytes of streams that were folded suspiciously small
}

// Resolve follows references; nil for what is not there.
func (f *File) Resolve(o Object) Object {
	for range maxReferences {
		if _, ok := o.(Ref); !ok {
			return o
		}
		next, err := f.table.Dereference(o)
		if err != nil {
			return nil
		}
		o = next
	}
	return nil
}

// Dict returns o as a dictionary, that of the stream if it is one; nil for
// anything else. Reading from a nil Dict is fine.
func (f *File) Dict(o Object) Dict {
	switch x := f.Resolve(o).(type) {
	case Dict:
		return x
	case Stream:
		return x.Dict
	}
	return nil
}

// Array returns o as an array, nil for anything else.
func (f *File) Array(o Object) Array {
	a, _ := f.Resolve(o).(Array)
	return a
}

// Name returns o as a name without its slash, "" for anything else.
func (f *File) Name(o Object) string {
	n, _ := f.Resolve(o).(Name)
	return n.Value()
}

// Number returns o as a number; ok is false for anything else.
func (f *File) Number(o Object) (v float64, ok bool) {
	switch x := f.Resolve(o).(type) {
	case types.Integer:
		return float64(x), true
	case types.Float:
		return float64(x), true
	}
	return 0, false
}

// Int returns o as a whole number, 0 for anything else.
func (f *File) Int(o Object) int {
	v, _ := f.Number(o)
	if v < -1<<31 || v > 1<<31-1 {
		return 0
	}
	return int(v)
}

// Numbers returns o as n numbers; ok is false for anything else.
func (f *File) Numbers(o Object, n int) (v []float64, ok bool) {
	a := f.Array(o)
	if len(a) != n {
		return nil, false
	}
	v = make([]float64, n)
	for i, x := range a {
		if v[i], ok = f.Number(x); !ok {
			return nil, false
		}
	}
	return v, true
}

// Text returns o as a text string, "" for anything else.
func (f *File) Text(o Object) string {
	if o == nil {
		return ""
	}
	s, err := f.table.DereferenceText(f.Resolve(o))
	if err != nil {
		return ""
	}
	return s
}
