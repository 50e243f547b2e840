package ask

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/runfile"
	"seam/proxy/upstream"
	"seam/shared/answer"
	"seam/shared/index"
	"seam/shared/llm"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/search"
	"seam/shared/text"
)

// table is a run of seam ask --each.
type table struct {
	Command
	ctx       context.Context
	std       terminal.IO
	models    *cut.Models
	asking    hosted.Asking // and the file of the run
	name      string        // of the run's file; "": nothing is stored
	questions []string
	rows      []row
	requests  []*request // in the order of the first cells that need them
	invented  int        // number of citations of passages that were not sent
}

// row is a file.
type row struct {
	name  string
	why   error            // the file was not read
	doc   []cut.Document   // its document, or none
	in    *search.Searcher // nil: the file was not read
	cells []cell
}

// cell is the answer to a question from a file.
type cell struct {
	hits    []cut.HitJSON // best first
	request *request      // nil: nothing is sent
}

// request is sent once for all cells with the same question and passages.
type request struct {
	key      string
	name     string // of the file of the first cell
	question *answer.Question
	tokens   int // estimated
	passages int // that fit, as far as is known before it is sent

	done   bool // answer or err is set
	answer hosted.Answered
	err    error
}

// open opens the file of the run. Its answers belong to a model and to the names of files and
// folders as they were given: a question or a file in a folder may be added.
func (t *table) open(b terminal.Build, names []string) (*runfile.File, string, error) {
	where := make([]string, len(names))
	for i, name := range names {
		where[i] = name
		if at, err := filepath.Abs(name); err == nil && name != "-" {
			where[i] = at
		}
	}
	private := t.Password != "" || slices.Contains(names, "-")
	head := hosted.RunHead(b, "ask-each", names[0], &text.Document{}, []any{t.asking.Model, where})
	return hosted.OpenRun(t.Unless(private), t.RunFile, t.DryRun, t.DryRun, head)
}

// read reads and cuts up the files.
func (t *table) read(plan pipeline.Plan, inputs []files.Input) (failed, err error) {
	written, err := cut.ReadWritten(t.std, t.Enriched)
	if err != nil {
		return nil, err
	}
	t.rows = make([]row, len(inputs))
	cutter := cut.Cutter{Ctx: t.ctx, Std: t.std, Options: t.ChunkOptions, Plan: plan, Models: t.models, Compares: t.DryRun, Enriched: written}
	cutter.Fails = func(i int, err error) error { t.rows[i].why = err; return nil }
	docs, each, failed, err := cutter.IndexEach(inputs, index.Mode(t.Mode))
	if err != nil {
		return failed, err
	}
	for i := range t.rows {
		r := &t.rows[i]
		r.name, r.in, r.cells = inputs[i].Name, each[i], make([]cell, len(t.questions))
		if r.in != nil {
			r.doc, r.name = docs[i:i+1], docs[i].Name
		}
	}
	return failed, nil
}

// documents returns the documents that were read.
func (t *table) documents() (all []cut.Document) {
	for _, r := range t.rows {
		all = append(all, r.doc...)
	}
	return all
}

// prepare finds the passages of each cell and the requests that they need.
func (t *table) prepare() error {
	if index.Mode(t.Mode) != index.Keyword {
		all := make([]cut.QueryLine, len(t.questions))
		for i, q := range t.questions {
			all[i].Query = q
		}
		if err := t.models.PrepareQueries(t.ctx, t.Embedder, all); err != nil {
			return hosted.RetryHint(err)
		}
	}
	known, lists := map[string]*request{}, 0
	meter := terminal.NewMeter(t.ctx, t.std, "all files")
	defer meter.Clear()
	for i := range t.rows {
		if err := meter.Report("file", i, len(t.rows)); err != nil {
			return err
		}
		r := &t.rows[i]
		if r.in == nil {
			continue
		}
		mode := t.models.ModeFor(t.ctx, r.doc, index.Mode(t.Mode))
		for n, question := range t.questions {
			hits, left, err := t.find(t.ctx, t.models, r.doc, r.in, mode, question)
			if err != nil {
				return err
			}
			lists += left
			r.cells[n].hits = hits
			if len(hits) == 0 {
				continue
			}
			if r.cells[n].request, err = t.need(known, t.question(question, r.doc, hits), r.name); err != nil {
				return err
			}
		}
	}
	reportLists(t.std, lists)
	return nil
}

// need returns the request for a question with its passages, which cells share if they need the
// same one.
func (t *table) need(known map[string]*request, q *answer.Question, name string) (*request, error) {
	key, preview, err := t.asking.Preview(t.ctx, q)
	if err != nil && t.ctx.Err() != nil {
		return nil, t.ctx.Err()
	}
	if r := known[key]; r != nil && err == nil {
		return r, nil
	}
	r := &request{key: key, question: q, name: name, passages: preview.Passages, tokens: upstream.EstimateChat(preview.Messages)}
	if err != nil {
		r.done, r.err = true, err // the question is too long for the model
	} else if r.answer, r.done = t.asking.Stored(key); r.done {
		r.err = r.answer.Err()
	}
	known[key] = r
	t.requests = append(t.requests, r)
	return r, nil
}

// atMost announces the requests of a dry run in which the passages are not known.
func (t *table) atMost(documents int) error {
	say := fmt.Sprintf("at most %s to %s at %s, %s", terminal.Count(documents*len(t.questions), "request"), t.asking.Model, t.asking.Proxy.Host, t.content())
	if err := hosted.AnnounceRequest(t.std, true, say); err != nil {
		return err
	}
	return terminal.ErrDry
}

// content describes the content of a request.
func (t *table) content() string {
	say := fmt.Sprintf("with a question and at most %s of one file in each", terminal.Count(t.K, "passage"))
	if !t.Narrow {
		say += ", with text next to them"
	}
	if !t.Unnamed {
		say += ", and above each passage a line that names its document, section, page and date"
	}
	return say
}

// announce prints the number, size and price of the requests. A dry run also lists each.
func (t *table) announce() error {
	var open []*request
	tokens := 0
	for _, r := range t.requests {
		if !r.done {
			open, tokens = append(open, r), tokens+r.tokens
		}
	}
	stored := ""
	if n := len(t.requests) - len(open); n > 0 {
		stored = fmt.Sprintf(", minus %s already stored", terminal.Count(n, "answer"))
	}
	if len(open) == 0 {
		if t.DryRun {
			fmt.Fprintf(t.std.Out, "nothing would be sent%s\n", strings.Replace(stored, ", minus", ":", 1))
		}
		return nil
	}
	in, out, err := t.prices(t.asking.Model)
	if err != nil {
		return err
	}
	most := t.asking.Proxy.LongestAnswer(t.ctx)
	var b hosted.Bill
	b.Add(tokens, in)
	b.Add(most*len(open), out)
	say := fmt.Sprintf("%s (about %d tokens) to %s at %s, %s", terminal.Count(len(open), "request"), tokens, t.asking.Model, t.asking.Proxy.Host, t.content())
	err = hosted.AnnouncePrice(t.std, t.DryRun, say, b.Sum(), fmt.Sprintf(", with answers of at most %d tokens%s", most, stored))
	for _, r := range open {
		if t.DryRun {
			fmt.Fprintf(t.std.Out, "%s: %s: %s, about %d tokens\n", terminal.Shown(r.name), cut.Preview(r.question.Text), terminal.Count(r.passages, "passage"), r.tokens)
		}
	}
	return err
}

// prices returns the prices of a model in dollars per million tokens, nil if unknown.
func (t *table) prices(model string) (in, out *float64, err error) {
	if len(t.Chat) == 2 {
		return hosted.ChatPrices(t.asking.Proxy, t.Chat, model)
	}
	m, err := t.asking.Proxy.Model(model, protocol.Chatting)
	return m.Price, m.PriceOut, err
}

// run sends the requests and prints the table. If it is stopped, the table has the answers so far.
func (t *table) run(failed error) error {
	var open []*request
	for _, r := range t.requests {
		if !r.done {
			open = append(open, r)
		}
	}
	meter := terminal.NewMeter(t.ctx, t.std, t.asking.Model)
	err := llm.Each(t.ctx, len(open), hosted.DirectCalls, func(i int) error {
		r := open[i]
		got, ends, err := t.asking.Ask(t.ctx, r.key, r.question)
		if err != nil && ends {
			return err
		}
		r.done, r.answer, r.err = true, got, err
		return nil
	}, func(done int) error { return meter.Report("answer", done, len(open)) })
	meter.Clear()
	if len(open) > 0 {
		t.asking.Sent.Report(t.std, t.prices, nil, t.asking.Run, t.name)
	}
	none := !slices.ContainsFunc(t.requests, func(r *request) bool { return r.done && r.err == nil })
	if err != nil && none {
		return hosted.RetryHint(err)
	}
	if failure := t.write(); failure != nil {
		return failure
	}
	if n := t.left(); n > 0 {
		fmt.Fprintf(t.std.Err, "seam: %s without some of the passages found, which do not fit into one request; \"left\" of --format json lists them\n", terminal.Count(n, "cell"))
	}
	if t.invented > 0 {
		fmt.Fprintf(t.std.Err, "seam: the model cited passages it was not given: removed %s\n", terminal.Count(t.invented, "number"))
	}
	return cmp.Or(hosted.RetryHint(err), t.reportFailed(), failed)
}

// left returns the number of cells for which not all passages were sent whole.
func (t *table) left() (n int) {
	for _, r := range t.rows {
		for _, c := range r.cells {
			if q := c.request; q != nil && q.done && q.err == nil && (q.answer.Passages < len(c.hits) || q.answer.Shortened != "") {
				n++
			}
		}
	}
	return n
}

// reportFailed prints the number of cells without an answer because of an error.
func (t *table) reportFailed() error {
	n := 0
	for _, r := range t.rows {
		for _, c := range r.cells {
			if c.request != nil && c.request.err != nil {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	fmt.Fprintf(t.std.Err, "seam: %s without an answer because of an error, which the table names\n", terminal.Count(n, "cell"))
	return terminal.ErrReported
}
