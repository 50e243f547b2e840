package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"
	"unicode/utf8"

	"seam/shared/protocol"
)

// running is a request in progress.
type running struct {
	peer   *peer
	config *Config // at the time of the request
	out    *writer
	id     uint32
	model  string // a known model, otherwise ""
	began  time.Time
	first  time.Duration // until the first frame
	kept   int           // bytes of texts and vectors reserved in the account
}

// levelOf keeps a busy proxy's log short: successful requests are logged only on demand.
func levelOf(code protocol.Code) slog.Level {
	if code == "" || code == protocol.Cancelled {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

func (r *running) who() Who {
	w := r.peer.who
	w.Request, w.Tokens, w.Models = r.id, r.config.Policies[w.Group].Tokens, r.config.Policies[w.Group].Models
	return w
}

// safely performs the request. A panic ends only this request; the log has the stack, which
// contains no text.
func (r *running) safely(ctx context.Context, m protocol.Message) (end *protocol.End, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			r.config.Log.Error("panic", "session", r.peer.who.Session, "request", r.id, "kind", protocol.TypeOf(m), "stack", string(debug.Stack()))
			end, err = nil, protocol.Errorf(protocol.Internal, "This request failed inside the proxy.")
		}
	}()
	return r.do(ctx, m)
}

// do performs the request, and returns its end.
func (r *running) do(ctx context.Context, m protocol.Message) (*protocol.End, error) {
	if err := r.pace(); err != nil {
		return nil, err
	}
	if err := r.keep(ctx, sizeOf(m)); err != nil {
		return nil, err
	}
	switch m := m.(type) {
	case *protocol.Embed:
		return r.embed(ctx, m)
	case *protocol.Chat:
		return r.chat(ctx, m)
	case *protocol.Search:
		return r.search(ctx, m)
	}
	return nil, protocol.Errorf(protocol.BadRequest, "A %s message is not a request.", protocol.TypeOf(m))
}

// came records the time of the first frame of the answer.
func (r *running) came() {
	if r.first == 0 {
		r.first = r.config.Now().Sub(r.began)
	}
}

// embed relays the texts, and sends their vectors in frames.
func (r *running) embed(ctx context.Context, m *protocol.Embed) (*protocol.End, error) {
	limits := r.config.Limits
	if err := r.known(m.Model, protocol.Embedding); err != nil {
		return nil, err
	}
	if len(m.Texts) > limits.Texts {
		return nil, protocol.Errorf(protocol.TooLarge, "%d texts in one request: the limit is %d.", len(m.Texts), limits.Texts)
	}
	tokens := 0
	for i, t := range m.Texts {
		if len(t) > limits.TextBytes {
			return nil, protocol.Errorf(protocol.TooLarge, "Text %d is %d bytes: the limit is %d.", i, len(t), limits.TextBytes)
		}
		tokens += few(t)
	}
	if limits.Tokens > 0 && tokens > limits.Tokens && len(m.Texts) > 1 {
		return nil, protocol.Errorf(protocol.TooLarge, "About %d tokens in one request: the limit is %d.", tokens, limits.Tokens)
	}
	if err := r.out.ready(ctx, r.id); err != nil {
		return nil, err
	}
	length := r.length(m)
	if err := r.expect(ctx, len(m.Texts), length); err != nil {
		return nil, err
	}
	vectors, usage, err := r.peer.gateway.backend.Embed(ctx, r.who(), m.Model, m.Texts, m.Dimensions)
	if err != nil {
		return nil, naming(err, m.Texts)
	}
	if err := r.correct(ctx, m, vectors, length); err != nil {
		return nil, err
	}
	frames, err := protocol.Frames(r.id, vectors)
	if err != nil {
		return nil, protocol.Errorf(protocol.Internal, "The vectors cannot be sent: %v.", err)
	}
	for data := range frames {
		r.came()
		if err := r.out.push(ctx, r.id, frame{kind: vectorFrame, data: data}); err != nil {
			return nil, err
		}
	}
	return &protocol.End{Usage: usage}, nil
}

// few estimates the tokens of a text, and rather too few: a fifth of the bytes of ASCII, and
// a third of the others.
func few(text string) int {
	ascii := 0
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			ascii++
		}
	}
	return ascii/5 + (len(text)-ascii)/3
}

// chat relays a chat, and sends the answer as it comes.
func (r *running) chat(ctx context.Context, m *protocol.Chat) (*protocol.End, error) {
	limits := r.config.Limits
	if err := r.known(m.Model, protocol.Chatting); err != nil {
		return nil, err
	}
	if r.config.promptsOf(r.peer.who.Group, r.peer.origin) == protocol.ByServer && m.Template == "" {
		return nil, protocol.Errorf(protocol.PromptsOnly, "This proxy answers only with its own prompts: send a template, a question and passages.")
	}
	if err := takes(m, limits); err != nil {
		return nil, err
	}
	size := sizeOf(m)
	size -= len(m.Params.Sent["messages"]) // their texts are counted
	if size > limits.Context {
		return nil, protocol.Errorf(protocol.TooLarge, "The question and its context are %d bytes: the limit is %d.", size, limits.Context)
	}
	if m.Params.MaxTokens == 0 || m.Params.MaxTokens > limits.Answer {
		m.Params.MaxTokens = limits.Answer
	}
	if err := r.allow(ctx, chatAllowed); err != nil {
		return nil, err
	}
	var untold error // error of the client, not of the provider
	usage, finish, err := r.peer.gateway.backend.Chat(ctx, r.who(), m, func(p protocol.Part) error {
		r.came()
		if p.Reasoning && !m.Reasoning { // an older client
			return nil
		}
		untold = r.out.part(r.id, p)
		return untold
	})
	if untold != nil {
		return nil, untold
	}
	if err != nil {
		var texts []string
		for _, turn := range m.Messages {
			texts = append(texts, turn.Content)
		}
		if m.Params.Sent["messages"] != nil { // one without text may have an image
			texts = nil
		}
		return nil, naming(err, texts)
	}
	return &protocol.End{Usage: usage, Finish: finish}, nil
}

// naming returns the error of a request that a provider rejected, with the first text in it
// that is empty. Many providers reject those and do not say so.
func naming(err error, texts []string) error {
	var e *protocol.Error
	if !errors.As(err, &e) || e.Reason != protocol.BadContents {
		return err
	}
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			named := *e
			named.Reason, named.Message = protocol.EmptyText, fmt.Sprintf("The provider rejected this request, in which text %d of %d is empty.", i+1, len(texts))
			return &named
		}
	}
	return err
}

// takes checks a history against the announced limits.
func takes(m *protocol.Chat, limits protocol.Limits) error {
	turns, bytes := len(m.History)/2, 0
	for _, turn := range m.History {
		bytes += len(turn.Content)
	}
	switch {
	case turns == 0:
		return nil
	case limits.Turns == 0 || limits.History == 0:
		return protocol.Errorf(protocol.TooLarge, "This proxy does not accept a history: send only the question.")
	case turns > limits.Turns:
		return protocol.Errorf(protocol.TooLarge, "The history has %d questions, but the limit is %d: leave out the oldest.", turns, limits.Turns)
	case bytes > limits.History:
		return protocol.Errorf(protocol.TooLarge, "The history is %d bytes, but the limit is %d: leave out the oldest questions.", bytes, limits.History)
	}
	return nil
}

// search searches the collection. All hits are sent in one frame.
func (r *running) search(ctx context.Context, m *protocol.Search) (*protocol.End, error) {
	if len(m.Text) > r.config.Limits.TextBytes {
		return nil, protocol.Errorf(protocol.TooLarge, "The text is %d bytes: the limit is %d.", len(m.Text), r.config.Limits.TextBytes)
	}
	if err := r.allow(ctx, protocol.MaxReply); err != nil {
		return nil, err
	}
	hits, usage, err := r.peer.gateway.backend.Search(ctx, r.who(), m)
	if err != nil {
		return nil, err
	}
	if hits == nil {
		hits = []protocol.Hit{}
	}
	data, err := protocol.Encode(&protocol.Hits{ID: r.id, Hits: hits})
	if err != nil || len(data) > protocol.MaxReply {
		return nil, protocol.Errorf(protocol.TooLarge, "The results are too long to send: ask for fewer hits.")
	}
	r.came()
	if err := r.out.push(ctx, r.id, frame{kind: textFrame, data: data}); err != nil {
		return nil, err
	}
	return &protocol.End{Usage: usage}, nil
}

// known returns an error unless the model is in the list.
func (r *running) known(id string, kind protocol.Kind) error {
	for _, m := range r.config.Models {
		if m.ID == id && m.Kind == kind && r.config.Policies[r.peer.who.Group].Allows(id) {
			r.model = id
			return nil
		}
	}
	return protocol.Errorf(protocol.UnknownModel, "This proxy has no %s model %.60q.", kind, id)
}

const (
	// usualLength is the assumed number of dimensions of an unknown model.
	usualLength = 3072
	// chatAllowed is the room reserved in advance for the waiting part of an answer.
	chatAllowed = 16 << 10
)

// keep reserves n bytes until the request ends.
func (r *running) keep(ctx context.Context, n int) error {
	if err := r.peer.tab().reserve(ctx, n); err != nil {
		return err
	}
	r.kept += n
	return nil
}

// allow reserves room for frames.
func (r *running) allow(ctx context.Context, n int) error {
	if err := r.keep(ctx, n); err != nil {
		return err
	}
	if r.out.reserved(r.id, n) {
		r.kept -= n // the writer's now
	}
	return nil
}

// expect reserves room for n vectors of that length, and for their waiting frames.
func (r *running) expect(ctx context.Context, n, length int) error {
	bytes := 4 * n * length
	frames := bytes + protocol.HeaderSize*(2*bytes/protocol.MaxBinary+2)
	if err := r.keep(ctx, bytes); err != nil {
		return err
	}
	return r.allow(ctx, min(frames, maxHeld+protocol.MaxBinary))
}

// correct adjusts the reserved bytes to the actual length of the vectors.
func (r *running) correct(ctx context.Context, m *protocol.Embed, vectors [][]float32, expected int) error {
	if len(vectors) == 0 || len(vectors[0]) == expected {
		return nil
	}
	length := len(vectors[0])
	if m.Dimensions == 0 {
		r.peer.gateway.lengths.Store(m.Model, length)
	}
	if length > expected {
		return r.expect(ctx, len(vectors), length-expected)
	}
	less := 4 * len(vectors) * (expected - length)
	r.kept -= less
	r.peer.tab().give(less)
	return nil
}

// length returns the expected number of dimensions of the answer.
func (r *running) length(m *protocol.Embed) int {
	if m.Dimensions > 0 {
		return m.Dimensions
	}
	if seen, ok := r.peer.gateway.lengths.Load(m.Model); ok {
		return seen.(int)
	}
	for _, known := range r.config.Models {
		if known.ID == m.Model && known.Dimensions > 0 {
			return known.Dimensions
		}
	}
	return usualLength
}

// sizeOf returns the bytes of text in a request.
func sizeOf(m protocol.Message) (n int) {
	switch m := m.(type) {
	case *protocol.Embed:
		for _, t := range m.Texts {
			n += len(t)
		}
	case *protocol.Chat:
		n = len(m.Question)
		for _, value := range m.Params.Sent {
			n += len(value)
		}
		for _, p := range m.Passages {
			n += len(p)
		}
		for _, turn := range m.Messages {
			n += len(turn.Content)
		}
		for _, turn := range m.History {
			n += len(turn.Content)
		}
	case *protocol.Search:
		n = len(m.Text) + len(m.Vector)
	}
	return n
}
