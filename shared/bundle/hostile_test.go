package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/bundle/archive"
	"seam/shared/pipeline"
)

// unpacked holds the members of a bundle in order.
type unpacked struct {
	names []string
	b     map[string][]byte
}

func unpack(t testing.TB, b []byte) unpacked {
	t.Helper()
	r, err := archive.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	u := unpacked{r.Names(), map[string][]byte{}}
	for _, name := range u.names {
		in, size, err := r.Open(name)
		if err == nil {
			u.b[name], err = archive.Whole(in, size)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return u
}

// pack makes a bundle of members with a correct manifest, so that only their contents are
// wrong. honest leaves the manifest unchanged.
func (u unpacked) pack(t testing.TB, honest bool) []byte {
	t.Helper()
	var m Manifest
	if !honest && json.Unmarshal(u.b[manifestName], &m) == nil && m.Version == Version {
		m.Members = nil
		for _, name := range u.names {
			if name != manifestName {
				sum := sha256.Sum256(u.b[name])
				m.Members = append(m.Members, Member{name, int64(len(u.b[name])), hex.EncodeToString(sum[:])})
			}
		}
		var err error
		if u.b[manifestName], err = marshal(m); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	w := archive.NewWriter(&out)
	for _, name := range u.names {
		if _, err := w.Write(name, true, stringTo(string(u.b[name]))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// replace changes a part of a member, which must exist.
func replace(t testing.TB, name, old, changed string) func(u unpacked) unpacked {
	return func(u unpacked) unpacked {
		t.Helper()
		if !strings.Contains(string(u.b[name]), old) {
			t.Fatalf("%s has no %q: %.300s", name, old, u.b[name])
		}
		u.b[name] = []byte(strings.Replace(string(u.b[name]), old, changed, 1))
		return u
	}
}

func without(name string) func(u unpacked) unpacked {
	return func(u unpacked) unpacked {
		u.names = slices.DeleteFunc(u.names, func(n string) bool { return n == name })
		delete(u.b, name)
		return u
	}
}

// ints replaces a member by a matrix of numbers.
func ints(name string, dim int, data ...int32) func(u unpacked) unpacked {
	return func(u unpacked) unpacked {
		var out bytes.Buffer
		_ = array[int32]{len(data) / dim, dim, func(i int, to []int32) { copy(to, data[i*dim:]) }}.write(&out)
		u.b[name] = out.Bytes()
		return u
	}
}

// counted returns n/2 consecutive one-character spans.
func counted(n int32) (flat []int32) {
	for i := range n {
		flat = append(flat, (i+1)/2)
	}
	return flat
}

// last sets the last bytes of a member.
func last(name string, b ...byte) func(u unpacked) unpacked {
	return func(u unpacked) unpacked {
		copy(u.b[name][len(u.b[name])-len(b):], b)
		return u
	}
}

// Every impossible claim in a bundle must be refused with one sentence that names the
// place.
func TestReaderRefuses(t *testing.T) {
	good := write(t, false, items(t, pipeline.Settings{Method: "percentile"}))
	const one, two = "documents/1/", "documents/2/"
	for name, tt := range map[string]struct {
		change func(u unpacked) unpacked
		honest bool
		want   string
		is     error
	}{
		"no manifest":        {without(manifestName), true, "no seam.json", ErrNot},
		"another format":     {replace(t, manifestName, `"seam"`, `"epub"`), true, "names no format", ErrNot},
		"no version":         {replace(t, manifestName, `"version":1`, `"version":0`), true, "names no format", ErrNot},
		"newer":              {replace(t, manifestName, `"version":1`, `"version":2`), true, "version 2, but this Seam reads version 1; update Seam", ErrNewer},
		"newer, other shape": {replace(t, manifestName, `"version":1,"documents":[`, `"version":9,"documents":7,"x":[`), true, "version 9", ErrNewer},
		"no documents":       {replace(t, manifestName, `"documents":[`, `"documents":7,"x":[`), true, "seam.json", ErrDamaged},
		"digest":             {replace(t, one+pagesName, "t", "T"), true, "documents/1/pages.txt does not match its manifest", ErrDamaged},
		"size":               {replace(t, one+pagesName, "t", "tt"), true, "its manifest says", ErrDamaged},
		"member missing":     {without(one + wordsName), true, "words.npy is missing", ErrDamaged},
		"member twice":       {replace(t, manifestName, `{"name":"documents/1/pages.txt"`, `{"name":"documents/1/document.json"`), true, "document.json twice", ErrDamaged},
		"record missing":     {without(two + recordName), false, `"folder/document 1" is missing`, ErrDamaged},
		"folder twice":       {replace(t, manifestName, `{"folder":"documents/2"`, `{"folder":"documents/1"`), false, "listed twice", ErrDamaged},
		"other name":         {replace(t, one+recordName, "document 0", "document 7"), false, `"folder/document 0" in its manifest`, ErrDamaged},
		"no JSON":            {replace(t, one+recordName, `{`, `[`), false, "document.json: ", ErrDamaged},
		"empty records": {func(u unpacked) unpacked {
			u.b[one+recordName] = []byte(`{"pages":[` + strings.Repeat("{},", 99) + `{}]}`)
			return u
		}, false, "empty records", ErrDamaged},
		"no UTF-8":             {replace(t, one+pagesName, "W", "\xff"), false, "pages.txt is not UTF-8", ErrDamaged},
		"page outside":         {replace(t, one+recordName, `"start":0,"end":`, `"start":0,"end":9`), false, "page 1: bytes 0 to", ErrDamaged},
		"page before":          {replace(t, one+recordName, `"start":0,"end":`, `"start":-1,"end":`), false, "page 1: bytes -1 to", ErrDamaged},
		"pages of a text":      {replace(t, two+pagesName, "\f", " "), false, "2 pages of a text of 1", ErrDamaged},
		"outline":              {replace(t, one+recordName, `"page":-1`, `"page":99`), false, "outline 1 leads to no page", ErrDamaged},
		"section outside":      {replace(t, two+recordName, `"level":1,"start":`, `"level":1,"start":99`), false, "section 0 of level 1: bytes", ErrDamaged},
		"section level":        {replace(t, two+recordName, `"level":1,"start":`, `"level":-1,"start":`), false, "of level -1", ErrDamaged},
		"run outside":          {ints(one+runsName, 4, 0, 0, 0, 1<<30), false, "reading.npy: run 0 covers", ErrDamaged},
		"run of no page":       {ints(one+runsName, 4, 0, 77, 0, 1), false, "run 0 is on page index 77", ErrDamaged},
		"run of negatives":     {ints(one+runsName, 4, -5, 0, -5, 1), false, "reading.npy: run 0", ErrDamaged},
		"other reading text":   {replace(t, one+readingName, "a", "b"), false, "differs from the text of page", ErrDamaged},
		"other content text":   {replace(t, one+contentName, "a", "b"), false, "content.txt is not the text of the pages", ErrDamaged},
		"word outside":         {ints(one+wordsName, 3, 0, 0, 1<<30), false, "boxes for 1 words", ErrDamaged},
		"three columns":        {ints(one+sentencesName, 3, 0, 1, 2), false, "its numbers are <i4 [1 3]", ErrDamaged},
		"sentence outside":     {last(one+sentencesName, 0xff, 0xff, 0xff, 0x7f), false, "sentences.npy: bytes", ErrDamaged},
		"sentence backwards":   {last(one+sentencesName, 0, 0, 0, 0), false, "sentences.npy: bytes", ErrDamaged},
		"sentences overlap":    {ints(two+sentencesName, 2, 0, 9, 5, 20), false, "it begins at 5, before 9", ErrDamaged},
		"cut character":        {ints(two+sentencesName, 2, 0, int32(strings.Index(markdown, "–")+1)), false, "cut a character", ErrDamaged},
		"fewer sentences":      {ints(two+sentencesName, 2, 0, 9), false, "vectors.npy is 13440 bytes, and the limit is 5120", ErrDamaged},
		"more sentences":       {ints(two+sentencesName, 2, counted(28)...), false, "13 vectors for 14 sentences", ErrDamaged},
		"more words than text": {ints(one+wordsName, 3, make([]int32, 30000)...), false, "words.npy is 120128 bytes, and", ErrDamaged},
		"many dimensions":      {replace(t, one+chunkingName, `"dimensions":256`, `"dimensions":99999`), false, "vectors of 99999 numbers", ErrDamaged},
		"NaN":                  {last(one+vectorsName, 0, 0, 0xc0, 0x7f), false, "holds NaN or an infinity", ErrDamaged},
		"infinity":             {last(two+vectorsName, 0, 0, 0x80, 0x7f), false, "holds NaN or an infinity", ErrDamaged},
		"NaN of a box":         {last(one+boxesName, 0, 0, 0xc0, 0x7f), false, "boxes.npy: row", ErrDamaged},
		"no array":             {replace(t, one+vectorsName, "NUMPY", "NUMBY"), false, "vectors.npy: the file is damaged: not a .npy", ErrDamaged},
		"absurd shape":         {replace(t, one+vectorsName, "'shape': (", "'shape': (99"), false, "do not make its", ErrDamaged},
		"shape of products":    {replace(t, one+vectorsName, "'shape': (", "'shape': (2, "), false, "its numbers are <f4 [2 ", ErrDamaged},
		"shape that overflows": {replace(t, one+vectorsName, "'shape': (", "'shape': (9223372036854775807, "), false, "its shape is", ErrDamaged},
		"doubles":              {replace(t, one+vectorsName, "<f4", "<f8"), false, "its numbers are <f8", ErrDamaged},
		"Fortran":              {replace(t, one+vectorsName, "False", "True "), false, "Fortran", ErrDamaged},
		"torn array":           {func(u unpacked) unpacked { u.b[one+vectorsName] = u.b[one+vectorsName][:9]; return u }, false, "vectors.npy: the file is damaged", ErrDamaged},
		"no vectors":           {without(one + vectorsName), false, "vectors of 256 numbers are missing", ErrDamaged},
		"another view":         {replace(t, one+chunkingName, `"view":"reading"`, `"view":"margins"`), false, `unknown text "margins"`, ErrDamaged},
		"another rule":         {replace(t, one+chunkingName, `"sentences":"sentences"`, `"sentences":"haikus"`), false, `rule "haikus"`, ErrDamaged},
		"chunk outside":        {replace(t, two+chunkingName, `"start":0,"end":`, `"start":0,"end":99`), false, "chunk 0: bytes", ErrDamaged},
		"step outside":         {replace(t, one+logName, `"action":"merge","at":`, `"action":"merge","at":-`), false, "the changes by hand belong to another text", ErrDamaged},
		"edit outside":         {replace(t, one+editsName, `"at":`, `"at":99`), false, "the changes by hand belong to another text", ErrDamaged},
	} {
		err := func() error {
			_, err := readAll(tt.change(unpack(t, good)).pack(t, tt.honest))
			return err
		}()
		if err == nil || !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// Unknown members and unknown fields of records must be ignored.
func TestUnknownPartsAreLeftAlone(t *testing.T) {
	want := items(t, pipeline.Settings{})
	u := unpack(t, write(t, false, want))
	u.names = append(u.names, "index/words.bin", "questions.json")
	u.b["index/words.bin"], u.b["questions.json"] = []byte{1, 2, 3}, []byte("{")
	u = replace(t, "documents/1/document.json", `{"name"`, `{"colour":"blue","name"`)(u)
	for _, honest := range []bool{true, false} {
		if honest { // a member that is not in the manifest
			u = replace(t, "documents/1/document.json", `"colour":"blue",`, "")(u)
		}
		got, err := readAll(u.pack(t, honest))
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) || len(got[0].Sentences) != len(want[0].Sentences) {
			t.Errorf("%d documents", len(got))
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	it := items(t, pipeline.Settings{})[1]
	full := errors.New("the disk is full")
	w, err := NewWriter(&limited{n: 3000, err: full})
	for err == nil {
		err = w.Add(it)
	}
	if !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
	if err := w.Close(); err == nil {
		t.Error("it was closed all the same")
	}
	w, err = NewWriter(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	it.Vectors.Data[3] = float32(nan())
	if err := w.Add(it); err == nil || !strings.Contains(err.Error(), "folder/document 1 cannot be stored: row 0 holds NaN") {
		t.Errorf("%v", err)
	}
	it.Vectors.Data[3] = 0
	it.Sentences = it.Sentences[1:]
	if err := w.Add(it); err == nil || !strings.Contains(err.Error(), "vectors of 256 numbers for") {
		t.Errorf("%v", err)
	}
}

func nan() float64 { zero := 0.0; return zero / zero }

// limited accepts n bytes.
type limited struct {
	n   int
	err error
}

func (l *limited) Write(b []byte) (int, error) {
	if l.n -= len(b); l.n < 0 {
		return 0, l.err
	}
	return len(b), nil
}

// FuzzOpen starts with the fixtures and their members. It fuzzes a whole file, and one of
// the members of a good file.
func FuzzOpen(f *testing.F) {
	names, err := filepath.Glob(filepath.Join("testdata", "v1", "*.seam"))
	if err != nil || len(names) == 0 {
		f.Fatal("no fixtures")
	}
	var whole unpacked
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, -1)
		f.Add(b[:len(b)*2/3], -1)
		if filepath.Base(name) == "semantic.seam" {
			whole = unpack(f, b)
			for i, member := range whole.names {
				f.Add(whole.b[member], i)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b []byte, at int) {
		if at >= 0 {
			u := unpacked{whole.names, map[string][]byte{}}
			for i, name := range whole.names {
				u.b[name] = whole.b[name]
				if i == at%len(whole.names) {
					u.b[name] = b
				}
			}
			b = u.pack(t, false)
		}
		all, err := readAll(b)
		if err != nil {
			if !errors.Is(err, ErrNot) && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewer) {
				t.Errorf("%v", err)
			}
			return
		}
		again, err := readAll(write(t, false, all))
		if err != nil || len(again) != len(all) {
			t.Errorf("written again it is refused: %v", err)
		}
		for _, it := range again {
			_ = it.Texts()
		}
	})
}
