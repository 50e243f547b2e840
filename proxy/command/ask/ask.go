package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/upstream"
	"seam/shared/answer"
	"seam/shared/enrich"
	"seam/shared/index"
	"seam/shared/llm"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/search"
)

// Command is `seam ask`.
type Command struct {
	Question string   `arg:"" help:"The question; none with --questions."`
	Files    []string `arg:"" optional:"" name:"file" help:"Files (${formats}), bundles or folders."`
	Model    string   `placeholder:"NAME" help:"Model that answers: one of the proxy's, or a name from the provider. Without it, ask prints the passages; with --local, the only model of this machine that answers."`
	K        int      `short:"k" default:"5" help:"Maximum number of passages to send."`
	Mode     string   `default:"hybrid" enum:"hybrid,dense,keyword" help:"How to find the passages: keyword (BM25), dense (vectors) or hybrid (both)."`
	Enriched []string `placeholder:"FILE" help:"Output of seam enrich knowledge or headers for these files. A bundle brings its own."`
	Reason   bool     `name:"reasoning" help:"Print the model's reasoning, if it sends any, to stderr."`
	Unnamed  bool     `name:"no-source-lines" help:"Send the passages without the line that says where each comes from."`
	Narrow   bool     `name:"no-neighbours" help:"Send the passages without the text around them in their section."`
	Parts    bool     `help:"Let the model split the question first, and find passages for each part; costs one more request."`

	eachOptions `group:"Ask each file by itself:"`

	files.FolderOptions `group:"Files in folders:"`
	cut.ChunkOptions
}

// Help is shown by --help.
func (Command) Help() string {
	return `Chunks the files, finds the passages that match the question, and asks a hosted model to answer from them.
Only the question and these passages are sent, unless --embedder sends more. Where the model's context has room, the text next to
a passage goes with it, up to the end of its section; all of it is about as long as the passages, or shorter. --no-neighbours
leaves it out. Above each passage is a line with the title or
the file name of its document, section, page and date; --no-source-lines leaves it out, and --dry-run prints it. The answer cites passages by number.
Citations of other numbers are removed, with a note. A model's reasoning is no part of the answer. Without --model and --local, ask prints the passages instead of an answer.

With --each every file is asked by itself: one request per file and question, from passages of that file alone. If no passage has
anything of the question, nothing is sent. The size and cost of all requests are printed before the first. Answers are stored, so
that the same command resumes a stopped run and pays nothing twice. jsonl has a line per file, json the same in one object:
{"model","questions":["…"],"files":[…]}. A line is {"file","cells":[…]} with a cell per question: {"question","status","answer",
"finish","error","passages","left","evidence"}. status is answered, absent (the passages do not hold the answer), unsent (no passage has
anything of the question) or failed (see "error"). left lists the chunks that did not fit. evidence lists the passages that the answer cites, or all that were sent if it
cites none: {"number","cited","id","start","end","page","pages","labels","section","quote","text"}. csv has a row per file, a
column per question, a column of evidence per question, and no formulas.

Examples:
  seam ask "What does the warranty cover?" manual.pdf
  seam ask --local "What does the warranty cover?" manual.pdf           # Ollama, llama.cpp or LM Studio on this machine
  seam ask --proxy https://seam.example.org --model llama-3.3-70b "What does the warranty cover?" manual.pdf
  OPENAI_API_KEY=… seam ask --model gpt-4o-mini "What does the warranty cover?" manuals/
  OPENAI_API_KEY=… seam ask --model gpt-4o-mini --parts "Who built it, and what did it cost?" manuals/
  OPENAI_API_KEY=… seam ask --each --model gpt-4o-mini "Who is liable?" contracts/
  seam ask --each --local --questions questions.txt --format csv -o answers.csv contracts/`
}

// Run answers the question, or fills the table of --each.
func (c Command) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	plan, err := c.Plan()
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return err
	}
	if c.Each {
		return c.each(ctx, std, b, plan)
	}
	rows, err := cut.ReadWritten(std, c.Enriched)
	if err != nil {
		return err
	}
	files, err := c.InputsOf(std, c.Files)
	if err != nil {
		return err
	}
	m, model, err := c.asked(ctx, std, b, plan)
	if err != nil {
		return err
	}
	defer m.Close()
	docs, searcher, failed, err := cut.Cutter{Ctx: ctx, Std: std, Options: c.ChunkOptions, Plan: plan, Models: m, Compares: c.DryRun, Enriched: rows}.Index(files, index.Mode(c.Mode))
	if c.DryRun && (err == nil || errors.Is(err, terminal.ErrDry)) {
		return errors.Join(err, failed, c.dry(ctx, std, plan, m, model, docs, searcher))
	}
	if err != nil {
		return err
	}
	parts, err := c.parts(ctx, std, m.Proxy, model)
	if err != nil {
		return err
	}
	hits, lists, err := c.find(ctx, m, docs, searcher, m.ModeFor(ctx, docs, index.Mode(c.Mode)), parts...)
	if err != nil {
		return err
	}
	reportLists(std, lists)
	if model == "" {
		err = c.passages(std, docs, hits)
	} else {
		err = c.answer(ctx, std, m.Proxy, model, docs, hits)
	}
	if err != nil {
		return err
	}
	return failed
}

// check refuses options that contradict each other.
func (c Command) check() error {
	switch {
	case c.Each:
		return c.checkEach()
	case c.Questions != "":
		return terminal.Usagef("--questions needs --each")
	case strings.TrimSpace(c.Question) == "":
		return terminal.Usagef("the question is empty")
	case len(c.Files) == 0:
		return terminal.Usagef("give a file or folder, after the question %q", c.Question)
	case c.K < 1:
		return terminal.Usagef("-k %d: use 1 or more", c.K)
	case c.Model != "" && !c.Hosted():
		return terminal.Usagef("--model needs " + hosted.HowHosted)
	case c.Model == "" && c.Parts && !c.Local:
		return terminal.Usagef("--parts needs --model: the model splits the question")
	}
	return nil
}

// find returns the passages for a question, or for the parts of one, and the number of passages of
// lists that it left out.
func (c Command) find(ctx context.Context, m *cut.Models, docs []cut.Document, in *search.Searcher, mode index.Mode, parts ...string) (hits []cut.HitJSON, lists int, err error) {
	queries := make([]search.Query, len(parts))
	for i, text := range parts {
		queries[i] = search.Query{Text: text, Mode: mode, ForModel: true}
	}
	found, err := in.SearchEach(ctx, queries, c.K, m.Hooks())
	if err != nil {
		return nil, 0, hosted.RetryHint(err)
	}
	m.ReportMissing(found)
	return cut.HitsOf(docs, found.Hits), found.Lists, nil
}

// reportLists prints the number of passages that find left out.
func reportLists(std terminal.IO, lists int) {
	if lists > 0 {
		fmt.Fprintf(std.Err, "seam: left out %s of lists of references or contents: name the list in the question to have them\n", terminal.Count(lists, "passage"))
	}
}

// parts returns the questions to search for: the question, or those that a model splits it into.
// If the model's answer is unusable, it warns and returns the whole question.
func (c Command) parts(ctx context.Context, std terminal.IO, p *hosted.Proxy, model string) (texts []string, err error) {
	texts = []string{c.Question}
	if c.Parts {
		w := enrich.Writer{LLM: &hosted.ChatModel{Proxy: p, Sent: &hosted.Spent{}}, Model: model, Retry: true}
		questions, err := w.SubQuestions(ctx, c.Question)
		if reason, none := llm.Unusable(err); none {
			fmt.Fprintf(std.Err, "seam: searching for the whole question: the model's list of parts was unusable: %s\n", terminal.OneLine(reason))
		} else if err != nil {
			return nil, hosted.RetryHint(err)
		} else {
			texts = questions[:min(len(questions), enrich.MostParts)]
		}
		for _, t := range texts {
			fmt.Fprintf(std.Err, "seam: searching for: %s\n", terminal.Visible(terminal.OneLine(t)))
		}
	}
	return texts, nil
}

// asked opens the models, and returns the ID of the answering model, or "" without one.
func (c Command) asked(ctx context.Context, std terminal.IO, b terminal.Build, plan pipeline.Plan) (m *cut.Models, model string, err error) {
	if c.Model == "" && !c.Local {
		if m, err = c.Open(ctx, std, b, plan); err != nil {
			err = hosted.RetryHint(err)
		}
		return m, "", err
	}
	m = c.Models(std)
	if m.Proxy, err = c.Connect(ctx, b); err != nil {
		return nil, "", hosted.RetryHint(err)
	}
	if !c.DryRun { // otherwise it would announce queries that are not sent
		m.Dial = func() (*hosted.Proxy, error) { return m.Proxy, nil }
	}
	name := c.Model
	if name == "" {
		name, err = m.Proxy.OnlyModel(std)
	}
	var found protocol.Model
	if err == nil {
		found, err = m.Proxy.Model(name, protocol.Chatting)
	}
	if err != nil {
		m.Close()
		return nil, "", err
	}
	return m, found.ID, nil
}

// question returns a question with its passages, as it is sent or listed.
func (c Command) question(text string, docs []cut.Document, hits []cut.HitJSON) *answer.Question {
	q := &answer.Question{Text: text}
	for _, h := range hits {
		q.Passages = append(q.Passages, h.Text)
		if !c.Unnamed {
			q.Sources = append(q.Sources, h.Source(docs).Line())
		}
		if !c.Narrow {
			passage, from := h.Wide(docs)
			q.Wide = append(q.Wide, answer.Wide{Passage: passage, Source: from.Line()})
		}
	}
	return q
}

// dry prints the requests of a question, and sends none. searcher is nil if the texts
// that must be sent before the search are printed already.
func (c Command) dry(ctx context.Context, std terminal.IO, plan pipeline.Plan, m *cut.Models, model string, docs []cut.Document, searcher *search.Searcher) error {
	mode := index.Mode(c.Mode)
	if searcher != nil {
		mode = m.ModeFor(ctx, docs, mode)
	}
	asks, err := m.QuoteQueries(ctx, docs, plan, mode, []string{c.Question})
	if err != nil {
		return hosted.RetryHint(err)
	}
	known := searcher != nil && len(asks) == 0
	if model == "" {
		if known {
			fmt.Fprintln(std.Out, "nothing would be sent")
		}
		return terminal.ErrDry
	}
	answers, err := m.Proxy.Model(model, protocol.Chatting)
	if err != nil {
		return err
	}
	if c.Parts {
		known = false
		if err := hosted.AnnounceRequest(std, true, fmt.Sprintf("the question in 1 request to %s at %s, to split it", model, m.Proxy.Host)); err != nil {
			return err
		}
		for _, name := range asks {
			if err := hosted.AnnounceRequest(std, true, fmt.Sprintf("the parts of the question to %s at %s, to find passages", name, m.Proxy.Host)); err != nil {
				return err
			}
		}
	}
	if !known {
		named := ""
		if !c.Narrow {
			named = ", with text next to them"
		}
		if !c.Unnamed {
			named += ", each with a line that names its document, section, page and date"
		}
		if named != "" {
			named += ","
		}
		return cmp.Or(hosted.AnnounceRequest(std, true, fmt.Sprintf("the question and at most %s%s in 1 request to %s at %s", terminal.Count(c.K, "passage"), named, model, m.Proxy.Host)), terminal.ErrDry)
	}
	hits, lists, err := c.find(ctx, m, docs, searcher, mode, c.Question)
	if err != nil {
		return err
	}
	reportLists(std, lists)
	q := c.question(c.Question, docs, hits)
	a, err := answer.Ask(ctx, m.Proxy.Client, model, q, nil)
	if err != nil {
		return hosted.RetryHint(err)
	}
	if a.Passages == 0 {
		fmt.Fprintln(std.Out, "nothing would be sent: no passage has anything of this question")
		return terminal.ErrDry
	}
	tokens, most := upstream.EstimateChat(a.Messages), m.Proxy.LongestAnswer(ctx)
	var price *float64
	if answers.Price != nil && answers.PriceOut != nil {
		dollars := (float64(tokens)**answers.Price + float64(most)**answers.PriceOut) / 1e6
		price = &dollars
	}
	reportFit(std, a, docs, hits)
	say := fmt.Sprintf("the question and %s (about %d tokens) in 1 request to %s at %s", terminal.Count(a.Passages, "passage"), tokens, model, m.Proxy.Host)
	err = hosted.AnnouncePrice(std, true, say, price, fmt.Sprintf(", with an answer of at most %d tokens", most))
	for i, line := range q.Sources[:min(a.Passages, len(q.Sources))] {
		if a.Wide != nil && a.Wide[i] {
			line = q.Wide[i].Source
		}
		fmt.Fprintf(std.Out, "[%d] begins with: %s\n", i+1, terminal.Visible(line))
	}
	return cmp.Or(err, terminal.ErrDry)
}

// passages prints the passages that a model would be given.
func (c Command) passages(std terminal.IO, docs []cut.Document, hits []cut.HitJSON) error {
	if len(hits) == 0 {
		_, err := fmt.Fprintln(std.Out, "nothing found")
		return err
	}
	fmt.Fprintln(std.Err, "seam: no --model, so no answer: these are the passages a model would get")
	all := make([]string, len(hits))
	for i, h := range hits {
		t := h.Text
		if wide, _ := h.Wide(docs); wide != "" && !c.Narrow {
			t = wide
		}
		all[i] = fmt.Sprintf("[%d] %s%s\n%s\n", i+1, h.File, h.Place(docs), terminal.Visible(strings.TrimSpace(t)))
	}
	_, err := io.WriteString(std.Out, strings.Join(all, "\n"))
	return err
}

// reportFit names the passages that are not sent, because they do not fit.
func reportFit(std terminal.IO, a answer.Answer, docs []cut.Document, hits []cut.HitJSON) {
	into := "into one request"
	if a.Context > 0 {
		into = fmt.Sprintf("into the model's context of %d tokens", a.Context)
	}
	if a.Shortened != "" {
		fmt.Fprintf(std.Err, "seam: only the beginning of passage 1 fits %s\n", into)
	}
	if a.Passages == len(hits) || a.Passages == 0 {
		return
	}
	fmt.Fprintf(std.Err, "seam: %d of %d passages fit %s; not sent:\n", a.Passages, len(hits), into)
	for i, h := range hits[a.Passages:] {
		fmt.Fprintf(std.Err, "  [%d] %s%s\n", a.Passages+i+1, h.File, h.Place(docs))
	}
}

// answer prints the answer as it arrives, then its sources. If the model did not read all
// passages, there is no answer.
func (c Command) answer(ctx context.Context, std terminal.IO, p *hosted.Proxy, model string, docs []cut.Document, hits []cut.HitJSON) error {
	q := c.question(c.Question, docs, hits)
	before, err := answer.Ask(ctx, p.Client, model, q, nil)
	if err != nil {
		return hosted.RetryHint(err)
	}
	reportFit(std, before, docs, hits)
	reply := hosted.NewReply(std, model, before.Passages, c.Reason)
	a, err := answer.Ask(ctx, p.Client, model, q, reply.Part)
	if why := a.Usage.Cut(); why != "" && err == nil {
		reply.Drop()
		return hosted.NotRead(why)
	}
	err = errors.Join(err, reply.End())
	out := reply.Out
	if out.Invented > 0 {
		fmt.Fprintf(std.Err, "seam: the model cited passages it was not given: removed %s\n", terminal.Count(out.Invented, "number"))
	}
	switch {
	case err != nil:
		return hosted.RetryHint(err)
	case a.Refused:
		fmt.Fprintln(std.Err, "seam: the passages found do not hold the answer; try other words")
		return nil
	}
	head := "Sources:"
	if len(out.Used) == 0 {
		head = "Passages sent (the answer cites none of them):"
	}
	fmt.Fprintln(std.Out, "\n"+head)
	for i, h := range hits[:a.Passages] {
		if out.Used[i+1] || len(out.Used) == 0 {
			fmt.Fprintf(std.Out, "[%d] %s%s\n", i+1, h.File, h.Place(docs))
		}
	}
	return nil
}
