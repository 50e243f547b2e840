package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/enrich"
	"seam/shared/eval"
	"seam/shared/text"
)

type evalQuestionsCommand struct {
	Suggest int `short:"n" default:"10" placeholder:"N" help:"Number of questions, spread evenly over the text (default: 10)."`
	cut.EnrichOptions
}

func (evalQuestionsCommand) Help() string {
	return `A model writes questions about a document, each with the excerpt of the text that answers it, for seam eval grid, seam eval
retrieval and seam eval pipeline. A question is dropped if its excerpt is not in the text word for word, or first appears
elsewhere in it. After an unusable answer seam asks once more. A stopped run writes the questions made so far, and can be
resumed.

The model gets runs of sentences, about 250 tokens each, so that no method is measured by questions about its own chunks;
--method and --max-tokens choose other passages. A model's questions use the words of the text, so they are usually easier
than people's questions: read them, and remove unlikely ones. "made" marks them as a model's.

Prints one JSON object per line: {"question","file","excerpts":["…"],"ideal_answer","made":"model:M"}. file is relative to
the folder of the output.

Examples:
  OPENAI_API_KEY=… seam eval questions --suggest 20 --model gpt-4o-mini -o questions.jsonl manual.pdf
  seam eval grid manual.pdf --questions questions.jsonl --methods semantic,recursive --sizes 128,256,512`
}

// madeJSON is a question made by a model, in the format that the other commands read.
type madeJSON struct {
	Question string   `json:"question"`
	File     string   `json:"file,omitempty"`
	Excerpts []string `json:"excerpts"`
	Ideal    string   `json:"ideal_answer,omitempty"`
	Made     string   `json:"made"`
}

// madeByModel precedes the name of the model that made a question.
const madeByModel = "model:"

func (c evalQuestionsCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	if c.Suggest < 1 {
		return terminal.Usagef("--suggest %d: use 1 or more", c.Suggest)
	}
	file, err := c.file()
	if err != nil {
		return err
	}
	c.neutral()
	e, err := c.Begin(ctx, std, b, "eval-questions", "chunks", true)
	if err != nil {
		return err
	}
	defer e.Close()
	asked, texts := sharesOf(e, c.Suggest)
	if len(asked) == 0 {
		return fmt.Errorf("%s: no text to ask about", terminal.Shown(c.File))
	}
	if ok, err := e.Quote(texts, 0.3*max(1, float64(c.Suggest)/float64(len(asked))), func(w enrich.Writer, i int) error {
		_, _, err := w.Questions(ctx, texts[i], asked[i].questions)
		return err
	}); !ok {
		return err
	}
	all := excerptsOf(e)
	made, dropped, why := make([][]madeJSON, len(asked)), make([]int, len(asked)), make([]string, len(asked))
	err = e.Each(len(asked), func(i int) (failed bool, err error) {
		questions, n, err := e.Writer.Questions(ctx, texts[i], asked[i].questions)
		for _, q := range questions {
			excerpt, ok := all.of(asked[i].Span, q)
			if !ok {
				n++
				continue
			}
			made[i] = append(made[i], madeJSON{q.Question, file, []string{excerpt}, q.Answer, madeByModel + e.Model})
		}
		dropped[i] = n
		why[i], failed, err = cut.Warning(err)
		return failed, err
	})
	e.Sent.Report(std, e.Prices, nil, e.Run, e.Name)
	stopped := errors.Is(err, context.Canceled)
	if err != nil && !stopped {
		return hosted.RetryHint(err)
	}
	rows := slices.Concat(made...)
	reportMade(e, len(rows), c.Suggest, dropped, why)
	if len(rows) == 0 {
		if stopped {
			return err
		}
		return errors.New("the model made no usable question")
	}
	return errors.Join(cut.Write(e, rows), err)
}

// neutral chooses passages whose ends do not favour any method, unless the options name
// one. An excerpt lies within one passage. So the method that made the passages would score
// well, because it never cuts an excerpt apart.
func (c *evalQuestionsCommand) neutral() {
	if c.Method != "" {
		return
	}
	c.Method, c.MaxTokens = "sentences", cmp.Or(c.MaxTokens, 256)
	if c.MinTokens == nil {
		least := int(c.MaxTokens) / 2
		c.MinTokens = &least
	}
}

// file returns the path of the document for the questions, relative to the folder of the
// output.
func (c evalQuestionsCommand) file() (string, error) {
	switch out := strings.ToLower(filepath.Ext(c.Out)); {
	case out == ".csv":
		return "", terminal.Usagef("questions are written as JSON lines: give the file the extension .jsonl")
	case c.File == "-":
		return "", nil
	}
	at, err := filepath.Abs(c.File)
	if err != nil {
		return "", err
	}
	folder := "."
	if c.Out != "" && c.Out != "-" {
		folder = filepath.Dir(c.Out)
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return "", err
	}
	if short, err := filepath.Rel(folder, at); err == nil {
		at = short
	}
	return filepath.ToSlash(at), nil
}

// share is a chunk and the number of questions to ask about it.
type share struct {
	text.Span
	questions int
}

// sharesOf spreads n questions evenly over the text. It returns the chunks with at least
// one question, and their texts.
func sharesOf(e *cut.Enriching, n int) (asked []share, texts []string) {
	total, before := 0, 0
	for _, c := range e.Result.Chunks {
		total += c.End - c.Start
	}
	at := func(bytes int) int { return (2*n*bytes + total) / (2 * total) } // rounded to the nearest
	for _, c := range e.Result.Chunks {
		begun := at(before)
		before += c.End - c.Start
		if s := (share{c.Span, at(before) - begun}); s.questions > 0 {
			asked, texts = append(asked, s), append(texts, c.Of(e.Result.Text.Text))
		}
	}
	return asked, texts
}

// excerpts finds excerpts in a text.
type excerpts struct{ *eval.RuneIndex }

func excerptsOf(e *cut.Enriching) excerpts { return excerpts{eval.NewRuneIndex(e.Result.Text.Text)} }

// of returns a question's excerpt as it is written in the text. It returns false if the
// text's first match lies outside the span asked about, because a search would then find
// the wrong place.
func (x excerpts) of(within text.Span, q enrich.Question) (string, bool) {
	at, ok := x.Find(q.Excerpt)
	place, err := x.Range(within)
	if !ok || err != nil || at.Start < place.Start || at.End > place.End {
		return "", false
	}
	return x.Of(at)
}

// reportMade prints how many of the wanted questions were made, and why others were left out.
func reportMade(e *cut.Enriching, made, wanted int, dropped []int, why []string) {
	var reasons []string
	sum := 0
	for _, n := range dropped {
		sum += n
	}
	if sum > 0 {
		reasons = append(reasons, fmt.Sprintf("%s not verbatim or found elsewhere", terminal.Count(sum, "excerpt")))
	}
	if e.Failed > 0 {
		first := slices.IndexFunc(why, func(reason string) bool { return reason != "" })
		reasons = append(reasons, fmt.Sprintf("%s without a usable answer (%s)", terminal.Count(e.Failed, "chunk"), why[first]))
	}
	if made >= wanted && len(reasons) == 0 {
		return
	}
	say := fmt.Sprintf("seam: %d of %s made", made, terminal.Count(wanted, "question"))
	fmt.Fprintln(e.Std.Err, strings.Join(append([]string{say}, reasons...), ", "))
}
