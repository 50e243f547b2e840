package upstream

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

func TestRetries(t *testing.T) {
	for _, tt := range []struct {
		status   int
		requests int // with three failing responses
		code     protocol.Code
	}{
		{429, 3, protocol.UpstreamLimited},
		{408, 3, protocol.UpstreamTimeout},
		{500, 3, protocol.UpstreamFailed},
		{502, 3, protocol.UpstreamFailed},
		{503, 3, protocol.UpstreamFailed},
		{504, 3, protocol.UpstreamTimeout},
		{501, 1, protocol.UpstreamFailed},
		{400, 1, protocol.UpstreamRefused},
		{401, 1, protocol.UpstreamRefused},
		{402, 1, protocol.UpstreamRefused},
		{403, 1, protocol.UpstreamRefused},
		{404, 1, protocol.UpstreamRefused},
		{413, 1, protocol.TooLarge},
		{302, 1, protocol.UpstreamRefused},
		{307, 1, protocol.UpstreamRefused},
		{204, 1, protocol.UpstreamRefused},
	} {
		s := start(t, repeat(upstreamtest.Script{Status: tt.status, Headers: map[string]string{"Location": "/v1/elsewhere"}}, 3)...)
		c := connect(t, s)
		_, usage, _, err := ask(c)
		if code(t, err) != tt.code || usage != (protocol.Usage{}) {
			t.Errorf("status %d: %v, usage %+v", tt.status, code(t, err), usage)
		}
		var own *Error
		if errors.As(err, &own); own.Status() != tt.status {
			t.Errorf("status %d became %d", tt.status, own.Status())
		}
		count(t, s, tt.requests)
	}
}

func TestRetrySucceeds(t *testing.T) {
	s := start(t, upstreamtest.Script{Status: 503}, script(upstreamtest.HangUp))
	if _, _, err := connect(t, s).Embed(context.Background(), "vec", texts, 0); err != nil {
		t.Error(err)
	}
	count(t, s, 3)
	for i, r := range s.Requests() {
		if len(r.Texts) != len(texts) {
			t.Errorf("try %d carried %d texts of %d", i, len(r.Texts), len(texts))
		}
	}
}

func TestResetConnections(t *testing.T) {
	s := start(t, repeat(script(upstreamtest.HangUp), 3)...)
	_, _, err := connect(t, s).Embed(context.Background(), "vec", texts, 0)
	if code(t, err) != protocol.UpstreamFailed {
		t.Errorf("error %v", err)
	}
	count(t, s, 3)
}

func TestRefusedConnections(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t)
	s.BaseURL = "http://" + listener.Addr().String()
	listener.Close()
	c := connect(t, s)
	tries := 0
	c.provider.Key = func() string { tries++; return canary }
	_, usage, err := c.Embed(context.Background(), "vec", texts, 0)
	if code(t, err) != protocol.UpstreamFailed || usage.Tokens != 0 {
		t.Errorf("error %v, usage %+v", err, usage)
	}
	if tries != 3 {
		t.Errorf("%d tries, want 3", tries)
	}
}

func TestNoRetryAfterTheFirstByte(t *testing.T) {
	for _, fault := range []upstreamtest.Fault{upstreamtest.CutStream, upstreamtest.CutBody, upstreamtest.ErrorInside, upstreamtest.Garbage} {
		s := start(t, upstreamtest.Script{Fault: fault, RetryAfter: "0"})
		if _, _, _, err := ask(connect(t, s)); err == nil {
			t.Errorf("%s is no error", fault)
		}
		count(t, s, 1)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	for name, header := range map[string]string{
		"seconds":      "1",
		"date":         time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat),
		"milliseconds": "1000",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limited := upstreamtest.Script{Status: 429, RetryAfter: header}
			if name == "milliseconds" {
				limited = upstreamtest.Script{Status: 429, Headers: map[string]string{"Retry-After-Ms": header}}
			}
			s := start(t, limited)
			if _, _, _, err := ask(connect(t, s)); err != nil {
				t.Fatal(err)
			}
			count(t, s, 2)
			// A date has no fractions, so a date two seconds ahead is more than one second
			// away.
			if gap := s.Requests()[1].At.Sub(s.Requests()[0].At); name != "date" && gap < time.Second {
				t.Errorf("asked again after %v", gap)
			} else if at, err := http.ParseTime(header); err == nil && s.Requests()[1].At.Before(at) {
				t.Errorf("asked again %v before the date", time.Until(at))
			}
		})
	}
}

func TestLongRetryAfterIsTold(t *testing.T) {
	for name, tt := range map[string]struct {
		script upstreamtest.Script
		want   time.Duration
	}{
		"seconds":  {upstreamtest.Script{Status: 429, RetryAfter: "60"}, time.Minute},
		"capped":   {upstreamtest.Script{Status: 429, RetryAfter: "99999999999999999999"}, maxRetryAfter},
		"overload": {upstreamtest.Script{Status: 503, RetryAfter: "3600"}, time.Hour},
		"reset": {upstreamtest.Script{Status: 429, Headers: map[string]string{"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s",
			"x-ratelimit-remaining-requests": "10", "x-ratelimit-reset-requests": "20m"}}, 6 * time.Minute},
	} {
		s := start(t, tt.script)
		_, _, err := connect(t, s).Embed(context.Background(), "vec", texts, 0)
		var public *protocol.Error
		if code(t, err); !errors.As(err, &public) || public.RetryAfter != tt.want || !public.Temporary() {
			t.Errorf("%s: retry after %v, want %v", name, public.RetryAfter, tt.want)
		}
		count(t, s, 1)
	}
}

func TestLongestRetryAfter(t *testing.T) {
	s := start(t, upstreamtest.Script{Status: 429, RetryAfter: "2"})
	c := connect(t, s, func(p *Provider) { p.Retry.After = time.Second })
	if _, _, _, err := ask(c); code(t, err) != protocol.UpstreamLimited {
		t.Errorf("error %v", err)
	}
	count(t, s, 1)
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"0": 0, "7": 7 * time.Second, "0.5": 500 * time.Millisecond, " 2 ": 2 * time.Second,
		"Sat, 21 Nov 2026 12:00:30 GMT": 30 * time.Second, "Sat, 21 Nov 2026 11:00:00 GMT": 0, "Mon, 21 Nov 2033 12:00:30 GMT": maxRetryAfter,
		"": -1, "-1": -1, "NaN": -1, "soon": -1, "1e300": maxRetryAfter, "Inf": maxRetryAfter,
	} {
		got, known := retryAfter(http.Header{"Retry-After": {value}}, now)
		if !known {
			got = -1
		}
		if got != want {
			t.Errorf("Retry-After %q is %v, want %v (-1: unknown)", value, got, want)
		}
	}
}

func TestSpentAccountIsNotTriedAgain(t *testing.T) {
	s := start(t, repeat(upstreamtest.Script{Status: 429, Body: `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`}, 3)...)
	_, _, _, err := ask(connect(t, s))
	if code(t, err) != protocol.UpstreamRefused {
		t.Errorf("error %v", err)
	}
	count(t, s, 1)
}

func TestTooLongTexts(t *testing.T) {
	s := start(t, upstreamtest.Script{Status: 400, Body: `{"error":{"message":"This model's maximum context length is 8192 tokens","code":"context_length_exceeded"}}`})
	if _, _, _, err := ask(connect(t, s)); code(t, err) != protocol.TooLarge {
		t.Errorf("error %v", err)
	}
}

func TestCancelEndsTheWaitBetweenTries(t *testing.T) {
	s := start(t, upstreamtest.Script{Status: 429, RetryAfter: "3600"})
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for len(s.Requests()) == 0 {
			time.Sleep(time.Millisecond)
		}
		<-s.Requests()[0].Done()
		cancel()
	}()
	_, usage, err := connect(t, s, func(p *Provider) { p.Retry.After, p.Retry.Total = 2*time.Hour, 3*time.Hour }).Embed(ctx, "vec", texts, 0)
	if code(t, err) != protocol.Cancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if usage.Tokens > Estimate(texts...) {
		t.Errorf("usage %+v", usage)
	}
	count(t, s, 1)
}

func TestDeadlineOfTheCaller(t *testing.T) {
	s := start(t, upstreamtest.Script{HeaderDelay: time.Hour})
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, _, err := connect(t, s).Embed(ctx, "vec", texts, 0)
	if code(t, err) != protocol.UpstreamTimeout || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestTotalTimeBoundsTries(t *testing.T) {
	s := start(t, repeat(upstreamtest.Script{Status: 503}, 5)...)
	c := connect(t, s, func(p *Provider) {
		p.Retry = Retry{Tries: 5, Wait: time.Hour, After: 2 * time.Hour, Total: time.Minute}
	})
	if _, _, _, err := ask(c); code(t, err) != protocol.UpstreamFailed {
		t.Errorf("error %v", err)
	}
	count(t, s, 1)
}

func TestHeaders(t *testing.T) {
	s := start(t)
	keys := []string{"first\n", "second", ""}
	c := connect(t, s, func(p *Provider) {
		p.Key = func() string { k := keys[0]; keys = keys[1:]; return k }
	})
	for range 3 {
		if _, _, _, err := ask(c); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []string{"Bearer first", "Bearer second", ""} {
		h := s.Requests()[i].Header
		if h.Get("Authorization") != want || h.Get("User-Agent") != "seam" || h.Get("OpenAI-Organization") != org || h.Get("Content-Type") != "application/json" || h.Get("Api-Key") != "" {
			t.Errorf("request %d has %v", i, h)
		}
	}
}

// Responses read to their end leave the connection for the next request.
func TestConnectionsAreUsedAgain(t *testing.T) {
	s := start(t)
	s.Always(script(upstreamtest.LateEnd))
	c := connect(t, s)
	c.transport.late = generous
	dialled := 0
	base := c.transport.base.(*http.Transport)
	dial := base.DialContext
	base.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		dialled++
		return dial(ctx, network, addr)
	}
	for range 5 {
		if _, _, _, err := ask(c); err != nil {
			t.Fatal(err)
		}
		if _, _, err := c.Embed(context.Background(), "vec", texts, 0); err != nil {
			t.Fatal(err)
		}
	}
	if dialled != 1 {
		t.Errorf("%d connections for 10 requests", dialled)
	}
}

// A key is sent to the provider, and not through a proxy set in the environment.
func TestNoProxy(t *testing.T) {
	if newTransport(&Provider{}).base.(*http.Transport).Proxy != nil {
		t.Error("the environment's proxy is used")
	}
}
