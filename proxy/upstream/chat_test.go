package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

func TestChat(t *testing.T) {
	whole := strings.Join(upstreamtest.Words, "")
	given := protocol.Usage{Tokens: upstreamtest.Tokens(question[0].Content, question[1].Content), TokensOut: len(upstreamtest.Words)}
	given.Read = given.Tokens
	written := 0
	for _, w := range upstreamtest.Words {
		written += Estimate(w)
	}
	estimated := protocol.Usage{Tokens: EstimateChat(question), TokensOut: written, Estimated: true}
	probed := estimated
	probed.Tokens, probed.TokensOut = probed.Tokens+EstimateChat(probeMessages), probed.TokensOut+probeParams.MaxTokens
	for _, tt := range []struct {
		fault  upstreamtest.Fault
		text   string
		usage  protocol.Usage
		finish string
		code   protocol.Code
	}{
		{"", whole, given, "stop", ""},
		{upstreamtest.NoUsage, whole, estimated, "stop", ""},
		{upstreamtest.RefuseUsage, whole, probed, "stop", ""},
		{upstreamtest.NoFinish, whole, given, "", ""},
		{upstreamtest.NoDone, whole, given, "stop", ""},
		{upstreamtest.Comments, whole, given, "stop", ""},
		{upstreamtest.FilterAnswer, whole, given, "filter", ""},
		{upstreamtest.CutStream, whole, estimated, "", protocol.UpstreamCutShort},
		{upstreamtest.CutBody, whole, estimated, "", protocol.UpstreamCutShort},
		{upstreamtest.ErrorInside, whole, estimated, "", protocol.UpstreamFailed},
		{upstreamtest.Garbage, "", protocol.Usage{Tokens: estimated.Tokens, Estimated: true}, "", protocol.UpstreamFailed},
		{upstreamtest.WholeAnswer, "", protocol.Usage{Tokens: estimated.Tokens, Estimated: true}, "", protocol.UpstreamFailed},
		{upstreamtest.EndlessLine, "", protocol.Usage{Tokens: estimated.Tokens, Estimated: true}, "", protocol.UpstreamFailed},
	} {
		t.Run(string(tt.fault), func(t *testing.T) {
			s := start(t)
			s.Always(script(tt.fault))
			text, usage, finish, err := ask(connect(t, s, func(p *Provider) { p.Limits.Line = 1 << 16 }))
			if text != tt.text || usage != tt.usage || finish != tt.finish {
				t.Errorf("%q, usage %+v, finish %q; want %q, %+v, %q", text, usage, finish, tt.text, tt.usage, tt.finish)
			}
			if tt.code == "" && err != nil || tt.code != "" && code(t, err) != tt.code {
				t.Errorf("error %v, want code %q", err, tt.code)
			}
			var own *Error
			if errors.As(err, &own) && strings.Contains(own.Detail(), "a line of more than") != (tt.fault == upstreamtest.EndlessLine) {
				t.Errorf("Detail %q", own.Detail())
			}
			for _, r := range s.Requests() {
				wait(t, "the end at the provider", r.Done())
			}
		})
	}
}

// bodyOf returns the body of a chat request.
func bodyOf(t *testing.T, params protocol.Params, change ...func(*Provider)) map[string]any {
	t.Helper()
	s := start(t)
	messages := append([]protocol.ChatMessage{{Role: "system", Content: ""}}, question...)
	if _, _, err := connect(t, s, change...).Chat(context.Background(), "talk", messages, params, func(protocol.Part) error { return nil }); err != nil {
		t.Fatal(err)
	}
	var body map[string]any
	if err := json.Unmarshal(s.Requests()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

// Values that go-openai omits or refuses are sent anyway.
func TestChatRequest(t *testing.T) {
	zero := 0.0
	params := protocol.Params{Temperature: &zero, MaxTokens: 20, JSON: true}
	messages := []any{map[string]any{"role": "system", "content": ""}}
	for _, m := range question {
		messages = append(messages, map[string]any{"role": m.Role, "content": m.Content})
	}
	want := map[string]any{"model": "provider-talk", "stream": true, "messages": messages, "max_tokens": 20.0, "temperature": 0.0,
		"response_format": map[string]any{"type": "json_object"}, "stream_options": map[string]any{"include_usage": true}}
	if got := bodyOf(t, params); !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
	// Another vendor's model may have a name like a reasoning model of OpenAI.
	want["model"] = "o1-of-another-vendor"
	if got := bodyOf(t, params, func(p *Provider) { p.Models[1].Name = "o1-of-another-vendor" }); !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
	delete(want, "max_tokens")
	delete(want, "temperature")
	want["model"], want["max_completion_tokens"] = "gpt-5", 20.0
	if got := bodyOf(t, params, func(p *Provider) { p.Models[1].Name, p.Models[1].Reasoning = "gpt-5", true }); !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

func TestChatLearnsThatAModelReasons(t *testing.T) {
	s := start(t)
	s.Always(script(upstreamtest.Reasoning))
	c := connect(t, s)
	half := 0.5
	for range 2 {
		if _, _, err := c.Chat(context.Background(), "talk", question, protocol.Params{MaxTokens: 5, Temperature: &half}, func(protocol.Part) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	// The requests: one refused, three probes with the proxy's own words, one repeated, and
	// the second call.
	count(t, s, 6)
	for _, r := range s.Requests()[4:] {
		if body := string(r.Body); !strings.Contains(body, `"max_completion_tokens":5`) || strings.Contains(body, "temperature") {
			t.Errorf("sent %s", body)
		}
	}
	for _, r := range s.Requests()[1:4] {
		if body := string(r.Body); strings.Contains(body, question[0].Content) || !strings.Contains(body, `"Hi"`) {
			t.Errorf("asked with a visitor's words: %s", body)
		}
	}
}

// A refusal caused by one visitor's parameters or words changes nothing for others.
func TestChatLearnsNothingFromAVisitor(t *testing.T) {
	s := start(t)
	s.Always(script(upstreamtest.MildOnly))
	c := connect(t, s)
	hot, warm := 2.0, 0.7
	for range 3 {
		_, _, err := c.Chat(context.Background(), "talk", question, protocol.Params{MaxTokens: 5, Temperature: &hot}, func(protocol.Part) error { return nil })
		if code(t, err) != protocol.UpstreamRefused {
			t.Errorf("error %v", err)
		}
	}
	count(t, s, 4) // each refused, and one probe for all of them
	if _, _, err := c.Chat(context.Background(), "talk", question, protocol.Params{MaxTokens: 5, Temperature: &warm}, func(protocol.Part) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if body := string(s.Requests()[4].Body); !strings.Contains(body, `"max_tokens":5`) || !strings.Contains(body, `"temperature":0.7`) || !strings.Contains(body, "stream_options") {
		t.Errorf("sent %s", body)
	}
	// A provider that quotes the request quotes the visitor.
	quoted := upstreamtest.Script{Status: 400, Body: `{"error":{"message":"Not this: stream_options max_completion_tokens temperature"}}`}
	s = start(t, quoted)
	c = connect(t, s)
	if _, _, _, err := ask(c); code(t, err) != protocol.UpstreamRefused {
		t.Errorf("error %v", err)
	}
	if known := c.models["talk"].quirks.now(); known != 0 {
		t.Errorf("learnt %b from a quotation", known)
	}
}

// One probe serves all concurrent callers, and a caller that disconnects does not end it.
func TestOneProbeForAll(t *testing.T) {
	s := start(t)
	s.Always(script(upstreamtest.Reasoning))
	c := connect(t, s)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if _, _, err := c.Chat(context.Background(), "talk", question, protocol.Params{MaxTokens: 5}, func(protocol.Part) error { return nil }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	probes := 0
	for _, r := range s.Requests() {
		if strings.Contains(string(r.Body), `"Hi"`) {
			probes++
		}
	}
	if probes != 3 { // max_tokens, temperature, good
		t.Errorf("%d probes", probes)
	}
}

// Quirks expire and are probed again.
func TestQuirksAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQuirks()
		q.learn(noUsage)
		time.Sleep(keepQuirks - time.Second)
		if !q.has(noUsage) {
			t.Error("forgotten too soon")
		}
		time.Sleep(2 * time.Second)
		q.learn(base64Fine)
		if q.now() != base64Fine {
			t.Errorf("quirks %b after an hour", q.now())
		}
	})
}

func TestHighestTemperature(t *testing.T) {
	s := start(t)
	one, more := 1.0, 1.1
	c := connect(t, s, func(p *Provider) { p.Models[1].Temperature = &one })
	for temperature, want := range map[*float64]protocol.Code{&one: "", &more: protocol.BadRequest, nil: ""} {
		_, _, err := c.Chat(context.Background(), "talk", question, protocol.Params{Temperature: temperature}, func(protocol.Part) error { return nil })
		var public *protocol.Error
		if errors.As(err, &public); (err == nil) != (want == "") || err != nil && public.Code != want {
			t.Errorf("temperature %v: error %v", temperature, err)
		}
	}
	count(t, s, 2)
}

func TestCancelReachesTheProvider(t *testing.T) {
	stop := errors.New("enough")
	for name, stopped := range map[string]func(cancel func()) error{
		"by its context": func(cancel func()) error { cancel(); return nil },
		"by emit":        func(func()) error { return stop },
	} {
		t.Run(name, func(t *testing.T) {
			hold := make(chan struct{})
			defer close(hold)
			s := start(t, upstreamtest.Script{Hold: hold})
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			first := true
			usage, _, err := connect(t, s).Chat(ctx, "talk", question, protocol.Params{}, func(protocol.Part) error {
				if !first {
					return nil
				}
				first = false
				return stopped(cancel)
			})
			if code(t, err) != protocol.Cancelled || !errors.Is(err, context.Canceled) && !errors.Is(err, stop) {
				t.Errorf("error %v", err)
			}
			if usage.Tokens != EstimateChat(question) || usage.TokensOut == 0 {
				t.Errorf("usage %+v", usage)
			}
			wait(t, "the end at the provider", s.Requests()[0].Gone())
		})
	}
}

// A context that ends while Chat waits for the provider ends the wait.
func TestCancelWhileWaiting(t *testing.T) {
	hold := make(chan struct{})
	defer close(hold)
	s := start(t, upstreamtest.Script{Hold: hold, Words: []string{"x", "y"}})
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("the page was closed")
	_, _, err := connect(t, s).Chat(ctx, "talk", question, protocol.Params{}, func(protocol.Part) error {
		time.AfterFunc(20*time.Millisecond, func() { cancel(why) })
		return nil
	})
	if code(t, err) != protocol.Cancelled || !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
	wait(t, "the end at the provider", s.Requests()[0].Gone())
}

// After the context ends, data that has already arrived is not emitted.
func TestCancelEndsWhatIsBuffered(t *testing.T) {
	c := connect(t, start(t))
	c.transport.base = replay{strings.NewReader(strings.Repeat(`data: {"choices":[{"delta":{"content":"x"}}]}`+"\n\n", 3) + "data: [DONE]\n\n")}
	ctx, cancel := context.WithCancel(context.Background())
	deltas := 0
	_, _, err := c.Chat(ctx, "talk", question, protocol.Params{}, func(protocol.Part) error { deltas++; cancel(); return nil })
	if code(t, err) != protocol.Cancelled || deltas != 1 {
		t.Errorf("%d deltas, error %v", deltas, err)
	}
}

func TestChatTimeouts(t *testing.T) {
	hold := make(chan struct{})
	t.Cleanup(func() { close(hold) })
	for name, tt := range map[string]struct {
		script upstreamtest.Script
		set    func(*Timeouts)
		why    error
	}{
		"first byte, no headers": {upstreamtest.Script{HeaderDelay: time.Hour}, func(d *Timeouts) { d.FirstByte = missed }, errFirstByte},
		"first byte, no body":    {upstreamtest.Script{FirstByteDelay: time.Hour}, func(d *Timeouts) { d.FirstByte = missed }, errFirstByte},
		"idle":                   {upstreamtest.Script{Hold: hold}, func(d *Timeouts) { d.Idle = missed }, errIdle},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tt.script)
			_, _, _, err := ask(connect(t, s, func(p *Provider) { tt.set(&p.Timeouts) }))
			var own *Error
			if code(t, err) != protocol.UpstreamTimeout || !errors.As(err, &own) || own.Detail() != tt.why.Error() {
				t.Errorf("error %v: %s", err, own.Detail())
			}
			count(t, s, 1)
			wait(t, "the end at the provider", s.Requests()[0].Gone())
		})
	}
}

// Time spent in emit does not count as silence of the provider.
func TestSlowConsumerIsNotIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := New(Provider{BaseURL: "http://provider.test", Timeouts: Timeouts{Idle: time.Second}, Models: []Model{{Model: protocol.Model{ID: "talk", Kind: protocol.Chatting}}}})
		if err != nil {
			t.Fatal(err)
		}
		body, words := io.Pipe()
		c.transport.base = replay{body}
		go func() {
			for range 5 {
				io.WriteString(words, `data: {"choices":[{"delta":{"content":"x"}}]}`+"\n\n")
				time.Sleep(900 * time.Millisecond)
			}
			io.WriteString(words, "data: [DONE]\n\n")
			words.Close()
		}()
		deltas := 0
		_, _, err = c.Chat(context.Background(), "talk", question, protocol.Params{}, func(protocol.Part) error {
			deltas++
			time.Sleep(time.Minute)
			return nil
		})
		if err != nil || deltas != 5 {
			t.Errorf("%d deltas, %v", deltas, err)
		}
	})
}

func TestAnswerHasALimit(t *testing.T) {
	s := start(t, script(upstreamtest.Comments))
	_, _, _, err := ask(connect(t, s, func(p *Provider) { p.Limits.Answer = 4 << 10 }))
	if code(t, err) != protocol.UpstreamFailed {
		t.Errorf("error %v", err)
	}
	wait(t, "the end at the provider", s.Requests()[0].Done())
}

func TestAzure(t *testing.T) {
	s := start(t)
	c := connect(t, s, func(p *Provider) {
		p.BaseURL, p.API, p.APIVersion = s.Origin+"/", Azure, "2024-10-21"
		p.Deployments = map[string]string{"provider-vec": "our-vec"}
	})
	if _, _, err := c.Embed(context.Background(), "vec", texts, 0); err != nil {
		t.Error(err)
	}
	if text, _, _, err := ask(c); err != nil || text != strings.Join(upstreamtest.Words, "") {
		t.Errorf("%q, %v", text, err)
	}
	for i, path := range []string{"/openai/deployments/our-vec/embeddings", "/openai/deployments/provider-talk/chat/completions"} {
		r := s.Requests()[i]
		if r.Path != path || r.Query != "api-version=2024-10-21" || r.Header.Get("Api-Key") != canary || r.Header.Get("Authorization") != "" {
			t.Errorf("asked for %s?%s with %v", r.Path, r.Query, r.Header)
		}
	}
}
