package engine

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

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
		if chat.Template != "answer" || chat.Question != "What turns in the wind?" || chat.Passages[0] != hits.Hits[0].Text || len(chat.Passages) != 3 || len(p.named) != 1+len(tt.words) {
			t.Errorf("%+v", chat)
		}
	}
	// Where nothing is found nothing is sent.
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

// A Stop ends an answer; what has been shown stays shown.
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

// Passages are whole and best first, as many as there is room for; the first one
// alone may be shortened.
func TestPassagesFit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	letters := []rune("ab \n\"<\u2028é字😀\x01")
	for range 400 {
		var passages []string
		for range 1 + random.IntN(8) {
			var b strings.Builder
			for range random.IntN([]int{10, 500, 30_000}[random.IntN(3)]) {
				b.WriteRune(letters[random.IntN(len(letters))])
			}
			passages = append(passages, b.String()+"x")
		}
		most := random.IntN(60_000)
		m := &protocol.Chat{Model: "m", Template: "answer", Question: strings.Repeat("\"", random.IntN(200)+1)}
		got, err := fitting(m, passages, most)
		m.ID, m.Passages = math.MaxUint32, got
		frame, encodeErr := protocol.Encode(m)
		size := len(m.Question)
		for _, s := range got {
			size += len(s)
		}
		switch {
		case err != nil:
			if most > 210 {
				t.Fatalf("%v with %d bytes of room", err, most)
			}
		case encodeErr != nil || len(frame) > protocol.MaxText || most > 0 && size > most:
			t.Fatalf("a frame of %d bytes, %d of %d bytes of context: %v", len(frame), size, most, encodeErr)
		case len(got) == 1 && strings.HasPrefix(passages[0], got[0]) && got[0] != "" && utf8.ValidString(got[0]):
			if got[0] != passages[0] && (size < most/2 || most == 0) && len(frame) < protocol.MaxText/2 {
				t.Fatalf("the first passage is cut to %d bytes, a frame of %d with %d bytes of context", len(got[0]), len(frame), most)
			}
		case len(got) == 0 || !slices.Equal(got, passages[:len(got)]):
			t.Fatalf("%d passages that are not the first", len(got))
		}
		// No room is wasted: the next one would not have fitted.
		if err == nil && len(got) < len(passages) && got[0] == passages[0] {
			m.Passages = passages[:len(got)+1]
			frame, _ = protocol.Encode(m)
			if len(frame) <= protocol.MaxText && (most == 0 || size+len(passages[len(got)]) <= most) {
				t.Fatalf("%d of %d passages, though the next has room", len(got), len(passages))
			}
		}
	}
}
