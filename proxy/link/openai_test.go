package link

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sashabaranov/go-openai"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// These tests use an SDK that knows nothing about Seam, with the complete proxy.

func sdk(l *linktest.Line, key string) *openai.Client {
	c := openai.DefaultConfig(key)
	c.BaseURL = l.URL + "/v1"
	return openai.NewClientWithConfig(c)
}

func TestSDK(t *testing.T) {
	line := newRig(t)
	c := sdk(line, linktest.Token)
	ctx := context.Background()
	models, err := c.ListModels(ctx)
	if err != nil || len(models.Models) != 3 || models.Models[0].ID != "e" {
		t.Errorf("%+v, %v", models, err)
	}
	for _, format := range []openai.EmbeddingEncodingFormat{"", openai.EmbeddingEncodingFormatFloat} {
		some := texts(300)
		r, err := c.CreateEmbeddings(ctx, openai.EmbeddingRequest{Model: "e", Input: some, Dimensions: 33, EncodingFormat: format})
		if err != nil || len(r.Data) != 300 || r.Model != "e" {
			t.Fatalf("%d vectors, %v", len(r.Data), err)
		}
		for i, row := range r.Data {
			if row.Index != i || !slices.Equal(row.Embedding, upstreamtest.Vector(some[i], 33)) {
				t.Fatalf("vector %d is another's", i)
			}
		}
		if paid := r.Usage.PromptTokens > 0; paid != (format == "") { // cached the second time
			t.Errorf("usage %+v", r.Usage)
		}
	}
	packed, err := c.CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{Model: "e", Input: []string{"a", "b"}, EncodingFormat: openai.EmbeddingEncodingFormatBase64})
	if err != nil || !slices.Equal(packed.Data[1].Embedding, upstreamtest.Vector("b", 16)) {
		t.Errorf("%+v, %v", packed, err)
	}
	half := openai.ChatCompletionRequest{Model: "c", MaxCompletionTokens: 50, Temperature: 0.5, Messages: []openai.ChatCompletionMessage{
		{Role: "system", Content: "Be brief."}, {Role: "user", MultiContent: []openai.ChatMessagePart{{Type: "text", Text: "Where?"}}}}}
	whole, err := c.CreateChatCompletion(ctx, half)
	if want := strings.Join(upstreamtest.Words, ""); err != nil || whole.Choices[0].Message.Content != want || whole.Choices[0].FinishReason != "stop" || whole.Usage.CompletionTokens != len(upstreamtest.Words) {
		t.Errorf("%+v, %v", whole, err)
	}
	half.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	stream, err := c.CreateChatCompletionStream(ctx, half)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	said, finish, used := "", "", 0
	for {
		part, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, choice := range part.Choices {
			said += choice.Delta.Content
			finish += string(choice.FinishReason)
		}
		if part.Usage != nil {
			used = part.Usage.CompletionTokens
		}
	}
	if said != strings.Join(upstreamtest.Words, "") || finish != "stop" || used != len(upstreamtest.Words) {
		t.Errorf("%q, %q, %d", said, finish, used)
	}
}

// post sends a body like curl.
func post(t *testing.T, url, token, body string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(b)
}

// Every refusal is an error in OpenAI's format that names the problem, with a header that
// stops SDKs from retrying.
func TestSDKRefusals(t *testing.T) {
	line := linktest.Start(t, limit.Limits{Day: limit.Amount{Tokens: 3000}})
	for _, tt := range []struct {
		path, body   string
		status       int
		param, code  string
		token, again string
	}{
		{"embeddings", `{"model":"e","input":"a"}`, 401, "", "unauthorized", "wrong", "false"},
		{"embeddings", `{`, 400, "", "bad_request", "", "false"},
		{"embeddings", `[]`, 400, "", "bad_request", "", "false"},
		{"embeddings", "{\"model\":\"e\",\"input\":\"\xff\"}", 400, "", "bad_request", "", "false"},
		{"embeddings", `{"model":"e"}`, 400, "input", "bad_request", "", "false"},
		{"embeddings", `{"model":"e","input":[[1,2]]}`, 400, "input", "bad_request", "", "false"},
		{"embeddings", `{"model":"e","input":[]}`, 400, "", "bad_request", "", "false"},
		{"embeddings", `{"model":"e","input":"a","dimensions":-1}`, 400, "", "bad_request", "", "false"},
		{"embeddings", `{"model":"e","input":"a","dimensions":"many"}`, 400, "dimensions", "bad_request", "", "false"},
		{"embeddings", `{"model":"e","input":"a","Model":"c"}`, 400, "Model", "bad_request", "", "false"},
		{"embeddings", `{"model":"e","input":"a","encoding_format":"int8"}`, 400, "encoding_format", "bad_request", "", "false"},
		{"embeddings", `{"model":"c","input":"a"}`, 404, "", "unknown_model", "", "false"},
		{"embeddings", fmt.Sprintf(`{"model":"e","input":%q}`, strings.Repeat("a", 1001)), 413, "", "too_large", "", "false"},
		{"embeddings", fmt.Sprintf(`{"model":"e","input":%q}`, strings.Repeat("a", 2<<20)), 413, "", "too_large", "", "false"},
		{"chat/completions", `{"model":"c","messages":[]}`, 400, "", "bad_request", "", "false"},
		{"chat/completions", `{"model":"c","messages":[{"role":"user","content":"a"}],"tools":[{}]}`, 400, "tools", "bad_request", "", "false"},
		{"chat/completions", `{"model":"c","messages":[{"role":"user","content":"a"}],"n":2}`, 400, "n", "bad_request", "", "false"},
		{"chat/completions", `{"model":"c","messages":[{"role":"tool","content":"a"}]}`, 400, "", "bad_request", "", "false"},
		{"chat/completions", `{"model":"c","messages":[{"role":"user","content":[{"type":"image_url"}]}]}`, 400, "messages[0].content", "bad_request", "", "false"},
		{"chat/completions", `{"model":"c","messages":[{"role":"user","content":"a"}],"temperature":3}`, 400, "", "bad_request", "", "false"},
		{"chat/completions", `{"model":"c","messages":[{"role":"user","content":"a"}],"max_tokens":-5}`, 400, "max_tokens", "bad_request", "", "false"},
	} {
		token := tt.token
		if token == "" {
			token = linktest.Token
		}
		resp, body := post(t, line.URL+"/v1/"+tt.path, token, tt.body)
		var e struct {
			Error struct{ Message, Type, Param, Code string }
		}
		if err := json.Unmarshal([]byte(body), &e); err != nil || e.Error.Message == "" || e.Error.Type == "" {
			t.Errorf("%.60s: %s", tt.body, body)
		}
		if resp.StatusCode != tt.status || e.Error.Param != tt.param || e.Error.Code != tt.code || resp.Header.Get("X-Should-Retry") != tt.again {
			t.Errorf("%.60s: status %d, %+v, %v", tt.body, resp.StatusCode, e.Error, resp.Header)
		}
	}
	if n := len(line.Provider.Requests()); n != 0 {
		t.Errorf("%d calls", n)
	}
	line.Provider.Play(upstreamtest.Script{Status: 429, RetryAfter: "60"})
	if resp, body := post(t, line.URL+"/v1/embeddings", linktest.Token, `{"model":"e","input":"a"}`); resp.StatusCode != 429 || resp.Header.Get("Retry-After") != "61" || resp.Header.Get("X-Should-Retry") != "true" {
		t.Errorf("a provider's limit: %d, %v, %s", resp.StatusCode, resp.Header, body)
	}
	spent := fmt.Sprintf(`{"model":"c","messages":[{"role":"user","content":%q}]}`, strings.Repeat("a", 9900))
	if resp, body := post(t, line.URL+"/v1/chat/completions", linktest.Token, spent); resp.StatusCode != 429 || !strings.Contains(body, "insufficient_quota") {
		t.Errorf("a budget: %d, %s", resp.StatusCode, body)
	}
}

// A stream that breaks off in the middle reports this, and does not end like a complete
// one. An SDK returns an error.
func TestSDKStreamBreaksOff(t *testing.T) {
	line := newRig(t, upstreamtest.Script{Fault: upstreamtest.CutStream})
	_, body := post(t, line.URL+"/v1/chat/completions", linktest.Token, `{"model":"c","stream":true,"messages":[{"role":"user","content":"a"}]}`)
	if !strings.Contains(body, `"upstream_truncated"`) || strings.Contains(body, "[DONE]") {
		t.Errorf("%s", body)
	}
	line.Provider.Play(upstreamtest.Script{Fault: upstreamtest.CutStream})
	resp, body := post(t, line.URL+"/v1/chat/completions", linktest.Token, `{"model":"c","messages":[{"role":"user","content":"a"}]}`)
	if resp.StatusCode != 502 {
		t.Errorf("%d: %s", resp.StatusCode, body)
	}
}

// A client that disconnects cancels its call.
func TestSDKCancel(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	line := newRig(t, upstreamtest.Script{Hold: hold})
	ctx, cancel := context.WithCancel(context.Background())
	stream, err := sdk(line, linktest.Token).CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{Model: "c", Messages: []openai.ChatCompletionMessage{{Role: "user", Content: "a"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-line.Provider.Requests()[0].Gone()
}

// Pages of other sites are refused, as everywhere, and pages of the site are accepted.
func TestSDKOrigins(t *testing.T) {
	line := newRig(t)
	r, _ := http.NewRequest(http.MethodPost, line.URL+"/v1/embeddings", bytes.NewReader([]byte(`{"model":"e","input":"a"}`)))
	r.Header.Set("Authorization", "Bearer "+linktest.Token)
	r.Header.Set("Origin", "https://elsewhere.example")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden || len(line.Provider.Requests()) != 0 {
		t.Errorf("status %d", resp.StatusCode)
	}
	_, body := post(t, line.URL+"/v1/embeddings", linktest.Token, `{"model":"e","input":"a","encoding_format":"base64","user":"x"}`)
	var reply struct{ Data []struct{ Embedding string } }
	if err := json.Unmarshal([]byte(body), &reply); err != nil {
		t.Fatal(err)
	}
	b, err := base64.StdEncoding.DecodeString(reply.Data[0].Embedding)
	v := make([]float32, 16)
	if protocol.GetFloats(v, b); err != nil || !slices.Equal(v, upstreamtest.Vector("a", 16)) {
		t.Errorf("%s", body)
	}
}

// Reasoning has a field of its own over OpenAI's interface, and none of it is in the answer.
func TestSDKGetsReasoningApart(t *testing.T) {
	const thought, said = "Hm. Why?", "Because."
	marks := upstreamtest.Script{Words: strings.Split("<think>"+thought+"</think>"+said, "")}
	line := newRig(t, upstreamtest.Script{Words: []string{thought, "</think>", said}}, marks, marks)
	c := sdk(line, linktest.Token)
	ask := openai.ChatCompletionRequest{Model: "c", Messages: []openai.ChatCompletionMessage{{Role: "user", Content: "Why?"}}}
	for range 2 {
		whole, err := c.CreateChatCompletion(context.Background(), ask)
		if err != nil || whole.Choices[0].Message.Content != said || whole.Choices[0].Message.ReasoningContent != thought {
			t.Errorf("%+v, %v", whole, err)
		}
	}
	stream, err := c.CreateChatCompletionStream(context.Background(), ask)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	answer, reasoning := "", ""
	for {
		part, err := stream.Recv()
		if err != nil {
			break
		}
		for _, choice := range part.Choices {
			answer, reasoning = answer+choice.Delta.Content, reasoning+choice.Delta.ReasoningContent
		}
	}
	if answer != said || reasoning != thought {
		t.Errorf("%q and %q", answer, reasoning)
	}
}
