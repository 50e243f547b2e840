//go:build js

package network

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"seam/shared/protocol"
	"seam/shared/protocol/client"
)

// These tests need a proxy. They are run by a test of proxy/link, which starts one.
func connect(t *testing.T) *client.Client {
	t.Helper()
	url := os.Getenv("SEAM_TEST_PROXY")
	if url == "" {
		t.Skip("SEAM_TEST_PROXY names no proxy: go test ./proxy/link does")
	}
	c, err := Client(url, os.Getenv("SEAM_TEST_TOKEN"), "test 1", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestEmbed(t *testing.T) {
	c := connect(t)
	texts := make([]string, 500)
	for i := range texts {
		texts[i] = fmt.Sprint("text ", i)
	}
	rows := make([][]float32, len(texts))
	if _, err := c.Embed(context.Background(), "e", texts, 0, func(i int, v []float32) error { rows[i] = v; return nil }); err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, row := range rows {
		for _, x := range row {
			h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
	}
	if got, want := hex.EncodeToString(h.Sum(nil)), os.Getenv("SEAM_TEST_SUM"); got != want {
		t.Errorf("the vectors' sum is %s, want %s", got, want)
	}
}

func TestChat(t *testing.T) {
	c := connect(t)
	chat := &protocol.Chat{Model: "c", Messages: []protocol.ChatMessage{{Role: "user", Content: "é 😀"}}}
	var answer strings.Builder
	_, finish, err := c.Chat(context.Background(), chat, func(p protocol.Part) error { answer.WriteString(p.Text); return nil })
	if err != nil || finish != "stop" || answer.String() != os.Getenv("SEAM_TEST_ANSWER") {
		t.Errorf("%q %s %v", answer.String(), finish, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, _, err := c.Chat(ctx, chat, func(protocol.Part) error { cancel(); return nil }); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestNobody(t *testing.T) {
	c, err := Client("http://127.0.0.1:1/", "mine", "test 1", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var told *protocol.Error
	if _, err := c.Hello(context.Background()); !errors.As(err, &told) || told.Code != client.Offline {
		t.Errorf("%v", err)
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"https://seam.example.org": "https://seam.example.org", "HTTPS://Seam.example.org:443/below/": "https://seam.example.org/below", "http://127.0.0.1:8787/": "http://127.0.0.1:8787",
		"": "", "ftp://seam.example.org": "", "https://": "", "javascript:alert(1)": "", "https://user:secret@seam.example.org": "", "https://seam.example.org/?token=secret": "", "https://seam.example.org/#x": "",
	} {
		if got, err := resolve(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q: %v", address, got, err)
		}
	}
}
