package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/upstream"
	"seam/shared/protocol"
)

// counter is a provider of embeddings with its own way to count tokens.
type counter struct {
	tokens func(texts []string) int
	said   atomic.Int64 // tokens of all calls
	calls  atomic.Int64
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct{ Input []string }
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		http.Error(w, "no JSON", http.StatusBadRequest)
		return
	}
	n := c.tokens(q.Input)
	c.said.Add(int64(n))
	c.calls.Add(1)
	rows := strings.TrimSuffix(strings.Repeat(`{"embedding":[1,2]},`, len(q.Input)), ",")
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"data":[%s],"usage":{"prompt_tokens":%d,"total_tokens":%d}}`, rows, n, n)
}

// newCounted returns a rig with a provider that counts tokens with the given function.
func newCounted(t *testing.T, limits limit.Limits, tokens func(texts []string) int) (rig, *counter) {
	t.Helper()
	c := &counter{tokens: tokens}
	s := httptest.NewServer(c)
	t.Cleanup(s.Close)
	client, err := upstream.New(upstream.Provider{Name: "test", BaseURL: s.URL, Key: func() string { return canary }, Retry: upstream.Retry{Tries: 1},
		Models: []upstream.Model{{Model: protocol.Model{ID: "e", Kind: protocol.Embedding}}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return newRig(t, limits, func(p *Provider) { p.Client = client }), c
}

// everyByte counts the greatest number of tokens that texts can have.
func everyByte(texts []string) (n int) {
	for _, s := range texts {
		n += len(s)
	}
	return n
}

// A provider that reports nonsense usage neither empties a budget nor fills it up.
func TestUsageIsBelieved(t *testing.T) {
	for _, says := range []int{math.MaxInt64, math.MaxInt64 - 1, 1 << 62, math.MinInt64, -1} {
		r, _ := newCounted(t, limit.Limits{Day: limit.Amount{Tokens: 1000}}, func([]string) int { return says })
		_, usage, err := r.Embed(context.Background(), alice, "e", []string{"a text"}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if s := r.spent(t); s.Tokens <= 0 || s.Tokens > 100 || usage.Tokens <= 0 || usage.Tokens > 100 {
			t.Errorf("a provider that says %d: %+v spent, %+v told", says, s, usage)
		}
	}
	for _, u := range []protocol.Usage{{Tokens: math.MaxInt, TokensOut: math.MaxInt}, {Tokens: -5, TokensOut: math.MinInt}, {Tokens: mostTokens + 1}} {
		if got := believed(u, protocol.Usage{Tokens: 7, TokensOut: 9}); got.Tokens != 7 || got.TokensOut != 9 && u.TokensOut != 0 {
			t.Errorf("%+v becomes %+v", u, got)
		}
	}
}

// A provider that counts a token for every byte overshoots no budget. One that counts fewer
// lets a budget be used up.
func TestBudgetsAreNotOvershot(t *testing.T) {
	third := func(texts []string) (n int) { return everyByte(texts) / 4 }
	for name, tokens := range map[string]func([]string) int{"every byte": everyByte, "a quarter": third} {
		const budget, size = 10_000, 200
		r, provider := newCounted(t, limit.Limits{Session: limit.Amount{Tokens: budget}}, tokens)
		var err error
		for i := 0; err == nil; i++ {
			var texts []string
			for j := range 16 {
				texts = append(texts, fmt.Sprintf("%-*d", size, 16*i+j))
			}
			_, _, err = r.Embed(context.Background(), alice, "e", texts, 0)
		}
		if codeOf(err) != protocol.BudgetSpent || !strings.Contains(err.Error(), "may not be enough") {
			t.Errorf("%s: %v", name, err)
		}
		// The last refused call was estimated as a third of its bytes, or had one text.
		if said := provider.said.Load(); said > budget || said < budget-16*(size+2)/3-size {
			t.Errorf("%s: %d tokens in %d calls, of a budget of %d", name, said, provider.calls.Load(), budget)
		}
	}
}

// If the budget does not cover even the estimate of a request, it costs nothing: its
// vectors would be paid for and lost.
func TestRefusedAsAWhole(t *testing.T) {
	r, provider := newCounted(t, limit.Limits{Session: limit.Amount{Tokens: 1000}}, everyByte)
	var texts []string
	for i := range 20 {
		texts = append(texts, fmt.Sprintf("%-200d", i))
	}
	_, _, err := r.Embed(context.Background(), alice, "e", texts, 0)
	if codeOf(err) != protocol.BudgetSpent || provider.calls.Load() > 0 || r.spent(t) != (limit.Amount{}) {
		t.Errorf("%v after %d calls", err, provider.calls.Load())
	}
}

// A chat reserves the greatest possible cost of its answer.
func TestWorstOfAChat(t *testing.T) {
	r := newRig(t, limit.Limits{Session: limit.Amount{Tokens: 1000}}, nil)
	ask := &protocol.Chat{Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: strings.Repeat("x", 1000)}}, Params: protocol.Params{MaxTokens: 10}}
	_, _, err := r.Chat(context.Background(), alice, ask, nil)
	if codeOf(err) != protocol.BudgetSpent || !strings.Contains(err.Error(), "more than the whole budget") || len(r.server.Requests()) > 0 {
		t.Errorf("%v", err)
	}
}
