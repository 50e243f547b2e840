package admission

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/shared/protocol"
)

func TestOrigins(t *testing.T) {
	o, err := NewOrigins([]string{"https://docs.example.org", "https://app.example.org:8443", "http://localhost:8787", "http://127.0.0.1:8787"})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		origins []string
		ok      bool
	}{
		{"the site", []string{"https://docs.example.org"}, true},
		{"its own port", []string{"https://docs.example.org:443"}, true},
		{"capitals", []string{"https://DOCS.example.org"}, true},
		{"a named port", []string{"https://app.example.org:8443"}, true},
		{"this machine", []string{"http://localhost:8787"}, true},
		{"missing", nil, false},
		{"empty", []string{""}, false},
		{"null", []string{"null"}, false},
		{"two", []string{"https://docs.example.org", "https://docs.example.org"}, false},
		{"http", []string{"http://docs.example.org"}, false},
		{"another port", []string{"https://docs.example.org:8443"}, false},
		{"no port", []string{"https://app.example.org"}, false},
		{"suffix", []string{"https://docs.example.org.evil.com"}, false},
		{"prefix", []string{"https://evildocs.example.org"}, false},
		{"subdomain", []string{"https://a.docs.example.org"}, false},
		{"parent", []string{"https://example.org"}, false},
		{"a path", []string{"https://docs.example.org/x"}, false},
		{"a user", []string{"https://docs.example.org@evil.com"}, false},
		{"a fragment", []string{"https://evil.com#https://docs.example.org"}, false},
		{"a trailing dot", []string{"https://docs.example.org."}, false},
		{"a file", []string{"file://"}, false},
		{"an extension", []string{"chrome-extension://abc"}, false},
		{"rubbish", []string{"https://docs.example.org\x00"}, false},
		{"a list", []string{"https://docs.example.org, https://evil.com"}, false},
	} {
		r := &http.Request{Header: http.Header{}}
		if tt.origins != nil {
			r.Header["Origin"] = tt.origins
		}
		if err := o.Check(r); (err == nil) != tt.ok || err != nil && !errors.Is(err, ErrOrigin) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	for _, bad := range []string{"*", "https://*.example.org", "https://example.org/path", "docs.example.org", "http://docs.example.org", "null", "", "https://u@example.org", "ftp://example.org"} {
		if _, err := NewOrigins([]string{bad}); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%q", bad)) {
			t.Errorf("%q is taken: %v", bad, err)
		}
	}
}

func TestCaller(t *testing.T) {
	trusted := Proxies{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, tt := range []struct {
		remote, forwarded string
		want              Caller
	}{
		{"192.0.2.7:5000", "", "192.0.2.7"},
		{"192.0.2.7:5000", "198.51.100.1", "192.0.2.7"}, // not a proxy, so anyone may have written that
		{"10.0.0.1:5000", "198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:5000", "203.0.113.9, 198.51.100.1", "198.51.100.1"},
		{"10.0.0.1:5000", "198.51.100.1, 10.0.0.2", "198.51.100.1"},
		{"10.0.0.1:5000", "198.51.100.1:4711", "198.51.100.1"},
		{"10.0.0.1:5000", "198.51.100.1:http", "198.51.100.1"},
		{"10.0.0.1:5000", "[2001:db8:1:2::9]:4711", "2001:db8:1:2::/64"},
		{"10.0.0.1:5000", "[2001:db8:1:2::9]", "2001:db8:1:2::/64"},
		{"10.0.0.1:5000", "203.0.113.9, 198.51.100.1:1, 10.0.0.2:2", "198.51.100.1"},
		{"10.0.0.1:5000", "203.0.113.9, rubbish", unreadable("rubbish")}, // anyone may have written the entries before it
		{"10.0.0.1:5000", "203.0.113.9, ", unreadable("")},
		{"10.0.0.1:5000", "rubbish, 198.51.100.1", "198.51.100.1"},
		{"192.0.2.7:5000", "rubbish", "192.0.2.7"},
		{"10.0.0.1:5000", "unknown", unreadable("unknown")},
		{"10.0.0.1:5000", "[198.51.100.1", unreadable("[198.51.100.1")},
		{"10.0.0.1:5000", "   ", "10.0.0.1"},
		{"10.0.0.1:5000", "", "10.0.0.1"},
		{"[2001:db8:1:2:3:4:5:6]:443", "", "2001:db8:1:2::/64"},
		{"[::1]:443", "2001:db8:1:2::9", "2001:db8:1:2::/64"},
		{"[::ffff:192.0.2.7]:1", "", "192.0.2.7"},
		{"[::ffff:10.0.0.1]:1", "192.0.2.8", "192.0.2.8"},
		{"[fe80::1%eth0]:1", "", "fe80::/64"},
		{"pipe", "", "unknown"},
	} {
		r := &http.Request{RemoteAddr: tt.remote, Header: http.Header{}}
		if tt.forwarded != "" {
			r.Header.Set("X-Forwarded-For", tt.forwarded)
		}
		if got := trusted.Caller(r); got != tt.want {
			t.Errorf("%s for %q: %s, want %s", tt.remote, tt.forwarded, got, tt.want)
		}
	}
}

// Unreadable entries of a proxy do not make all visitors one caller, or one visitor many.
func TestUnreadableCallers(t *testing.T) {
	trusted := Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	seen := map[Caller]int{}
	for i := range 10_000 {
		r := &http.Request{RemoteAddr: "10.0.0.1:5000", Header: http.Header{"X-Forwarded-For": {fmt.Sprintf("host-%d.example", i)}}}
		seen[trusted.Caller(r)]++
	}
	if len(seen) != unreadableCallers || seen["10.0.0.1"] > 0 {
		t.Errorf("%v", seen)
	}
}

// clock is a time that a test sets.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.t }
func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

func newSigner(t *testing.T, keys ...string) (*Signer, *clock) {
	t.Helper()
	if len(keys) == 0 {
		keys = []string{"a"}
	}
	var long [][]byte
	for _, k := range keys {
		long = append(long, bytes.Repeat([]byte(k), 32))
	}
	c := &clock{t: time.Unix(1_790_000_000, 0)}
	s, err := NewSigner(long, c.now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

func TestTokens(t *testing.T) {
	s, c := newSigner(t)
	mint := func(life time.Duration) string {
		token, err := s.Mint(Claims{Origin: "https://a.example", Caller: "192.0.2.7"}, life)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	token := mint(time.Minute)
	got, err := s.Redeem(token, "https://a.example", "192.0.2.7")
	if err != nil || got.ID == "" {
		t.Fatalf("%+v: %v", got, err)
	}
	if _, err := s.Redeem(token, "https://a.example", "192.0.2.7"); !errors.Is(err, ErrUsed) {
		t.Errorf("the second time: %v", err)
	}
	for name, redeem := range map[string]func() error{
		"another site":    func() error { _, err := s.Redeem(mint(time.Minute), "https://b.example", "192.0.2.7"); return err },
		"another address": func() error { _, err := s.Redeem(mint(time.Minute), "https://a.example", "192.0.2.8"); return err },
		"empty":           func() error { _, err := s.Redeem("", "https://a.example", "192.0.2.7"); return err },
		"dots":            func() error { _, err := s.Redeem("..", "https://a.example", "192.0.2.7"); return err },
		"no signature": func() error {
			tok := mint(time.Minute)
			_, err := s.Redeem(tok[:strings.LastIndex(tok, ".")+1], "https://a.example", "192.0.2.7")
			return err
		},
		"longer": func() error { _, err := s.Redeem(mint(time.Minute)+"A", "https://a.example", "192.0.2.7"); return err },
		"huge": func() error {
			_, err := s.Redeem(strings.Repeat("A", 1<<20), "https://a.example", "192.0.2.7")
			return err
		},
		"another's": func() error {
			o, _ := newSigner(t, "b")
			tok, _ := o.Mint(Claims{}, time.Minute)
			_, err := s.Redeem(tok, "https://a.example", "192.0.2.7")
			return err
		},
		"a puzzle as one": func() error {
			p, _ := s.Puzzle(1)
			_, err := s.Redeem(p.Challenge, "https://a.example", "192.0.2.7")
			return err
		},
	} {
		if err := redeem(); !errors.Is(err, ErrToken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range token { // changing any byte makes the token invalid
		b := []byte(mint(time.Minute))
		if i >= len(b) {
			break
		}
		b[i] ^= 1
		if _, err := s.Redeem(string(b), "https://a.example", "192.0.2.7"); err == nil {
			t.Errorf("byte %d changed: taken", i)
		}
	}
	old := mint(24 * time.Hour)
	c.add(MaxAge)
	if _, err := s.Redeem(old, "https://a.example", "192.0.2.7"); !errors.Is(err, ErrExpired) {
		t.Errorf("after MaxAge: %v", err)
	}
	if _, err := s.Redeem(mint(time.Minute), "https://a.example", "192.0.2.7"); err != nil || len(s.used) != 1 {
		t.Errorf("%d IDs are remembered after all but one have expired: %v", len(s.used), err)
	}
}

// During a change of keys, tokens of the old key are valid.
func TestKeysChange(t *testing.T) {
	old, _ := newSigner(t, "a")
	token, err := old.Mint(Claims{}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	both, _ := newSigner(t, "b", "a")
	if _, err := both.Redeem(token, "", ""); err != nil {
		t.Errorf("a token of the old key: %v", err)
	}
	after, _ := newSigner(t, "b")
	if _, err := after.Redeem(token, "", ""); !errors.Is(err, ErrToken) {
		t.Errorf("a token of a key that is gone: %v", err)
	}
	for _, keys := range [][][]byte{nil, {[]byte("short")}} {
		if _, err := NewSigner(keys, time.Now, rand.Reader); err == nil {
			t.Errorf("keys %q are taken", keys)
		}
	}
}

// If many callers redeem one token at once, one succeeds.
func TestRedeemOnce(t *testing.T) {
	s, _ := newSigner(t)
	token, err := s.Mint(Claims{}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	won := make(chan bool, 50)
	for range 50 {
		wg.Go(func() {
			if _, err := s.Redeem(token, "", ""); err == nil {
				won <- true
			}
		})
	}
	wg.Wait()
	if len(won) != 1 {
		t.Errorf("%d of 50 redeemed one token", len(won))
	}
}

func TestWork(t *testing.T) {
	s, c := newSigner(t)
	p, err := s.Puzzle(10)
	if err != nil || p.Bits != 10 {
		t.Fatalf("%+v: %v", p, err)
	}
	solve := func(p protocol.Puzzle) (n uint64) {
		for !protocol.Solves(p.Challenge, p.Bits, n) {
			n++
		}
		return n
	}
	n := solve(p)
	if err := s.Solved(p.Challenge, n, 11); !errors.Is(err, ErrWork) {
		t.Errorf("an easier puzzle than asked for: %v", err)
	}
	if err := s.Solved(p.Challenge, n, 10); err != nil {
		t.Errorf("the solution: %v", err)
	}
	if err := s.Solved(p.Challenge, n, 10); !errors.Is(err, ErrUsed) {
		t.Errorf("the solution again: %v", err)
	}
	other, _ := s.Puzzle(10)
	wrong := uint64(0)
	for protocol.Solves(other.Challenge, 10, wrong) {
		wrong++
	}
	if err := s.Solved(other.Challenge, wrong, 10); !errors.Is(err, ErrWork) {
		t.Errorf("a wrong number: %v", err)
	}
	if err := s.Solved("w1.e30.AAAA", 0, 0); !errors.Is(err, ErrWork) {
		t.Errorf("a puzzle of one's own: %v", err)
	}
	late, _ := s.Puzzle(4)
	c.add(3 * time.Minute)
	if err := s.Solved(late.Challenge, solve(late), 4); !errors.Is(err, ErrExpired) {
		t.Errorf("too late: %v", err)
	}
	if p, _ := s.Puzzle(99); p.Bits != MaxWork {
		t.Errorf("%d bits are asked for", p.Bits)
	}
}

func FuzzRedeem(f *testing.F) {
	f.Add("s1.e30.AAAA")
	f.Add("..")
	f.Fuzz(func(t *testing.T, token string) {
		s, _ := newSigner(t)
		if _, err := s.Redeem(token, "", ""); err == nil {
			t.Errorf("%q is taken", token)
		}
		if err := s.Solved(token, 1, 0); err == nil {
			t.Errorf("%q is solved", token)
		}
	})
}
