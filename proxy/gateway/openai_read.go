package gateway

import (
	"encoding/json"
	"strings"

	"seam/shared/protocol"
)

// Parameters that SDKs send and that have no effect here.
var embeddingsIgnored = []string{"user"}
var completionIgnored = []string{"user", "store", "metadata", "service_tier", "safety_identifier", "prompt_cache_key", "seed"}

// readEmbeddings parses the body of /v1/embeddings.
func readEmbeddings(body []byte) (protocol.Message, answering, error) {
	var q struct {
		Model      string          `json:"model"`
		Input      json.RawMessage `json:"input"`
		Format     string          `json:"encoding_format"`
		Dimensions int             `json:"dimensions"`
	}
	if err := object(body, &q, []string{"model", "input", "encoding_format", "dimensions"}, embeddingsIgnored...); err != nil {
		return nil, answering{}, err
	}
	m := &protocol.Embed{ID: 1, Model: q.Model, Dimensions: q.Dimensions}
	var one string
	switch {
	case len(q.Input) == 0:
		return nil, answering{}, param("input", "\"input\" is missing.")
	case json.Unmarshal(q.Input, &one) == nil:
		m.Texts = []string{one}
	case json.Unmarshal(q.Input, &m.Texts) != nil:
		return nil, answering{}, param("input", "\"input\" must be a text or a list of texts, not tokens (LangChain: check_embedding_ctx_length=False).")
	}
	if q.Format != "" && q.Format != "float" && q.Format != "base64" {
		return nil, answering{}, param("encoding_format", "\"encoding_format\" must be float or base64.")
	}
	return checked(m, answering{kind: vectorsReply, model: q.Model, base64: q.Format == "base64"})
}

// checked validates a message like one of any other transport.
func checked(m protocol.Message, to answering) (protocol.Message, answering, error) {
	if err := protocol.Check(m); err != nil {
		return nil, answering{}, protocol.Errorf(protocol.BadRequest, "Invalid request: %v.", err)
	}
	return m, to, nil
}

// readCompletion parses the body of /v1/chat/completions.
func readCompletion(body []byte) (protocol.Message, answering, error) {
	var q struct {
		Model    string `json:"model"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Temperature *float64 `json:"temperature"`
		Most        int      `json:"max_tokens"`
		MostWritten int      `json:"max_completion_tokens"`
		N           *int     `json:"n"`
		Stream      bool     `json:"stream"`
		Options     struct {
			Usage bool `json:"include_usage"`
		} `json:"stream_options"`
		Format struct {
			Type string `json:"type"`
		} `json:"response_format"`
	}
	known := []string{"model", "messages", "temperature", "max_tokens", "max_completion_tokens", "n", "stream", "stream_options", "response_format"}
	if err := object(body, &q, known, completionIgnored...); err != nil {
		return nil, answering{}, err
	}
	if min(q.Most, q.MostWritten) < 0 {
		return nil, answering{}, param("max_tokens", "\"max_tokens\" and \"max_completion_tokens\" must be 0 or more.")
	}
	m := &protocol.Chat{ID: 1, Model: q.Model, Reasoning: true, Params: protocol.Params{Temperature: q.Temperature, MaxTokens: max(q.Most, q.MostWritten), JSON: q.Format.Type == "json_object"}}
	if q.N != nil && *q.N != 1 {
		return nil, answering{}, param("n", "\"n\" must be 1.")
	}
	if t := q.Format.Type; t != "" && t != "text" && t != "json_object" {
		return nil, answering{}, param("response_format", "\"response_format\" must be text or json_object.")
	}
	for _, turn := range q.Messages {
		text, ok := content(turn.Content)
		if !ok {
			return nil, answering{}, param("messages", "A message's \"content\" must be text, or parts of type text.")
		}
		if turn.Role == "developer" { // OpenAI's newer name
			turn.Role = "system"
		}
		m.Messages = append(m.Messages, protocol.ChatMessage{Role: turn.Role, Content: text})
	}
	to := answering{kind: wholeReply, model: q.Model}
	if q.Stream {
		to.kind, to.usage = streamReply, q.Options.Usage
	}
	return checked(m, to)
}

// content returns a turn's text, which may be a list of parts.
func content(raw json.RawMessage) (string, bool) {
	var text string
	if len(raw) > 0 && json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &parts) != nil {
		return "", false
	}
	var all []string
	for _, p := range parts {
		if p.Type != "text" {
			return "", false
		}
		all = append(all, p.Text)
	}
	return strings.Join(all, "\n"), true
}
