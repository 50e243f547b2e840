package pdfworker

import (
	"context"
	"errors"
	"slices"

	"seam/shared/engine/rpc"
	"seam/shared/enrich"
	"seam/shared/llm"
	"seam/shared/text"
	"seam/shared/token"
)

// enrichItem is a text for a model to write about, with the model's replies so far.
type enrichItem struct {
	Text string `json:"text"`
	// Replies are in the order of the requests.
	Replies []llm.Reply `json:"replies"`
}

// enrichedItem is the result for an item: the next request, or at the end the written
// texts.
type enrichedItem struct {
	Next       *wanted         `json:"next"`
	Statements []statementJSON `json:"statements"`
	Parts      []string        `json:"parts"`
	// Warning is the reason nothing was written, or "".
	Warning string `json:"warning"`
	// Read and Written are the approximate tokens that the model still has to read and
	// write.
	Read    int `json:"read"`
	Written int `json:"written"`
}

type statementJSON struct {
	Text     string `json:"text"`
	Grounded bool   `json:"grounded"`
	Title    bool   `json:"title"`
}

type enrichReply struct {
	Items []enrichedItem `json:"items"`
}

// enriched advances writing by one step: the page asks the model and calls again with the
// reply. An unusable answer is requested once more.
func enriched(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		Model string       `json:"model"`
		What  string       `json:"what"` // statements or titles of a text, or the parts of a question
		Items []enrichItem `json:"items"`
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	if !slices.Contains([]string{"statements", "titles", "parts"}, p.What) {
		return rpc.Reply{}, &rpc.Error{Code: rpc.BadRequest, Message: "enrich takes statements, titles or parts"}
	}
	all := enrichReply{make([]enrichedItem, len(p.Items))}
	for i, item := range p.Items {
		var err error
		if all.Items[i], err = item.step(ctx, p.Model, p.What); err != nil {
			return rpc.Reply{}, err
		}
	}
	return rpc.Reply{Result: all}, nil
}

func (item *enrichItem) step(ctx context.Context, model, what string) (out enrichedItem, err error) {
	out = enrichedItem{Statements: []statementJSON{}, Parts: []string{}}
	said := &script{replies: item.Replies}
	w := enrich.Writer{LLM: said, Model: model, Retry: true}
	written := writtenFor * token.Estimate.Count(item.Text)
	switch what {
	case "parts":
		out.Parts, err = w.SubQuestions(ctx, item.Text)
		out.Parts = append([]string{}, out.Parts[:min(len(out.Parts), enrich.MostParts)]...)
	case "titles":
		var title string
		if title, err = w.Title(ctx, item.Text); err == nil {
			out.Statements = append(out.Statements, statementJSON{title[:text.Edge(title, longestTitle)], true, true})
		}
		written = ofTitle
	default:
		var statements []enrich.Statement
		statements, err = w.Knowledge(ctx, item.Text)
		for _, s := range statements {
			out.Statements = append(out.Statements, statementJSON{s.Text(), s.Grounded, false})
		}
	}
	if reason, none := llm.Unusable(err); none {
		out.Warning, err = reason, nil
	} else if errors.Is(err, errNotYet) {
		out.Next, err = &wanted{said.next.Key(), said.next}, nil
		for _, m := range said.next.Messages {
			out.Read += token.Estimate.Count(m.Content)
		}
		out.Written = written
	}
	return out, err
}

// longestTitle is the maximum length of a title in bytes. The rest is cut off.
const longestTitle = 200

// writtenFor is the usual maximum of tokens in statements per token of their text. ofTitle
// is the usual number of tokens in a title.
const (
	writtenFor = 2
	ofTitle    = 15
)
