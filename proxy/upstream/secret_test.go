package upstream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// leaks searches everything an error can print for the key, its parts and the
// organisations.
func leaks(t *testing.T, err error) {
	t.Helper()
	var own *Error
	var public *protocol.Error
	if !errors.As(err, &own) || !errors.As(err, &public) {
		t.Fatalf("error %v", err)
	}
	for name, said := range map[string]string{
		"Error": err.Error(), "Detail": own.Detail(), "Message": public.Message, "header": fmt.Sprint(own.header), "body": own.body,
		"%v": fmt.Sprintf("%v", err), "%q": fmt.Sprintf("%q", err),
	} {
		for _, secret := range []string{canary, "canary", "0123456789abc", org, "Canary42", "SeCrEt123"} {
			if strings.Contains(said, secret) {
				t.Errorf("%s has %q: %s", name, secret, said)
			}
		}
		if name != "body" && strings.Contains(said, "own words") {
			t.Errorf("%s has the provider's words: %s", name, said)
		}
	}
	if len(own.Detail()) > maxDetail+len("…") || strings.ContainsAny(own.Detail(), "\r\n") {
		t.Errorf("Detail of %d bytes: %q", len(own.Detail()), own.Detail())
	}
}

func TestNoErrorTellsTheKey(t *testing.T) {
	var scripts []upstreamtest.Script
	for _, status := range []int{302, 400, 401, 403, 404, 413, 429, 500, 503} {
		scripts = append(scripts, upstreamtest.Script{Status: status, Headers: map[string]string{
			"X-Ratelimit-Limit-Requests": canary, "Retry-After": "Bearer " + canary, "Location": "http://127.0.0.1:1/" + canary, "X-Ratelimit-Reset-Tokens": org}})
	}
	for _, body := range []string{
		canary,
		strings.Repeat("x ", maxErrorBody/2-5) + canary, // cut in the middle of the key
		strings.Repeat(canary+" ", 1000),                // which redaction shortens
		strings.Repeat("Bearer "+canary+"\n", 500),      // the same with lines
		`{"error":{"message":["a","` + canary + `"],"type":null}}`,
		"Incorrect API key provided: sk-canary*******************KLMN.",
	} {
		scripts = append(scripts, upstreamtest.Script{Status: 401, Body: body})
	}
	for _, f := range []upstreamtest.Fault{upstreamtest.ErrorInside, upstreamtest.Garbage, upstreamtest.CutBody, upstreamtest.HangUp} {
		scripts = append(scripts, script(f))
	}
	for i, sc := range scripts {
		s := start(t)
		s.Always(sc)
		c := connect(t, s)
		if _, _, _, err := ask(c); err == nil {
			t.Errorf("script %d is no error", i)
		} else {
			leaks(t, err)
		}
		if sc.Fault == upstreamtest.ErrorInside {
			continue // which embeddings do not have
		}
		if _, _, err := c.Embed(context.Background(), "vec", texts, 0); err == nil {
			t.Errorf("script %d is no error", i)
		} else {
			leaks(t, err)
		}
	}
}

func TestRedact(t *testing.T) {
	p := &Provider{Key: func() string { return "correct horse" }, Organization: "battery"}
	for said, want := range map[string]string{
		"authorization: bearer t0k, and so on": "authorization: [redacted], and so on",
		"the key ab****yz is wrong":            "the key [redacted] is wrong",
		"gsk_1a2b or proj-x":                   "[redacted] or [redacted]",
		"id 0123456789abcdef0123456789abcdef!": "id [redacted]!",
		"correct horse of battery":             "[redacted] of [redacted]",
		"no task is at risk-free":              "no task is at risk-free",
	} {
		if got := p.redact(said, false); got != want {
			t.Errorf("%q became %q, want %q", said, got, want)
		}
	}
	if got := p.redact(strings.Repeat("x ", 50)+"correct hor", true); strings.Contains(got, "corr") {
		t.Errorf("half of a key is left: %q", got)
	}
}

// A key can have any form.
func TestAnyKeyIsRedacted(t *testing.T) {
	for _, key := range []string{"hunter2", "pass word", "Ключ", "a.b*c(d"} {
		s := start(t)
		s.Always(upstreamtest.Script{Status: 403, Body: "you said " + key + "; that is wrong"})
		_, _, _, err := ask(connect(t, s, func(p *Provider) { p.Key = func() string { return key } }))
		var own *Error
		if !errors.As(err, &own) || strings.Contains(own.body, key) || !strings.Contains(own.body, "that is wrong") {
			t.Errorf("key %q: %v", key, own)
		}
	}
}

func TestDetailTellsWhatHelps(t *testing.T) {
	s := start(t)
	s.Always(upstreamtest.Script{Status: 429, RetryAfter: "60", Body: "slow\ndown", Headers: map[string]string{"X-Ratelimit-Remaining-Requests": "0"}})
	_, _, err := connect(t, s).Embed(context.Background(), "vec", texts, 0)
	var own *Error
	if want := "retry-after 60, x-ratelimit-remaining-requests 0"; !errors.As(err, &own) || own.Detail() != want || own.Status() != 429 {
		t.Errorf("Detail %q, want %q", own.Detail(), want)
	}
}
