package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"seam/shared/protocol"
)

// standIn is a provider that answers at once, so that only the proxy is measured.
type standIn struct {
	vector string // in base64
	gone   chan time.Time
}

func (p *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		Input []string `json:"input"`
		Model string   `json:"model"`
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || json.Unmarshal(body, &q) != nil {
		http.Error(w, "no request", http.StatusBadRequest)
		return
	}
	if strings.HasSuffix(r.URL.Path, "/embeddings") {
		var b bytes.Buffer
		b.WriteString(`{"object":"list","data":[`)
		for i := range q.Input {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"object":"embedding","index":%d,"embedding":"%s"}`, i, p.vector)
		}
		fmt.Fprintf(&b, `],"model":"e","usage":{"prompt_tokens":%d,"total_tokens":%d}}`, len(q.Input), len(q.Input))
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", fmt.Sprint(b.Len()))
		w.Write(b.Bytes())
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	rc := http.NewResponseController(w)
	word := func(s, finish string) {
		fmt.Fprintf(w, `data: {"id":"1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"%s"},"finish_reason":%s}]}`+"\n\n", s, finish)
		rc.Flush()
	}
	word("first", "null")
	if q.Model == "endless" {
		<-r.Context().Done()
		p.gone <- time.Now()
		return
	}
	word(" last", `"stop"`)
	io.WriteString(w, "data: [DONE]\n\n")
}

// side is a way to reach the provider.
type side interface {
	embed(texts []string) error
	first() error // until the first word of an answer; reads the rest, too
}

// direct posts to the provider or to the reverse proxy, and reads the whole body.
type direct struct{ url string }

func (d direct) post(path string, body any) (*http.Response, error) {
	b, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return http.Post(d.url+path, "application/json", bytes.NewReader(b))
}

func (d direct) embed(texts []string) error {
	r, err := d.post("/v1/embeddings", map[string]any{"model": "e", "input": texts, "encoding_format": "base64"})
	if err != nil {
		return err
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return err
}

func (d direct) first() error {
	r, err := d.post("/v1/chat/completions", map[string]any{"model": "c", "stream": true, "messages": []map[string]string{{"role": "user", "content": "?"}}})
	if err != nil {
		return err
	}
	defer func() { go func() { io.Copy(io.Discard, r.Body); r.Body.Close() }() }()
	_, err = bufio.NewReader(r.Body).ReadString('\n')
	return err
}

// gatewaySide is a websocket session of the gateway.
type gatewaySide struct {
	ws  *websocket.Conn
	id  uint32
	buf bytes.Buffer
}

// read returns the next frame, which is valid until the next call.
func (g *gatewaySide) read() (websocket.MessageType, []byte, error) {
	kind, r, err := g.ws.Reader(context.Background())
	if err != nil {
		return 0, nil, err
	}
	g.buf.Reset()
	_, err = g.buf.ReadFrom(r)
	return kind, g.buf.Bytes(), err
}

func (g *gatewaySide) send(m protocol.Message) error {
	b, err := protocol.Encode(m)
	if err != nil {
		return err
	}
	return g.ws.Write(context.Background(), websocket.MessageText, b)
}

// until reads frames until one of that type.
func (g *gatewaySide) until(t protocol.Type) error {
	for {
		kind, b, err := g.read()
		if err != nil {
			return err
		}
		if kind == websocket.MessageBinary {
			if _, _, err := protocol.ParseFrame(b); err != nil {
				return err
			}
			continue
		}
		m, _, err := protocol.DecodeServer(b)
		if err != nil {
			return err
		}
		if e, ok := m.(*protocol.Err); ok && t != protocol.TypeErr {
			return errors.New(e.Message)
		}
		if protocol.TypeOf(m) == t {
			return nil
		}
	}
}

func (g *gatewaySide) embed(texts []string) error {
	g.id++
	if err := g.send(&protocol.Embed{ID: g.id, Model: "e", Texts: texts}); err != nil {
		return err
	}
	return g.until(protocol.TypeEnd)
}

func (g *gatewaySide) first() error {
	g.id++
	if err := g.send(&protocol.Chat{ID: g.id, Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "?"}}}); err != nil {
		return err
	}
	return g.until(protocol.TypeDelta)
}
