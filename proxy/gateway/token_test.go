package gateway

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

// An old session ends between two requests, so that its client opens another.
func TestAge(t *testing.T) {
	cfg := config(t)
	cfg.Age = 50 * time.Millisecond
	ended := make(chan string, 1)
	_, url := serve(t, cfg, script{ended: func(s string) { ended <- s }})
	c := connect(t, url)
	if code := c.closed(); code != closeRestart {
		t.Errorf("closed with %d", code)
	}
	<-ended
}

func tokenConfig(t *testing.T) Config {
	t.Helper()
	c := config(t)
	signer, err := admission.NewSigner([][]byte{[]byte(strings.Repeat("k", 32))}, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.Door.Signer, c.Door.Required, c.Work = signer, true, 3
	return c
}

func askToken(t *testing.T, url string, ask protocol.SessionRequest) (*http.Response, protocol.SessionReply) {
	t.Helper()
	b, err := json.Marshal(ask)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, url+protocol.PathSession, bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", site)
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var reply protocol.SessionReply
	if resp.StatusCode == 200 {
		if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
			t.Fatal(err)
		}
	}
	return resp, reply
}

// A proof of work is valid for one token, and too many requests for tokens are refused.
func TestTokenForWork(t *testing.T) {
	c := tokenConfig(t)
	now := time.Now()
	c.PerMinute, c.Now = 12, func() time.Time { return now } // constant, however long the work takes
	_, url := serve(t, c, script{})
	_, reply := askToken(t, url, protocol.SessionRequest{})
	if reply.Puzzle == nil || reply.Token != "" || reply.Puzzle.Bits != 3 {
		t.Fatalf("%+v", reply)
	}
	ask := protocol.SessionRequest{Challenge: reply.Puzzle.Challenge}
	for !protocol.Solves(ask.Challenge, 3, ask.N) {
		ask.N++
	}
	if _, reply := askToken(t, url, ask); reply.Token == "" {
		t.Fatalf("%+v", reply)
	}
	if resp, _ := askToken(t, url, ask); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("the same work again: %d", resp.StatusCode)
	}
	if resp, _ := askToken(t, url, ask); resp.StatusCode == http.StatusTooManyRequests {
		t.Errorf("limited too early")
	}
	if resp, _ := askToken(t, url, ask); resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" {
		t.Errorf("too often: %d", resp.StatusCode)
	}
}

// The more places are taken, the more a token costs.
func TestWorkRises(t *testing.T) {
	c := tokenConfig(t)
	c.Connections, c.PerCaller = 8, 100
	g, _ := serve(t, c, script{})
	last := 0
	for n := range 9 {
		bits := g.work(g.config())
		if bits < last || n == 0 && bits != 3 || n == 8 && bits != 9 {
			t.Errorf("%d sessions: %d bits after %d", n, bits, last)
		}
		last = bits
		if no := g.admit(g.newPeer("http", site, "192.0.2.1")); (no != nil) != (n == 8) {
			t.Errorf("session %d: %+v", n, no)
		}
	}
}

// A preflight request succeeds exactly for the allowed site.
func TestPreflight(t *testing.T) {
	_, url := serve(t, config(t), script{})
	for origin, status := range map[string]int{site: http.StatusNoContent, "https://evil.example": http.StatusForbidden, "null": http.StatusForbidden} {
		r, err := http.NewRequest(http.MethodOptions, url+protocol.PathRequest, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		allowed := resp.Header.Get("Access-Control-Allow-Origin")
		if resp.StatusCode != status || (allowed == origin) != (status == http.StatusNoContent) || allowed == "*" {
			t.Errorf("%s: %d, allowed %q", origin, resp.StatusCode, allowed)
		}
	}
}

// The scheme's name is case-insensitive.
func TestBearer(t *testing.T) {
	for header, want := range map[string]string{"Bearer abc": "abc", "bearer abc": "abc", "BEARER  abc": "abc", "abc": "abc", "": "", "Basic abc": "Basic abc"} {
		r := &http.Request{Header: http.Header{"Authorization": {header}}}
		if got := bearer(r); got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
}
