package evaluate

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/embed/remote"
	"seam/shared/eval"
	"seam/shared/experiment"
	"seam/shared/text"
)

// judgeOptions are the options for the model that answers from the passages found, and for
// its judge.
type judgeOptions struct {
	Model      string    `placeholder:"M" help:"Model that answers each question from the passages of each setting, for a judge to score."`
	JudgeModel string    `placeholder:"M" help:"Model that judges (default: the one that answers)."`
	JudgePrice []float64 `placeholder:"IN,OUT" help:"Price of --judge-model at --base-url, in the form of --chat-price, if it is not the model of --model."`
	Repeat     int       `default:"1" help:"Answers per question, to see their spread."`
	hosted.ChatOptions
}

// check returns an error for missing options. asked reports whether a provider can be
// reached or is not needed.
func (o judgeOptions) check(asked bool) error {
	switch {
	case o.Model == "" && (o.JudgeModel != "" || o.Repeat > 1 || len(o.Chat)+len(o.JudgePrice) > 0):
		return terminal.Usagef("set the model that answers with --model")
	case o.JudgeModel == "" && len(o.JudgePrice) > 0:
		return terminal.Usagef("--judge-price needs --judge-model")
	case o.Repeat < 1:
		return terminal.Usagef("--repeat %d: use 1 or more", o.Repeat)
	case o.Model != "" && !asked:
		return terminal.Usagef("--model needs " + hosted.HowHosted)
	}
	return cmp.Or(o.ChatOptions.Check(), hosted.CheckPrices("--judge-price", o.JudgePrice))
}

// models returns the names of the answering model and of the judge.
func (o judgeOptions) models() (answers, judges string) {
	answers = strings.TrimPrefix(o.Model, remote.Prefix)
	return answers, strings.TrimPrefix(cmp.Or(o.JudgeModel, o.Model), remote.Prefix)
}

// judging is the state of a grid whose answers are judged.
type judging struct {
	proxy      *hosted.Proxy // nil in a replay
	sent       hosted.Spent
	name       string // of the run's file
	unmeasured bool   // a dry run in which something was not searched
}

// judge has every setting's questions answered and scored, and adds the scores to r.
func (g *grid) judge(r *gridReport) error {
	found, err := g.passages()
	if err != nil {
		return err
	}
	if !g.command.Replay {
		if err := g.connect(found); err != nil {
			return err
		}
		defer g.judging.proxy.Close()
	}
	price, err := g.answerPrice()
	if err != nil {
		return err
	}
	meter := terminal.NewMeter(g.ctx, g.std, "answers")
	o := experiment.Options{Repeat: g.command.Repeat}
	o.Model, o.Judge = g.command.judgeOptions.models()
	report, err := experiment.Judge(g.ctx, found, o, experiment.Host{LLM: hosted.Spared(&hosted.ChatModel{Proxy: g.judging.proxy, Sent: &g.judging.sent}, g.run, false), Progress: meter.Report})
	meter.Clear()
	if g.judging.proxy != nil {
		g.judging.sent.Report(g.std, g.prices, nil, g.run, g.judging.name)
	}
	if err != nil {
		return err
	}
	warnOnce(g.std.Err, report.Warnings)
	r.Runs, r.Warnings = report.Runs, report.Warnings
	judged := make([]eval.Judged, len(g.cells))
	each := len(report.Runs) / len(g.cells)
	for i := range judged {
		judged[i] = experiment.Judged(report.Runs[i*each:(i+1)*each], g.command.Repeat, price.In, price.Out)
	}
	r.AddAnswers(g.done, judged)
	return nil
}

// warnOnce prints warnings, equal ones only once.
func warnOnce(to io.Writer, warnings []string) {
	times := map[string]int{}
	for _, w := range warnings {
		times[w]++
	}
	for _, w := range warnings {
		switch n := times[w]; {
		case n > 1:
			fmt.Fprintf(to, "seam: %s (%d times)\n", terminal.OneLine(w), n)
		case n == 1:
			fmt.Fprintln(to, "seam: "+terminal.OneLine(w))
		}
		delete(times, w)
	}
}

// connect connects to the provider and prints the amount that will be sent.
func (g *grid) connect(found []experiment.Found) (err error) {
	if g.judging.proxy, err = g.command.Connect(g.ctx, g.build); err != nil {
		return err
	}
	answers, judges := g.command.judgeOptions.models()
	e := experiment.EstimateJudge(found, g.command.Repeat)
	say := fmt.Sprintf("about %s (%d tokens) to %s", terminal.Count(e.Answers, "request"), e.Tokens, answers)
	if judges != answers {
		say += " and " + judges
	}
	if g.judging.unmeasured {
		say += " for the settings searched so far (the others need vectors first)"
	}
	var b hosted.Bill
	for _, of := range []struct {
		model        string
		read, writes int
	}{{answers, e.Tokens - e.Judged, e.TokensOut - e.JudgedOut}, {judges, e.Judged, e.JudgedOut}} {
		in, out, err := g.prices(of.model)
		if err != nil {
			return err
		}
		b.Add(of.read, in)
		b.Add(of.writes, out)
	}
	return hosted.AnnounceOffer(g.std, g.command.DryRun, say+", at "+g.judging.proxy.Host, b.Sum())
}

// quoteDry prints the amount a dry run would send to a model.
func (g *grid) quoteDry() error {
	if g.command.Model == "" {
		return nil
	}
	found, err := g.passages()
	if err == nil {
		err = g.connect(found)
		g.judging.proxy.Close()
	}
	return err
}

// prices returns the prices of a model in dollars per million tokens, nil if unknown.
func (g *grid) prices(model string) (in, out *float64, err error) {
	said := g.command.Chat
	if answers, _ := g.command.judgeOptions.models(); model != answers {
		said = g.command.JudgePrice
	}
	return hosted.ChatPrices(g.judging.proxy, said, model)
}

// price is the price of a model's input and output, in dollars per million tokens.
type price struct{ In, Out *float64 }

// answerPrice returns the price of the answering model. The run's file keeps it for a
// replay.
func (g *grid) answerPrice() (p price, err error) {
	model, _ := g.command.judgeOptions.models()
	name := "price of " + model
	if !g.command.Replay {
		if p.In, p.Out, err = g.prices(model); err != nil {
			return p, err
		}
		if p.In != nil || p.Out != nil {
			return p, g.run.KeepResult(name, p)
		}
	}
	if b, ok := g.run.Result(name); ok { // the price of the earlier run
		err = json.Unmarshal(b, &p)
	}
	return p, err
}

// passages returns the passages that every setting found for every question, in the order
// of the settings.
func (g *grid) passages() (out []experiment.Found, err error) {
	most := 5
	if len(g.budgets.Depths) > 0 {
		most = slices.Max(g.budgets.Depths)
	}
	views := map[*text.View]*eval.RuneIndex{}
	for i, c := range g.cells {
		of := func(at int, span eval.Range) (string, error) {
			v := c.variant.Text(g.exam.sources[at].session.Document)
			if views[v] == nil {
				views[v] = eval.NewRuneIndex(v.Text)
			}
			t, ok := views[v].Of(span)
			if !ok {
				return "", errors.New("the run's file does not match the text")
			}
			return t, nil
		}
		found := slices.Concat(g.done[i].Found, g.unanswered[i])
		for k, q := range g.exam.asked() {
			if k >= len(found) {
				break // a dry run in which this was not searched
			}
			f := experiment.Found{Setting: c.Name(), Chunks: g.done[i].Chunks, Question: asked(q), Passages: []experiment.Passage{}}
			for _, chunk := range found[k][:min(most, len(found[k]))] {
				p := experiment.Passage{}
				if p.Text, err = of(chunk.Text, chunk.Range); err != nil {
					return nil, err
				}
				f.Passages = append(f.Passages, p)
			}
			if f.Question.Answerable && f.Question.Ideal == "" {
				var truth []string
				for _, ref := range g.done[i].Refs[k] {
					t, err := of(g.exam.of[k], ref)
					if err != nil {
						return nil, err
					}
					truth = append(truth, t)
				}
				f.Question.Ideal = strings.Join(truth, "\n")
			}
			out = append(out, f)
		}
	}
	return out, nil
}
