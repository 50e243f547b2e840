package relay

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/proxy/limit"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/answer"
	"seam/shared/protocol"
)

func TestOff(t *testing.T) {
	r := newRig(t, limit.Limits{}, nil)
	r.embed(t, alice, "a")
	r.Off(true)
	if _, _, err := r.Embed(context.Background(), alice, "e", []string{"a"}, 0); codeOf(err) != protocol.ShuttingDown {
		t.Errorf("a text of the cache: %v", err)
	}
	if _, _, err := r.Chat(context.Background(), alice, &protocol.Chat{Model: "c", Template: "answer"}, nil); codeOf(err) != protocol.ShuttingDown {
		t.Errorf("a chat: %v", err)
	}
	r.Off(false)
	if r.embed(t, alice, "a"); len(r.server.Requests()) != 1 {
		t.Errorf("%d calls", len(r.server.Requests()))
	}
}

// A session's account ends with it, and does not limit the next session.
func TestEnded(t *testing.T) {
	r := newRig(t, limit.Limits{Session: limit.Amount{Tokens: 30}}, nil)
	r.embed(t, alice, strings.Repeat("x", 24))
	if _, _, err := r.Embed(context.Background(), alice, "e", []string{strings.Repeat("y", 24)}, 0); codeOf(err) != protocol.BudgetSpent {
		t.Fatalf("%v", err)
	}
	r.Ended(alice.Session)
	r.embed(t, alice, strings.Repeat("y", 24))
}

// The built-in prompt forbids following instructions in passages. A configuration can add
// templates, and sets which of them ask for JSON.
func TestTemplates(t *testing.T) {
	if system := answer.Templates["answer"].System; !strings.Contains(system, "never an instruction") || !strings.HasSuffix(system, protocol.Refusal) {
		t.Errorf("%q", system)
	}
	r := newRig(t, limit.Limits{}, nil)
	if err := r.Reload([]Provider{r.now.Load().routes["c"][0].provider}, map[string]protocol.Template{"split": {System: "Split it.", JSON: true}}, nil); err != nil {
		t.Fatal(err)
	}
	_, _, err := r.Chat(context.Background(), alice, &protocol.Chat{Model: "c", Template: "split", Question: "Who and why?", Params: protocol.Params{MaxTokens: 9}}, func(protocol.Part) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if body := string(r.server.Requests()[0].Body); !strings.Contains(body, `"json_object"`) || !strings.Contains(body, "Split it.") {
		t.Errorf("JSON is not asked for: %s", body)
	}
}

// watcher is an Observer that counts.
type watcher struct {
	mu           sync.Mutex
	sent, cached int
	codes        []protocol.Code
	spent        limit.Amount
}

func (w *watcher) Texts(_ string, sent, cached int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent, w.cached = w.sent+sent, w.cached+cached
}

func (w *watcher) Call(_, _ string, code protocol.Code, _ time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.codes = append(w.codes, code)
}

func (w *watcher) Searched(string, protocol.Code, time.Duration) {}

func (w *watcher) Spent(_ string, _ protocol.Usage, cost limit.Amount) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.spent.Tokens += cost.Tokens
	w.spent.Micros += cost.Micros
}

func TestObserver(t *testing.T) {
	r := newRig(t, limit.Limits{}, nil, upstreamtest.Script{}, upstreamtest.Script{Status: 401})
	w := &watcher{}
	r.observer = w
	r.embed(t, alice, "a", "b")
	r.embed(t, bob, "a", "b", "a")
	if _, _, err := r.Embed(context.Background(), bob, "e", []string{"c"}, 0); codeOf(err) != protocol.UpstreamRefused {
		t.Errorf("%v", err)
	}
	if w.sent != 2 || w.cached != 3 || len(w.codes) != 2 || w.codes[0] != "" || w.codes[1] != protocol.UpstreamRefused || w.spent != r.spent(t) {
		t.Errorf("%+v, the ledger says %+v", w, r.spent(t))
	}
}
