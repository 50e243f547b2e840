package policy

import (
	"strings"
	"testing"
)

func TestCheckProxy(t *testing.T) {
	for address, want := range map[string]string{
		"https://proxy.example.org":       "https://proxy.example.org",
		"https://Proxy.Example.org:8443/": "https://proxy.example.org:8443",
		"http://127.0.0.1:8787":           "http://127.0.0.1:8787",
		"http://localhost:1":              "http://localhost:1",
	} {
		if got, err := CheckProxy(address); got != want || err != nil {
			t.Errorf("%s: %q, %v", address, got, err)
		}
	}
	for _, address := range []string{
		"", "proxy.example.org", "http://proxy.example.org", "http://127.0.0.1.example.org", "https://", "ftp://a", "wss://a", "https://a/b", "https://a?b", "https://a#b",
		"https://u:p@a", "https://a;script-src *", "https://a *", "https://[::1]", "http://[::1]:8787", "https://*", "https://a:x", "https://a\"",
	} {
		if got, err := CheckProxy(address); err == nil {
			t.Errorf("%q passes as %q", address, got)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// Without a proxy, the page can reach only its own host.
func TestOpen(t *testing.T) {
	for proxy, want := range map[string]string{
		"":                      "connect-src 'self';",
		"https://p.example":     "connect-src 'self' https://p.example wss://p.example;",
		"http://127.0.0.1:8787": "connect-src 'self' http://127.0.0.1:8787 ws://127.0.0.1:8787;",
	} {
		if got := Open(proxy); !strings.Contains(got, want) || strings.Count(got, "connect-src") != 1 {
			t.Errorf("%q: %s", proxy, got)
		}
	}
	if Headers("")[0].Value != "(response-origin)" || Headers("https://p.example")[0].Value != `(response-origin "https://p.example")` {
		t.Errorf("%v, %v", Headers("")[0], Headers("https://p.example")[0])
	}
}

// The sealed entry may fetch every kind of file that the programs request.
func TestSealedFetches(t *testing.T) {
	got := Sealed(func(ext ...string) string { return strings.Join(ext, " ") })
	for _, ext := range []string{".wasm", ".gz", ".pdf", ".cmaps", ".bin", ".packed"} {
		_, connect, _ := strings.Cut(got, "connect-src ")
		connect, _, _ = strings.Cut(connect, ";")
		if !strings.Contains(connect+" ", ext+" ") {
			t.Errorf("%s: %s", ext, connect)
		}
	}
	if strings.Contains(got, "manifest-src") {
		t.Error("a manifest is let in")
	}
}
