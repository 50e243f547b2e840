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

// keepIn opens the file of the run.
func (l *laboratory) keepIn(b build, d *text.Document, questions []experiment.Question) error {
	settings, err := json.Marshal(struct {
		experiment.Options
		Questions []experiment.Question
	}{l.o, questions})
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(text.Encode(d)))
	head := runfile.Head{Seam: string(b), Pipeline: l.p.Name, Document: called(filepath.Base(l.command.File)), SHA256: fmt.Sprintf("%x", sum), Settings: settings}
	l.name = l.command.RunFile
	if dir := l.command.dir(); l.name == "" && dir != "" && !l.command.DryRun {
		folder := filepath.Join(dir, "runs")
		if err := os.MkdirAll(folder, 0o700); err == nil {
			id := sha256.Sum256(fmt.Appendf(nil, "%s %x %s", l.p.Name, sum, settings))
			l.name = filepath.Join(folder, fmt.Sprintf("%s-%x.jsonl", l.p.Name, id[:8]))
		}
	}
	open := runfile.Open
	if l.command.Replay || l.command.DryRun {
		open = runfile.Replay
	}
	if l.name == "" {
		l.run = runfile.None()
		return nil
	}
	l.run, err = open(l.name, head)
	if l.command.DryRun && errors.Is(err, fs.ErrNotExist) {
		l.run, err = runfile.None(), nil
	}
	if errors.Is(err, runfile.ErrOther) {
		return usagef("--run %s: %v; name another file, or the same settings", shown(l.name), err)
	}
	if err != nil {
		return fmt.Errorf("the run's file %s: %w", shown(l.name), err)
	}
	return nil
}

// report runs the pipeline.
func (l *laboratory) report(ctx context.Context, d *text.Document, questions []experiment.Question) (*experiment.Report, error) {
	meter := newMeter(ctx, l.std, l.p.Name)
	defer meter.clear()
	l.sent = &chatModel{proxy: l.proxy}
	hooks := pipeline.Hooks{Progress: meter.report, Embedder: l.embedder}
	return l.p.Run(ctx, d, questions, l.o, experiment.Host{LLM: llm.Kept{Model: l.sent, Store: l.run}, Hooks: hooks, Progress: meter.report})
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
		return llm.Reply{}, &llm.NoAnswer{Reason: oneLine(err.Error())}
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
	say += ", at " + l.proxy.host + ": "
	if known {
		say += fmt.Sprintf("about $%.4f", dollars)
	} else {
		say += "price unknown"
	}
	if l.command.DryRun {
		fmt.Fprintln(l.std.Out, "would send "+say+", less what the run has already")
		return nil
	}
	fmt.Fprintln(l.std.Err, "seam: sending "+say+", less what the run has already")
	return nil
}

// prices are those of the model that answers, in dollars for a million tokens; nil: not known.
func (l *laboratory) prices() (in, out *float64, err error) {
	if l.proxy.ack == nil {
		if len(l.command.Chat) == 2 {
			return &l.command.Chat[0], &l.command.Chat[1], nil
		}
		return nil, nil, nil
	}
	model, err := l.proxy.model(l.o.Model, protocol.Chatting)
	if err != nil {
		return nil, nil, err
	}
	_, err = l.proxy.model(l.o.Judge, protocol.Chatting)
	return model.Price, model.PriceOut, err
}

// tellSent tells what was sent, and where it is kept.
func (l *laboratory) tellSent() {
	if l.sent == nil || l.proxy == nil {
		return
	}
	say := fmt.Sprintf("seam: sent %d requests: %d tokens read, %d written", l.sent.asked, l.sent.read, l.sent.written)
	if in, out, err := l.prices(); err == nil && in != nil && out != nil {
		say += fmt.Sprintf(", about $%.4f", (float64(l.sent.read)**in+float64(l.sent.written)**out)/1e6)
	}
	if l.name != "" {
		say += "; the run is kept in " + shown(l.name)
	}
	fmt.Fprintln(l.std.Err, say)
}
