package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// strictly is strict with encoding/json's tokens: slower, but easier to follow.
func strictly(frame []byte) error {
	if !utf8.Valid(frame) {
		return errors.New("not UTF-8")
	}
	d := json.NewDecoder(bytes.NewReader(frame))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("not a JSON object")
	}
	if err := strictObject(d, 1); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}

// strictObject reads an object after its opening brace.
func strictObject(d *json.Decoder, depth int) error {
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return errors.New("damaged JSON")
		}
		key, _ := t.(string)
		if seen[key] {
			return fmt.Errorf("key %.40q is repeated", key)
		}
		if strings.ToLower(key) != key {
			return fmt.Errorf("unknown field %.40q", key)
		}
		seen[key] = true
		if err := strictValue(d, depth); err != nil {
			return err
		}
	}
	return closed(d)
}

func strictValue(d *json.Decoder, depth int) error {
	t, err := d.Token()
	if err != nil {
		return errors.New("damaged JSON")
	}
	if (t == json.Delim('{') || t == json.Delim('[')) && depth == maxNesting {
		return fmt.Errorf("nested deeper than %d", maxNesting)
	}
	switch t {
	case json.Delim('{'):
		return strictObject(d, depth+1)
	case json.Delim('['):
		for d.More() {
			if err := strictValue(d, depth+1); err != nil {
				return err
			}
		}
		return closed(d)
	}
	return nil
}

// closed reads the bracket that ends an object or an array.
func closed(d *json.Decoder) error {
	if _, err := d.Token(); err != nil {
		return errors.New("damaged JSON")
	}
	return nil
}

// agree checks that decode gives the same result with strictly in place of strict.
func agree(t *testing.T, frame []byte) {
	t.Helper()
	var says envelope
	slow := strictly(frame)
	if slow == nil {
		slow = json.Unmarshal(frame, &says)
	}
	m, id, err := DecodeClient(frame)
	switch {
	case slow != nil && err == nil:
		t.Errorf("%q is taken as %#v, which %v forbids", frame, m, slow)
	case slow == nil && id != says.ID:
		t.Errorf("%q has id %d, not %d", frame, id, says.ID)
	case slow == nil && err != nil && strings.Contains(err.Error(), "not a message"):
		t.Errorf("%q is refused: %v", frame, err)
	}
}

var strange = []string{
	"", "{", "{}", "{}{}", "{} ", "[]", "null", "\x00", "{}\x00", " \t\r\n{\"type\":\"ping\"}\n", `{"type":"ping"`, `{"type":"ping",}`, `{,"type":"ping"}`, `{"type":"ping" "id":1}`,
	`{"type":"ping","type":"ping"}`, `{"type":"ping","\u0074ype":"pong"}`, `{"Type":"ping"}`, `{"\u0054ype":"ping"}`, `{"type":7}`, `{"type":null,"id":null}`, `{"type":"ping","id":"1"}`, `{"type":"ping","id":-1}`, `{"type":"ping","id":1e3}`,
	`{"type":"cancel","id":4294967296}`, `{"type":"cancel","id":1 2}`, `{"type":"cancel","id":01}`, `{"type":"cancel","id":+1}`, `{"type":"cancel","id":tru}`, `{"type":"cancel","id":}`, `{"type":"cancel"::1}`,
	`{"type":"embed","id":1,"model":"e","texts":["a\"b","\\","\\\"","` + "\xff" + `"]}`, `{"type":"embed","id":1,"model":"e","texts":["a",]}`, `{"type":"embed","id":1,"model":"e","texts":["a" "b"]}`, `{"type":"embed","id":1,"model":"e","texts":["a"}`,
	`{"type":"embed","id":1,"model":"e","texts":["a\` + "\n" + `"]}`, `{"type":"embed","id":1,"model":"e","texts":["` + "\x01" + `"]}`, `{"type":"chat","id":1,"params":{"temperature":1,"temperature":2}}`, `{"type":"chat","id":1,"params":{"Temperature":1}}`,
	strings.Repeat(`{"a":`, 20) + "1" + strings.Repeat("}", 20), `{"a":` + strings.Repeat("[", 20) + strings.Repeat("]", 20) + "}", `{"a":[[[[[[[[1]]]]]]]]}`, `{"a":[[[[[[[1]]]]]]]}`, `{"a":[[[[[[1]]]]]]}`, `{"type":"ping"}x`, `{"type":"ping"}{}`, `{"a"`, `{"a":"`, `{"a`, `{"\`, `{"a\`,
}

func TestStrict(t *testing.T) {
	for _, s := range strange {
		agree(t, []byte(s))
	}
}

func FuzzStrict(f *testing.F) {
	for _, s := range strange {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, frame []byte) { agree(t, frame) })
}

// FuzzPlain checks that the general decoder agrees with every result of the fast path.
func FuzzPlain(f *testing.F) {
	for _, s := range strange {
		f.Add([]byte(s))
	}
	for _, s := range []string{
		`{"type":"embed","id":1,"model":"e","texts":["a","b \u00e9 \ud800 \n"],"dimensions":256}`,
		` { "texts" : [ "a" ] , "model" : "e" , "id" : 7 , "type" : "embed" } `,
		`{"type":"embed","id":01,"model":"e","texts":["a"]}`, `{"type":"embed","id":1,"id":1,"model":"e","texts":["a"]}`,
		`{"type":"embed","id":1,"model":"e","texts":["a",]}`, `{"type":"embed","id":1,"model":"e","texts":[],"x":1}`, `{"type":"embed","id":1,"model":"e","texts":["a"]} {}`,
		"{\"type\":\"embed\",\"id\":1,\"model\":\"e\",\"texts\":[\"a\tb\"]}", `{"typ\u0065":"embed","id":1,"model":"e","texts":["a"]}`, `{,"type":"embed"}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m := plainEmbed(frame)
		if m == nil {
			return
		}
		want, id, err := decode(frame, max(MaxText, len(frame)), client)
		if err != nil || id != m.ID || !reflect.DeepEqual(want, Message(m)) {
			t.Errorf("%q is %+v; want %+v, %v", frame, m, want, err)
		}
	})
}

func BenchmarkDecodeClient(b *testing.B) {
	m := &Embed{ID: 1, Model: "e"}
	for i := range 64 {
		m.Texts = append(m.Texts, fmt.Sprintf("%d %s", i, strings.Repeat("A sentence of a document, as they are. ", 4)))
	}
	frame, err := Encode(m)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		if _, _, err := DecodeClient(frame); err != nil {
			b.Fatal(err)
		}
	}
}

func TestNotFinite(t *testing.T) {
	odd := []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}
	for n := range 40 {
		v := make([]float32, n)
		for i := range v {
			v[i] = math.MaxFloat32
		}
		if at := NotFinite(v); at != -1 {
			t.Errorf("%d of %d numbers", at, n)
		}
		for i := range v {
			for _, x := range odd {
				v[i] = x
				if at := NotFinite(v); at != i {
					t.Errorf("%v as number %d of %d is found at %d", x, i, n, at)
				}
			}
			v[i] = math.SmallestNonzeroFloat32
		}
	}
}
