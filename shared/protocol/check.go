package protocol

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strings"
)

// These checks cover messages with the right shape and, if required, an id, but with values
// out of range. Limits on quantity are up to the server; see Limits.

// Check returns an error if a value in m is out of range. DecodeClient makes the same
// check.
func Check(m Message) error {
	if c, ok := m.(interface{ check() error }); ok {
		return c.check()
	}
	return nil
}

func (m *Init) check() error {
	if len(m.Client) > 100 || len(m.Token) > 4096 {
		return errors.New("client or token is too long")
	}
	return nil
}

func (m *Embed) check() error {
	switch {
	case m.Model == "":
		return errors.New("no model")
	case len(m.Texts) == 0:
		return errors.New("no texts")
	case m.Dimensions < 0 || m.Dimensions > math.MaxUint16:
		return fmt.Errorf("%d dimensions", m.Dimensions)
	}
	return nil
}

func (m *Chat) check() error {
	switch {
	case m.Model == "":
		return errors.New("no model")
	case (len(m.Messages) == 0) == (m.Template == ""):
		return errors.New("use either messages or a template")
	case m.Template == "" && (m.Question != "" || len(m.Passages)+len(m.History) > 0):
		return errors.New("a question, passages and a history need a template")
	case len(m.History)%2 != 0:
		return errors.New("the history ends with a question: each question needs its answer")
	case m.Params.MaxTokens < 0:
		return fmt.Errorf("max_tokens is %d", m.Params.MaxTokens)
	}
	if t := m.Params.Temperature; t != nil && !(*t >= 0 && *t <= 2) {
		return fmt.Errorf("temperature is %v: use 0 to 2", *t)
	}
	for i, turn := range m.Messages {
		if turn.Role != "system" && turn.Role != "user" && turn.Role != "assistant" {
			return fmt.Errorf("message %d has role %.20q: use system, user or assistant", i, turn.Role)
		}
	}
	for i, turn := range m.History {
		if want := [2]string{"user", "assistant"}[i%2]; turn.Role != want {
			return fmt.Errorf("message %d of the history has role %.20q: use user and assistant in turn, and here %s", i, turn.Role, want)
		}
		if turn.Content == "" {
			return fmt.Errorf("message %d of the history is empty", i)
		}
	}
	return nil
}

func (m *Search) check() error {
	switch {
	case m.Text == "" && m.Vector == "":
		return errors.New("neither text nor vector")
	case m.K < 0 || m.K > MaxHits:
		return fmt.Errorf("k is %d: use 1 to %d", m.K, MaxHits)
	case len(m.Vector) > MaxVector:
		return fmt.Errorf("a vector of %d bytes: the limit is %d", len(m.Vector), MaxVector)
	}
	if err := m.Filter.check(); err != nil {
		return err
	}
	_, err := m.Query()
	return err
}

// Bounds on a filter. No user needs more.
const (
	maxValues = 32  // of one list
	maxNames  = 8   // names in metadata
	maxValue  = 200 // bytes of one value
)

func (f *Filter) check() error {
	if f == nil {
		return nil
	}
	if f.From < 0 || f.To < 0 || f.To > 0 && f.To < f.From {
		return fmt.Errorf("pages from %d to %d", f.From, f.To)
	}
	if len(f.Meta) > maxNames {
		return fmt.Errorf("a filter by %d names: the limit is %d", len(f.Meta), maxNames)
	}
	lists := [][]string{{f.Section}, f.Types}
	for name, values := range f.Meta {
		lists = append(lists, []string{name}, values)
	}
	for _, list := range lists {
		if len(list) > maxValues {
			return fmt.Errorf("a filter of %d values: the limit is %d", len(list), maxValues)
		}
		for _, v := range list {
			if len(v) > maxValue {
				return fmt.Errorf("a value of a filter is %d bytes: the limit is %d", len(v), maxValue)
			}
		}
	}
	return nil
}

// Query returns the vector of the query, or nil if it has none.
func (m *Search) Query() ([]float32, error) {
	b, err := base64.StdEncoding.Strict().DecodeString(m.Vector)
	if err != nil || len(b)%4 != 0 || strings.ContainsAny(m.Vector, "\r\n") { // base64 skips line ends

		return nil, errors.New("the vector is not float32 in base64")
	}
	if len(b) == 0 {
		return nil, nil
	}
	v := make([]float32, len(b)/4)
	GetFloats(v, b)
	for _, x := range v {
		if x != x || math.IsInf(float64(x), 0) {
			return nil, errors.New("the vector holds NaN or an infinity")
		}
	}
	return v, nil
}

func (m *Credit) check() error {
	if m.N <= 0 || m.N > 1<<20 {
		return fmt.Errorf("a credit of %d", m.N)
	}
	return nil
}

func (m *Delta) check() error {
	if m.Seq < 0 {
		return fmt.Errorf("seq is %d", m.Seq)
	}
	return nil
}

func (m *Ack) check() error {
	for i, model := range m.Models {
		if model.ID == "" || model.Kind != Embedding && model.Kind != Chatting {
			return fmt.Errorf("model %d has no id, or kind %.20q", i, model.Kind)
		}
	}
	if m.Prompts != ByClient && m.Prompts != ByServer {
		return fmt.Errorf("prompts by %.20q", m.Prompts)
	}
	return nil
}

func (m *Err) check() error {
	if m.Code == "" {
		return errors.New("no code")
	}
	return nil
}
