package evaluate

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/eval"
	"seam/shared/pipeline"
	"seam/shared/text"
)

// examOptions name the questions and the texts they are about.
type examOptions struct {
	Data      string `placeholder:"FOLDER" help:"Folder with questions.json and the texts, corpora/NAME.md."`
	Questions string `placeholder:"FILE" help:"File of questions (.csv: with columns question, excerpt and file). Questions without excerpts are skipped. Text paths are relative to this file's folder, or to --data."`
}

func (o examOptions) check() error {
	if o.Data == "" && o.Questions == "" {
		return terminal.Usagef("set --data FOLDER with questions.json and corpora/, or --questions FILE")
	}
	return nil
}

// source is a text with questions about it.
type source struct {
	name, file string
	raw        string // for a text file whose questions give offsets, else unset
	offsets    bool
	session    *pipeline.Session
	views      map[text.ViewName]located
}

// located holds the excerpts of one view of a text.
type located struct {
	chars *eval.RuneIndex
	refs  map[int][]eval.Range // by question
}

// exam is a list of questions and the texts they are about, in the order of the questions'
// names for them.
type exam struct {
	path      string          // file of the questions
	questions []eval.Question // questions with excerpts
	of        []int           // index of each question's text
	sources   []*source
	// unanswerable are questions that the texts do not answer, for grids in which a model
	// answers.
	unanswerable []eval.Question
	enriched     []cut.WrittenRow // statements a model wrote about the texts
	private      bool             // nothing of the texts or questions may be kept in the cache
}

// readQuestions reads a set of questions in any supported format. Questions that name no
// text are about file, unless file is "".
func readQuestions(std terminal.IO, path, file string) ([]eval.Question, error) {
	b, err := readData(std, path, `a JSON list of {"question","file","excerpts","ideal_answer"}, one such object per line, or a .csv; see seam eval retrieval -h`)
	if err != nil {
		return nil, err
	}
	read := eval.ReadQuestions
	if strings.EqualFold(filepath.Ext(path), ".csv") {
		read = eval.ReadQuestionsCSV
	}
	all, err := read(b, file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", terminal.Shown(path), err)
	}
	return all, nil
}

// read reads the questions and all their texts. Questions that name no text are about file,
// unless file is "". If unanswered is set, it keeps questions that the texts do not answer.
func (o examOptions) read(ctx context.Context, std terminal.IO, file, password string, unanswered bool) (*exam, error) {
	path, base := o.Questions, o.Data
	if path == "" {
		path = filepath.Join(o.Data, "questions.json")
	}
	if base == "" {
		base = filepath.Dir(path)
	}
	if file != "" {
		var err error
		if file, err = filepath.Abs(file); err != nil { // otherwise it would be resolved from the questions' folder
			return nil, err
		}
	}
	all, err := readQuestions(std, path, file)
	if err != nil {
		return nil, err
	}
	x := &exam{path: path, private: path == "-"}
	var left []string // reasons for leaving questions out
	unanswerable := 0
	for _, q := range all {
		if q.File == file {
			q.Text = filepath.Base(file)
		}
		switch {
		case len(q.Excerpts) > 0:
			x.questions = append(x.questions, q)
		case q.Unanswerable && unanswered:
			x.unanswerable = append(x.unanswerable, q)
		case q.Unanswerable:
			unanswerable++
		}
	}
	if unanswerable > 0 {
		left = append(left, fmt.Sprintf("%d not answered by the text", unanswerable))
	}
	if n := len(all) - len(x.questions) - len(x.unanswerable) - unanswerable; n > 0 {
		left = append(left, fmt.Sprintf("%d without an excerpt of the text", n))
	}
	if len(x.questions) == 0 {
		return nil, fmt.Errorf(`%s: no question has an excerpt of its text: add {"question","file","excerpts":["verbatim text",…]}; seam eval questions writes some with a model, and seam eval pipeline works without excerpts`, terminal.Shown(path))
	}
	if len(left) > 0 {
		fmt.Fprintf(std.Err, "seam: of %s, skipped: %s\n", terminal.Count(len(all), "question"), strings.Join(left, ", "))
	}
	if err := x.open(ctx, std, base, password); err != nil {
		return nil, err
	}
	return x, nil
}

// open opens the texts and assigns each question its text.
func (x *exam) open(ctx context.Context, std terminal.IO, base, password string) error {
	for _, q := range x.questions {
		i := slices.IndexFunc(x.sources, func(s *source) bool { return s.file == q.File })
		if i < 0 {
			i = len(x.sources)
			x.sources = append(x.sources, &source{name: q.Text, file: q.File, views: map[text.ViewName]located{}})
		}
		x.sources[i].offsets = x.sources[i].offsets || q.Excerpts[0].At != nil
	}
	slices.SortFunc(x.sources, func(a, b *source) int { return strings.Compare(a.name, b.name) })
	for _, q := range x.questions {
		x.of = append(x.of, slices.IndexFunc(x.sources, func(s *source) bool { return s.file == q.File }))
	}
	for _, s := range x.sources {
		file := filepath.FromSlash(s.file)
		if !filepath.IsAbs(file) {
			file = filepath.Join(base, file)
		}
		doc, private, err := files.OpenPrivate(ctx, std, file, password)
		x.private = x.private || private
		if err != nil {
			return fmt.Errorf("%s asks about %s: %w", x.path, s.name, err)
		}
		if s.offsets {
			raw, err := terminal.ReadInput(std, file)
			if err != nil {
				return err
			}
			s.raw = string(raw)
		}
		s.session = pipeline.NewSession(doc)
	}
	return nil
}

// locate finds the excerpts of a text in the view that was cut.
func (x *exam) locate(i int, r *pipeline.Result) (located, error) {
	s := x.sources[i]
	if l, ok := s.views[r.Plan.View]; ok {
		return l, nil
	}
	l := located{eval.NewRuneIndex(r.Text.Text), map[int][]eval.Range{}}
	var err error
	for k, q := range x.questions {
		if x.of[k] != i {
			continue
		}
		if l.refs[k], err = l.chars.Locate(q); err != nil {
			return l, fmt.Errorf("%s: %w", x.path, err)
		}
	}
	s.views[r.Plan.View] = l
	return l, nil
}

// refs returns the excerpts that answer question k, as ranges of the text that was cut.
func (x *exam) refs(k int, results []*pipeline.Result) []eval.Range {
	return x.sources[x.of[k]].views[results[x.of[k]].Plan.View].refs[k]
}

// asked returns all questions: first those by which chunks are scored, then those that the
// texts do not answer.
func (x *exam) asked() []eval.Question { return slices.Concat(x.questions, x.unanswerable) }
