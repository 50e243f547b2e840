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
	sent    spent
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
	hooks := pipeline.Hooks{Progress: meter.report, Embedder: l.embedder}
	return l.p.Run(ctx, d, questions, l.o, experiment.Host{LLM: spared(&chatModel{l.proxy, &l.sent}, l.run, false), Hooks: hooks, Progress: meter.report})
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
		l.vectors = remote.New(metered{l.proxy.client, &l.sent}, model, remote.Options{Store: l.run})
	}
	return l.vectors, err
}

// mostAnswer is how many tokens a provider may write for one request: statements of a long
// section are many.
const mostAnswer = 4096

// chatModel is a model behind a proxy or at a provider; without either it answers nothing.
type chatModel struct {
	proxy *proxy
	sent  *spent
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
	m.sent.chat(r.Model, usage)
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
	say := fmt.Sprintf("about %s of %d tokens to %s", count(e.Answers, "request"), e.Tokens, l.o.Model)
	if l.o.Judge != l.o.Model {
		say += " and " + l.o.Judge
	}
	var b bill
	for _, of := range []struct {
		model        string
		read, writes int
	}{{l.o.Model, e.Tokens - e.Judged, e.TokensOut - e.JudgedOut}, {l.o.Judge, e.Judged, e.JudgedOut}} {
		in, out, err := l.prices(of.model)
		if err != nil {
			return err
		}
		b.add(of.read, in)
		b.add(of.writes, out)
	}
	if strings.HasPrefix(l.o.Embedder, remote.Prefix) {
		model, err := l.proxy.model(l.o.Embedder, protocol.Embedding)
		if err != nil {
			return err
		}
		say += fmt.Sprintf(", and about %d texts of %d tokens to %s", e.Texts, e.TextTokens, model.ID)
		b.add(e.TextTokens, model.Price)
	}
	return tellOffer(l.std, l.command.DryRun, say+", at "+l.proxy.host, b.sum())
}

// prices are those of a model that answers or judges, in dollars for a million tokens; nil:
// not known.
func (l *laboratory) prices(model string) (in, out *float64, err error) {
	said := l.command.Chat
	if model != l.o.Model {
		said = l.command.JudgePrice
	}
	return chatPrices(l.proxy, said, model)
}

// tellSent tells what was sent, and where it is kept.
func (l *laboratory) tellSent() {
	if l.proxy == nil {
		return
	}
	var embedding *float64
	if l.vectors != nil {
		model, _ := l.proxy.model(l.o.Embedder, protocol.Embedding) // which was asked for before
		embedding = model.Price
	}
	l.sent.tell(l.std, l.prices, embedding, l.run, l.name)
}
