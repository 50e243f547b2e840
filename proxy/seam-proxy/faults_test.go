package main

import (
	"net/http"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// faults are a provider's refusals of a request for its contents, as they come, and the
// refusals that clients must see. The status is 400 for all.
var faults = map[string]struct {
	path, body string
	status     int
	provider   string
	code, says string
	param      string
}{
	"empty text": {"/v1/embeddings", `{"model":"e","input":["a",""]}`, 400, `{"error":{"message":"'$.input' is invalid. Please check the API reference.","type":"invalid_request_error","param":null,"code":null}}`,
		"empty_text", "The provider rejected this request, in which text 2 of 2 is empty.", "input"},
	"empty message": {"/v1/chat/completions", saying("  "), 422, `{"detail":"messages: text content blocks must be non-empty"}`,
		"empty_text", "The provider rejected this request, in which text 1 of 1 is empty.", "messages"},
	"filter": {"/v1/chat/completions", saying("FILTER"), 400, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","code":"content_filter","status":400}}`,
		"content_filter", "The provider's content filter rejected this request.", "messages"},
	"moderation": {"/v1/chat/completions", saying("FILTER"), 403, `{"error":{"message":"c requires moderation on X. Your input was flagged for \"y\".","code":403}}`,
		"content_filter", "The provider's content filter rejected this request.", "messages"},
	"too long": {"/v1/chat/completions", saying("long"), 400, `{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`,
		"context_length_exceeded", "The text is too long for this model. Send less of it.", "messages"},
	"long text": {"/v1/embeddings", `{"model":"e","input":"long"}`, 400, `{"error":{"message":"This model's maximum context length is 8192 tokens, however you requested 9000 tokens.","type":"invalid_request_error"}}`,
		"context_length_exceeded", "The text is too long for this model. Send less of it.", "input"},
	"more than a minute takes": {"/v1/chat/completions", saying("long"), 429, `{"error":{"message":"Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000.","type":"tokens","code":"rate_limit_exceeded"}}`,
		"context_length_exceeded", "The text is too long for this model. Send less of it.", "messages"},
	"another": {"/v1/chat/completions", saying("x"), 400, `{"error":{"message":"Something is wrong with it."}}`,
		"upstream_refused", "The provider rejected this request.", ""},
}

// A request that a provider refuses for its contents is refused with status 400 and the
// reason, in one sentence on both interfaces, after one call.
func TestWhoseFault(t *testing.T) {
	up, url := provider(t)
	p := programs(t, url, "")
	s, _ := p.enter("", alice)
	for name, tt := range faults {
		before := len(up.Requests())
		up.Always(upstreamtest.Script{Status: tt.status, Body: tt.provider})
		r := p.sdk(bob, tt.path, tt.body)
		calls := 1
		if strings.Contains(tt.path, "embeddings") && len(up.Requests())-before == 2 {
			calls = 2 // once with floats, in case base64 was the reason
		}
		if r.status != http.StatusBadRequest || r.Error.Code != tt.code || r.Error.Message != tt.says || r.Error.Param != tt.param || r.header.Get("X-Should-Retry") != "false" {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
		if n := len(up.Requests()) - before; n != calls {
			t.Errorf("%s: %d calls", name, n)
		}
		var m protocol.Message = &protocol.Chat{ID: 1, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "long"}}}
		switch name {
		case "empty text":
			m = &protocol.Embed{ID: 1, Model: "e", Texts: []string{"a", ""}}
		case "long text":
			m = &protocol.Embed{ID: 1, Model: "e", Texts: []string{"long"}}
		case "empty message":
			m = &protocol.Chat{ID: 1, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "  "}}}
		}
		if e := s.ask(m); e == nil || e.Message != tt.says || e.Whose != protocol.Upstream || e.RetryAfterMS != 0 || tt.param != "" && string(e.Reason) != tt.code {
			t.Errorf("%s over the websocket: %+v", name, e)
		}
	}
	up.Always(upstreamtest.Script{})
	if r := p.sdk(bob, "/v1/chat/completions", saying("hi")); r.status != http.StatusOK {
		t.Errorf("afterwards: %d %s", r.status, r.body)
	}
	// A wrong key is not the request's fault.
	up.Always(upstreamtest.Script{Status: 401})
	if r := p.sdk(bob, "/v1/chat/completions", saying("hi")); r.status != http.StatusBadGateway || r.Error.Code != "upstream_refused" {
		t.Errorf("a wrong key: %d %s", r.status, r.body)
	}
}
