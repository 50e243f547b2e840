package gateway

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"seam/shared/protocol"
)

type replyKind uint8

const (
	vectorsReply replyKind = iota // the list of vectors
	wholeReply                    // the complete answer
	streamReply                   // the answer as it comes, in events
)

// answering is the sink of a call. It writes frames of seam.v1 in OpenAI's format. An error
// before the first frame sets the status; a later one is an event or ends the body early.
type answering struct {
	*events
	header http.Header
	refuse func(e *protocol.Error, param string) // responds with a status
	kind   replyKind
	model  string
	id     string
	made   int64 // Unix time
	base64 bool
	user   string // of the client, for the provider
	usage  bool   // for a stream: report usage in the last event

	began   bool
	text    []byte // of a complete answer
	thought []byte // its reasoning
	calls   []toolCall
}

// replyFrame has the fields of a text frame that are used here.
type replyFrame struct {
	Type       protocol.Type   `json:"type"`
	Calls      json.RawMessage `json:"calls"`
	Delta      string          `json:"delta"`
	Moved      bool            `json:"moved"`
	Finish     string          `json:"finish"`
	Usage      protocol.Usage  `json:"usage"`
	Code       protocol.Code   `json:"code"`
	Message    string          `json:"message"`
	RetryAfter int64           `json:"retry_after_ms"`
	Reason     protocol.Fault  `json:"reason"`
}

// typeCalls is the type of a frame with calls of tools. Only answering gets it.
const typeCalls protocol.Type = "calls"

type callsFrame struct {
	Type  protocol.Type   `json:"type"`
	Calls json.RawMessage `json:"calls"`
}

// call writes calls of tools, or collects them for a complete answer.
func (a *answering) call(raw json.RawMessage) error {
	if a.kind == streamReply {
		return a.delta("tool_calls", raw)
	}
	var parts []toolCall
	if err := json.Unmarshal(raw, &parts); err != nil {
		return fmt.Errorf("calls of tools: %w", err)
	}
	for _, p := range parts {
		i := slices.IndexFunc(a.calls, func(c toolCall) bool { return c.Index == p.Index })
		if i < 0 {
			a.calls = append(a.calls, p)
			continue
		}
		c := &a.calls[i]
		c.ID, c.Type = cmp.Or(c.ID, p.ID), cmp.Or(c.Type, p.Type)
		c.Function.Name += p.Function.Name
		c.Function.Arguments += p.Function.Arguments
	}
	return nil
}

// toolCall is a call of a tool, or a part of one in a stream.
type toolCall struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// send implements sink.
func (a *answering) send(f frame) error {
	a.alive.Reset(aliveEvery)
	switch f.kind {
	case aliveFrame:
		if a.kind == streamReply && a.began {
			return a.write(":\n\n")
		}
		return nil
	case vectorFrame:
		return a.vectors(f.data)
	}
	var m replyFrame
	if err := json.Unmarshal(f.data, &m); err != nil {
		return fmt.Errorf("a frame of our own: %w", err)
	}
	switch m.Type {
	case protocol.TypeDelta:
		if a.kind == wholeReply {
			a.text = append(a.text, m.Delta...)
			return nil
		}
		return a.delta("content", m.Delta)
	case protocol.TypeReason:
		return a.reason(&m)
	case typeCalls:
		return a.call(m.Calls)
	case protocol.TypeEnd:
		return a.ended(&m)
	case protocol.TypeErr:
		return a.failed(&m)
	}
	return nil
}

// flush implements sink. Before the first byte it does nothing, because it would send the
// status.
func (a *answering) flush() error {
	if !a.began {
		return nil
	}
	return a.events.flush()
}

// vectors writes a frame's rows. The first frame opens the list.
func (a *answering) vectors(data []byte) error {
	h, numbers, err := protocol.ParseFrame(data)
	if err != nil {
		return err
	}
	var b []byte
	for i := range h.Count {
		if a.began {
			b = append(b, ',')
		} else {
			a.open("application/json")
			b = append(b, `{"object":"list","data":[`...)
		}
		b = fmt.Appendf(b, `{"object":"embedding","index":%d,"embedding":`, h.First+i)
		row := numbers[4*h.Dims*i : 4*h.Dims*(i+1)]
		if a.base64 {
			b = append(base64.StdEncoding.AppendEncode(append(b, '"'), row), `"}`...)
			continue
		}
		v := make([]float32, h.Dims)
		protocol.GetFloats(v, row)
		for j, x := range v {
			b = append(b, separator(j))
			b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
		}
		b = append(b, "]}"...)
	}
	return a.write(string(b))
}

// separator returns the byte before number i of a list.
func separator(i int) byte {
	if i == 0 {
		return '['
	}
	return ','
}

func (a *answering) open(kind string) {
	a.header.Set("Content-Type", kind)
	a.began = true
}

// chunk returns an event of a stream.
func (a *answering) chunk(delta map[string]any, finish any, usage any) string {
	event := map[string]any{"id": a.id, "object": "chat.completion.chunk", "created": a.made, "model": a.model, "choices": []any{}}
	if delta != nil {
		event["choices"] = []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": nil}}
	}
	if usage != nil {
		event["usage"] = usage
	}
	b, _ := json.Marshal(event) // strings and numbers cannot fail
	return "data: " + string(b) + "\n\n"
}

// reason writes reasoning in the field that most servers and SDKs know. A stream cannot take
// back parts of the answer that were reasoning.
func (a *answering) reason(m *replyFrame) error {
	if a.kind == wholeReply {
		if m.Moved {
			a.thought, a.text = append(a.thought, a.text...), nil
		}
		a.thought = append(a.thought, m.Delta...)
		return nil
	}
	if m.Delta == "" {
		return nil
	}
	return a.delta("reasoning_content", m.Delta)
}

// delta writes a part of the answer, or of the reasoning, as a field.
func (a *answering) delta(field string, value any) error {
	first := ""
	if !a.began {
		a.open("text/event-stream")
		a.header.Set("X-Accel-Buffering", "no") // otherwise nginx buffers the events
		first = a.chunk(map[string]any{"role": "assistant", "content": ""}, nil, nil)
	}
	return a.write(first + a.chunk(map[string]any{field: value}, nil, nil))
}

// ended writes the end of the answer.
func (a *answering) ended(m *replyFrame) error {
	var finish any = m.Finish
	switch m.Finish {
	case "filter":
		finish = "content_filter"
	case "": // the provider does not say
		finish = nil
	}
	counts := map[string]int{"prompt_tokens": m.Usage.Tokens, "total_tokens": m.Usage.Tokens + m.Usage.TokensOut}
	if a.kind != vectorsReply {
		counts["completion_tokens"] = m.Usage.TokensOut
	}
	switch a.kind {
	case vectorsReply:
		model, _ := json.Marshal(a.model)
		usage, _ := json.Marshal(counts)
		return a.write(`],"model":` + string(model) + `,"usage":` + string(usage) + "}\n")
	case wholeReply:
		message := map[string]any{"role": "assistant", "content": string(a.text), "refusal": nil}
		if len(a.calls) > 0 {
			message["tool_calls"] = a.calls
			if len(a.text) == 0 {
				message["content"] = nil
			}
		}
		if len(a.thought) > 0 {
			message["reasoning_content"] = string(a.thought)
		}
		b, _ := json.Marshal(map[string]any{"id": a.id, "object": "chat.completion", "created": a.made, "model": a.model, "usage": counts,
			"choices": []any{map[string]any{"index": 0, "finish_reason": finish, "logprobs": nil, "message": message}}})
		a.open("application/json")
		return a.write(string(b) + "\n")
	}
	if !a.began { // the answer is empty
		if err := a.delta("content", ""); err != nil {
			return err
		}
	}
	last := a.chunk(map[string]any{}, finish, nil)
	if a.usage {
		last += a.chunk(nil, nil, counts)
	}
	return a.write(last + "data: [DONE]\n\n")
}

// param returns the parameter that a provider refused, or "".
func (a *answering) param(e *protocol.Error) string {
	switch {
	case e.Reason == "" || e.Reason == protocol.BadContents:
		return ""
	case a.kind == vectorsReply:
		return "input"
	}
	return "messages"
}

// failed reports an error, with a status if nothing has been written.
func (a *answering) failed(m *replyFrame) error {
	e := protocol.Errorf(m.Code, "%s", m.Message)
	e.RetryAfter, e.Reason = time.Duration(m.RetryAfter)*time.Millisecond, m.Reason
	switch {
	case !a.began:
		a.events.begin()
		a.refuse(e, a.param(e))
	case a.kind == streamReply:
		return a.write("data: " + string(openAIError(e, a.param(e))) + "\n\n")
	}
	return nil
}
