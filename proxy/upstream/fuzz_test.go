package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"seam/shared/protocol"
)

// replay is a connection with a fixed response.
type replay struct{ body io.Reader }

func (r replay) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(r.body)}, nil
}

// FuzzStream checks that the emitted text and the completeness of a stream do not depend on
// how its bytes arrive, and that no end is invented.
func FuzzStream(f *testing.F) {
	const word = `data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}` + "\n\n"
	for _, seed := range []string{
		"", "data: [DONE]\n\n", "data:[DONE]\r\n", "data: [DONE]", word + "data: [DONE]\n\n", word, word + "data: {\"error\":{\"message\":\"x\"}}\n\n",
		word + `data: {"choices":[{"delta":{},"finish_reason":"length"}],"usage":{"prompt_tokens":3,"completion_tokens":-4}}` + "\n\n",
		": comment\n\nevent: x\n" + word, "data: \n\n" + word, "data: {\"error\":\"x\"}\n\n", "data: {\"error\": {\"message\": \"x\"}}\n", "data: null\n", "{}", strings.Repeat("x", 5000),
		"xdata: [DONE]\n\n", "data: [DONE]x\n\n",
	} {
		f.Add([]byte(seed))
	}
	c, err := New(Provider{BaseURL: "http://provider.test", Key: func() string { return canary }, Limits: Limits{Line: 4096},
		Models: []Model{{Model: protocol.Model{ID: "talk", Kind: protocol.Chatting}}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		read := func(r io.Reader) (text string, usage protocol.Usage, finish string, err error) {
			c.transport.base = replay{r}
			usage, finish, err = c.Chat(context.Background(), "talk", question, protocol.Params{}, func(p protocol.Part) error {
				if p.Text == "" && !p.Reasoning {
					t.Error("an empty part")
				}
				text = p.Add(text)
				return nil
			})
			return text, usage, finish, err
		}
		text, usage, finish, err := read(bytes.NewReader(body))
		text2, usage2, finish2, err2 := read(iotest.OneByteReader(bytes.NewReader(body)))
		if text != text2 || usage != usage2 || finish != finish2 || (err == nil) != (err2 == nil) {
			t.Errorf("in one piece %q %+v %q %v, in bytes %q %+v %q %v", text, usage, finish, err, text2, usage2, finish2, err2)
		}
		if usage.Tokens < 0 || usage.TokensOut < 0 {
			t.Errorf("usage %+v", usage)
		}
		if err == nil && !bytes.Contains(body, []byte("[DONE]")) && !bytes.Contains(bytes.ToLower(body), []byte("finish_reason")) && !bytes.Contains(body, []byte(`\`)) {
			t.Errorf("%q is taken for a whole stream", body)
		}
		var own *Error
		if err != nil && !errors.As(err, &own) {
			t.Errorf("error %T", err)
		}
	})
}

// FuzzEmbeddings checks that slim changes no result of encoding/json, and that accepted
// vectors are complete and finite.
func FuzzEmbeddings(f *testing.F) {
	long := strings.Repeat("AACAPwAAAAA", 8)
	for _, seed := range []string{
		`{"data":[{"index":0,"embedding":"AACAPwAAAAA="},{"index":1,"embedding":[1,2]}],"usage":{"prompt_tokens":3,"total_tokens":3}}`,
		`{"data":[{"embedding":"` + long + `"},{"embedding":"` + long + `"}],"model":"` + long + `"}`,
		`{"data":[{"embedding":"` + long + `\""},{"embedding":"\\"}]}`,
		`{"data":[{"embedding":0},{"embedding":1}]}`, `"`, `{"` + long, "", `{"data":[{"embedding":[1e39]},{"embedding":[null]}]}`,
	} {
		f.Add([]byte(seed), 0)
	}
	f.Fuzz(func(t *testing.T, body []byte, dims int) {
		short, strs := slim(body)
		rest := len(body)
		for _, s := range strs {
			rest -= len(s) + 2
		}
		if rest < 0 || len(short) > rest+20*len(strs) {
			t.Errorf("%d bytes became %d and %d strings", len(body), len(short), len(strs))
		}
		if len(strs) == 0 && !bytes.Equal(short, body) {
			t.Errorf("%q became %q", body, short)
		}
		if json.Valid(body) && len(strs) > 0 && !json.Valid(short) && !bytes.Contains(body, []byte(`":`)) {
			t.Errorf("%q became %q, which is no JSON", body, short)
		}
		reply, failed := parseEmbeddings(body)
		if failed != nil {
			return
		}
		v, failed := reply.vectors(2, dims&0xff)
		if failed != nil {
			return
		}
		if len(v) != 2 || len(v[0]) == 0 || len(v[0]) != len(v[1]) {
			t.Fatalf("%v for 2 texts", v)
		}
		for _, x := range slices.Concat(v...) {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				t.Fatalf("a vector holds %v", x)
			}
		}
	})
}

// FuzzUsual checks that both parsers agree on everything the fast one accepts.
func FuzzUsual(f *testing.F) {
	long := strings.Repeat("AACAPwAAAAA", 8)
	for _, seed := range []string{
		`{"object":"list","data":[{"object":"embedding","index":0,"embedding":"` + long + `"}],"model":"e","usage":{"prompt_tokens":3,"total_tokens":3}}`,
		` { "data" : [ { "embedding" : "` + long + `" } , {"index":1,"embedding":"` + long + `"}] , "usage" : {"total_tokens":12,"details":null} } `,
		`{"data":[{"index":0,"index":1,"embedding":"` + long + `"}]}`, `{"data":[{"Index":0,"embedding":"` + long + `"}]}`,
		`{"data":[{"index":00,"embedding":"` + long + `"}]}`, `{"data":[{"index":1e0,"embedding":"` + long + `"}]}`, `{"data":[],"data":[]}`,
		`{"data":[{"index":0,"embedding":"` + long + "\n" + `"}]}`, `{"data":[{"index":0,"embedding":"AA` + "\n" + `AA"}]}`, `{"usage":{"total_tokens":null}}`, `{"id":"a","data":[]}`, `{} {}`, `{"data":[,]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		short, ok := usual(body)
		if !ok {
			return
		}
		long, failed := unusual(body)
		if failed != nil {
			t.Fatalf("%q is taken, and is none", body)
		}
		if count := len(short.Data); len(long.Data) != count || short.cost(nil, true) != long.cost(nil, true) {
			t.Fatalf("%q: %d vectors for %+v; want %d for %+v", body, count, short.cost(nil, true), len(long.Data), long.cost(nil, true))
		}
		a, failedA := short.vectors(len(short.Data), 0)
		b, failedB := long.vectors(len(short.Data), 0)
		if (failedA == nil) != (failedB == nil) || failedA != nil && failedA.Detail() != failedB.Detail() {
			t.Fatalf("%q: %v; want %v", body, failedA, failedB)
		}
		if !slices.EqualFunc(a, b, slices.Equal) {
			t.Errorf("%q: %v; want %v", body, a, b)
		}
	})
}

func FuzzRedact(f *testing.F) {
	f.Add("x sk-canary-0123456789abcdefghijKLMN y", "hunter2", true)
	f.Add("hunter2hunter2", "hunter2", false)
	f.Add("\xffred", "red", false)
	f.Fuzz(func(t *testing.T, body, key string, cut bool) {
		key = strings.TrimSpace(key)
		if len(key) < 4 || strings.Contains(redacted, key) || strings.Contains("�", key) {
			return
		}
		p := &Provider{Key: func() string { return key }, Organization: org}
		got := p.redact(body+key+body, cut)
		if strings.Contains(got, key) && !strings.ContainsAny(key, "[]�") {
			t.Errorf("%q with key %q became %q", body, key, got)
		}
	})
}
