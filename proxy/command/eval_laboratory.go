package command

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"seam/proxy/runfile"
	"seam/proxy/upstream"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/remote"
	"seam/shared/experiment"
	"seam/shared/llm"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/text"
)

// laboratory is one run of the command.
type laboratory struct {
	command evalPipelineCommand
	std     IO
	p       experiment.Pipeline
	o       experiment.Options
	proxy   *proxy // nil: a replay
	run     *runfile.File
	name    string // of its file; "": nothing is kept
	sent    *chatModel
	vectors *remote.Embedder // nil: they are made here
}

// keepIn opens the file of the run; of a private document only one that is named.
func (l *laboratory) keepIn(b build, d *text.Document, private bool, questions []experiment.Question) (err error) {
	c := l.command
	l.run, l.name, err = openRun(c.unless(private), c.RunFile, c.Replay || c.DryRun, c.DryRun, runHead(b, l.p.Name, c.File, d, struct {
		experiment.Options
		Questions []experiment.Question
	}{l.o, questions}))
	return err
}

// runHead says what a run is of. settings are what its answers depend on.
func runHead(b build, what, file string, d *text.Document, settings any) runfile.Head {
	s, err := json.Marshal(settings)
	if err != nil {
		panic(err) // strings and finite numbers alone
	}
	return runfile.Head{Seam: string(b), Pipeline: what, Document: called(filepath.Base(file)), SHA256: fmt.Sprintf("%x", sha256.Sum256(text.Encode(d))), Settings: s}
}

// openRun opens the file of a run: the one that is named, or one in the cache folder, "" where
// there is none and nothing is kept. It may only be read, and then need not be there.
func openRun(cache cacheOptions, name string, only, mayMiss bool, head runfile.Head) (run *runfile.File, at string, err error) {
	if dir := cache.dir(); name == "" && dir != "" {
		folder := filepath.Join(dir, runsDir)
		if only || os.MkdirAll(folder, 0o700) == nil {
			id := sha256.Sum256(fmt.Appendf(nil, "%s %s %s", head.Pipeline, head.SHA256, head.Settings))
			name = filepath.Join(folder, fmt.Sprintf("%s-%x.jsonl", head.Pipeline, id[:8]))
		}
	}
	if name == "" {
		return runfile.None(), "", nil
	}
	open := runfile.Open
	if only {
		open = runfile.Replay
	}
	run, err = open(name, head)
	switch {
	case err == nil:
		return run, name, nil
	case mayMiss && errors.Is(err, fs.ErrNotExist):
		return runfile.None(), "", nil
	case errors.Is(err, runfile.ErrOther):
		return nil, "", usagef("--run %s: %v; name another file, or the same settings", shown(name), err)
	}
	return nil, "", fmt.Errorf("the run's file %s: %w", shown(name), err)
}

// report runs the pipeline.
func (l *laboratory) report(ctx context.Context, d *text.Document, questions []experiment.Question) (*experiment.Report, error) {
	meter := newMeter(ctx, l.std, l.p.Name)
	defer meter.clear()
	l.sent = &chatModel{proxy: l.proxy}
	hooks := pipeline.Hooks{Progress: meter.report, Embedder: l.embedder}
	return l.p.Run(ctx, d, questions, l.o, experiment.Host{LLM: llm.NewKept(l.sent, l.run), Hooks: hooks, Progress: meter.report})
}

// embedder opens the embedder of the run, once.
func (l *laboratory) embedder(name string) (embed.Embedder, error) {
	if name == builtin.Name {
		return builtin.Default()
	}
	if l.vectors != nil {
		return l.vectors, nil
	}
	if l.proxy == nil {
		l.vectors = remote.New(nobody{}, protocol.Model{ID: strings.TrimPrefix(name, remote.Prefix)}, remote.Options{Store: l.run})
		return l.vectors, nil
	}
	model, err := l.proxy.model(name, protocol.Embedding)
	if err == nil {
		l.vectors = remote.New(l.proxy.client, model, remote.Options{Store: l.run})
	}
	return l.vectors, err
}

// mostAnswer is how many tokens a provider may write for one request: statements of a long
// section are many.
const mostAnswer = 4096

// chatModel is a model behind a proxy or at a provider; without either it answers nothing.
type chatModel struct {
	proxy *proxy

	mu                   sync.Mutex
	asked, read, written int
}

// errReplay is what a replay lacks.
var errReplay = errors.New("the run's file does not have all that this needs: it was stopped before its end, or is of other settings; without --replay it goes on")

// Complete implements llm.Model.
func (m *chatModel) Complete(ctx context.Context, r llm.Request, emit func(string) error) (llm.Reply, error) {
	if m.proxy == nil {
		return llm.Reply{}, errReplay
	}
	chat := &protocol.Chat{Model: r.Model, Messages: r.Messages, Params: protocol.Params{Temperature: r.Temperature, MaxTokens: r.MaxTokens, JSON: r.JSON}}
	if chat.Params.MaxTokens == 0 && m.proxy.ack == nil {
		chat.Params.MaxTokens = mostAnswer
	}
	var b strings.Builder
	usage, finish, err := m.proxy.client.Chat(ctx, chat, func(part string) error {
		b.WriteString(part)
		if emit != nil {
			return emit(part)
		}
		return nil
	})
	m.mu.Lock()
	m.asked, m.read, m.written = m.asked+1, m.read+usage.Tokens, m.written+usage.TokensOut
	m.mu.Unlock()
	var failed *upstream.Error
	var told *protocol.Error
	if errors.As(err, &failed) && failed.Unusable() || errors.As(err, &told) && told.Code == protocol.UpstreamCutShort {
		return llm.Reply{Tokens: usage.Tokens, TokensOut: usage.TokensOut}, &llm.NoAnswer{Reason: oneLine(err.Error())}
	}
	return llm.Reply{Text: b.String(), Finish: finish, Tokens: usage.Tokens, TokensOut: usage.TokensOut}, err
}

// nobody is the client of a replay.
type nobody struct{}

func (nobody) Embed(context.Context, string, []string, int, func(int, []float32) error) (protocol.Usage, error) {
	return protocol.Usage{}, errReplay
}

func (nobody) Calls(string, []string, int) (int, error) { return 0, errReplay }

// quote tells what is about to be sent, at most, and what it costs; with --dry-run that it
// would be.
func (l *laboratory) quote(d *text.Document, questions []experiment.Question) error {
	e := l.p.Estimate(d, questions, l.o)
	say := fmt.Sprintf("about %d requests of %d tokens to %s", e.Answers, e.Tokens, l.o.Model)
	if l.o.Judge != l.o.Model {
		say += " and " + l.o.Judge
	}
	dollars, known := 0.0, true
	add := func(tokens int, price *float64) {
		if price == nil {
			known = false
			return
		}
		dollars += float64(tokens) * *price / 1e6
	}
	in, out, err := l.prices()
	if err != nil {
		return err
	}
	add(e.Tokens, in)
	add(e.TokensOut, out)
	if strings.HasPrefix(l.o.Embedder, remote.Prefix) {
		model, err := l.proxy.model(l.o.Embedder, protocol.Embedding)
		if err != nil {
			return err
		}
		say += fmt.Sprintf(", and about %d texts of %d tokens to %s", e.Texts, e.TextTokens, model.ID)
		add(e.TextTokens, model.Price)
	}
	if !known {
		return tellOffer(l.std, l.command.DryRun, say+", at "+l.proxy.host, nil)
	}
	return tellOffer(l.std, l.command.DryRun, say+", at "+l.proxy.host, &dollars)
}

// prices are those of the model that answers, in dollars for a million tokens; nil: not known.
func (l *laboratory) prices() (in, out *float64, err error) {
	if l.proxy.ack != nil {
		if _, err := l.proxy.model(l.o.Judge, protocol.Chatting); err != nil {
			return nil, nil, err
		}
	}
	return chatPrices(l.proxy, l.command.Chat, l.o.Model)
}

// chatPrices are those of a model, in dollars for a million tokens: a proxy's, or what was
// said of a provider's; nil: not known.
func chatPrices(p *proxy, said []float64, model string) (in, out *float64, err error) {
	if p.ack == nil {
		if len(said) == 2 {
			return &said[0], &said[1], nil
		}
		return nil, nil, nil
	}
	m, err := p.model(model, protocol.Chatting)
	return m.Price, m.PriceOut, err
}

// chatOptions are those of what is asked of models that write.
type chatOptions struct {
	Chat []float64 `name:"chat-price" placeholder:"IN,OUT" help:"What the provider of --base-url takes in dollars for a million tokens read and written by the models that write."`
}

func (o chatOptions) check() error {
	if n := len(o.Chat); n != 0 && (n != 2 || o.Chat[0] < 0 || o.Chat[1] < 0) {
		return usagef("--chat-price takes two numbers: dollars for a million tokens read and written, such as 0.15,0.60")
	}
	return nil
}

// tellOffer tells what is about to be sent to models that write, or with a dry run what would
// be, and what it costs; nil: that is not known.
func tellOffer(std IO, dry bool, say string, dollars *float64) error {
	price := "price unknown"
	if dollars != nil {
		price = fmt.Sprintf("about $%.4f", *dollars)
	}
	out, verb := std.Err, "seam: sending "
	if dry {
		out, verb = std.Out, "would send "
	}
	_, err := fmt.Fprintln(out, verb+say+": "+price+", less what the run has already")
	return err
}

// tellSent tells what was sent, and where it is kept.
func (l *laboratory) tellSent() {
	if l.sent == nil || l.proxy == nil {
		return
	}
	in, out, _ := l.prices() // which were asked for before
	l.sent.tell(l.std, in, out, l.run, l.name)
}

// tell tells what was sent, at prices in dollars for a million tokens (nil: not known), and
// the file of the run where it is kept, or that it is not kept to the end.
func (m *chatModel) tell(std IO, in, out *float64, run *runfile.File, name string) {
	say := fmt.Sprintf("seam: sent %d requests: %d tokens read, %d written", m.asked, m.read, m.written)
	if in != nil && out != nil {
		say += fmt.Sprintf(", about $%.4f", (float64(m.read)**in+float64(m.written)**out)/1e6)
	}
	trouble := run.Trouble()
	if name != "" && trouble == nil {
		say += "; the run is kept in " + shown(name)
	}
	fmt.Fprintln(std.Err, say)
	if trouble != nil {
		fmt.Fprintf(std.Err, "seam: %s lacks the rest of the run, which would be asked for again: %s\n", shown(name), reason(trouble))
	}
}
