package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seam/shared/protocol"
)

// A parameter of a request is used, sent on, or refused by name. These say nothing with one
// of their values, and SDKs send them.
var saysNothing = map[string][]string{
	"top_p": {"1"}, "frequency_penalty": {"0"}, "presence_penalty": {"0"}, "n": {"1"},
	"logprobs": {"false"}, "top_logprobs": {"0"}, "logit_bias": {"{}"}, "store": {"false"}, "metadata": {"{}"}, "service_tier": {`"auto"`, `"default"`},
	"stop": {"[]", `""`}, "tools": {"[]"}, "functions": {"[]"}, "tool_choice": {`"auto"`, `"none"`}, "function_call": {`"auto"`, `"none"`},
	"parallel_tool_calls": {"true", "false"}, "modalities": {`["text"]`}, "include_obfuscation": {"false"},
	"name": {`""`}, "refusal": {`""`}, "annotations": {"[]"}, "tool_calls": {"[]"}, "reasoning_content": {`""`},
	"user": {`""`}, "safety_identifier": {`""`}, "prompt_cache_key": {`""`},
}

// empty reports whether a parameter says nothing.
func empty(key string, raw json.RawMessage) bool {
	var short bytes.Buffer
	if json.Compact(&short, raw) != nil {
		return false
	}
	value := short.String()
	if n, err := strconv.ParseFloat(value, 64); err == nil {
		value = strconv.FormatFloat(n, 'g', -1, 64)
	}
	return value == "null" || slices.Contains(saysNothing[key], value)
}

// areStrings returns an error unless all of these parameters are strings.
func areStrings(q map[string]json.RawMessage, names ...string) error {
	for _, name := range names {
		var s string
		if raw := q[name]; raw != nil && json.Unmarshal(raw, &s) != nil {
			return param(name, "%q must be a string.", name)
		}
	}
	return nil
}

// readEmbeddings parses the body of /v1/embeddings.
func readEmbeddings(body []byte, _ *Config) (protocol.Message, answering, error) {
	var q struct {
		Model      string          `json:"model"`
		Input      json.RawMessage `json:"input"`
		Format     string          `json:"encoding_format"`
		Dimensions int             `json:"dimensions"`
		User       string          `json:"user"`
	}
	if err := object(body, &q, "", "model", "input", "encoding_format", "dimensions", "user"); err != nil {
		return nil, answering{}, err
	}
	m := &protocol.Embed{ID: 1, Model: q.Model, Dimensions: q.Dimensions}
	var one string
	var texts []*string
	switch {
	case len(q.Input) == 0:
		return nil, answering{}, param("input", "\"input\" is missing.")
	case json.Unmarshal(q.Input, &one) == nil:
		m.Texts = []string{one}
	case json.Unmarshal(q.Input, &texts) != nil:
		return nil, answering{}, param("input", "\"input\" must be a text or a list of texts, not tokens (LangChain: check_embedding_ctx_length=False).")
	}
	for i, text := range texts {
		if text == nil {
			return nil, answering{}, param("input", "Text %d of \"input\" is null.", i+1)
		}
		m.Texts = append(m.Texts, *text)
	}
	if q.Format != "" && q.Format != "float" && q.Format != "base64" {
		return nil, answering{}, param("encoding_format", "\"encoding_format\" must be float or base64.")
	}
	return checked(m, answering{kind: vectorsReply, model: q.Model, base64: q.Format == "base64", user: q.User})
}

// checked validates a message like one of any other transport.
func checked(m protocol.Message, to answering) (protocol.Message, answering, error) {
	if err := protocol.Check(m); err != nil {
		return nil, answering{}, protocol.Errorf(protocol.BadRequest, "Invalid request: %v.", err)
	}
	return m, to, nil
}

// completion has the parameters of /v1/chat/completions that the proxy reads.
type completion struct {
	Model       string            `json:"model"`
	Messages    []json.RawMessage `json:"messages"`
	Temperature *float64          `json:"temperature"`
	Most        int               `json:"max_tokens"`
	MostWritten int               `json:"max_completion_tokens"`
	Stream      bool              `json:"stream"`
	Options     json.RawMessage   `json:"stream_options"`
	Format      json.RawMessage   `json:"response_format"`

	// These are sent on as they came.
	Seed     *int64          `json:"seed"`
	User     json.RawMessage `json:"user"`
	Safety   json.RawMessage `json:"safety_identifier"`
	CacheKey json.RawMessage `json:"prompt_cache_key"`
	Tools    json.RawMessage `json:"tools"`
	Choice   json.RawMessage `json:"tool_choice"`
	Parallel json.RawMessage `json:"parallel_tool_calls"`
	Stop     json.RawMessage `json:"stop"`
}

var completionKeys = []string{"model", "messages", "temperature", "max_tokens", "max_completion_tokens", "stream", "stream_options", "response_format",
	"seed", "user", "safety_identifier", "prompt_cache_key"}

// readCompletion parses the body of /v1/chat/completions.
func readCompletion(body []byte, c *Config) (protocol.Message, answering, error) {
	var q completion
	keys := completionKeys[:len(completionKeys):len(completionKeys)]
	if c.Allow.Tools {
		keys = append(keys, "tools", "tool_choice", "parallel_tool_calls")
	}
	if c.Allow.Stop {
		keys = append(keys, "stop")
	}
	if err := object(body, &q, "", keys...); err != nil {
		return nil, answering{}, err
	}
	m := &protocol.Chat{ID: 1, Model: q.Model, Reasoning: true, Params: protocol.Params{Temperature: q.Temperature, MaxTokens: max(q.Most, q.MostWritten)}}
	if err := q.tokens(c.Limits.Answer); err != nil {
		return nil, answering{}, err
	}
	if err := q.more(m, c); err != nil {
		return nil, answering{}, err
	}
	if err := turns(q.Messages, m, c); err != nil {
		return nil, answering{}, err
	}
	to := answering{kind: wholeReply, model: q.Model}
	var options struct {
		Usage bool `json:"include_usage"`
	}
	if err := object(q.Options, &options, "stream_options.", "include_usage"); len(q.Options) > 0 && err != nil {
		return nil, answering{}, err
	}
	if q.Stream {
		to.kind, to.usage = streamReply, options.Usage
	}
	return checked(m, to)
}

// tokens checks the maximum of an answer.
func (q *completion) tokens(most int) error {
	for _, asked := range []struct {
		name string
		n    int
	}{{"max_tokens", q.Most}, {"max_completion_tokens", q.MostWritten}} {
		switch {
		case asked.n < 0:
			return param(asked.name, "%q must be 0 or more.", asked.name)
		case asked.n > most:
			return param(asked.name, "%q is %d, but an answer of this proxy has at most %d tokens.", asked.name, asked.n, most)
		case asked.n > 0 && asked.n != max(q.Most, q.MostWritten):
			return param(asked.name, "\"max_tokens\" and \"max_completion_tokens\" differ: leave one out.")
		}
	}
	return nil
}

// more reads the form of the answer, and the parameters to send on.
func (q *completion) more(m *protocol.Chat, c *Config) error {
	sent := map[string]json.RawMessage{"user": q.User, "safety_identifier": q.Safety, "prompt_cache_key": q.CacheKey}
	if err := areStrings(sent, "user", "safety_identifier", "prompt_cache_key"); err != nil {
		return err
	}
	if q.Seed != nil {
		sent["seed"] = strconv.AppendInt(nil, *q.Seed, 10)
	}
	if !empty("stop", q.Stop) {
		sent["stop"] = q.Stop
	}
	if empty("tools", q.Tools) {
		q.Tools = nil
	}
	sent["tools"] = q.Tools
	if q.Tools != nil { // without tools, these say nothing
		sent["tool_choice"], sent["parallel_tool_calls"] = q.Choice, q.Parallel
	} else if q.Choice != nil && !empty("tool_choice", q.Choice) {
		return param("tool_choice", "\"tool_choice\" needs \"tools\".")
	}
	if len(q.Format) > 0 {
		var format struct {
			Type   string          `json:"type"`
			Schema json.RawMessage `json:"json_schema"`
		}
		keys := []string{"type"}
		if c.Allow.Schema {
			keys = append(keys, "json_schema")
		}
		if err := object(q.Format, &format, "response_format.", keys...); err != nil {
			return err
		}
		switch {
		case format.Type == "json_object":
			m.Params.JSON = true
		case format.Type == "json_schema" && c.Allow.Schema:
			sent["response_format"] = q.Format
		case format.Type != "text":
			return param("response_format", "\"response_format\" must be text or json_object%s.", map[bool]string{true: " or json_schema"}[c.Allow.Schema])
		}
	}
	for key, raw := range sent {
		if len(raw) > 0 {
			m.Params.Send(key, raw)
		}
	}
	return nil
}

// turn is one message of a chat.
type turn struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content,omitempty"`
	Name    json.RawMessage `json:"name,omitempty"`
	Calls   json.RawMessage `json:"tool_calls,omitempty"`
	Call    json.RawMessage `json:"tool_call_id,omitempty"`
}

// turns reads the messages. If one has more than a role and a text, all are sent on as they
// came, and their texts are only counted.
func turns(raw []json.RawMessage, m *protocol.Chat, c *Config) error {
	var sent []turn
	more := false
	for i, each := range raw {
		var t turn
		within := fmt.Sprintf("messages[%d].", i)
		keys := []string{"role", "content", "name"}
		if c.Allow.Tools {
			keys = append(keys, "tool_calls", "tool_call_id")
		}
		if err := object(each, &t, within, keys...); err != nil {
			return err
		}
		if empty("name", t.Name) {
			t.Name = nil
		}
		if empty("tool_calls", t.Calls) {
			t.Calls = nil
		}
		text, images, err := content(t.Content, within+"content", c.Allow.Images)
		if err != nil && !(t.Calls != nil && len(t.Content) == 0) {
			return err
		}
		if t.Role == "developer" { // OpenAI's newer name
			t.Role = "system"
		}
		more = more || t.Name != nil || t.Calls != nil || t.Call != nil || images > 0
		m.Params.Images += images
		sent = append(sent, t)
		role := t.Role
		if role == "tool" && c.Allow.Tools {
			role = "user"
		}
		m.Messages = append(m.Messages, protocol.ChatMessage{Role: role, Content: text})
	}
	if !more {
		return nil
	}
	all, err := json.Marshal(sent)
	if err != nil {
		return param("messages", "Cannot read the messages.")
	}
	m.Params.Send("messages", all)
	return nil
}

// content returns a turn's text, which may be a list of parts, and the number of images.
func content(raw json.RawMessage, name string, images bool) (text string, pictures int, err error) {
	if len(raw) == 0 {
		return "", 0, param(name, "%q is missing or null.", name)
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, 0, nil
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return "", 0, param(name, "%q must be text, or parts of type text.", name)
	}
	var all []string
	for i, each := range parts {
		var p struct {
			Type  string          `json:"type"`
			Text  *string         `json:"text"`
			Image json.RawMessage `json:"image_url"`
		}
		keys := []string{"type", "text", "image_url"}
		if err := object(each, &p, fmt.Sprintf("%s[%d].", name, i), keys...); err != nil {
			return "", 0, err
		}
		switch {
		case p.Type == "text" && p.Text != nil && p.Image == nil:
			all = append(all, *p.Text)
		case p.Type == "image_url" && p.Image != nil && images:
			pictures++
		case p.Type == "image_url":
			return "", 0, param(name, "This proxy does not accept images.")
		default:
			return "", 0, param(name, "Part %d of %q must be text.", i+1, name)
		}
	}
	return strings.Join(all, "\n"), pictures, nil
}

// object decodes a JSON object. Its keys must be known, or say nothing. Errors name a key
// after within.
func object(body []byte, v any, within string, known ...string) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(body, &keys); err != nil || keys == nil {
		if within != "" {
			return param(strings.TrimSuffix(within, "."), "%q must be an object.", strings.TrimSuffix(within, "."))
		}
		return param("", "The body is not a JSON object in UTF-8.")
	}
	for key, value := range keys {
		if isKnown := slices.Contains(known, key); string(bytes.TrimSpace(value)) == "null" || !isKnown && empty(key, value) {
			delete(keys, key)
		} else if !isKnown {
			return param(within+key, "This proxy does not accept %.60q.", within+key)
		}
	}
	// Decode only exact keys: encoding/json matches them case-insensitively.
	clean, err := json.Marshal(keys)
	if err != nil {
		return param("", "The body is not a JSON object.")
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(clean, v); errors.As(err, &wrong) {
		return param(within+wrong.Field, "%q has the wrong type: %s.", within+wrong.Field, wrong.Value)
	} else if err != nil {
		return param("", "Cannot read the body.")
	}
	return nil
}
