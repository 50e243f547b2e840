package upstream

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// A provider that loads a model is waited for, and is not away.
func TestAModelThatIsLoading(t *testing.T) {
	loading := upstreamtest.Script{Status: http.StatusServiceUnavailable, Body: `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`}
	s := start(t, append(repeat(loading, 9), upstreamtest.Script{})...)
	c := connect(t, s)
	if text, _, _, err := ask(c); err != nil || text == "" {
		t.Errorf("%q, %v", text, err)
	}
	count(t, s, 10)
	if c.Wait("talk") != 0 {
		t.Error("it counts as away")
	}
	// The same for vectors, and with a limit.
	s = start(t, repeat(loading, 3)...)
	if _, _, err := connect(t, s).Embed(t.Context(), "vec", texts, 0); err != nil {
		t.Error(err)
	}
	s = start(t)
	s.Always(loading)
	_, _, _, err := ask(connect(t, s, func(p *Provider) { p.Timeouts.FirstByte = time.Millisecond }))
	if code(t, err) != protocol.UpstreamFailed && code(t, err) != protocol.UpstreamTimeout {
		t.Error(err)
	}
}

// A near provider without a first byte in time may be loading: the next request still goes.
func TestSlowStartIsNoBreaker(t *testing.T) {
	s := start(t)
	s.Always(upstreamtest.Script{HeaderDelay: time.Hour})
	c := connect(t, s, func(p *Provider) { p.Timeouts.FirstByte = 50 * time.Millisecond })
	for range 5 {
		if _, _, _, err := ask(c); code(t, err) != protocol.UpstreamTimeout {
			t.Error(err)
		}
	}
	count(t, s, 5)
	if c.Wait("talk") != 0 {
		t.Error("it counts as away")
	}
}

func TestNear(t *testing.T) {
	var got []string
	for _, base := range []string{"http://127.0.0.1:11434/v1", "http://localhost:1234/v1", "http://[::1]:8080/v1", "http://192.168.1.7:8080/v1", "http://10.0.0.2/v1", "http://[fe80::1]/v1", "http://box/v1", "http://box.local/v1", "http://box.lan./v1",
		"https://api.openai.com/v1", "http://8.8.8.8/v1", "https://local.example.org/v1", "http://127.0.0.1.example.org/v1"} {
		p := Provider{BaseURL: base}
		p.fill()
		if p.Timeouts.FirstByte == 5*time.Minute && p.Timeouts.Embed == 5*time.Minute {
			got = append(got, base)
		} else if p.Timeouts.FirstByte != time.Minute || p.Timeouts.Embed != time.Minute {
			t.Errorf("%s: %+v", base, p.Timeouts)
		}
	}
	if want := 9; len(got) != want || slices.Contains(got, "https://api.openai.com/v1") {
		t.Errorf("near: %q", got)
	}
}

func TestIsLoopback(t *testing.T) {
	for base, want := range map[string]bool{
		"http://127.0.0.1:11434/v1": true, "http://127.9.9.9": true, "http://localhost:8080/v1": true, "http://a.localhost.": true, "http://[::1]:1234/v1": true, "http://[::ffff:127.0.0.1]/": true,
		"http://192.168.1.4:11434/v1": false, "http://ollama:11434": false, "https://localhost.example.org/v1": false, "http://127.0.0.1.example.org": false, "%": false, "": false,
	} {
		if IsLoopback(base) != want {
			t.Errorf("%s: %v", base, !want)
		}
	}
}
