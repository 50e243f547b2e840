package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"

	"seam/proxy/upstream/reasoning"
	"seam/shared/protocol"
)

// Chat streams the answer of a model to emit, in order, apart from its reasoning. A part
// without text says that the model is reasoning. finish is stop, length, filter, or tool_calls
// if params send tools; "" if the provider does not say. If emit returns an error or ctx ends, the connection to the provider is
// closed at once. If Params.MaxTokens is 0, there is no maximum.
//
// Errors are *Error. A stream that ends without a finish_reason or [DONE] is
// protocol.UpstreamCutShort.
//
// usage is reported by the provider, or estimated if it reports none (see Estimate). It is
// also returned with errors, for the part that may have been read and written.
func (c *Client) Chat(ctx context.Context, modelID string, messages []protocol.ChatMessage, params protocol.Params, emit func(protocol.Part) error) (usage protocol.Usage, finish string, err error) {
	m, failed := c.model(modelID, protocol.Chatting)
	if failed != nil {
		return usage, "", failed
	}
	if t := params.Temperature; t != nil && *t > m.mostTemperature() {
		return usage, "", &Error{public: protocol.Errorf(protocol.BadRequest, "This proxy allows a temperature of at most %g for that model.", m.mostTemperature())}
	}
	var probed protocol.Usage // usage of the probe
	for tried := false; ; tried = true {
		known := m.quirks.now()
		a := answer{emit: emit, split: reasoning.New(m.thinksFirst.Load())}
		failed = a.stream(ctx, c, m, messages, params, known)
		if failed != nil && !tried && failed.lesson(known) != 0 {
			var more bool
			if more, probed = c.probe(ctx, m, known); more {
				continue
			}
		}
		usage = a.cost(messages, failed == nil || failed.worked)
		if probed.Tokens > 0 {
			usage.Tokens, usage.TokensOut, usage.Estimated = usage.Tokens+probed.Tokens, usage.TokensOut+probed.TokensOut, true
		}
		if failed != nil {
			return usage, "", failed
		}
		m.reading.judge(ctx, c, m, messages, a.usage, &usage)
		return usage, finishOf(a.finish), nil
	}
}

// chatRequest extends go-openai's request, which cannot send a temperature of 0 or empty
// messages. It has both maxima, because servers other than OpenAI's may know only
// max_tokens.
type chatRequest struct {
	openai.ChatCompletionRequest
	Messages    any      `json:"messages"`
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_tokens,omitempty"`
}

// chatBody returns the request in the form that a server with these quirks accepts.
func (m *model) chatBody(messages []protocol.ChatMessage, params protocol.Params, known quirk) ([]byte, error) {
	r := chatRequest{Messages: messages}
	r.Model, r.Stream = m.Name, true
	if known&noUsage == 0 {
		r.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
	}
	if m.Reasoning {
		known |= completionTokens | noTemperature
	}
	if known&completionTokens != 0 {
		r.MaxCompletionTokens = params.MaxTokens
	} else {
		r.MaxTokens = params.MaxTokens
	}
	if known&noTemperature == 0 {
		r.Temperature = params.Temperature
	}
	if params.JSON {
		r.ResponseFormat = &openai.ChatCompletionResponseFormat{Type: openai.ChatCompletionResponseFormatTypeJSONObject}
	}
	if sent := params.Sent["messages"]; sent != nil {
		r.Messages = json.RawMessage(sent)
	}
	body, err := json.Marshal(r)
	if err != nil || len(params.Sent) == 0 {
		return body, err
	}
	body = body[:len(body)-1] // without the brace
	for _, name := range slices.Sorted(maps.Keys(params.Sent)) {
		if name != "messages" {
			body = append(append(append(append(body, `,"`...), name...), `":`...), params.Sent[name]...)
		}
	}
	return append(body, '}'), nil
}

// exchange is the HTTP client that go-openai uses for one chat. It replaces go-openai's
// body with ours, and keeps the guard of the response.
type exchange struct {
	transport *transport
	model     *model
	body      []byte
	guard     *guard
}

func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.body)), nil }
	req.ContentLength = int64(len(x.body))
	resp, failed := x.transport.send(req, x.model)
	if failed != nil {
		return nil, failed
	}
	x.guard = resp.Body.(*guard)
	return resp, nil
}

func (x *exchange) open(ctx context.Context, p *Provider, m *model) (*openai.ChatCompletionStream, error) {
	config := openai.DefaultConfig("")
	config.BaseURL, config.HTTPClient = p.BaseURL, x
	config.EmptyMessagesLimit = math.MaxUint // it counts comments, too; the guard has its own limits
	if p.API == Azure {
		config.APIType, config.APIVersion = openai.APITypeAzure, p.APIVersion
		config.AzureModelMapperFunc = p.deployment
	}
	return openai.NewClientWithConfig(config).CreateChatCompletionStream(ctx, openai.ChatCompletionRequest{Model: m.Name})
}

// answer is the state of a stream.
type answer struct {
	emit    func(protocol.Part) error
	split   *reasoning.Splitter
	waits   bool   // the client knows that text is held
	written int    // estimated tokens, including reasoning
	finish  string // the provider's value
	usage   *tokens
	timings timings
}

// tokens is the usage a provider reports.
type tokens struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	Details    struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`

	timings timings
}

// timings are llama.cpp's counts of a prompt.
type timings struct {
	Fresh  int `json:"prompt_n"` // tokens processed for this answer
	Stored int `json:"cache_n"`  // tokens taken from its cache
}

// content is a text, or Mistral's list of parts, of which some are reasoning. Anything else
// is no text.
type content struct{ Text, Reasoning string }

func (c content) is() string { return c.Text + c.Reasoning }

func (c *content) UnmarshalJSON(b []byte) error {
	*c = content{}
	if json.Unmarshal(b, &c.Text) == nil {
		return nil
	}
	var parts []struct {
		Type     string  `json:"type"`
		Text     string  `json:"text"`
		Thinking content `json:"thinking"`
	}
	if json.Unmarshal(b, &parts) == nil {
		for _, p := range parts {
			c.Text, c.Reasoning = c.Text+p.Text, c.Reasoning+p.Thinking.is()
		}
	}
	return nil
}

// chunk has the relevant fields of an event. go-openai's type is too strict: a number
// instead of a string would fail the whole answer.
type chunk struct {
	Choices []struct {
		Index int `json:"index"`
		Delta struct {
			Content          content         `json:"content"`
			Calls            json.RawMessage `json:"tool_calls"`
			Refusal          string          `json:"refusal"`
			ReasoningContent content         `json:"reasoning_content"`
			Reasoning        content         `json:"reasoning"` // vLLM, Ollama, OpenRouter, Groq
		} `json:"delta"`
		Finish string `json:"finish_reason"`
	} `json:"choices"`
	Usage   *tokens         `json:"usage"`
	Timings timings         `json:"timings"`
	Error   json.RawMessage `json:"error"`
}

func (a *answer) stream(ctx context.Context, c *Client, m *model, messages []protocol.ChatMessage, params protocol.Params, known quirk) *Error {
	body, err := m.chatBody(messages, params, known)
	if err != nil {
		return fail(protocol.BadRequest, "These messages cannot be sent.")
	}
	if failed := a.read(ctx, c, m, body); failed != nil {
		return failed
	}
	m.thinksFirst.Store(a.split.ThinksFirst())
	return nil
}

// read sends a request and reads its stream to the end.
func (a *answer) read(ctx context.Context, c *Client, m *model, body []byte) *Error {
	x, stream, failed := c.openChat(ctx, m, body)
	if failed != nil {
		return failed
	}
	defer stream.Close()
	if kind := stream.Header().Get("Content-Type"); strings.HasPrefix(kind, "application/json") || strings.HasPrefix(kind, "text/html") {
		return badResponse("it is not a stream")
	}
	for {
		event, err := stream.RecvRaw()
		if e := interrupted(ctx); e != nil { // data already read is no longer wanted
			e.worked = true
			return e
		}
		switch {
		case err == nil && len(event) > 0:
			if failed := a.take(event, &c.provider); failed != nil {
				return failed
			}
		case err != nil:
			failed := a.ended(ctx, err, x.guard.done, &c.provider)
			if unread := a.pass(a.split.End(failed != nil || finishOf(a.finish) == "length")); failed == nil {
				failed = unread
			}
			if failed != nil {
				return failed
			}
			if a.usage != nil {
				a.usage.timings = a.timings
			}
			x.guard.drain()
			return nil
		}
	}
}

// openChat sends a chat, and returns when its answer begins.
func (c *Client) openChat(ctx context.Context, m *model, body []byte) (*exchange, *openai.ChatCompletionStream, *Error) {
	x := &exchange{transport: c.transport, model: m, body: body}
	stream, err := x.open(ctx, &c.provider, m)
	if err != nil {
		return nil, nil, unopened(err)
	}
	return x, stream, nil
}

// unopened returns the error for a stream that did not begin. go-openai itself refuses some
// model names.
func unopened(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	e := fail(protocol.UpstreamRefused, "The provider rejected this request.")
	e.note = "not sent: the client library refuses it"
	return e
}

// take parses an event.
func (a *answer) take(event []byte, p *Provider) *Error {
	var k chunk
	if err := json.Unmarshal(event, &k); err != nil {
		return badResponse("an event that is not a chunk of an answer")
	}
	if len(k.Error) > 0 && string(k.Error) != "null" {
		return inStream(p.redact(string(k.Error), false))
	}
	if k.Usage != nil && k.Usage.Prompt >= 0 && k.Usage.Completion >= 0 && k.Usage.Prompt+k.Usage.Completion > 0 {
		a.usage = k.Usage
	}
	if k.Timings.Fresh > 0 && k.Timings.Stored >= 0 {
		a.timings = k.Timings
	}
	for _, choice := range k.Choices {
		if choice.Index != 0 {
			continue
		}
		thought := choice.Delta.ReasoningContent // some servers send both
		if thought.is() == "" {
			thought = choice.Delta.Reasoning
		}
		thinking, delta := thought.is()+choice.Delta.Content.Reasoning, choice.Delta.Content.Text+choice.Delta.Refusal
		a.written += Estimate(delta, thinking)
		if failed := a.pass(append(a.split.Reason(thinking), a.split.Write(delta)...)); failed != nil {
			return failed
		}
		if failed := a.call(choice.Delta.Calls); failed != nil {
			return failed
		}
		if choice.Finish != "" {
			a.finish = choice.Finish
		}
	}
	return nil
}

// call emits calls of tools, if raw is a list of some.
func (a *answer) call(raw json.RawMessage) *Error {
	var calls []json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &calls) != nil || len(calls) == 0 {
		return nil
	}
	a.written += Estimate(string(raw))
	return a.pass([]protocol.Part{{Calls: string(raw)}})
}

// pass emits parts. Once, it also says that text is held.
func (a *answer) pass(parts []protocol.Part) *Error {
	if !a.waits && a.split.Holding() {
		a.waits = true
		parts = append(parts, protocol.Part{Reasoning: true})
	}
	for _, p := range parts {
		if err := a.emit(p); err != nil {
			e := fail(protocol.Cancelled, "The answer was not read to its end.")
			e.cause, e.worked = err, true
			return e
		}
	}
	return nil
}

// ended returns the error for the end of a stream, or nil. done reports whether [DONE]
// arrived, which go-openai does not distinguish from other ends. After a finish_reason the
// answer is complete.
func (a *answer) ended(ctx context.Context, err error, done bool, p *Provider) *Error {
	var api *openai.APIError
	switch {
	case a.finish != "" || done && err == io.EOF:
		return nil
	case errors.As(err, &api):
		return inStream(p.redact(fmt.Sprintf("%v: %s: %s", api.Code, api.Type, api.Message), false))
	}
	return broken(ctx, err)
}

// inStream returns the error for an error sent in place of an event.
func inStream(body string) *Error {
	e := fail(protocol.UpstreamFailed, "The provider stopped in the middle of the answer. Try again.")
	e.body, e.note, e.worked = body, "in the stream", true
	switch p := e.public; {
	case e.mentionsAny(filters...):
		p.Code, p.Reason, p.Message = protocol.UpstreamRefused, protocol.Filtered, "The provider's content filter rejected this request."
	case e.mentionsAny(tooLong...):
		p.Code, p.Reason, p.Message = protocol.TooLarge, protocol.TooLong, "The text is too long for this model. Send less of it."
	case e.mentionsAny("rate_limit", "rate limit"):
		p.Code, p.Message = protocol.UpstreamLimited, "The provider's rate limit is reached. Try again later."
	}
	return e
}

// cost returns the provider's usage, or an estimate. A failed call has read its messages if
// worked is true or the answer had begun.
func (a *answer) cost(messages []protocol.ChatMessage, worked bool) protocol.Usage {
	switch {
	case a.usage != nil:
		return protocol.Usage{Tokens: a.usage.Prompt, TokensOut: a.usage.Completion}
	case worked || a.written > 0:
		return protocol.Usage{Tokens: EstimateChat(messages), TokensOut: a.written, Estimated: true}
	}
	return protocol.Usage{}
}

// finishOf translates a finish_reason. It is "" if the provider gave none: [DONE] alone does
// not say why the answer ended.
func finishOf(reason string) string {
	switch reason {
	case "length", "max_tokens":
		return "length"
	case "content_filter":
		return "filter"
	case "tool_calls", "":
		return reason
	}
	return "stop"
}
