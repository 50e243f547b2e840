// Package llm has language models answer whole requests, and reads their answers: text, a
// score, or a JSON object.
package llm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"seam/shared/protocol"
)

// Request is one answer that is wanted. Its JSON form is what a Store knows it by.
type Request struct {
	Model       string                 `json:"model"`
	Messages    []protocol.ChatMessage `json:"messages"`
	Temperature *float64               `json:"temperature,omitempty"` // nil: the model's own
	MaxTokens   int                    `json:"maxTokens,omitempty"`   // of the answer; 0: no limit of ours
	JSON        bool                   `json:"json,omitempty"`        // the answer is to be a JSON object
	// Nth tells apart requests that are the same and are each to have an answer of its own:
	// a second try, or a run that is repeated. It is not sent.
	Nth int `json:"nth,omitempty"`
}

// Ask is a request of one system message, which may be "", and one of the user.
func Ask(model, system, user string) Request {
	r := Request{Model: model, Temperature: new(float64)}
	if system != "" {
		r.Messages = append(r.Messages, protocol.ChatMessage{Role: "system", Content: system})
	}
	r.Messages = append(r.Messages, protocol.ChatMessage{Role: "user", Content: user})
	return r
}

// Key names a request: the same to the byte has the same.
func (r Request) Key() string {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and numbers alone
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// Reply is an answer.
type Reply struct {
	Text      string `json:"text"`
	Finish    string `json:"finish"` // stop, length or filter
	Tokens    int    `json:"tokens"` // read, and written
	TokensOut int    `json:"tokensOut"`
	// Unusable is the reason of a NoAnswer, where it is kept; "": this is an answer.
	Unusable string `json:"unusable,omitempty"`
}

// Model answers requests. It is safe for concurrent use.
type Model interface {
	// Complete returns the whole answer. emit, where it is not nil, is called with each
	// part of it as it comes, in order; its error ends the work.
	Complete(ctx context.Context, r Request, emit func(part string) error) (Reply, error)
}

// Store keeps answers. It is safe for concurrent use.
type Store interface {
	// Reply returns the answer to a request, false where none is kept.
	Reply(r Request) (Reply, bool)
	// Keep keeps the answer to a request.
	Keep(r Request, reply Reply) error
}

// Kept is a Model that asks another one only for what a store does not have. What was
// paid for is kept before it is handed out, a NoAnswer too. It is safe for concurrent use:
// of equal requests at a time one is sent.
type Kept struct {
	model Model
	store Store

	mu    sync.Mutex
	asked map[string]chan struct{} // requests under way, by their keys; closed when they end
}

// NewKept is a Kept of a model and a store.
func NewKept(model Model, store Store) *Kept {
	return &Kept{model: model, store: store, asked: map[string]chan struct{}{}}
}

// Complete implements Model. An answer that was kept comes in one part.
func (k *Kept) Complete(ctx context.Context, r Request, emit func(part string) error) (Reply, error) {
	key := r.Key()
	for {
		k.mu.Lock()
		if reply, ok := k.store.Reply(r); ok {
			k.mu.Unlock()
			switch {
			case reply.Unusable != "":
				return reply, &NoAnswer{Reason: reply.Unusable}
			case emit != nil:
				return reply, emit(reply.Text)
			}
			return reply, nil
		}
		other := k.asked[key]
		if other == nil {
			k.asked[key] = make(chan struct{})
		}
		k.mu.Unlock()
		if other == nil {
			return k.ask(ctx, key, r, emit)
		}
		select {
		case <-other: // its answer is kept, or it had none
		case <-ctx.Done():
			return Reply{}, ctx.Err()
		}
	}
}

// ask asks the model, and keeps its answer.
func (k *Kept) ask(ctx context.Context, key string, r Request, emit func(part string) error) (Reply, error) {
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		close(k.asked[key])
		delete(k.asked, key)
	}()
	reply, err := k.model.Complete(ctx, r, emit)
	if reason, ok := Unusable(err); ok {
		reply.Unusable = reason
	} else if err != nil {
		return reply, err
	}
	return reply, cmp.Or(k.store.Keep(r, reply), err)
}

// NoAnswer is an answer that came and cannot be used: cut short on its way, no answer at
// all, or one of which nothing can be made. Other errors are of a model that did not
// answer. The Reply beside it says what it took.
type NoAnswer struct {
	Reason  string
	Refused bool // the provider does not take the request: it is no use to ask once more
}

// Error is the reason.
func (e *NoAnswer) Error() string { return e.Reason }

// Unusable is the reason of a NoAnswer; false for any other error.
func Unusable(err error) (reason string, ok bool) {
	var none *NoAnswer
	if errors.As(err, &none) {
		return none.Reason, true
	}
	return "", false
}
