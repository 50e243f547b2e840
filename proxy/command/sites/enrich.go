package sites

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/shared/embed/remote"
	"seam/shared/enrich"
	"seam/shared/llm"
	"seam/shared/site/shards"
	"seam/shared/token"
)

// indexEnrichOptions are the options of a model that writes phrases by which chunks can be
// found.
type indexEnrichOptions struct {
	Enrich  []string `placeholder:"WHAT" help:"Let a model write extra search words for each chunk: questions, headers, or both (questions,headers). Sends the text of the pages."`
	Model   string   `placeholder:"M" help:"Model that writes: one of the proxy's, or a name from the provider."`
	RunFile string   `name:"run" placeholder:"FILE" help:"File for the model's answers, which are not requested again (default: a file per site in the cache folder; --cache off stores nothing)."`
	DryRun  bool     `help:"Print the size and cost of the requests to the model; send nothing and write no index."`
	hosted.ChatOptions
	hosted.HostOptions
}

// The kinds of phrases a model can write.
const (
	wantQuestions = "questions"
	wantHeaders   = "headers"
)

// check validates the options and splits Enrich into single kinds.
func (o *indexEnrichOptions) check() error {
	o.Enrich = strings.FieldsFunc(strings.Join(o.Enrich, ","), func(r rune) bool { return r == ',' || r == ' ' })
	for _, what := range o.Enrich {
		if what != wantQuestions && what != wantHeaders {
			return terminal.Usagef("--enrich %s: use %s, %s or both", what, wantQuestions, wantHeaders)
		}
	}
	o.Enrich = slices.Compact(slices.Sorted(slices.Values(o.Enrich)))
	o.Model = strings.TrimPrefix(o.Model, remote.Prefix)
	switch {
	case len(o.Enrich) > 0 && o.Model == "":
		return terminal.Usagef("--enrich %s: set the model that writes with --model", strings.Join(o.Enrich, ","))
	case len(o.Enrich) == 0 && (o.Model != "" || o.DryRun):
		return terminal.Usagef("--model and --dry-run need --enrich %s or %s", wantQuestions, wantHeaders)
	}
	return o.ChatOptions.Check()
}

// enrichReport counts the answers of a model for an index.
type enrichReport struct {
	Model         string `json:"model"`
	Chunks        int    `json:"chunks"` // with at least one admitted phrase
	Of            int    `json:"of"`     // chunks in all
	Questions     int    `json:"questions"`
	KeptQuestions int    `json:"keptQuestions"` // that find their chunk
	Headers       int    `json:"headers"`
	KeptHeaders   int    `json:"keptHeaders"`
	Words         int    `json:"words"` // that chunks have from these phrases
	Bytes         int    `json:"bytes"` // added to the index
	Requests      int    `json:"requests"`
	Unusable      int    `json:"unusable,omitempty"` // answers
	Missing       int    `json:"missing,omitempty"`  // answers that the model was not asked for
}

func (r *enrichReport) print(w *bufio.Writer) {
	fmt.Fprintf(w, "  enriched by %s: %d of %s with %s, %.1f kB", r.Model, r.Chunks, terminal.Count(r.Of, "chunk"), terminal.Count(r.Words, "word"), float64(r.Bytes)/1000)
	var kept []string
	if r.Questions > 0 {
		kept = append(kept, fmt.Sprintf("%d of %s", r.KeptQuestions, terminal.Count(r.Questions, "question")))
	}
	if r.Headers > 0 {
		kept = append(kept, fmt.Sprintf("%d of %s", r.KeptHeaders, terminal.Count(r.Headers, "header")))
	}
	if len(kept) > 0 {
		fmt.Fprintf(w, "; %s find their chunk", strings.Join(kept, " and "))
	}
	fmt.Fprintln(w)
	if r.Missing > 0 {
		fmt.Fprintf(w, "  not requested while watching: %s; run seam index without --watch\n", terminal.Count(r.Missing, "answer"))
	}
}

// asking is one request for a chunk: for questions or for a header.
type asking struct {
	page, chunk int // indexes into the cut pages
	what        string
	passage     enrich.Passage
	phrases     []string // the model's answer
	bad         string   // why the answer is unusable; "" if usable
	admitted    []string // the phrases that find the chunk
}

// mostQuestions is the number of questions requested per chunk.
const mostQuestions = 5

// ask asks the model and stores its phrases. An unusable answer sets a.bad and is not an
// error.
func (a *asking) ask(ctx context.Context, w enrich.Writer) (err error) {
	if a.what == wantQuestions {
		a.phrases, err = w.Asked(ctx, a.passage, mostQuestions)
	} else if header, other := w.Header(ctx, a.passage); header != "" {
		a.phrases = []string{header}
	} else {
		err = other
	}
	if reason, bad := llm.Unusable(err); bad {
		a.bad = cmp.Or(terminal.OneLine(reason), "no reason given")
		return nil
	}
	return err
}

// tokens estimates how many tokens the model reads and writes.
func (a *asking) tokens() (in, out int) {
	prompt, out := enrich.Default.Title, 20
	if a.what == wantQuestions {
		prompt, out = enrich.Default.Asked, 20*mostQuestions
	}
	return token.Estimate.Count(prompt) + token.Estimate.Count(a.passage.String()), out
}

// brief is a model that stops any answer longer than mostReply.
type brief struct{ llm.Model }

// mostReply is the greatest length of an answer in bytes.
const mostReply = 32 << 10

var errLong = fmt.Errorf("it is longer than %d kB", mostReply>>10)

// Complete implements llm.Model.
func (b brief) Complete(ctx context.Context, r llm.Request, emit func(string) error) (llm.Reply, error) {
	n := 0
	reply, err := b.Model.Complete(ctx, r, func(part string) error {
		if n += len(part); n > mostReply {
			return errLong
		}
		if emit != nil {
			return emit(part)
		}
		return nil
	})
	if n > mostReply {
		reply.Text = ""
		return reply, &llm.NoAnswer{Reason: errLong.Error()}
	}
	return reply, err
}

// openKept opens the stored answers for this site. When no model will be asked, it reads
// them again each time, because another process may have added some.
func (x *indexer) openKept() (err error) {
	only := !x.asks || x.DryRun
	if x.run != nil && (!only || x.told) {
		return nil
	}
	name := x.RunFile
	if dir := x.Dir(); name == "" && dir != "" {
		site, err := whereIs(x.Site)
		if err != nil {
			return fmt.Errorf("--site %s: %w", x.Site, terminal.Reason(err))
		}
		folder := filepath.Join(dir, files.RunsDir)
		if only || os.MkdirAll(folder, 0o700) == nil {
			name = filepath.Join(folder, "index-"+files.DigestOf(site)+".jsonl")
		}
	}
	// One file serves every version of a site: each request identifies its own text.
	head := runfile.Head{Seam: string(x.build), Pipeline: "index-enrich", Settings: json.RawMessage("{}")}
	x.run, x.runName, err = hosted.OpenRun(files.CacheOptions{Cache: "off"}, name, only, only, head)
	return err
}

func (x *indexer) closeRun() {
	if x.run != nil {
		x.run.Close()
	}
}

// askings returns the requests for all chunks.
func (x *indexer) askings(cut []*shards.Page) (out []asking) {
	for i, p := range cut {
		if p == nil {
			continue
		}
		for k, c := range p.Chunks {
			for _, what := range x.Enrich {
				out = append(out, asking{page: i, chunk: k, what: what, passage: enrich.Passage{Page: p.Title, Section: strings.Join(c.Section, " › "), Text: c.Text}})
			}
		}
	}
	return out
}

// written returns all requests, with the answers that are stored or that the model gives
// now.
func (x *indexer) written(ctx context.Context, std terminal.IO, cut []*shards.Page, r *enrichReport, m *terminal.Meter) ([]asking, error) {
	if err := x.openKept(); err != nil {
		return nil, err
	}
	all := x.askings(cut)
	known := enrich.Writer{LLM: hosted.OnlyStored(x.run), Model: x.Model, Retry: true}
	var missing []*asking
	for i := range all {
		if err := all[i].ask(ctx, known); errors.Is(err, hosted.ErrNotStored) {
			missing = append(missing, &all[i])
		} else if err != nil {
			return nil, err
		}
	}
	switch {
	case !x.asks:
		r.Missing = len(missing)
	case len(missing) > 0:
		return all, x.askFor(ctx, std, missing, len(all), r, m)
	case x.DryRun:
		fmt.Fprintln(std.Out, "nothing would be sent")
		return nil, terminal.ErrDry
	}
	return all, nil
}

// askFor asks a model for the missing answers. of is the number of all requests.
func (x *indexer) askFor(ctx context.Context, std terminal.IO, missing []*asking, of int, r *enrichReport, m *terminal.Meter) error {
	if !x.Hosted() {
		return terminal.Usagef("--model needs " + hosted.HowHosted)
	}
	p, err := x.Connect(ctx, x.build)
	if err != nil {
		return hosted.RetryHint(err)
	}
	defer p.Close()
	if !x.DryRun {
		if err := writable(x.Out); err != nil {
			return err // before the model costs money
		}
	}
	if err := x.quote(std, p, missing, of); err != nil || x.DryRun {
		return cmp.Or(err, terminal.ErrDry)
	}
	var sent hosted.Spent
	w := enrich.Writer{LLM: hosted.Spared(brief{&hosted.ChatModel{Proxy: p, Sent: &sent}}, x.run, len(missing) < of), Model: x.Model, Retry: true}
	err = llm.Each(ctx, len(missing), hosted.DirectCalls,
		func(i int) error { return missing[i].ask(ctx, w) },
		func(done int) error { return m.Report("chunk", done, len(missing)) })
	m.Clear()
	sent.Report(std, func(string) (in, out *float64, err error) { return hosted.ChatPrices(p, x.Chat, x.Model) }, nil, x.run, x.runName)
	r.Requests = sent.Requests
	if err != nil {
		return fmt.Errorf("ask %s about the pages: %w", x.Model, hosted.RetryHint(err))
	}
	return nil
}

// quote prints the number and estimated price of the requests about to be sent, without
// retries.
func (x *indexer) quote(std terminal.IO, p *hosted.Proxy, missing []*asking, of int) error {
	tokens, written := 0, 0
	for _, a := range missing {
		in, out := a.tokens()
		tokens, written = tokens+in, written+out
	}
	in, out, err := hosted.ChatPrices(p, x.Chat, x.Model)
	if err != nil {
		return err
	}
	var b hosted.Bill
	b.Add(tokens, in)
	b.Add(written, out)
	known := ""
	if n := of - len(missing); n > 0 {
		known = fmt.Sprintf("; %s already stored", terminal.Count(n, "answer"))
	}
	return hosted.AnnouncePrice(std, x.DryRun, fmt.Sprintf("%s (about %d tokens) to %s at %s", terminal.Count(len(missing), "request"), tokens, x.Model, p.Host), b.Sum(), known)
}
