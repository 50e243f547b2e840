package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func bytesTo(b []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(b); return err }
}

type member struct {
	name string
	b    []byte
	pack bool
}

var members = []member{
	{"mimetype", []byte("application/x-test"), false},
	{"a/text.txt", []byte(strings.Repeat("The quick brown fox. ", 500)), true},
	{"a/é.txt", []byte("one"), true},
	{"zeros", make([]byte, 1<<20), true},
	{"empty", nil, true},
}

func write(t testing.TB, list []member) []byte {
	t.Helper()
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, m := range list {
		info, err := w.Write(m.name, m.pack, bytesTo(m.b))
		if err != nil || info.Size != int64(len(m.b)) {
			t.Fatalf("%s: %v, %v", m.name, info, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func open(b []byte) (*Reader, error) { return NewReader(bytes.NewReader(b), int64(len(b))) }

// Written files must be readable here and by archive/zip, and always have the same bytes.
// Files from archive/zip must be readable, too.
func TestRoundTrip(t *testing.T) {
	b := write(t, members)
	if !bytes.Equal(b, write(t, members)) {
		t.Error("two writers made different bytes")
	}
	theirs, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var other bytes.Buffer
	w := zip.NewWriter(&other)
	for i, f := range theirs.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || f.Name != members[i].name || !bytes.Equal(got, members[i].b) {
			t.Errorf("archive/zip reads %s: %d bytes, %v", f.Name, len(got), err)
		}
		part, err := w.Create(f.Name)
		if err == nil && f.Name != "zeros" { // archive/zip accepts its ratio
			_, err = part.Write(got)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Create("folder/"); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if len(b) > 1<<20+10000 || len(b) < 1<<20 {
		t.Errorf("%d bytes: what packs more than %d times is to be stored, the rest packed", len(b), MaxRatio)
	}
	for _, file := range [][]byte{b, other.Bytes()} {
		r, err := open(file)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range members {
			got, err := whole(r, m.name)
			if err != nil || !bytes.Equal(got, m.b) && m.name != "zeros" {
				t.Errorf("%s: %d bytes, %v", m.name, len(got), err)
			}
			names = append(names, m.name)
		}
		if !slices.Equal(r.Names(), names) {
			t.Errorf("%v", r.Names())
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	for _, name := range []string{"", "/a", "a/", "../a", "a/../b", "a//b", `a\b`, "c:a", "a\x00", "\xff", strings.Repeat("x", maxName+1)} {
		if _, err := NewWriter(io.Discard).Write(name, false, bytesTo(nil)); err == nil {
			t.Errorf("%q is a name", name)
		}
	}
	w := NewWriter(io.Discard)
	if _, err := w.Write("a", false, bytesTo(nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write("A", false, bytesTo(nil)); err == nil {
		t.Error("two members are one on some disks")
	}
	if err := w.Close(); err == nil {
		t.Error("an archive that failed was closed")
	}
	n := 0
	_, err := NewWriter(io.Discard).Write("a", false, func(w io.Writer) error { n++; return bytesTo(make([]byte, n))(w) })
	if err == nil {
		t.Error("what changed between two writes was written")
	}
	full := errors.New("full")
	if _, err := NewWriter(failing{full}).Write("a", true, bytesTo([]byte("x"))); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func whole(r *Reader, name string) ([]byte, error) {
	in, size, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	return Whole(in, size)
}

// all reads every member and returns the first error.
func all(b []byte) error {
	r, err := open(b)
	if err != nil {
		return err
	}
	for _, name := range r.Names() {
		if _, err := whole(r, name); err != nil {
			return err
		}
	}
	return nil
}

// Every false claim must be refused with an error that names it.
func TestReaderRefuses(t *testing.T) {
	le := binary.LittleEndian
	small := []member{{"one.txt", []byte(strings.Repeat("one ", 100)), true}, {"two.txt", []byte("2"), false}}
	good := write(t, small)
	if err := all(good); err != nil {
		t.Fatal(err)
	}
	end := len(good) - endSize
	list := int(le.Uint32(good[end+16:]))
	second := list + centralSize + len("one.txt")
	behind := int(le.Uint32(good[second+42:])) // the second member
	for name, tt := range map[string]struct {
		change func(b []byte) []byte
		want   string
	}{
		"empty":               {func(b []byte) []byte { return nil }, "not a zip"},
		"text":                {func(b []byte) []byte { return []byte(strings.Repeat("no zip file ", 9)) }, "not a zip"},
		"end missing":         {func(b []byte) []byte { return b[:end-1] }, "end is missing"},
		"half":                {func(b []byte) []byte { return b[:len(b)/2] }, "end is missing"},
		"tail cut":            {func(b []byte) []byte { return b[:len(b)-1] }, "end is missing"},
		"bytes before":        {func(b []byte) []byte { return append([]byte("PK\x03\x04junk"), b...) }, "not where it says"},
		"bytes in between":    {func(b []byte) []byte { return slices.Insert(b, list, 'x') }, "not where it says"},
		"zip64":               {func(b []byte) []byte { le.PutUint32(b[end+16:], 1<<32-1); return b }, "zip64"},
		"zip64 count":         {func(b []byte) []byte { le.PutUint32(b[end+8:], 1<<32-1); return b }, "zip64"},
		"zip64 size":          {func(b []byte) []byte { le.PutUint32(b[list+24:], 1<<32-1); return b }, "zip64"},
		"disks":               {func(b []byte) []byte { b[end+4] = 1; return b }, "several disks"},
		"too many":            {func(b []byte) []byte { b[end+8], b[end+10] = 9, 9; return b }, "too short for 9"},
		"too few":             {func(b []byte) []byte { b[end+8], b[end+10] = 1, 1; return b }, "longer than its count"},
		"torn list":           {func(b []byte) []byte { b[list] = 'x'; return b }, "torn"},
		"long name":           {func(b []byte) []byte { b[second+29] = 0xff; return b }, "torn"},
		"invalid member name": {func(b []byte) []byte { copy(b[list+centralSize:], "../evil"); return b }, "invalid member name"},
		"absolute":            {func(b []byte) []byte { copy(b[list+centralSize:], "/et/pwd"); return b }, "invalid member name"},
		"backslash":           {func(b []byte) []byte { copy(b[list+centralSize:], `..\evil`); return b }, "invalid member name"},
		"twice":               {func(b []byte) []byte { copy(b[second+centralSize:], "one.txt"); return b }, "one.txt is listed twice"},
		"case twins":          {func(b []byte) []byte { copy(b[second+centralSize:], "ONE.txt"); return b }, "one name on some disks"},
		"encrypted":           {func(b []byte) []byte { b[list+8] |= 1; return b }, "encrypted"},
		"method":              {func(b []byte) []byte { b[list+10] = 12; return b }, "unknown compression method (12)"},
		"stored sizes":        {func(b []byte) []byte { b[second+24]++; return b }, "two sizes"},
		"bomb":                {func(b []byte) []byte { le.PutUint32(b[list+24:], 1<<30); return b }, "claims to unpack to 1073741824 bytes from"},
		"outside":             {func(b []byte) []byte { le.PutUint32(b[list+42:], 1<<31); return b }, "overruns its place"},
		"packed too long":     {func(b []byte) []byte { le.PutUint32(b[list+20:], uint32(list)); return b }, "overruns its place"},
		"sharing bytes":       {func(b []byte) []byte { le.PutUint32(b[second+42:], 0); return b }, "share bytes"},
		"other name there":    {func(b []byte) []byte { copy(b[localSize:], "own.txt"); return b }, "differs between its place and the list"},
		"other size there":    {func(b []byte) []byte { b[22]++; return b }, "differs between its place and the list"},
		"extra too long":      {func(b []byte) []byte { b[behind+29] = 0xff; return b }, "overruns its place"},
		"larger":              {func(b []byte) []byte { b[list+24]--; b[22]--; return b }, "larger than it says"},
		"smaller":             {func(b []byte) []byte { b[list+24]++; b[22]++; return b }, "ends early"},
		"checksum": {func(b []byte) []byte {
			b[behind+localSize+len("two.txt")]++
			return b
		}, "wrong checksum"},
		"torn member": {func(b []byte) []byte { b[localSize+len("one.txt")] = 0xff; return b }, "cannot be unpacked"},
	} {
		err := all(tt.change(slices.Clone(good)))
		if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotZip) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

func FuzzReader(f *testing.F) {
	good := write(f, members[:3])
	f.Add(good)
	f.Add(good[:len(good)-7])
	f.Add(write(f, nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		err := all(b)
		if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotZip) {
			t.Errorf("%v", err)
		}
	})
}
