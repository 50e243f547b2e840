package admission

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

const page = "https://docs.example.org"

func TestDoor(t *testing.T) {
	origins, err := NewOrigins([]string{page})
	if err != nil {
		t.Fatal(err)
	}
	signer, err := NewSigner([][]byte{[]byte(strings.Repeat("k", 32))}, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	const secret = "a-token-of-24-characters"
	ci, err := NewKnown("ci", secret)
	if err != nil {
		t.Fatal(err)
	}
	mint := func(origin string) string {
		token, err := signer.Mint(Claims{Origin: origin, Caller: "192.0.2.1"}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	closed := Door{Origins: origins}
	free := Door{Origins: origins, Signer: signer}
	strict := Door{Origins: origins, Signer: signer, Required: true, Known: []KnownCaller{ci}}
	for _, tt := range []struct {
		name          string
		door          Door
		token, origin string
		pays          Caller // "": not let in
	}{
		{"a page", free, "", page, "192.0.2.1"},
		{"a page with a token", free, mint(page), page, "192.0.2.1"},
		{"a page with a wrong token", free, "s1.x.y", page, ""},
		{"a program", free, "", "", ""},
		{"a program with a page's token", free, mint(page), "", ""},
		{"a program with a token", free, mint(""), "", "192.0.2.1"},
		{"a page without the token that it needs", strict, "", page, ""},
		{"a page with it", strict, mint(page), page, "192.0.2.1"},
		{"another site's token", strict, mint("https://other.example"), page, ""},
		{"a known program", strict, secret, "", "caller ci"},
		{"a page with its token", strict, secret, page, "caller ci"},
		{"a page by another spelling", free, "", "HTTPS://Docs.example.org:443", "192.0.2.1"},
		{"nearly", strict, secret[:23], "", ""},
		{"a page without tokens at all", closed, "", page, "192.0.2.1"},
		{"a token that nobody signs", closed, "s1.x.y", page, ""},
	} {
		pays, as, err := tt.door.Enter(tt.token, tt.origin, "192.0.2.1")
		want := map[Caller]Group{"192.0.2.1": SiteGroup(tt.origin), "caller ci": CallerGroup("ci")}[tt.pays]
		if pays != tt.pays || as != want || (err == nil) != (tt.pays != "") {
			t.Errorf("%s: %q as %q, %v", tt.name, pays, as, err)
		}
	}
	program := &http.Request{Header: http.Header{}}
	if _, err := closed.Knock(program); !errors.Is(err, ErrOrigin) {
		t.Errorf("a program where no token could hold: %v", err)
	}
	if origin, err := strict.Knock(program); err != nil || origin != "" {
		t.Errorf("%q, %v", origin, err)
	}
	if _, err := NewKnown("ci", "short"); err == nil || strings.Contains(err.Error(), "short") {
		t.Errorf("a token that can be guessed: %v", err)
	}
}

func TestTruncated(t *testing.T) {
	for c, want := range map[Caller]string{"192.0.2.77": "192.0.2.0/24", "2001:db8:1:2::/64": "2001:db8:1::/48", "caller ci": "caller ci", "unknown": "unknown"} {
		if got := c.Truncated(); got != want {
			t.Errorf("%s: %s", c, got)
		}
	}
}

func TestPace(t *testing.T) {
	var p Pace
	now := time.Unix(1000, 0)
	count := func(c Caller, perMinute int) (n int) {
		for range 100 {
			if _, ok := p.Allow(c, perMinute, now); ok {
				n++
			}
		}
		return n
	}
	if n := count("a", 30); n != 10 {
		t.Errorf("%d at once", n)
	}
	if n := count("b", 30); n != 10 {
		t.Errorf("%d of another address", n)
	}
	if wait, ok := p.Allow("a", 30, now); ok || wait != 2*time.Second {
		t.Errorf("wait %v", wait)
	}
	now = now.Add(time.Minute)
	if n := count("a", 30); n != 10 {
		t.Errorf("%d a minute later", n)
	}
	for i := range 3 * manyPaced { // a flood of addresses does not use unlimited memory
		p.Allow(Caller(fmt.Sprint(i)), 30, now)
	}
	if len(p.callers) > manyPaced {
		t.Errorf("%d addresses are kept", len(p.callers))
	}
}

// During a change of keys, the old one is valid while it is listed, and not after.
func TestSetKeys(t *testing.T) {
	old, young := []byte(strings.Repeat("o", 32)), []byte(strings.Repeat("y", 32))
	s, err := NewSigner([][]byte{old}, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var tokens []string
	for range 2 {
		token, err := s.Mint(Claims{}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	if err := s.SetKeys([][]byte{young, old}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Redeem(tokens[0], "", ""); err != nil {
		t.Error(err)
	}
	if err := s.SetKeys([][]byte{young}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Redeem(tokens[1], "", ""); !errors.Is(err, ErrToken) {
		t.Error(err)
	}
	if err := s.SetKeys([][]byte{[]byte("short")}); err == nil {
		t.Error("a short key is taken")
	}
}

// If only this machine is accepted, requests under another host name or through a server in
// between are refused.
func TestHere(t *testing.T) {
	origins, err := NewOrigins([]string{"http://localhost:8787"})
	if err != nil {
		t.Fatal(err)
	}
	door := Door{Origins: origins, Here: true}
	for _, tt := range []struct {
		host, header string
		ok           bool
	}{
		{"127.0.0.1:8787", "", true}, {"localhost:8787", "", true}, {"LOCALHOST", "", true}, {"[::1]:8787", "", true}, {"[::1]", "", true}, {"seam.localhost", "", true},
		{"abc.trycloudflare.com", "", false}, {"192.0.2.1:8787", "", false}, {"localhost.evil.example", "", false}, {"127.0.0.1.nip.io", "", false}, {"", "", false},
		{"localhost:8787", "X-Forwarded-For", false}, {"localhost:8787", "Forwarded", false}, {"localhost:8787", "X-Forwarded-Host", false},
		{"localhost:8787", "X-Real-IP", false}, {"localhost:8787", "CF-Connecting-IP", false}, {"localhost:8787", "Via", false},
	} {
		r := &http.Request{Host: tt.host, Header: http.Header{"Origin": {"http://localhost:8787"}}}
		if tt.header != "" {
			r.Header.Set(tt.header, "")
		}
		if _, err := door.Knock(r); (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrForeign) {
			t.Errorf("host %q with %q: %v", tt.host, tt.header, err)
		}
		if _, err := (&Door{Origins: origins}).Knock(r); err != nil {
			t.Errorf("a public proxy, host %q with %q: %v", tt.host, tt.header, err)
		}
	}
}
