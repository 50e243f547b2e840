package engine

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/engine/rpc"
	"seam/shared/protocol"
)

func TestAsk(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	doc := p.open("a.txt", "file", plain())
	p.must("chunk", params{"doc": doc, "maxTokens": 30}, nil, nil)
	for _, tt := range []struct {
		words   []string
		refused bool
	}{{proxy.words, false}, {[]string{" “I do not have enough", " information to answer that”\n"}, true}, {[]string{protocol.Refusal}, true}, {[]string{protocol.Refusal, " But I guess."}, false}} {
		proxy.words, p.named = tt.words, nil
		var r struct {
			Finish            string
			Tokens, TokensOut int
			Refused           bool
			Passages          int
		}
		p.must("ask", params{"question": "What turns in the wind?", "model": "openai:c", "docs": []int{doc}, "k": 3, "mode": "keyword"}, nil, &r)
		if r.Finish != "stop" || r.Tokens != 30 || r.TokensOut != len(tt.words) || r.Refused != tt.refused || r.Passages != 3 {
			t.Errorf("%+v", r)
		}
		var hits struct{ Hits []hitJSON }
		if err := json.Unmarshal(p.named[0].Data, &hits); err != nil || p.named[0].Event != "hits" || len(hits.Hits) != 3 {
			t.Errorf("%s %s: %v", p.named[0].Event, p.named[0].Data, err)
		}
		for i, e := range p.named[1:] {
			var delta struct{ Text string }
			if err := json.Unmarshal(e.Data, &delta); err != nil || e.Event != "delta" || delta.Text != tt.words[i] {
				t.Errorf("%s %s: %v", e.Event, e.Data, err)
			}
		}
		chat := proxy.chats[len(proxy.chats)-1]
		if chat.Template != "answer" || chat.Question != "What turns in the wind?" || chat.Passages[0] != hits.Hits[0].Source+"\n"+hits.Hits[0].passage() || hits.Hits[0].Source != "a.txt · Four things that turn" || len(chat.Passages) != 3 || len(p.named) != 1+len(tt.words) {
			t.Errorf("%+v", chat)
		}
	}
	// If nothing is found, nothing may be sent.
	var r struct{ Refused bool }
	before := len(proxy.chats)
	p.must("ask", params{"question": "xylophone", "model": "openai:c", "mode": "keyword"}, nil, &r)
	if !r.Refused || len(proxy.chats) != before {
		t.Errorf("%+v, %d chats", r, len(proxy.chats)-before)
	}
	for _, tt := range []struct {
		params params
		says   string
	}{
		{params{"question": "\n", "model": "openai:c"}, "empty"},
		{params{"question": "why?", "model": "openai:c", "docs": []int{}}, "no document"},
		{params{"question": "why?", "model": "c"}, "openai:c"},
		{params{"question": "why?", "model": hosted}, "openai:c"},
		{params{"question": "why?", "model": "openai:c", "mode": "psychic"}, "hybrid"},
	} {
		if err := p.call("ask", tt.params, nil, nil); err == nil || err.Code != rpc.BadRequest || !strings.Contains(err.Message, tt.says) {
			t.Errorf("%v: %+v", tt.params, err)
		}
	}
}

// passage returns the passage that is sent for a hit.
func (h hitJSON) passage() string { return cmp.Or(h.Sent, h.Text) }

// Passages that are given must be sent as they are, without a search.
func TestAskWithPassages(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	p.open("a.txt", "file", plain())
	ask := params{"question": "What turns?", "model": "openai:c", "passages": []string{"The vane turns.", "So does the mill."}}
	var r struct {
		Passages int
		Query    string
	}
	p.named = nil
	p.must("ask", ask, nil, &r)
	chat := proxy.chats[len(proxy.chats)-1]
	if !slices.Equal(chat.Passages, []string{"The vane turns.", "So does the mill."}) || r.Passages != 2 || r.Query != "What turns?" {
		t.Errorf("%+v: %q", r, chat.Passages)
	}
	ask["sources"] = []string{"a.txt · page 4", ""}
	p.must("ask", ask, nil, &r)
	if chat = proxy.chats[len(proxy.chats)-1]; !slices.Equal(chat.Passages, []string{"a.txt · page 4\nThe vane turns.", "So does the mill."}) {
		t.Errorf("%q", chat.Passages)
	}
	if p.named[0].Event != "delta" {
		t.Errorf("%s: %s", p.named[0].Event, p.named[0].Data)
	}
	// If none is left, nothing may be sent.
	before := len(proxy.chats)
	ask["passages"] = []string{}
	p.must("ask", ask, nil, &r)
	if r.Passages != 0 || len(proxy.chats) != before {
		t.Errorf("%+v, %d chats", r, len(proxy.chats)-before)
	}
}

// Chunks of a document are sent in order, without a search.
func TestAskAboutChunks(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	doc := p.open("a.txt", "file", plain())
	p.must("chunk", params{"doc": doc, "maxTokens": 30}, nil, nil)
	ask := params{"question": "What turns?", "model": "openai:c", "docs": []int{doc}, "chunks": []int{1, 4}}
	var r struct {
		Passages int
		Query    string
	}
	p.named = nil
	p.must("ask", ask, nil, &r)
	var hits struct{ Hits []hitJSON }
	if err := json.Unmarshal(p.named[0].Data, &hits); err != nil || p.named[0].Event != "hits" || len(hits.Hits) != 3 {
		t.Fatalf("%s %s: %v", p.named[0].Event, p.named[0].Data, err)
	}
	chat := proxy.chats[len(proxy.chats)-1]
	for i, h := range hits.Hits {
		if h.Parts == nil || h.Words == nil || h.Marks == nil || h.Chunk != i+1 || chat.Passages[i] != h.Source+"\n"+h.Text || h.Source == "" {
			t.Errorf("%+v: %q", h, chat.Passages[i])
		}
	}
	if len(chat.Passages) != 3 || r.Passages != 3 || r.Query != "What turns?" {
		t.Errorf("%+v: %q", r, chat.Passages)
	}
	for says, wrong := range map[string]params{"no chunks from 2 to 99": {"chunks": []int{2, 99}}, "from -1": {"chunks": []int{-1, 2}}, "from 3 to 2": {"chunks": []int{3, 2}}, "of 2 documents": {"chunks": []int{0, 1}, "docs": []int{doc, doc}}} {
		for key, value := range ask {
			if wrong[key] == nil {
				wrong[key] = value
			}
		}
		if err := p.call("ask", wrong, nil, nil); err == nil || err.Code != rpc.BadRequest || !strings.Contains(err.Message, says) {
			t.Errorf("%v: %+v", wrong, err)
		}
	}
}

// A hit has the line above its passage, for open and for stored documents, unless the user
// sends none.
func TestAskSources(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	p.engine.host.Files = drawer(t.TempDir())
	md := "---\ndate: 2023-04-01\n---\n# Weirs\n\n## Gate\n\nThe gate leaks.\n"
	p.must("open", params{"name": "in/weirs.md", "kind": "file", "saved": "2024-03-05"}, [][]byte{[]byte(md)}, nil)
	var opened struct{ Doc int }
	p.must("open", params{"name": "in/gate.txt", "kind": "file", "saved": "2024-03-05"}, [][]byte{[]byte("The gate of the harbour leaks.\fA second page.")}, &opened)
	var kept keepReply
	p.must("chunk", params{"doc": opened.Doc}, nil, nil)
	p.must("keep", params{"doc": opened.Doc, "file": "1.index", "what": "index"}, nil, &kept)
	ask := params{"question": "What does the gate do?", "model": "openai:c", "mode": "keyword"}
	sources := func() (lines []string) {
		t.Helper()
		p.named = nil
		p.must("ask", ask, nil, nil)
		var hits struct{ Hits []hitJSON }
		if err := json.Unmarshal(p.named[0].Data, &hits); err != nil {
			t.Fatal(err)
		}
		for i, h := range hits.Hits {
			lines = append(lines, h.Source)
			if sent := proxy.chats[len(proxy.chats)-1].Passages[i]; h.Source != "" && sent != h.Source+"\n"+h.passage() || h.Source == "" && sent != h.passage() {
				t.Errorf("%q, of %+v", sent, h)
			}
		}
		slices.Sort(lines)
		return lines
	}
	want := []string{"Weirs · Gate · 2023-04-01", "gate.txt · pages 1-2 · saved 2024-03-05"}
	if got := sources(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	p.must("close", params{"doc": opened.Doc}, nil, nil)
	p.must("shelve", params{"docs": []params{{"name": "in/gate.txt", "file": "1.index", "head": kept.Head, "saved": "2024-03-05"}}}, nil, nil)
	if got := sources(); !slices.Equal(got, want) {
		t.Errorf("stored: %q", got)
	}
	ask["unnamed"] = true
	if got := sources(); !slices.Equal(got, []string{"", ""}) {
		t.Errorf("unnamed: %q", got)
	}
}

// Stop must end an answer and keep the parts already shown.
func TestStopAnAnswer(t *testing.T) {
	proxy := newFakeProxy(t)
	proxy.hold = make(chan struct{}) // the answer does not end
	p := connected(t, proxy)
	p.open("a.txt", "file", plain())
	id, done := p.begin("ask", params{"question": "What turns?", "model": "openai:c"}, nil)
	for {
		proxy.mu.Lock()
		asked := len(proxy.chats)
		proxy.mu.Unlock()
		if asked > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	p.must("hello", nil, nil, nil)
	p.must("cancel", params{"id": id}, nil, nil)
	<-done
	if a := p.answer(id); a.Error == nil || a.Error.Code != rpc.Cancelled {
		t.Errorf("%+v", a)
	}
}

// A question in a thread must carry the earlier turns and find their subject. A proxy that
// accepts no history must be asked without it.
func TestAskInAThread(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	doc := p.open("a.txt", "file", plain())
	p.must("chunk", params{"doc": doc, "maxTokens": 30}, nil, nil)
	history := []params{{"role": "user", "content": "What turns in the wind?"}, {"role": "assistant", "content": "The vane [1]."}}
	ask := params{"question": "And why?", "model": "openai:c", "docs": []int{doc}, "k": 2, "mode": "keyword", "history": history}
	var r struct{ Query string }
	p.must("ask", ask, nil, &r)
	chat := proxy.chats[len(proxy.chats)-1]
	if r.Query != "What turns in the wind? And why?" || chat.Question != "And why?" || len(chat.History) != 2 || chat.History[1].Content != "The vane [1]." || len(chat.Passages) != 2 {
		t.Errorf("%q: %+v", r.Query, chat)
	}
	// The user's own prompt must be sent as messages, and show must return them unchanged.
	ask["system"] = "Be brief."
	var shown struct {
		Messages []protocol.ChatMessage
		Passages int
	}
	ask["show"] = true
	before := len(proxy.chats)
	p.must("ask", ask, nil, &shown)
	if len(proxy.chats) != before {
		t.Error("a prompt that is shown is sent")
	}
	delete(ask, "show")
	p.must("ask", ask, nil, nil)
	chat = proxy.chats[len(proxy.chats)-1]
	if chat.Template != "" || !slices.Equal(chat.Messages, shown.Messages) || shown.Passages != 2 || !strings.HasPrefix(chat.Messages[0].Content, "Be brief.") {
		t.Errorf("shown\n%q\nsent\n%q", shown.Messages, chat.Messages)
	}
	// Otherwise the prompt must be the one that the proxy announced.
	delete(ask, "system")
	p.must("ask", ask, nil, &shown)
	if !strings.HasPrefix(shown.Messages[0].Content, "Answer from the passages.\n") || len(shown.Messages) != 4 {
		t.Errorf("%q", shown.Messages)
	}
	old := newFakeProxy(t)
	old.limits.Turns, old.limits.History = 0, 0
	p = connected(t, old)
	doc = p.open("a.txt", "file", plain())
	ask["docs"] = []int{doc}
	p.must("ask", ask, nil, nil)
	if chat := old.chats[0]; len(chat.History) != 0 || chat.Question != "And why?" {
		t.Errorf("%+v", chat)
	}
}
