package kept

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/pipeline"
	"seam/shared/text"
	"seam/shared/vector"
)

const body = "One is here. Two is ü. Three."

func sample() (*text.Document, *Vectors) {
	d := text.NewPlain(body)
	d.Name, d.Notes, d.Meta = "a.md", []string{"a note"}, map[string][]string{"author": {"Ada"}}
	return d, &Vectors{Model: "static:1", View: text.Reading, Sentences: []text.Span{{Start: 0, End: 12}, {Start: 13, End: 23}, {Start: 24, End: 30}},
		Matrix: vector.Matrix{Rows: 3, Dim: 2, Data: []float32{1, 0, .5, -.25, 0, 1}}}
}

func sampleSeen() *pipeline.Seen {
	_, v := sample()
	return &pipeline.Seen{Version: 7, View: v.View, Rule: chunk.Sentenced, Sentences: v.Sentences, Embedder: v.Model,
		Method: "semantic", Numbers: []float64{-.75, 2.0 / 3}, Unit: "words", Lengths: []int{0, 3, 6, 7}}
}

func TestWhatIsKeptComesBack(t *testing.T) {
	d, v := sample()
	if s, err := ReadSeen(Seen(sampleSeen(), d), d); err != nil || !reflect.DeepEqual(s, sampleSeen()) {
		t.Errorf("%v: %+v", err, s)
	}
	got, err := ReadDocument(Document(d))
	if err != nil || !bytes.Equal(text.Encode(got), text.Encode(d)) {
		t.Fatalf("%v: %+v", err, got)
	}
	again, err := ReadVectors(v.Encode(d), got)
	if err != nil || !reflect.DeepEqual(again, v) {
		t.Fatalf("%v: %+v", err, again)
	}
	if texts := again.Texts(got); !reflect.DeepEqual(texts, []string{"One is here.", "Two is ü.", "Three."}) {
		t.Errorf("%q", texts)
	}
}

// Version 1 is frozen. Never regenerate its files.
func TestEveryVersionIsRead(t *testing.T) {
	want, v := sample()
	for version := 1; version <= 1; version++ {
		files := map[string][]byte{}
		for _, name := range []string{"document", "vectors", "seen"} {
			b, err := os.ReadFile(filepath.Join("testdata", "v1-"+name))
			if err != nil {
				t.Fatal(err)
			}
			files[name] = b
		}
		d, err := ReadDocument(files["document"])
		if err != nil || !bytes.Equal(text.Encode(d), text.Encode(want)) {
			t.Fatalf("%v: %+v", err, d)
		}
		if got, err := ReadVectors(files["vectors"], d); err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%v: %+v", err, got)
		}
		if got, err := ReadSeen(files["seen"], d); err != nil || !reflect.DeepEqual(got, sampleSeen()) {
			t.Errorf("%v: %+v", err, got)
		}
	}
}

// resealed corrects the length and the checksum, so that the contents are checked.
func resealed(b []byte) []byte {
	b = bytes.Clone(b)
	binary.LittleEndian.PutUint64(b[headSize-8:], uint64(len(b)-headSize-4))
	binary.LittleEndian.PutUint32(b[len(b)-4:], crc32.ChecksumIEEE(b[headSize:len(b)-4]))
	return b
}

func TestDamageIsSeen(t *testing.T) {
	d, v := sample()
	for name, good := range map[string][]byte{"document": Document(d), "vectors": v.Encode(d), "seen": Seen(sampleSeen(), d)} {
		read := func(b []byte) (err error) {
			switch name {
			case "document":
				_, err = ReadDocument(b)
			case "vectors":
				_, err = ReadVectors(b, d)
			default:
				_, err = ReadSeen(b, d)
			}
			return err
		}
		for i := range good {
			if err := read(good[:i]); !errors.Is(err, ErrDamaged) {
				t.Fatalf("%s, cut at %d: %v", name, i, err)
			}
			bad := bytes.Clone(good)
			bad[i] ^= 0x40
			if err := read(bad); err == nil {
				t.Fatalf("%s: byte %d changed, and it is read", name, i)
			}
			if i >= headSize && i < len(good)-4 {
				_ = read(resealed(append(bytes.Clone(good[:i]), 0, 0, 0, 0))) // must not panic
				_ = read(resealed(bad))
			}
		}
		newer := bytes.Clone(good)
		newer[len(magic)] = version + 1
		if err := read(newer); !errors.Is(err, ErrNewer) {
			t.Errorf("%s of a newer version: %v", name, err)
		}
	}
	if _, err := ReadDocument(v.Encode(d)); !errors.Is(err, ErrDamaged) {
		t.Errorf("vectors as a document: %v", err)
	}
	other := text.NewPlain(strings.Replace(body, "One", "Ten", 1))
	if _, err := ReadVectors(v.Encode(d), other); !errors.Is(err, ErrDamaged) {
		t.Errorf("vectors of another text: %v", err)
	}
	if _, err := ReadSeen(Seen(sampleSeen(), d), other); !errors.Is(err, ErrDamaged) {
		t.Errorf("what was seen of another text: %v", err)
	}
}

// Only the notebook's rule gives empty sentences. With another rule, an empty last sentence
// would make a method look for its topic forever.
func TestASentenceOfNothing(t *testing.T) {
	d, v := sample()
	s := sampleSeen()
	s.Sentences = append(s.Sentences[:2:2], text.Span{Start: len(body), End: len(body)})
	if _, err := ReadSeen(Seen(s, d), d); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
	v.Sentences = s.Sentences
	if got, err := ReadVectors(v.Encode(d), d); err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("of vectors: %v, %+v", err, got)
	}
}

func FuzzReadVectors(f *testing.F) {
	d, v := sample()
	f.Add(v.Encode(d))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > headSize+4 {
			b = resealed(b)
		}
		got, err := ReadVectors(b, d)
		if err == nil && !bytes.Equal(got.Encode(d), b) {
			t.Errorf("%+v is written otherwise than it was read", got)
		}
	})
}

func FuzzReadSeen(f *testing.F) {
	d, _ := sample()
	f.Add(Seen(sampleSeen(), d))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > headSize+4 {
			b = resealed(b)
		}
		got, err := ReadSeen(b, d)
		if err == nil && !bytes.Equal(Seen(got, d), b) {
			t.Errorf("%+v is written otherwise than it was read", got)
		}
	})
}
