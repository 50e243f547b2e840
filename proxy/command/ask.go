package command

import (
	"context"
	"fmt"
	"strings"

	"seam/shared/answer"
	"seam/shared/index"
	"seam/shared/protocol"
	"seam/shared/search"
)

type askCommand struct {
	Question string   `arg:"" help:"The question."`
	Files    []string `arg:"" name:"file" help:"Files of ${formats}, or folders of them."`
	Model    string   `required:"" help:"The model that answers: one of the proxy's, or the provider's name of it."`
	K        int      `short:"k" default:"5" help:"How many passages to send, at most."`
	Mode     string   `default:"hybrid" enum:"hybrid,dense,keyword" help:"How to find the passages: keyword (BM25), dense (vectors) or both fused."`
	chunkOptions
}

func (askCommand) Help() string {
	return `Cuts the files up, finds the passages that fit the question, and has a hosted model answer from those alone.
Only they and the question are sent, unless --embedder sends more. The answer cites them by number.

Example:
  seam ask --proxy https://seam.example.org --model llama-3.3-70b "What does the warranty cover?" manual.pdf
  OPENAI_API_KEY=… seam ask --model gpt-4o-mini "What does the warranty cover?" manuals/`
}

func (c askCommand) Run(ctx context.Context, std IO, b build) error {
	plan, err := c.plan()
	if err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(c.Question) == "":
		return usagef("the question is empty")
	case c.K < 1:
		return usagef("-k %d: at least one passage is needed", c.K)
	case !c.hosted():
		return usagef("asking needs " + howHosted)
	}
	files, err := inputsOf(std, c.Files)
	if err != nil {
		return err
	}
	m := c.models(std)
	if m.proxy, err = c.connect(ctx, b); err != nil {
		return retryHint(err)
	}
	m.dial = func() (*proxy, error) { return m.proxy, nil }
	defer m.close()
	p := m.proxy
	model, err := p.model(c.Model, protocol.Chatting)
	if err != nil {
		return err
	}
	docs, searcher, failed, err := cutter{ctx: ctx, std: std, options: c.chunkOptions, plan: plan, models: m}.index(files, index.Mode(c.Mode), search.Options{})
	if err != nil {
		return err
	}
	found, err := searcher.Search(ctx, search.Query{Text: c.Question, K: c.K, Mode: m.modeFor(ctx, docs, index.Mode(c.Mode))}, m.hooks())
	if err != nil {
		return retryHint(err)
	}
	m.tellMissing(found)
	if err := c.answer(ctx, std, p, model.ID, docs, hitsOf(docs, found.Hits)); err != nil {
		return err
	}
	return failed
}

// answer prints the answer as it comes, and its sources.
func (c askCommand) answer(ctx context.Context, std IO, p *proxy, model string, docs []document, hits []hitJSON) error {
	passages := make([]string, len(hits))
	for i, h := range hits {
		passages[i] = h.Text
	}
	written := false
	a, err := answer.Ask(ctx, p.client, model, &answer.Question{Text: c.Question, Passages: passages}, func(part string) error {
		written = true
		_, err := fmt.Fprint(std.Out, part)
		return err
	})
	if written {
		fmt.Fprintln(std.Out)
	}
	switch {
	case err != nil:
		return retryHint(err)
	case a.Refused:
		fmt.Fprintln(std.Err, "seam: the passages that were found do not hold the answer; other words may find others")
		return nil
	}
	fmt.Fprintln(std.Out, "\nSources:")
	for i, h := range hits[:a.Passages] {
		fmt.Fprintf(std.Out, "[%d] %s%s\n", i+1, h.File, onPages(docs[h.doc], h.Pages))
	}
	return nil
}
