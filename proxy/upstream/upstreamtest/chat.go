package upstreamtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Words is the default answer of a chat.
var Words = []string{"It ", "comes ", "apart ", "where ", "the ", "topic ", "changes."}

func (a *reply) chat() {
	switch {
	case a.has(RefuseUsage) && a.q.StreamOptions != nil:
		a.refuse("stream_options", "It is not known.")
	case a.has(Reasoning) && a.q.MaxTokens > 0:
		a.refuse("max_tokens", "Use 'max_completion_tokens' instead.")
	case a.has(Reasoning) && a.q.Temperature != nil:
		a.refuse("temperature", "Only the default (1) value is supported.")
	case a.has(MildOnly) && a.q.Temperature != nil && *a.q.Temperature > 1:
		a.refuse("temperature", "It takes 0 to 1. Known: max_completion_tokens, temperature.")
	case a.has(Garbage):
		a.start("text/event-stream")
		io.WriteString(a.w, "data: {\"choices\":[{\"delta\":\n\n")
	case a.has(WholeAnswer):
		a.start("application/json")
		io.WriteString(a.w, `{"choices":[{"message":{"role":"assistant","content":"It comes apart."},"finish_reason":"stop"}]}`)
	case a.has(EndlessLine):
		a.start("text/event-stream")
		io.WriteString(a.w, "data: ")
		a.endless()
	default:
		a.stream()
	}
}

func (a *reply) stream() {
	a.start("text/event-stream; charset=utf-8")
	if strings.HasPrefix(a.r.URL.Path, "/openai/deployments/") {
		a.event(map[string]any{"choices": []any{}, "prompt_filter_results": []any{map[string]any{"prompt_index": 0}}})
	}
	for _, thought := range a.script.Reasoning {
		a.choice(map[string]any{cmp.Or(a.script.ReasoningIn, "reasoning_content"): thought}, nil)
		a.wait(a.script.ChunkDelay)
	}
	words := a.script.Words
	if words == nil {
		words = Words
	}
	for i, word := range words {
		if i > 0 {
			a.wait(a.script.ChunkDelay)
		}
		if i == len(words)-1 {
			a.hold()
		}
		if a.r.Context().Err() != nil {
			return
		}
		a.choice(map[string]any{"content": word}, nil)
		if a.has(Comments) {
			io.WriteString(a.w, strings.Repeat(": still here\n\n", 400))
		}
	}
	for _, call := range a.script.Calls {
		a.choice(map[string]any{"tool_calls": json.RawMessage(call)}, nil)
	}
	a.end(words)
}

func (a *reply) hold() {
	if a.script.Hold == nil {
		return
	}
	select {
	case <-a.script.Hold:
	case <-a.r.Context().Done():
	}
}

// end writes everything after the words.
func (a *reply) end(words []string) {
	finish := "stop"
	if len(a.script.Calls) > 0 {
		finish = "tool_calls"
	}
	switch a.script.Fault {
	case CutStream:
		return
	case CutBody:
		a.breakOff()
	case ErrorInside:
		a.event(map[string]any{"error": map[string]any{"message": "out of memory, key " + a.r.Header.Get("Authorization"), "type": "server_error", "code": 500}})
		return
	case FilterAnswer:
		finish = "content_filter"
	}
	if !a.has(NoFinish) {
		a.choice(map[string]any{}, finish)
	}
	if a.q.StreamOptions != nil && !a.has(NoUsage) {
		var texts []string
		for _, m := range a.q.Messages {
			if text, ok := m.Content.(string); ok {
				texts = append(texts, text)
			}
		}
		usage := map[string]any{}
		read, cached := Tokens(texts...), 0
		if a.count != nil {
			read, cached = a.count(texts)
		}
		if a.script.Read > 0 {
			read, cached = a.script.Read, 0
		}
		if cached > 0 {
			usage["prompt_tokens_details"] = map[string]any{"cached_tokens": cached}
		}
		usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"] = read, len(words), read+len(words)
		a.event(map[string]any{"choices": []any{}, "usage": usage})
	}
	if !a.has(NoDone) {
		io.WriteString(a.w, "data: [DONE]\n\n")
		a.flush()
	}
	if a.has(LateEnd) {
		a.wait(2 * time.Millisecond)
	}
}

func (a *reply) choice(delta map[string]any, finish any) {
	a.event(map[string]any{"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": a.q.Model,
		"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
}

func (a *reply) event(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	fmt.Fprintf(a.w, "data: %s\n\n", b)
	a.flush()
}
