package cache

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"seam/shared/protocol"
)

// Answers are kept up to an age and a size, and everything sent is part of the key.
func TestAnswers(t *testing.T) {
	now := time.Unix(0, 0)
	a := NewAnswers([]byte("secret"), 3000, time.Hour, func() time.Time { return now })
	half := 0.5
	seen := map[Key]int{}
	for i, c := range []struct {
		s Scope
		m string
		p protocol.Params
	}{{Scope{}, "a", protocol.Params{}}, {Scope{Model: "c"}, "a", protocol.Params{}}, {Scope{}, "b", protocol.Params{}}, {Scope{}, "a", protocol.Params{Temperature: &half}},
		{Scope{}, "a", protocol.Params{MaxTokens: 5}}, {Scope{}, "a", protocol.Params{Sent: map[string][]byte{"seed": []byte("1")}}}} {
		k, err := a.KeyOf(c.s, []protocol.ChatMessage{{Role: "user", Content: c.m}}, c.p)
		if before, ok := seen[k]; ok || err != nil {
			t.Errorf("chats %d and %d have one key: %v", before, i, err)
		}
		seen[k] = i
	}
	key := func(i int) Key { return Key{byte(i)} }
	long := Answer{Parts: []protocol.Part{{Text: strings.Repeat("x", 600)}}, Finish: "stop"}
	for i := range 5 {
		a.Put(key(i), long)
		a.Get(key(0))
	}
	a.Put(key(0), long)
	kept := ""
	for i := range 5 {
		if _, ok := a.Get(key(i)); ok {
			kept += fmt.Sprint(i)
		}
	}
	if kept != "034" || a.used > 3000 {
		t.Errorf("kept %s in %d bytes", kept, a.used)
	}
	a.Put(key(9), Answer{Parts: []protocol.Part{{Text: strings.Repeat("x", 4000)}}})
	if _, ok := a.Get(key(9)); ok {
		t.Error("an answer larger than the store is kept")
	}
	now = now.Add(time.Hour + 1)
	if _, ok := a.Get(key(3)); ok {
		t.Error("an answer is kept for too long")
	}
	a.Purge()
	if _, ok := a.Get(key(4)); ok || a.used != 0 {
		t.Errorf("purged: %d bytes", a.used)
	}
}
