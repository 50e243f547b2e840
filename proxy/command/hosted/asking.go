package hosted

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/shared/answer"
	"seam/shared/protocol"
)

// Asking asks a model many questions, each with its passages, and stores the answers in the file
// of a run. It is safe for concurrent use.
type Asking struct {
	Proxy *Proxy
	Model string
	Sent  *Spent
	Run   *runfile.File

	mu    sync.Mutex
	taken bool // a request was accepted
	row   int  // failures since the last accepted request
}

// Answered is the answer to one question, as it is stored.
type Answered struct {
	Text      string `json:"text"`
	Refused   bool   `json:"refused,omitempty"`
	Finish    string `json:"finish,omitempty"`
	Passages  int    `json:"passages"`            // number of passages sent
	Shortened string `json:"shortened,omitempty"` // the part sent of the only passage; see answer.Answer
	Tokens    int    `json:"tokens"`              // input
	TokensOut int    `json:"tokensOut"`
	Wide      []bool `json:"wide,omitempty"`     // see answer.Answer
	Unusable  string `json:"unusable,omitempty"` // why a paid answer is unusable
}

// Err returns the reason why a stored answer is unusable, or nil.
func (a Answered) Err() error {
	if a.Unusable == "" {
		return nil
	}
	return errors.New(a.Unusable)
}

// Preview returns the request of a question, which is not sent, and the key of its answer in the
// run. The key depends on everything that is sent, but not on how many passages fit: the context
// of a model may be unknown until its server has loaded it.
func (a *Asking) Preview(ctx context.Context, q *answer.Question) (string, answer.Answer, error) {
	bare, err := answer.Ask(ctx, a.Proxy.Client, a.Model, &answer.Question{Text: q.Text, System: q.System}, nil)
	if err != nil {
		return "", bare, err
	}
	key := []any{a.Model, bare.Messages, q.Passages, q.Sources}
	if slices.ContainsFunc(q.Wide, func(w answer.Wide) bool { return w.Passage != "" }) {
		key = append(key, q.Wide)
	}
	b, err := json.Marshal(key)
	if err != nil {
		return "", bare, err
	}
	preview, err := answer.Ask(ctx, a.Proxy.Client, a.Model, q, nil)
	return fmt.Sprintf("answer-%x", sha256.Sum256(b)), preview, err
}

// Stored returns the answer of an earlier run, and false if there is none.
func (a *Asking) Stored(key string) (out Answered, ok bool) {
	b, ok := a.Run.Result(key)
	return out, ok && json.Unmarshal(b, &out) == nil
}

// Ask has a question answered, and stores the answer under its key. An error concerns this
// question alone, unless ends is set.
func (a *Asking) Ask(ctx context.Context, key string, q *answer.Question) (out Answered, ends bool, err error) {
	got, err := answer.Ask(ctx, a.Proxy.Client, a.Model, q, func(p protocol.Part) error {
		out.Text = p.Add(out.Text)
		return nil
	})
	a.Sent.chat(a.Model, got.Usage)
	if why := got.Usage.Cut(); why != "" && err == nil {
		a.accepted()
		return out, false, NotRead(why) // not stored: the next run may have a larger context
	}
	none := unusable(err)
	if err != nil && none == nil {
		return out, a.ends(ctx, err), err
	}
	a.accepted()
	out.Refused, out.Finish, out.Passages, out.Shortened = got.Refused, got.Finish, got.Passages, got.Shortened
	out.Tokens, out.TokensOut, out.Wide = got.Usage.Tokens, got.Usage.TokensOut, got.Wide
	switch {
	case none != nil:
		out.Unusable = none.Reason
	case strings.TrimSpace(out.Text) == "":
		out.Unusable = "the model's answer is empty"
	}
	return out, false, cmp.Or(a.Run.KeepResult(key, out), out.Err())
}

func (a *Asking) accepted() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.taken, a.row = true, 0
}

// ends reports whether a failure would repeat for all other questions: the key is wrong, money is
// spent, or as many requests failed in a row as sparing allows.
func (a *Asking) ends(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return true
	}
	if told := (*protocol.Error)(nil); errors.As(err, &told) {
		switch told.Code {
		case protocol.TooLarge:
			return false
		case protocol.Unauthorized, protocol.Forbidden, protocol.UnknownModel, protocol.BudgetSpent, protocol.PromptsOnly, protocol.ShuttingDown:
			return true
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.row++
	return a.row >= refusalsInRow || !a.taken && a.row >= firstRefusals
}

// NotRead returns the error of an answer from a part of the prompt. why is a sentence of
// protocol.Usage.Cut.
func NotRead(why string) error {
	return fmt.Errorf("no answer: %s Send fewer passages with -k, or give the model a larger context (context length in Ollama and LM Studio, -c in llama.cpp)", why)
}

// Sentence returns an error in one line, with the time after which a request may succeed.
func Sentence(err error) string { return terminal.OneLine(RetryHint(err).Error()) }
