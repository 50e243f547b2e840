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

// counter is a provider of embeddings that counts tokens in its own way.
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

// newCounted is a rig whose provider counts tokens like that.
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

// A provider that says nonsense of what a call has cost neither empties a budget nor
// fills it up.
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
