package cache

import (
	"container/list"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"seam/shared/protocol"
)

// Answers stores complete answers in memory by everything that was sent for them. It is safe
// for concurrent use.
type Answers struct {
	secret []byte
	most   int           // bytes
	keep   time.Duration // longest age
	now    func() time.Time

	mu    sync.Mutex
	used  int
	byKey map[Key]*list.Element
	order list.List // of *stored, most recently used first
}

// Answer is a complete answer.
type Answer struct {
	Parts  []protocol.Part
	Finish string
}

type stored struct {
	Answer
	key   Key
	bytes int
	at    time.Time
}

// NewAnswers returns a store of at most that many bytes, for answers up to that age.
func NewAnswers(secret []byte, bytes int, keep time.Duration, now func() time.Time) *Answers {
	return &Answers{secret: secret, most: bytes, keep: keep, now: now, byKey: map[Key]*list.Element{}}
}

// KeyOf returns the key of a chat: the model at its providers, and the whole prompt with its
// passages, so that a new index with other passages is asked anew.
func (a *Answers) KeyOf(s Scope, messages []protocol.ChatMessage, params protocol.Params) (Key, error) {
	sum := hmac.New(sha256.New, a.secret)
	said, err := json.Marshal(struct {
		Scope    Scope
		Messages []protocol.ChatMessage
		Params   protocol.Params
		Sent     map[string][]byte
	}{s, messages, params, params.Sent})
	if err != nil {
		return Key{}, fmt.Errorf("key of an answer: %w", err)
	}
	sum.Write(binary.LittleEndian.AppendUint64([]byte("answer"), uint64(len(said))))
	sum.Write(said)
	return Key(sum.Sum(nil)), nil
}

// Get returns an answer that is not too old.
func (a *Answers) Get(k Key) (Answer, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	e := a.byKey[k]
	if e == nil {
		return Answer{}, false
	}
	s := e.Value.(*stored)
	if a.now().Sub(s.at) > a.keep {
		a.remove(e)
		return Answer{}, false
	}
	a.order.MoveToFront(e)
	return s.Answer, true
}

// Put stores an answer, and removes those not used for longest to make room.
func (a *Answers) Put(k Key, answer Answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := &stored{answer, k, 256, a.now()}
	for _, p := range answer.Parts {
		s.bytes += len(p.Text) + 64
	}
	if e := a.byKey[k]; e != nil {
		a.remove(e)
	}
	if s.bytes > a.most {
		return
	}
	a.byKey[k] = a.order.PushFront(s)
	for a.used += s.bytes; a.used > a.most; {
		a.remove(a.order.Back())
	}
}

func (a *Answers) remove(e *list.Element) {
	s := a.order.Remove(e).(*stored)
	delete(a.byKey, s.key)
	a.used -= s.bytes
}

// Purge removes all answers.
func (a *Answers) Purge() {
	a.mu.Lock()
	defer a.mu.Unlock()
	clear(a.byKey)
	a.order.Init()
	a.used = 0
}
