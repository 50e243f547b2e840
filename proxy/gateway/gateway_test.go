package gateway

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

func TestBeforeTheUpgrade(t *testing.T) {
	c := config(t)
	c.PerCaller = 1
	_, url := serve(t, c, script{})
	for name, tt := range map[string]struct {
		origin []string
		status int
	}{
		"missing": {nil, 403}, "null": {[]string{"null"}, 403}, "http": {[]string{"http://docs.example.org"}, 403}, "port": {[]string{site + ":8443"}, 403},
		"suffix": {[]string{site + ".evil.com"}, 403}, "allowed": {[]string{site}, 101},
	} {
		_, r, err := dial(t, url, http.Header{"Origin": tt.origin})
		if r == nil || r.StatusCode != tt.status {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	if _, r, _ := dial(t, url, http.Header{"Origin": {site}}); r == nil || r.StatusCode != http.StatusTooManyRequests {
		t.Errorf("the second connection of an address that may have one: %+v", r)
	}
	ws, r, err := websocket.Dial(context.Background(), url+protocol.PathSocket, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {site}}})
	if err == nil {
		ws.CloseNow()
	}
	if r == nil || r.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("without a subprotocol: %+v", r)
	}
}

func TestTokens(t *testing.T) {
	c := config(t)
	signer, err := admission.NewSigner([][]byte{[]byte(strings.Repeat("k", 32))}, time.Now, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.Door.Signer, c.Door.Required = signer, true
	_, url := serve(t, c, script{})
	token, err := signer.Mint(admission.Claims{Origin: site}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	open, err := signer.Mint(admission.Claims{}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, token, origin string
		ok                  bool
	}{
		{"a token", token, site, true}, {"the same again", token, site, false}, {"none", "", site, false}, {"rubbish", "s1.x.y", site, false},
		{"no origin, but a token for any", open, "", true}, {"no origin and no token", "", "", false},
	} {
		h := http.Header{}
		if tt.origin != "" {
			h.Set("Origin", tt.origin)
		}
		client, _, err := dial(t, url, h)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		client.send(&protocol.Init{Token: tt.token, Client: "test"})
		if tt.ok {
			if _, ok := client.next().(*protocol.Ack); !ok {
				t.Errorf("%s: no ack", tt.name)
			}
		} else if code := client.closed(); code != protocol.CloseUnauthorized {
			t.Errorf("%s: closed with %d", tt.name, code)
		}
	}
}

func TestEmbed(t *testing.T) {
	_, url := serve(t, config(t), script{embed: ofLength(1536)})
	c := connect(t, url)
	texts := make([]string, 300) // 1.8 MB of vectors: eight frames
	for i := range texts {
		texts[i] = strings.Repeat("x", i%90+1)
	}
	c.send(&protocol.Embed{ID: 7, Model: "e", Texts: texts})
	rows := protocol.NewRows(len(texts))
	for !rows.Complete() {
		kind, data, err := c.ws.Read(c.ctx)
		if err != nil || kind != websocket.MessageBinary {
			t.Fatalf("%v frame: %v", kind, err)
		}
		h, numbers, err := protocol.ParseFrame(data)
		if err != nil || h.ID != 7 || len(data) > protocol.MaxBinary {
			t.Fatalf("%+v of %d bytes: %v", h, len(data), err)
		}
		if err := rows.Add(h, numbers); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range texts {
		if rows.Data[i*1536] != float32(len(text)) {
			t.Fatalf("vector %d is another's", i)
		}
	}
	if end, ok := c.next().(*protocol.End); !ok || end.ID != 7 || end.Usage.Tokens != 300 {
		t.Errorf("%+v", end)
	}
}

func TestRefusedRequests(t *testing.T) {
	cfg := config(t)
	cfg.Prompts = protocol.ByServer
	leaks := errors.New("sk-canary: organisation org-9 has no quota")
	_, url := serve(t, cfg, script{embed: func(context.Context, []string) ([][]float32, error) { return nil, leaks }})
	c := connect(t, url)
	user := []protocol.ChatMessage{{Role: "user", Content: "x"}}
	for i, tt := range []struct {
		m    protocol.Message
		code protocol.Code
	}{
		{&protocol.Embed{ID: 1, Model: "other", Texts: []string{"x"}}, protocol.UnknownModel},
		{&protocol.Embed{ID: 2, Model: "c", Texts: []string{"x"}}, protocol.UnknownModel},
		{&protocol.Embed{ID: 3, Model: "e", Texts: make([]string, 5000)}, protocol.TooLarge},
		{&protocol.Embed{ID: 4, Model: "e", Texts: []string{strings.Repeat("x", 101)}}, protocol.TooLarge},
		{&protocol.Embed{ID: 5, Model: "e", Texts: []string{"x"}}, protocol.Internal},
		{&protocol.Embed{ID: 6, Model: "e"}, protocol.BadRequest},
		{&protocol.Chat{ID: 7, Model: "c", Messages: user}, protocol.PromptsOnly},
		{&protocol.Chat{ID: 8, Model: "c", Template: "answer", Passages: []string{strings.Repeat("x", 1001)}}, protocol.TooLarge},
		{&protocol.Search{ID: 9, Text: "x"}, protocol.NotFound},
	} {
		c.send(tt.m)
		m, ok := c.next().(*protocol.Err)
		if !ok || m.ID != uint32(i+1) || m.Code != tt.code || strings.Contains(m.Message, "canary") || strings.Contains(m.Message, "org-9") {
			t.Errorf("%+v, want %s", m, tt.code)
		}
	}
}

// Deltas arrive in order, and waiting ones are joined. A chat continues while a large reply
// waits for credit.
func TestChat(t *testing.T) {
	cfg := config(t)
	cfg.Limits.Credits = 3
	asked := make(chan int, 1)
	_, url := serve(t, cfg, script{
		embed: ofLength(4096),
		chat: func(_ context.Context, c *protocol.Chat, emit func(string) error) (string, error) {
			asked <- c.Params.MaxTokens
			for i := range 500 {
				if err := emit(fmt.Sprint(i, " ")); err != nil {
					return "", err
				}
			}
			return "stop", nil
		},
	})
	c := connect(t, url)
	c.send(&protocol.Embed{ID: 1, Model: "e", Texts: make([]string, 200)}) // 14 frames, credit for 3
	c.send(&protocol.Chat{ID: 2, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "x"}}, Params: protocol.Params{MaxTokens: 9999}})
	if n := <-asked; n != cfg.Limits.Answer {
		t.Errorf("%d tokens were asked for, want the limit", n)
	}
	var answer strings.Builder
	seq, frames, binary := 0, 0, 0
	for ended := 0; ended < 2; {
		kind, data, err := c.ws.Read(c.ctx)
		if err != nil {
			t.Fatal(err)
		}
		if kind == websocket.MessageBinary {
			if binary++; binary > 3 && binary%2 == 0 {
				c.send(&protocol.Credit{ID: 1, N: 2})
			}
			continue
		}
		m, _, err := protocol.DecodeServer(data)
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *protocol.Delta:
			if m.Seq != seq {
				t.Errorf("delta %d after %d", m.Seq, seq-1)
			}
			seq++
			frames++
			answer.WriteString(m.Delta)
			c.send(&protocol.Credit{ID: 2, N: 1})
		case *protocol.End:
			if ended++; m.ID == 2 {
				if m.Finish != "stop" || binary > 3 {
					t.Errorf("%+v after %d vector frames", m, binary)
				}
				c.send(&protocol.Credit{ID: 1, N: 2})
			}
		default:
			t.Fatalf("%+v", m)
		}
	}
	if want := strings.Join(strings.Fields(answer.String()), " "); !strings.HasPrefix(want, "0 1 2 ") || !strings.HasSuffix(want, " 499") || len(strings.Fields(want)) != 500 {
		t.Errorf("the answer is %.60q … of %d words", want, len(strings.Fields(want)))
	}
	if binary != 14 || frames >= 500 {
		t.Errorf("%d vector frames, %d deltas for 500", binary, frames)
	}
}

func TestCancel(t *testing.T) {
	began, ended := make(chan struct{}, 2), make(chan struct{}, 2)
	_, url := serve(t, config(t), script{chat: func(ctx context.Context, _ *protocol.Chat, emit func(string) error) (string, error) {
		began <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return "", ctx.Err()
	}})
	c := connect(t, url)
	c.send(&protocol.Chat{ID: 1, Model: "c", Template: "t"})
	<-began
	c.send(&protocol.Cancel{ID: 1})
	c.failed(1, protocol.Cancelled)
	<-ended
	c.send(&protocol.Chat{ID: 1, Model: "c", Template: "t"}) // the id is free again
	<-began
	c.ws.CloseNow() // disconnecting cancels requests
	<-ended
}

// A restart lets answers finish, and closes every session so that its client reconnects.
func TestShutdown(t *testing.T) {
	release := make(chan struct{})
	began := make(chan struct{}, 1)
	g, url := serve(t, config(t), script{chat: func(_ context.Context, _ *protocol.Chat, emit func(string) error) (string, error) {
		began <- struct{}{}
		<-release
		return "stop", emit("the end")
	}})
	busy, idle := connect(t, url), connect(t, url)
	busy.send(&protocol.Chat{ID: 1, Model: "c", Template: "t"})
	<-began
	done := make(chan error, 1)
	go func() { done <- g.Shutdown(context.Background()) }()
	if code := idle.closed(); code != websocket.StatusServiceRestart {
		t.Errorf("the idle one was closed with %d", code)
	}
	if _, r, _ := dial(t, url, http.Header{"Origin": {site}}); r == nil || r.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a new one: %+v", r)
	}
	close(release)
	if d, ok := busy.next().(*protocol.Delta); !ok || d.Delta != "the end" {
		t.Errorf("%+v", d)
	}
	if _, ok := busy.next().(*protocol.End); !ok {
		t.Error("the answer has no end")
	}
	if code := busy.closed(); code != websocket.StatusServiceRestart {
		t.Errorf("the busy one was closed with %d", code)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	stuck, url := serve(t, config(t), script{chat: func(ctx context.Context, _ *protocol.Chat, _ func(string) error) (string, error) {
		began <- struct{}{}
		<-ctx.Done()
		return "", ctx.Err()
	}})
	c := connect(t, url)
	c.send(&protocol.Chat{ID: 1, Model: "c", Template: "t"})
	<-began
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	code := make(chan websocket.StatusCode, 1)
	go func() { code <- c.closed() }()
	if err := stuck.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with a request that does not end: %v", err)
	}
	if code := <-code; code != websocket.StatusServiceRestart {
		t.Errorf("closed with %d", code)
	}
}

// The numbers of a frame are little-endian float32 on every machine.
func TestFrameBytes(t *testing.T) {
	_, url := serve(t, config(t), script{embed: func(context.Context, []string) ([][]float32, error) { return [][]float32{{1.5, -2}}, nil }})
	c := connect(t, url)
	c.send(&protocol.Embed{ID: 258, Model: "e", Texts: []string{"x"}})
	_, data, err := c.ws.Read(c.ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := []byte{2, 1, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0}
	want = binary.LittleEndian.AppendUint32(want, math.Float32bits(1.5))
	want = binary.LittleEndian.AppendUint32(want, math.Float32bits(-2))
	if !reflect.DeepEqual(data, want) {
		t.Errorf("%x, want %x", data, want)
	}
}
