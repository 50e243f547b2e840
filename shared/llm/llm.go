// Package llm sends whole requests to language models, and reads their answers: text, a
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

// Request is a request for one answer. A Store identifies it by its JSON form.
type Request struct {
	Model       string                 `json:"model"`
	Messages    []protocol.ChatMessage `json:"messages"`
	Temperature *float64               `json:"temperature,omitempty"` // nil for the model's own
	MaxTokens   int                    `json:"maxTokens,omitempty"`   // of the answer; 0 for no limit from here
	JSON        bool                   `json:"json,omitempty"`        // the answer must be a JSON object
	// Nth distinguishes equal requests that each need their own answer, such as a second
	// try or a repeated run. It is not sent.
	Nth int `json:"nth,omitempty"`
}

// Ask returns a request with a system message, unless that is "", and a user message.
func Ask(model, system, user string) Request {
	r := Request{Model: model, Temperature: new(float64)}
	if system != "" {
		r.Messages = append(r.Messages, protocol.ChatMessage{Role: "system", Content: system})
	}
	r.Messages = append(r.Messages, protocol.ChatMessage{Role: "user", Content: user})
	return r
}

// Key returns a key for the request. Requests that are the same to the byte have the same
// key.
func (r Request) Key() string {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and numbers cannot fail
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

// Reply is an answer.
type Reply struct {
	Text      string `json:"text"`
	Finish    string `json:"finish"` // stop, length or filter
	Tokens    int    `json:"tokens"` // input and output
	TokensOut int    `json:"tokensOut"`
	// Unusable is the reason of a stored NoAnswer, or "" for a usable answer.
	Unusable string `json:"unusable,omitempty"`
}

// Model answers requests. It is safe for concurrent use.
type Model interface {
	// Complete returns the whole answer. emit, if not nil, is called with each part in
	// order as it arrives. If emit returns an error, the work stops.
	Complete(ctx context.Context, r Request, emit func(part string) error) (Reply, error)
}

// Store stores answers. It is safe for concurrent use.
type Store interface {
	// Reply returns the stored answer to a request, and false if there is none.
	Reply(r Request) (Reply, bool)
	// Keep stores the answer to a request.
	Keep(r Request, reply Reply) error
}

// Kept is a Model that asks another model only for answers that a store lacks. Paid answers
// are stored before they are returned, including a NoAnswer. It is safe for concurrent use:
// of several equal requests at the same time, only one is sent.
type Kept struct {
	model Model
	store Store

	mu    sync.Mutex
	asked map[string]chan struct{} // requests in progress, by key; closed when they end
}

// NewKept returns a Kept for a model and a store.
func NewKept(model Model, store Store) *Kept {
	return &Kept{model: model, store: store, asked: map[string]chan struct{}{}}
}

// Complete implements Model. A stored answer is emitted in one part.
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
		case <-other: // its answer is stored, or it failed
		case <-ctx.Done():
			return Reply{}, ctx.Err()
		}
	}
}

// ask asks the model and stores its answer.
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

// NoAnswer is an answer that arrived but is unusable: cut short, empty, or unreadable.
// Other errors mean that the model did not answer. The accompanying Reply holds the tokens
// used.
type NoAnswer struct {
	Reason  string
	Refused bool // the provider rejects the request, so a retry is useless
}

// Error returns the reason.
func (e *NoAnswer) Error() string { return e.Reason }

// Unusable returns the reason of a NoAnswer, and false for any other error.
func Unusable(err error) (reason string, ok bool) {
	var none *NoAnswer
	if errors.As(err, &none) {
		return none.Reason, true
	}
	return "", false
}
