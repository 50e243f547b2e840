// Package object opens a PDF file and provides its objects. Only this package uses pdfcpu,
// except for the widths of the core fonts in package font. It compensates for the limits of
// pdfcpu's low-level reader:
//
//   - panics on damaged files become errors (open.go),
//   - pages are found by a separate walk, because pdfcpu's trusts /Count
//     (pages.go),
//   - files without a usable cross-reference table get a new one (rebuild.go),
//   - single objects that cannot be read are repaired or removed, because
//     pdfcpu refuses the whole file (mend.go),
//   - streams with a corrupt end or a wrong length keep the part that can be
//     decoded (stream.go),
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
	Ref     = types.IndirectRef // number and generation of an object elsewhere in the file
	Stream  = types.StreamDict  // a dictionary and the bytes that follow it
)

// maxReferences is the maximum length of a chain of references.
const maxReferences = 8

// File is an open PDF file. It must not be used concurrently.
type File struct {
	table  *model.XRefTable
	bytes  []byte  // the bytes from which the table was read
	layers *Layers // nil until it is needed
	// attachedLocked is set if only attached files are encrypted.
	attachedLocked bool
	// Lost is the number of entries of the page tree that Pages could not read.
	Lost int

	inflater inflater
	unfolded int // bytes of streams with a suspicious compression ratio
}

// Resolve follows references. It returns nil for a missing object.
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

// Dict returns o as a dictionary, or the dictionary of a stream. It returns nil for
// anything else. Reading from a nil Dict is allowed.
func (f *File) Dict(o Object) Dict {
	switch x := f.Resolve(o).(type) {
	case Dict:
		return x
	case Stream:
		return x.Dict
	}
	return nil
}

// Array returns o as an array, or nil for anything else.
func (f *File) Array(o Object) Array {
	a, _ := f.Resolve(o).(Array)
	return a
}

// Name returns o as a name without its slash, or "" for anything else.
func (f *File) Name(o Object) string {
	n, _ := f.Resolve(o).(Name)
	return n.Value()
}

// Number returns o as a number. ok is false for anything else.
func (f *File) Number(o Object) (v float64, ok bool) {
	switch x := f.Resolve(o).(type) {
	case types.Integer:
		return float64(x), true
	case types.Float:
		return float64(x), true
	}
	return 0, false
}

// Int returns o as a whole number, or 0 for anything else.
func (f *File) Int(o Object) int {
	v, _ := f.Number(o)
	if v < -1<<31 || v > 1<<31-1 {
		return 0
	}
	return int(v)
}

// Numbers returns o as n numbers. ok is false for anything else.
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

// Text returns o as a text string, or "" for anything else.
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
