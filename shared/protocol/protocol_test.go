package protocol

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"iter"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the fixtures anew")

func ptr[T any](v T) *T { return &v }

// fixtures holds a message of each type, with and without optional fields.
var fixtures = map[string]Message{
	"init":          &Init{Token: "t0k3n", Client: "seam-page 1.0"},
	"init-open":     &Init{Client: "seam 1.0"},
	"ack":           &Ack{Session: "s-1", Limits: Limits{Texts: 256, TextBytes: 32768, Tokens: 100_000, InFlight: 4, Answer: 1024, Context: 49152, Credits: 64}, Models: []Model{{ID: "bge", Kind: Embedding, Label: "BGE", Dimensions: 1024, Input: 512, Price: ptr(0.01)}, {ID: "llama", Kind: Chatting, Price: ptr(0.02), PriceOut: ptr(0.06)}, {ID: "local", Kind: Embedding}}, Prompts: ByServer, Time: 1_790_000_000_000},
	"ack-history":   &Ack{Session: "s-2", Limits: Limits{Texts: 1, TextBytes: 2, InFlight: 3, Answer: 4, Context: 5, Credits: 6, Turns: 12, History: 12288}, Models: []Model{{ID: "llama", Kind: Chatting}}, Prompts: ByClient, Time: 1, Answer: &Template{System: "Be brief.", Ask: "Question:", JSON: true}},
	"embed":         &Embed{ID: 1, Model: "bge", Texts: []string{"One sentence.", "Другое 😀", "<&>\u2028"}},
	"ack-marked":    &Ack{Session: "s-5", Models: []Model{}, Prompts: ByServer, Time: 1, Marked: &Template{System: "Say [[NO ANSWER]].", Ask: "Question:"}},
	"ack-reason":    &Ack{Session: "s-3", Models: []Model{}, Prompts: ByServer, Time: 1, Reasoning: true},
	"ack-prefixes":  &Ack{Session: "s-4", Models: []Model{{ID: "nomic", Kind: Embedding, Query: "search_query: ", Passage: "search_document: "}}, Prompts: ByServer, Time: 1},
	"embed-short":   &Embed{ID: 2, Model: "bge", Texts: []string{"x"}, Dimensions: 256},
	"chat":          &Chat{ID: 3, Model: "llama", Messages: []ChatMessage{{Role: "system", Content: "Be brief."}, {Role: "user", Content: "Why?"}}, Params: Params{Temperature: ptr(0.0), MaxTokens: 200}},
	"chat-template": &Chat{ID: 4, Model: "llama", Template: "answer", Question: "Why?", Passages: []string{"Because.", ""}, Params: Params{JSON: true}},
	"chat-history":  &Chat{ID: 5, Model: "llama", Template: "answer", Question: "And then?", Passages: []string{"Because."}, History: []ChatMessage{{Role: "user", Content: "Why?"}, {Role: "assistant", Content: "Because [1]."}}},
	"chat-reason":   &Chat{ID: 3, Model: "qwen", Template: "answer", Question: "Why?", Reasoning: true},
	"search":        &Search{ID: 5, Text: "why", Vector: "AACAPwAAAAA=", K: 3},
	"search-words":  &Search{ID: 6, Text: "why"},
	"cancel":        &Cancel{ID: 3},
	"credit":        &Credit{ID: 3, N: 32},
	"ping":          &Ping{},
	"pong":          &Pong{},
	"d":             &Delta{ID: 3, Seq: 0, Delta: "Because"},
	"r":             &Reason{ID: 3, Delta: "Hm. Why?", Moved: true},
	"hits":          &Hits{ID: 5, Hits: []Hit{{ID: "c1", Text: "Because.", Source: "a.pdf", Page: 2, Score: 0.5}, {ID: "c2", Text: "", Score: 0}}},
	"end-embed":     &End{ID: 1, Usage: Usage{Tokens: 12, Cached: 1}},
	"end-cut":       &End{ID: 3, Usage: Usage{Tokens: 2048, TokensOut: 7, Read: 2048, Sent: 5000, Context: 2048}, Finish: "stop"},
	"end-chat":      &End{ID: 3, Usage: Usage{Tokens: 40, TokensOut: 7}, Finish: "stop"},
	"err":           &Err{ID: 3, Code: UpstreamLimited, Message: "The provider asks to wait.", RetryAfterMS: 1500, Whose: Upstream},
	"err-refused":   &Err{ID: 4, Code: UpstreamRefused, Message: "The provider's content filter rejected this request.", Whose: Upstream, Reason: Filtered},
	"err-session":   &Err{Code: ShuttingDown, Message: "The proxy restarts.", Whose: Proxy},
}

func decodeAny(t *testing.T, frame []byte) Message {
	t.Helper()
	m, _, err := DecodeClient(frame)
	if err == nil {
		return m
	}
	m, _, err = DecodeServer(frame)
	if err != nil {
		t.Fatalf("%s: %v", frame, err)
	}
	return m
}

func TestFixtures(t *testing.T) {
	types := map[Type]bool{}
	for name, want := range fixtures {
		types[TypeOf(want)] = true
		frame, err := Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, frame, "", "  "); err != nil {
			t.Fatalf("%s: %v", frame, err)
		}
		pretty.WriteByte('\n')
		file := filepath.Join("testdata", "messages", name+".json")
		if *update {
			if err := os.WriteFile(file, pretty.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("%v: go test ./shared/protocol -update writes it", err)
		}
		if !bytes.Equal(b, pretty.Bytes()) {
			t.Errorf("%s is\n%s, not\n%s", file, b, pretty.Bytes())
		}
		if got := decodeAny(t, b); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
	files, err := filepath.Glob("testdata/messages/*.json")
	if err != nil || len(files) != len(fixtures) {
		t.Errorf("%d files for %d fixtures: %v", len(files), len(fixtures), err)
	}
	for _, row := range messages {
		if !types[row.name] {
			t.Errorf("%q has no fixture", row.name)
		}
	}
}

// Every frame here must be refused with a one-line error, without a panic.
func TestRefused(t *testing.T) {
	deep := strings.Repeat(`[`, 9) + strings.Repeat(`]`, 9)
	for name, tt := range map[string]struct{ frame, says string }{
		"empty":               {``, "JSON object"},
		"no JSON":             {`hello`, "JSON object"},
		"an array":            {`[]`, "JSON object"},
		"cut short":           {`{"type":"ping"`, "JSON"},
		"two values":          {`{"type":"ping"}{"type":"ping"}`, "more than one"},
		"rubbish behind":      {`{"type":"ping"} x`, "more than one"},
		"no type":             {`{}`, "unknown message type"},
		"unknown type":        {`{"type":"shell"}`, "shell"},
		"a server's type":     {`{"type":"end","id":1,"usage":{"tokens":1}}`, "end"},
		"unknown key":         {`{"type":"cancel","id":1,"all":true}`, "all"},
		"other letters":       {`{"type":"cancel","ID":1}`, "ID"},
		"twice":               {`{"type":"cancel","id":1,"id":2}`, "is repeated"},
		"twice within":        {`{"type":"chat","id":1,"model":"m","template":"a","params":{"json":true,"json":false}}`, "is repeated"},
		"id of 0":             {`{"type":"cancel","id":0}`, "id"},
		"id below 0":          {`{"type":"cancel","id":-1}`, "id"},
		"id too large":        {`{"type":"cancel","id":4294967296}`, "id"},
		"id as text":          {`{"type":"cancel","id":"1"}`, "id"},
		"no texts":            {`{"type":"embed","id":1,"model":"m","texts":[]}`, "no texts"},
		"null texts":          {`{"type":"embed","id":1,"model":"m","texts":null}`, "no texts"},
		"no model":            {`{"type":"embed","id":1,"texts":["a"]}`, "no model"},
		"dimensions":          {`{"type":"embed","id":1,"model":"m","texts":["a"],"dimensions":70000}`, "70000"},
		"role":                {`{"type":"chat","id":1,"model":"m","messages":[{"role":"tool","content":"x"}],"params":{}}`, "tool"},
		"both":                {`{"type":"chat","id":1,"model":"m","messages":[{"role":"user","content":"x"}],"template":"a","params":{}}`, "either"},
		"neither":             {`{"type":"chat","id":1,"model":"m","params":{}}`, "either"},
		"passages alone":      {`{"type":"chat","id":1,"model":"m","messages":[{"role":"user","content":"x"}],"passages":["p"],"params":{}}`, "template"},
		"temperature":         {`{"type":"chat","id":1,"model":"m","template":"a","params":{"temperature":3}}`, "temperature"},
		"history alone":       {`{"type":"chat","id":1,"model":"m","messages":[{"role":"user","content":"x"}],"history":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}],"params":{}}`, "template"},
		"history of system":   {`{"type":"chat","id":1,"model":"m","template":"a","question":"x","history":[{"role":"system","content":"Obey."},{"role":"assistant","content":"a"}],"params":{}}`, `role "system"`},
		"history out of turn": {`{"type":"chat","id":1,"model":"m","template":"a","question":"x","history":[{"role":"assistant","content":"a"},{"role":"user","content":"q"}],"params":{}}`, "in turn"},
		"history cut in half": {`{"type":"chat","id":1,"model":"m","template":"a","question":"x","history":[{"role":"user","content":"q"}],"params":{}}`, "ends with a question"},
		"history of nothing":  {`{"type":"chat","id":1,"model":"m","template":"a","question":"x","history":[{"role":"user","content":""},{"role":"assistant","content":"a"}],"params":{}}`, "empty"},
		"history of others":   {`{"type":"chat","id":1,"model":"m","template":"a","question":"x","history":[{"role":"user","content":"q","name":"root"},{"role":"assistant","content":"a"}],"params":{}}`, "name"},
		"vector":              {`{"type":"search","id":1,"text":"x","vector":"AAA"}`, "base64"},
		"vector of NaN":       {`{"type":"search","id":1,"text":"x","vector":"AADAfw=="}`, "NaN"},
		"vector with rubbish": {`{"type":"search","id":1,"text":"x","vector":"AACAPwAA\nAAA="}`, "base64"},
		"nothing to search":   {`{"type":"search","id":1}`, "neither"},
		"k":                   {`{"type":"search","id":1,"text":"x","k":51}`, "51"},
		"credit":              {`{"type":"credit","id":1,"n":0}`, "credit"},
		"deep":                {`{"type":"embed","id":1,"model":"m","texts":` + deep + `}`, "deeper"},
		"not UTF-8":           {"{\"type\":\"ping\xff\"}", "UTF-8"},
		"too long":            {`{"type":"embed","id":1,"model":"m","texts":["` + strings.Repeat("a", MaxText) + `"]}`, "the limit is"},
	} {
		m, _, err := DecodeClient([]byte(tt.frame))
		var e *Error
		if !errors.As(err, &e) || m != nil || !strings.Contains(e.Message, tt.says) || strings.Contains(e.Message, "\n") || len(e.Message) > 300 {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	if _, id, err := DecodeClient([]byte(`{"type":"embed","id":7,"model":"m","texts":[]}`)); err == nil || id != 7 {
		t.Errorf("request %d: %v", id, err)
	}
}

func TestFrames(t *testing.T) {
	for _, tt := range []struct{ rows, dims, frames int }{{1, 1, 1}, {3, 1536, 1}, {100, 1536, 3}, {2048, 3072, 98}, {2, math.MaxUint16, 2}} {
		data := make([]float32, tt.rows*tt.dims)
		for i := range data {
			data[i] = float32(i%251) - 125
		}
		r, n := NewRows(tt.rows), 0
		for f := range mustFrames(t, 9, slices.Collect(slices.Chunk(data, tt.dims))) {
			if n++; r.Complete() || len(f) > MaxBinary && len(f) > HeaderSize+4*tt.dims {
				t.Errorf("a frame of %d bytes, complete before it: %v", len(f), r.Complete())
			}
			h, numbers, err := ParseFrame(f)
			if err != nil || h.ID != 9 {
				t.Fatalf("%+v: %v", h, err)
			}
			if err := r.Add(h, numbers); err != nil {
				t.Fatal(err)
			}
		}
		if n != tt.frames || !r.Complete() || !slices.Equal(r.Data, data) {
			t.Errorf("%d×%d: %d frames, complete %v", tt.rows, tt.dims, n, r.Complete())
		}
	}
}

func mustFrames(t testing.TB, id uint32, vectors [][]float32) iter.Seq[[]byte] {
	t.Helper()
	frames, err := Frames(id, vectors)
	if err != nil {
		t.Fatal(err)
	}
	return frames
}

// Vectors of different lengths must be refused, not padded or written past a frame.
func TestUnevenVectors(t *testing.T) {
	for _, lengths := range [][]int{{8, 16}, {16, 8}, {8, 4}, {8, 0}, {0}, {0, 0}, {math.MaxUint16 + 1}} {
		var vectors [][]float32
		for _, n := range lengths {
			vectors = append(vectors, make([]float32, n))
		}
		if _, err := Frames(1, vectors); err == nil {
			t.Errorf("vectors of %v numbers pass", lengths)
		}
	}
	for range mustFrames(t, 1, nil) {
		t.Error("a frame of nothing")
	}
}

func TestBadFrames(t *testing.T) {
	good := slices.Collect(mustFrames(t, 1, [][]float32{{1, 2}, {3, 4}}))[0]
	change := func(at int, to byte) []byte { b := slices.Clone(good); b[at] = to; return b }
	for name, f := range map[string][]byte{
		"empty": nil, "header alone": good[:HeaderSize], "short": good[:len(good)-1], "long": append(slices.Clone(good), 0), "kind": change(4, 2), "dtype": change(5, 1),
		"no dims": change(6, 0), "count": change(12, 3), "no id": change(0, 0), "huge count": change(15, 0xff),
	} {
		if _, _, err := ParseFrame(f); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	h, numbers, err := ParseFrame(good)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Rows) (Header, []byte){
		"not asked for":  func(*Rows) (Header, []byte) { h := h; h.First = 1; return h, numbers },
		"far away":       func(*Rows) (Header, []byte) { h := h; h.First = math.MaxUint32; return h, numbers },
		"twice":          func(r *Rows) (Header, []byte) { r.Add(h, numbers); return h, numbers },
		"another length": func(r *Rows) (Header, []byte) { r.Dims = 3; return h, numbers },
		"NaN":            func(*Rows) (Header, []byte) { return h, []byte{0, 0, 0xc0, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0} },
	} {
		r := NewRows(2)
		if err := r.Add(change(r)); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
}

func TestQuery(t *testing.T) {
	s := Search{Vector: base64.StdEncoding.EncodeToString([]byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0})}
	if v, err := s.Query(); err != nil || !slices.Equal(v, []float32{1, -2}) {
		t.Errorf("%v %v", v, err)
	}
	if v, err := (&Search{}).Query(); v != nil || err != nil {
		t.Errorf("%v %v", v, err)
	}
}

// A decoded message must encode, and decode to the same message again.
func FuzzDecode(f *testing.F) {
	for _, m := range fixtures {
		frame, _ := Encode(m)
		f.Add(frame)
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		for _, decode := range []func([]byte) (Message, uint32, error){DecodeClient, DecodeServer} {
			m, _, err := decode(frame)
			if err != nil {
				var e *Error
				if !errors.As(err, &e) {
					t.Fatalf("%v is no *Error", err)
				}
				continue
			}
			again, err := Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			n, _, err := decode(again)
			if err != nil && len(again) <= MaxText || err == nil && !reflect.DeepEqual(m, n) {
				t.Fatalf("%s: %+v, then %s: %+v %v", frame, m, again, n, err)
			}
		}
	})
}

func FuzzParseFrame(f *testing.F) {
	for b := range mustFrames(f, 1, [][]float32{{1, 2}, {3, 4}}) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		h, numbers, err := ParseFrame(b)
		if err != nil {
			return
		}
		if len(numbers) != 4*h.Dims*h.Count {
			t.Fatalf("%+v with %d bytes", h, len(numbers))
		}
		_ = NewRows(3).Add(h, numbers)
	})
}

// A proxy may send keys that an older page does not know. A page may not send unknown keys.
func TestLaterKeys(t *testing.T) {
	m, _, err := DecodeServer([]byte(`{"type":"end","id":1,"usage":{"tokens":2,"reused":3},"later":true}`))
	if end, ok := m.(*End); err != nil || !ok || end.Usage.Tokens != 2 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, _, err := DecodeServer([]byte(`{"type":"end","id":1,"id":2,"usage":{"tokens":2}}`)); err == nil {
		t.Error("a key twice is taken")
	}
	if _, _, err := DecodeClient([]byte(`{"type":"cancel","id":1,"later":true}`)); err == nil {
		t.Error("a client's unknown key is taken")
	}
}

// Both byte orders must give the same result.
func TestFloats(t *testing.T) {
	defer func(was bool) { littleEndian = was }(littleEndian)
	v := []float32{0, 1, -2.5, math.MaxFloat32, math.SmallestNonzeroFloat32}
	var bytes [2][]byte
	for i, little := range []bool{true, false} {
		littleEndian = little
		bytes[i] = make([]byte, 4*len(v))
		PutFloats(bytes[i], v)
		back := make([]float32, len(v))
		if GetFloats(back, bytes[i]); !slices.Equal(back, v) {
			t.Errorf("%v", back)
		}
	}
	if !slices.Equal(bytes[0], bytes[1]) {
		t.Errorf("% x and % x", bytes[0], bytes[1])
	}
}

func TestFrameOrder(t *testing.T) {
	for _, v := range [][]float32{nil, {1}, {1, -2.5, 3e-40}} {
		want := make([]byte, 4*len(v))
		PutFloats(want, v)
		if got := FrameOrder(v); !bytes.Equal(got, want) {
			t.Errorf("%v is %x, want %x", v, got, want)
		}
	}
}
