package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
)

// chatting is a chat with more parameters, and messages is one with those messages.
func chatting(more string) string {
	return `{"model":"c","messages":[{"role":"user","content":"hi"}],` + more + `}`
}

func messages(list string) string { return `{"model":"c","messages":[` + list + `]}` }

// Nothing is left out in silence: a parameter that says nothing passes, some are sent on,
// and every other is refused by name.
func TestParameters(t *testing.T) {
	up, url := provider(t)
	p := programs(t, url, "")
	for _, tt := range []struct{ body, sent, refused string }{
		{chatting(`"top_p":1,"frequency_penalty":0,"presence_penalty":0.0,"logprobs":false,"stop":[],"tools":[],"n":1`), "", ""},
		{chatting(`"stop":null,"tool_choice":"auto","metadata":{},"store":false,"service_tier":"auto","response_format":{"type":"text"},"stream_options":null`), "", ""},
		{chatting(`"seed":42,"user":"u1"`), `"seed":42,"user":"u1"`, ""},
		{messages(`{"role":"user","name":"bob","content":"hi"}`), `"name":"bob"`, ""},
		{messages(`{"role":"user","content":"hi"},{"role":"assistant","content":"yes","refusal":null,"tool_calls":null,"annotations":[]},{"role":"user","content":[{"type":"text","text":"why"}]}`), "", ""},
		{`{"model":"e","input":["a"],"user":"u2"}`, `"user":"u2"`, ""},
		{chatting(`"top_p":0.5`), "", "top_p"},
		{chatting(`"metadata":{"a":"b"}`), "", "metadata"},
		{chatting(`"service_tier":"priority"`), "", "service_tier"},
		{chatting(`"store":true`), "", "store"},
		{chatting(`"seed":"x"`), "", "seed"},
		{chatting(`"user":7`), "", "user"},
		{chatting(`"stop":["x"]`), "", "stop"},
		{chatting(`"tools":[{"type":"function","function":{"name":"f"}}]`), "", "tools"},
		{chatting(`"response_format":{"type":"json_schema","json_schema":{}}`), "", "response_format.json_schema"},
		{chatting(`"stream":true,"stream_options":{"include_usage":true,"other":1}`), "", "stream_options.other"},
		{chatting(`"max_tokens":99999`), "", "max_tokens"},
		{chatting(`"max_tokens":5,"max_completion_tokens":6`), "", "max_tokens"},
		{messages(`{"role":"assistant","content":"x","tool_calls":[{"id":"1"}]}`), "", "messages[0].tool_calls"},
		{messages(`{"role":"user","content":"x"},{"role":"user","content":null}`), "", "messages[1].content"},
		{messages(`{"role":"user","content":[{"type":"text","text":null}]}`), "", "messages[0].content"},
		{messages(`{"role":"user","content":[{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}]}`), "", "messages[0].content[0].cache_control"},
		{messages(`{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.example/a.png"}}]}`), "", "messages[0].content"},
		{messages(`null`), "", "messages[0]"},
		{`{"model":"e","input":["a",null]}`, "", "input"},
		{`{"model":"e","input":null}`, "", "input"},
	} {
		path := "/v1/chat/completions"
		if strings.Contains(tt.body, `"e"`) {
			path = "/v1/embeddings"
		}
		before := len(up.Requests())
		r := p.sdk(alice, path, tt.body)
		if tt.refused != "" {
			if r.status != http.StatusBadRequest || r.Error.Param != tt.refused || len(up.Requests()) != before {
				t.Errorf("%s: %d %s", tt.body, r.status, r.body)
			}
			continue
		}
		if r.status != http.StatusOK {
			t.Errorf("%s: %d %s", tt.body, r.status, r.body)
			continue
		}
		if got := string(up.Requests()[before].Body); !strings.Contains(got, tt.sent) {
			t.Errorf("%s: %s was sent, without %s", tt.body, got, tt.sent)
		}
	}
}

// The operator can allow tools, schemas, images and texts that end an answer.
func TestAllowed(t *testing.T) {
	up, url := provider(t)
	p := programs(t, url, "allow: {tools: true, schema: true, images: true, stop: true}\n")
	const tool = `{"type":"function","function":{"name":"weather","parameters":{"type":"object"}}}`
	for body, sent := range map[string]string{
		chatting(`"tools":[` + tool + `],"tool_choice":"none","parallel_tool_calls":false`): `"parallel_tool_calls":false,"tool_choice":"none","tools":[` + tool + `]`,
		chatting(`"stop":["x"]`): `"stop":["x"]`,
		chatting(`"response_format":{"type":"json_schema","json_schema":{"name":"s"}}`):                                              `"response_format":{"type":"json_schema","json_schema":{"name":"s"}}`,
		messages(`{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://x.example/a.png"}}]}`):                   `{"type":"image_url","image_url":{"url":"https://x.example/a.png"}}`,
		messages(`{"role":"assistant","content":null,"tool_calls":[{"id":"1"}]},{"role":"tool","tool_call_id":"1","content":"sun"}`): `{"role":"tool","content":"sun","tool_call_id":"1"}`,
	} {
		before := len(up.Requests())
		if r := p.sdk(alice, "/v1/chat/completions", body); r.status != http.StatusOK {
			t.Errorf("%s: %d %s", body, r.status, r.body)
		} else if got := string(up.Requests()[before].Body); !strings.Contains(got, sent) {
			t.Errorf("%s: %s was sent, without %s", body, got, sent)
		}
	}
	up.Always(upstreamtest.Script{Words: []string{}, Calls: []string{`[{"index":0,"id":"call_1","type":"function","function":{"name":"weather","arguments":""}}]`,
		`[{"index":0,"function":{"arguments":"{\"in\":"}}]`, `[{"index":0,"function":{"arguments":"\"Oslo\"}"}}]`}})
	asks := chatting(`"tools":[` + tool + `]`)
	r := p.sdk(alice, "/v1/chat/completions", asks)
	var whole struct {
		Choices []struct {
			Finish  string `json:"finish_reason"`
			Message struct {
				Content *string
				Calls   []struct {
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
	}
	if err := json.Unmarshal([]byte(r.body), &whole); err != nil || len(whole.Choices) != 1 || len(whole.Choices[0].Message.Calls) != 1 {
		t.Fatalf("%v: %s", err, r.body)
	}
	if c := whole.Choices[0]; c.Finish != "tool_calls" || c.Message.Content != nil || fmt.Sprint(c.Message.Calls) != `[{call_1 {weather {"in":"Oslo"}}}]` {
		t.Errorf("%s", r.body)
	}
	r = p.sdk(alice, "/v1/chat/completions", strings.Replace(asks, "{", `{"stream":true,`, 1))
	if !strings.Contains(r.body, `"tool_calls":[{"index":0,"id":"call_1"`) || !strings.Contains(r.body, `"finish_reason":"tool_calls"`) || !strings.HasSuffix(r.body, "data: [DONE]\n\n") {
		t.Errorf("%s", r.body)
	}
}

// An SDK can ask for one model, and learns in JSON that a path does not exist.
func TestPaths(t *testing.T) {
	_, url := provider(t)
	p := programs(t, url, "")
	if r := p.sdk(alice, "/v1/models/c", ""); r.status != http.StatusOK || !strings.Contains(r.body, `{"id":"c","object":"model"`) {
		t.Errorf("a model: %d %s", r.status, r.body)
	}
	for path, want := range map[string]struct {
		status int
		body   string
	}{
		"/v1/models/gone": {404, ""}, "/v1/models/a%2Fb": {404, ""}, "/v1/responses": {404, "{}"}, "/v1/completions": {404, "{}"}, "/v1/chat/completions": {405, ""},
	} {
		if r := p.sdk(alice, path, want.body); r.status != want.status {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
}

// An answer that a provider ends with [DONE] alone ends for no known reason.
func TestNoFinishReason(t *testing.T) {
	up, url := provider(t)
	up.Always(upstreamtest.Script{Fault: upstreamtest.NoFinish})
	p := programs(t, url, "")
	if r := p.sdk(alice, "/v1/chat/completions", saying("hi")); !strings.Contains(r.body, `"finish_reason":null`) {
		t.Errorf("%s", r.body)
	}
	r := p.sdk(alice, "/v1/chat/completions", chatting(`"stream":true`))
	if strings.Contains(r.body, `"stop"`) || !strings.HasSuffix(r.body, "data: [DONE]\n\n") {
		t.Errorf("%s", r.body)
	}
}

// The defaults accept as much as OpenAI does: 2,048 texts, 8,191 tokens of a text, 300,000
// tokens of a request; also with every character escaped. More is refused before it is read.
func TestDefaultsAreOpenAIs(t *testing.T) {
	_, url := provider(t)
	p := programs(t, url, "budget: {day: {tokens: 100000000}}\n")
	short := make([]string, 2048)
	for i := range short {
		short[i] = fmt.Sprint("text ", i)
	}
	long := make([]string, 37)
	for i := range long {
		long[i] = strings.Repeat(" word", 8100) + fmt.Sprint(i)
	}
	for name, texts := range map[string][]string{"2,048 texts": short, "a text of 8,191 tokens": {strings.Repeat(" word", 8191)}, "300,000 tokens": long} {
		input, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		if r := p.sdk(alice, "/v1/embeddings", `{"model":"e","input":`+string(input)+`}`); r.status != http.StatusOK {
			t.Errorf("%s: %d %.300s", name, r.status, r.body)
		}
		escaped := strings.ReplaceAll(string(input), "w", `\u0077`)
		if r := p.sdk(alice, "/v1/embeddings", `{"model":"e","input":`+escaped+`}`); r.status != http.StatusOK {
			t.Errorf("%s, escaped: %d %.300s", name, r.status, r.body)
		}
	}
	for name, input := range map[string]string{"2,049 texts": `["` + strings.Repeat(`x","`, 2048) + `"]`, "a book": `"` + strings.Repeat("x", 6<<20) + `"`} {
		if r := p.sdk(alice, "/v1/embeddings", `{"model":"e","input":`+input+`}`); r.status != http.StatusRequestEntityTooLarge || r.header.Get("X-Should-Retry") != "false" {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
	}
}
