package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"seam/shared/answer"
	"seam/shared/engine/rpc"
	"seam/shared/protocol"
	"seam/shared/search"
)

func (e *Engine) forAsk() []message { return []message{{"ask", handle(e.ask)}} }

type askParams struct {
	Question string `json:"question"`
	Model    string `json:"model"`
	Docs     []int  `json:"docs"` // absent: all
	K        *int   `json:"k"`    // defaults to 5
	Mode     string `json:"mode"`
	// History is the earlier questions and answers, alternating.
	History []protocol.ChatMessage `json:"history"`
	System  string                 `json:"system"`  // the user's own prompt; "" selects the proxy's
	Show    bool                   `json:"show"`    // only return what would be sent
	Encoder string                 `json:"encoder"` // as in a search, for the question or each of its parts
	// Parts are questions that the question consists of; each is searched for separately.
	// If absent, the question is searched for as a whole, together with the questions it
	// follows up on.
	Parts []string `json:"parts"`
	// Chunks are the first chunk and the one after the last of the only document, sent in place
	// of passages that a search finds. An event hits has them.
	Chunks *[2]int `json:"chunks"`
	// Passages are sent in place of those that a search finds. Then there is no search, and
	// no event hits.
	Passages []string `json:"passages"`
	Sources  []string `json:"sources"` // the lines above Passages; absent for none
	Unnamed  bool     `json:"unnamed"` // passages that a search finds get no line
}

// deltaEvent is a part of an answer.
type deltaEvent struct {
	Text string `json:"text"`
	// Reasoning marks reasoning, and Moved that all earlier text was reasoning, too.
	Reasoning bool `json:"reasoning"`
	Moved     bool `json:"moved"`
}

type askReply struct {
	Finish    string                 `json:"finish"`
	Tokens    int                    `json:"tokens"`
	TokensOut int                    `json:"tokensOut"`
	Refused   bool                   `json:"refused"`
	Passages  int                    `json:"passages"`
	Shortened string                 `json:"shortened"` // the part sent of the only passage, if the whole is too long
	Query     string                 `json:"query"`     // the text searched for
	Messages  []protocol.ChatMessage `json:"messages"`  // the messages the model reads; null if nothing was sent
	// Read is the number of tokens that the model read, in the provider's word, and Whole the
	// estimated number of all tokens sent. Whole is 0 unless the model certainly read less.
	Read  int `json:"read"`
	Whole int `json:"whole"`
	// Context is the number of tokens of the model's context, if it is known and the
	// messages do not fit in it with all passages; otherwise 0.
	Context   int  `json:"context"`
	Estimated bool `json:"estimated"` // Tokens is an estimate
}

// ask answers a question from the documents. It sends an event hits (a searchReply) unless
// it has the passages, then events delta, and returns how the answer ended. If nothing is found, it sends nothing to
// the model.
func (e *Engine) ask(ctx context.Context, call *rpc.Call, p *askParams) (*askReply, error) {
	if p.Docs == nil {
		p.Docs = e.all()
	}
	switch {
	case strings.TrimSpace(p.Question) == "":
		return nil, badRequest("the question is empty")
	case len(p.Docs) == 0:
		return nil, &rpc.Error{Code: rpc.BadRequest, Message: "no document to ask", Hint: "Open a document first."}
	}
	model, err := e.hosted(p.Model, protocol.Chatting)
	if err != nil {
		return nil, err
	}
	q := &answer.Question{Text: p.Question, Passages: p.Passages, Sources: p.Sources, History: p.History, System: p.System}
	query := p.Question
	if p.Passages == nil {
		if query, err = e.passages(ctx, call, p, model.ID, q); err != nil {
			return nil, err
		}
	}
	emit := func(part protocol.Part) error {
		call.Event("delta", deltaEvent{part.Text, part.Reasoning, part.Moved})
		return ctx.Err()
	}
	if p.Show {
		emit = nil
	}
	to := e.proxy
	var a answer.Answer
	err = call.Await(func() (err error) {
		a, err = answer.Ask(ctx, to.client, model.ID, q, emit)
		return err
	})
	return &askReply{Finish: a.Finish, Tokens: a.Usage.Tokens, TokensOut: a.Usage.TokensOut, Refused: a.Refused, Passages: a.Passages, Shortened: a.Shortened,
		Query: query, Messages: a.Messages, Read: a.Usage.Read, Whole: a.Usage.Sent, Context: cmp.Or(a.Context, a.Usage.Context), Estimated: a.Usage.Estimated}, err
}

// passages searches for the passages of q, and sends them in an event hits. It returns the
// query.
func (e *Engine) passages(ctx context.Context, call *rpc.Call, p *askParams, model string, q *answer.Question) (query string, err error) {
	if p.Chunks != nil {
		return p.Question, e.whole(ctx, call, p, q)
	}
	if query, err = e.followUp(ctx, call, p); err != nil {
		return "", err
	}
	parts := p.Parts
	if len(parts) == 0 {
		parts = []string{query}
	}
	found, err := e.find(ctx, call, searchParams{K: p.K, Mode: p.Mode, Docs: p.Docs, Encoder: p.Encoder, forModel: true, unnamed: p.Unnamed}, 5, parts...)
	if err != nil {
		return "", err
	}
	for _, h := range found.Hits {
		q.Passages, q.Sources, q.Wide = append(q.Passages, h.Text), append(q.Sources, h.Source), append(q.Wide, h.wide)
	}
	to := e.proxy
	var wider *answer.Question
	if err = call.Await(func() (err error) {
		wider, err = answer.Widen(ctx, to.client, model, q)
		return err
	}); err != nil {
		return "", err
	}
	*q = *wider
	for i := range found.Hits {
		if h := &found.Hits[i]; q.Passages[i] != h.Text {
			h.Sent, h.Source = q.Passages[i], q.Sources[i]
		}
	}
	call.Event("hits", found)
	return query, nil
}

// whole makes chunks of a document the passages of q, and sends them in an event hits.
func (e *Engine) whole(ctx context.Context, call *rpc.Call, p *askParams, q *answer.Question) error {
	if len(p.Docs) != 1 {
		return badRequest("chunks of %d documents", len(p.Docs))
	}
	s, err := e.prepare(ctx, p.Docs, e.hooks(call))
	if err != nil {
		return err
	}
	at := slices.Index(s.ids, p.Docs[0])
	if at < 0 || s.docs[at] == nil {
		return badRequest("document %d is not open", p.Docs[0])
	}
	r, from, to := s.results[at], p.Chunks[0], p.Chunks[1]
	if from < 0 || to > len(r.Chunks) || from > to {
		return badRequest("no chunks from %d to %d of %d", from, to, len(r.Chunks))
	}
	found := noHits()
	for i := from; i < to; i++ {
		h := search.Hit{Source: at, Chunk: i, Parts: []search.Part{}, Text: r.Chunks[i].Of(r.Text.Text)}
		hit := s.hit(h)
		if !p.Unnamed {
			hit.Source = s.source(h, hit.Section, hit.Pages, hit.Labels)
		}
		found.Hits = append(found.Hits, hit)
		q.Passages, q.Sources = append(q.Passages, hit.Text), append(q.Sources, hit.Source)
	}
	call.Event("hits", found)
	return nil
}

// followUp returns the query to search for.
func (e *Engine) followUp(ctx context.Context, call *rpc.Call, p *askParams) (string, error) {
	if len(p.History) == 0 {
		return p.Question, nil
	}
	s, err := e.prepare(ctx, p.Docs, e.hooks(call))
	if err != nil {
		return "", err
	}
	var earlier []string
	for i := 0; i < len(p.History); i += 2 {
		earlier = append(earlier, p.History[i].Content)
	}
	return s.FollowUp(earlier, p.Question), nil
}
