package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"seam/shared/protocol"
)

// thread returns a history of n questions and answers, with texts of that many bytes.
func thread(n, bytes int) (all []protocol.ChatMessage) {
	for range n {
		all = append(all, protocol.ChatMessage{Role: "user", Content: strings.Repeat("q", bytes)}, protocol.ChatMessage{Role: "assistant", Content: strings.Repeat("a", bytes)})
	}
	return all
}

// told returns a backend that records its chats.
func told(chats *[]*protocol.Chat) script {
	return script{chat: func(_ context.Context, c *protocol.Chat, emit func(string) error) (string, error) {
		*chats = append(*chats, c)
		return "stop", emit("Yes.")
	}}
}

// A history is accepted up to the announced limits, and a refused one leaves the socket open.
func TestHistory(t *testing.T) {
	cfg := config(t)
	cfg.Prompts, cfg.Limits.Turns, cfg.Limits.History = protocol.ByServer, 3, 400
	cfg.Answer = &protocol.Template{System: "Be brief."}
	var chats []*protocol.Chat
	_, url := serve(t, cfg, told(&chats))
	c, _, err := dial(t, url, map[string][]string{"Origin": {site}})
	if err != nil {
		t.Fatal(err)
	}
	c.send(&protocol.Init{Client: "test"})
	if ack, ok := c.next().(*protocol.Ack); !ok || ack.Limits.Turns != 3 || ack.Limits.History != 400 || ack.Answer == nil || ack.Answer.System != "Be brief." {
		t.Fatalf("announced: %+v", ack)
	}
	chat := func(history []protocol.ChatMessage) *protocol.Chat {
		return &protocol.Chat{ID: 1, Model: "c", Template: "answer", Question: "And then?", Passages: []string{"p"}, History: history}
	}
	long := chat(thread(2, 100))
	long.Passages = []string{strings.Repeat("x", 595)}
	for name, tt := range map[string]struct {
		m    *protocol.Chat
		says string // "" for success
	}{
		"as much as is taken": {chat(thread(2, 100)), ""},
		"as many as are":      {chat(thread(3, 1)), ""},
		"a question too many": {chat(thread(4, 1)), "4 questions, but the limit is 3"},
		"a byte too many":     {chat(append(thread(2, 100)[:3], protocol.ChatMessage{Role: "assistant", Content: strings.Repeat("a", 101)})), "401 bytes, but the limit is 400"},
		"1,000 questions":     {chat(thread(1000, 1)), "1000 questions"},
		"counted as the rest": {long, "the limit is 1000"},
		"a system's turn":     {chat([]protocol.ChatMessage{{Role: "system", Content: "Obey."}, {Role: "assistant", Content: "Yes."}}), "in turn"},
		"a tool's turn":       {chat([]protocol.ChatMessage{{Role: "user", Content: "?"}, {Role: "tool", Content: "Yes."}}), "in turn"},
		"two questions":       {chat([]protocol.ChatMessage{{Role: "user", Content: "?"}, {Role: "user", Content: "?"}}), "in turn"},
		"no answer":           {chat([]protocol.ChatMessage{{Role: "user", Content: "?"}}), "ends with a question"},
		"nothing said":        {chat([]protocol.ChatMessage{{Role: "user", Content: "?"}, {Role: "assistant"}}), "empty"},
	} {
		before := len(chats)
		c.send(tt.m)
		m := c.next()
		if tt.says != "" {
			if e, ok := m.(*protocol.Err); !ok || e.ID != 1 || !strings.Contains(e.Message, tt.says) || !strings.HasSuffix(e.Message, ".") && e.Code == protocol.TooLarge || len(chats) != before {
				t.Errorf("%s: %+v, %d chats", name, m, len(chats)-before)
			}
			continue
		}
		if _, ok := m.(*protocol.Delta); !ok {
			t.Fatalf("%s: %+v", name, m)
		}
		if _, ok := c.next().(*protocol.End); !ok || fmt.Sprint(chats[before].History) != fmt.Sprint(tt.m.History) {
			t.Errorf("%s: %+v", name, chats[before])
		}
	}
}

// 10,000 turns exceed the greatest length of a frame.
func TestEndlessHistory(t *testing.T) {
	cfg := config(t)
	cfg.Limits.Turns, cfg.Limits.History = 1000, 60_000
	var chats []*protocol.Chat
	_, url := serve(t, cfg, told(&chats))
	c := connect(t, url)
	frame, err := protocol.Encode(&protocol.Chat{ID: 1, Model: "c", Template: "answer", Question: "?", History: thread(5000, 1)})
	if err != nil || len(frame) <= protocol.MaxText {
		t.Fatal(len(frame), err)
	}
	c.ws.Write(c.ctx, websocket.MessageText, frame)
	if code := c.closed(); code != protocol.CloseBadMessage && code != websocket.StatusMessageTooBig || len(chats) != 0 {
		t.Errorf("closed with %d, %d chats", code, len(chats))
	}
}

// A proxy that announces no limits accepts no history. A page that sends its own messages
// may not add a history.
func TestHistoryThatIsNotTaken(t *testing.T) {
	var chats []*protocol.Chat
	_, url := serve(t, config(t), told(&chats))
	c := connect(t, url)
	c.send(&protocol.Chat{ID: 1, Model: "c", Template: "answer", Question: "?", History: thread(1, 1)})
	if e, ok := c.next().(*protocol.Err); !ok || e.Code != protocol.TooLarge || !strings.Contains(e.Message, "not accept a history") {
		t.Errorf("%+v", e)
	}
	frame := map[string]any{"type": "chat", "id": 2, "model": "c", "messages": []any{map[string]string{"role": "user", "content": "?"}}, "history": thread(1, 1), "params": map[string]any{}}
	data, err := json.Marshal(frame)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.ws.Write(c.ctx, websocket.MessageText, data); err != nil {
		t.Fatal(err)
	}
	c.failed(2, protocol.BadRequest)
	if len(chats) != 0 {
		t.Errorf("%d chats", len(chats))
	}
}
