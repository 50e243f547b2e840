package evaluate

import (
	"context"
	"fmt"
	"strings"

	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/proxy/upstream/prefix"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/remote"
	"seam/shared/experiment"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/text"
)

// laboratory is one run of a pipeline.
type laboratory struct {
	command evalPipelineCommand
	std     terminal.IO
	p       experiment.Pipeline
	o       experiment.Options
	proxy   *hosted.Proxy // nil in a replay
	run     *runfile.File
	name    string // of the run's file; "": nothing is kept
	sent    hosted.Spent
	vectors *remote.Embedder // nil: the vectors are made locally
}

// keepIn opens the run's file. A private document is kept only in a file that the user
// named.
func (l *laboratory) keepIn(b terminal.Build, d *text.Document, private bool, questions []experiment.Question) (err error) {
	c := l.command
	l.run, l.name, err = hosted.OpenRun(c.Unless(private), c.RunFile, c.Replay || c.DryRun, c.DryRun, hosted.RunHead(b, l.p.Name, c.File, d, struct {
		experiment.Options
		Questions []experiment.Question
	}{l.o, questions}))
	return err
}

// report runs the pipeline.
func (l *laboratory) report(ctx context.Context, d *text.Document, questions []experiment.Question) (*experiment.Report, error) {
	meter := terminal.NewMeter(ctx, l.std, l.p.Name)
	defer meter.Clear()
	hooks := pipeline.Hooks{Progress: meter.Report, Embedder: l.embedder}
	return l.p.Run(ctx, d, questions, l.o, experiment.Host{LLM: hosted.Spared(&hosted.ChatModel{Proxy: l.proxy, Sent: &l.sent}, l.run, false), Hooks: hooks, Progress: meter.Report})
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
		m := protocol.Model{ID: strings.TrimPrefix(name, remote.Prefix)}
		m.Query, m.Passage = prefix.Given(m.ID, l.command.QueryPrefix, l.command.PassagePrefix)
		l.vectors = remote.New(noObserver{}, m, remote.Options{Store: l.run})
		return l.vectors, nil
	}
	model, err := l.proxy.Model(name, protocol.Embedding)
	if err == nil {
		l.vectors = remote.New(hosted.Metered{Client: l.proxy.Client, Sent: &l.sent}, model, remote.Options{Store: l.run})
	}
	return l.vectors, err
}

// noObserver is a client that refuses every request. A replay uses it.
type noObserver struct{}

func (noObserver) Embed(context.Context, string, []string, int, func(int, []float32) error) (protocol.Usage, error) {
	return protocol.Usage{}, hosted.ErrReplay
}

func (noObserver) Calls(string, []string, int) (int, error) { return 0, hosted.ErrReplay }

// quote prints the largest amount that will be sent, and its price. With --dry-run nothing
// is sent.
func (l *laboratory) quote(d *text.Document, questions []experiment.Question) error {
	e := l.p.Estimate(d, questions, l.o)
	say := fmt.Sprintf("about %s (%d tokens) to %s", terminal.Count(e.Answers, "request"), e.Tokens, l.o.Model)
	if l.o.Judge != l.o.Model {
		say += " and " + l.o.Judge
	}
	var b hosted.Bill
	for _, of := range []struct {
		model        string
		read, writes int
	}{{l.o.Model, e.Tokens - e.Judged, e.TokensOut - e.JudgedOut}, {l.o.Judge, e.Judged, e.JudgedOut}} {
		in, out, err := l.prices(of.model)
		if err != nil {
			return err
		}
		b.Add(of.read, in)
		b.Add(of.writes, out)
	}
	if strings.HasPrefix(l.o.Embedder, remote.Prefix) {
		model, err := l.proxy.Model(l.o.Embedder, protocol.Embedding)
		if err != nil {
			return err
		}
		say += fmt.Sprintf(", and about %d texts (%d tokens) to %s", e.Texts, e.TextTokens, model.ID)
		b.Add(e.TextTokens, model.Price)
	}
	return hosted.AnnounceOffer(l.std, l.command.DryRun, say+", at "+l.proxy.Host, b.Sum())
}

// prices returns the prices of the answering or judging model in dollars per million
// tokens, nil if unknown.
func (l *laboratory) prices(model string) (in, out *float64, err error) {
	said := l.command.Chat
	if model != l.o.Model {
		said = l.command.JudgePrice
	}
	return hosted.ChatPrices(l.proxy, said, model)
}

// reportSent prints the amount sent and where the answers are kept.
func (l *laboratory) reportSent() {
	if l.proxy == nil {
		return
	}
	var embedding *float64
	if l.vectors != nil {
		model, _ := l.proxy.Model(l.o.Embedder, protocol.Embedding) // already looked up
		embedding = model.Price
	}
	l.sent.Report(l.std, l.prices, embedding, l.run, l.name)
}
