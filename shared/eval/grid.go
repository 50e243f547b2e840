package eval

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// Setting is one way to cut, embed and search: a cell of a grid.
type Setting struct {
	Method   string  `json:"method"`             // as the user named it, "percentile:90"
	Size     int     `json:"size,omitempty"`     // --max-tokens; 0 for the method's default
	Embedder string  `json:"embedder,omitempty"` // "" if neither cutting nor searching uses one
	Ranker   string  `json:"ranker"`
	Chunks   int     `json:"chunks"`
	Tokens   float64 `json:"tokens"` // mean length of a chunk, in the unit of the lengths
}

// Name returns a name that distinguishes the setting within its grid.
func (s Setting) Name() string {
	name := s.Method
	if s.Size > 0 {
		name = fmt.Sprintf("%s %d", name, s.Size)
	}
	if s.Embedder != "" {
		name += ", " + s.Embedder
	}
	return name + ", " + s.Ranker
}

// FoundChunk is a chunk found by a search, with its length in tokens.
type FoundChunk struct {
	Passage
	Tokens int
}

// MarshalJSON returns [text, start, end, tokens].
func (f FoundChunk) MarshalJSON() ([]byte, error) {
	return json.Marshal([4]int{f.Text, f.Start, f.End, f.Tokens})
}

// UnmarshalJSON reads the output of MarshalJSON.
func (f *FoundChunk) UnmarshalJSON(b []byte) error {
	var n []int
	if err := json.Unmarshal(b, &n); err != nil {
		return err
	}
	if len(n) != 4 {
		return fmt.Errorf("a chunk that was found is [text, start, end, tokens], not %d numbers", len(n))
	}
	*f = FoundChunk{Passage{n[0], Range{n[1], n[2]}}, n[3]}
	return nil
}

// Ranking is the result of one setting.
type Ranking struct {
	Setting
	Found  [][]FoundChunk `json:"found"`  // for each question, best first
	Refs   [][]Range      `json:"refs"`   // for each question, its answers in the text that was cut
	Of     []int          `json:"of"`     // for each question, the index of its text
	Millis []float64      `json:"millis"` // for each question, the time of the search; not compared
}

// Budgets are the numbers of chunks and of tokens at which rankings are compared.
type Budgets struct {
	Depths []int `json:"depths"`
	Tokens []int `json:"tokens"`
}

// Deepest returns the maximum number of top chunks that any score of b needs, if the
// shortest chunk has least tokens.
func (b Budgets) Deepest(least int) int {
	n := 0
	for _, k := range b.Depths {
		n = max(n, k)
	}
	for _, t := range b.Tokens {
		n = max(n, t/max(1, least)+1)
	}
	return n
}

// AtDepth holds the share of a question's answer in the first K chunks.
type AtDepth struct {
	K         int      `json:"k"`
	Recall    Interval `json:"recall"`
	Precision Interval `json:"precision"`
	IoU       Interval `json:"iou"`
	Success   Interval `json:"success"` // share of the questions with any part of the answer in them
	Read      float64  `json:"read"`    // tokens of those chunks, mean over questions
}

// AtTokens holds the share of a question's answer in the first chunks with the given number
// of tokens in total. The last chunk is cut off at the limit.
type AtTokens struct {
	Tokens int      `json:"tokens"`
	Recall Interval `json:"recall"`
}

// GridRow holds the figures of one setting.
type GridRow struct {
	Setting
	Depths     []AtDepth  `json:"depths"`
	Budgets    []AtTokens `json:"budgets"`
	Reciprocal Interval   `json:"mrr"`    // reciprocal rank of the first chunk with any part of the answer; 0 if none was found
	Millis     float64    `json:"millis"` // time of a search, median
	Against    Interval   `json:"against"`
	Tie        bool       `json:"tie"` // tie with the best: Against contains zero
	// Answers holds the scores of a model's answers. It is nil if no model was asked.
	Answers *AnswerScores `json:"answers,omitempty"`
}

// GridReport compares settings on the same questions.
type GridReport struct {
	Questions int       `json:"questions"`
	Goal      string    `json:"goal"` // the figure by which settings are ordered and compared
	Rows      []GridRow `json:"rows"` // highest goal first, see compareFurther; Against compares with that one
	// Winner is the first setting if these questions single it out, otherwise "". Needed is
	// then about how many questions would; see Choice.
	Winner string `json:"winner,omitempty"`
	Needed int    `json:"needed,omitempty"`
	// Halves shows how reliable a choice by these figures is: the best setting on one half
	// of the questions is scored on the other half.
	Halves *Halves `json:"halves,omitempty"`
	// BestAnswers is the setting with the highest quality of answers. AnswersWin reports
	// whether these questions single it out; if not, about AnswersNeeded would.
	// AnswerHalves shows how reliable a choice by answers is.
	BestAnswers   string  `json:"bestAnswers,omitempty"`
	AnswersWin    bool    `json:"answersWin,omitempty"`
	AnswersNeeded int     `json:"answersNeeded,omitempty"`
	AnswerHalves  *Halves `json:"answerHalves,omitempty"`
}

// Halves holds the best settings on the questions with odd and with even numbers, and the
// goal that each reaches on the other questions.
type Halves struct {
	Odd    string   `json:"odd"`
	Even   string   `json:"even"`
	Unseen Interval `json:"unseen"` // over all questions
	Seen   Interval `json:"seen"`   // of the overall best, which was chosen on the same questions
}

// Grid scores rankings of the same questions. The goal is the recall within the first token
// budget of b, or within its first depth if it has no token budget.
func Grid(rankings []Ranking, b Budgets) GridReport {
	report := GridReport{Rows: []GridRow{}}
	if len(rankings) == 0 {
		return report
	}
	report.Questions = len(rankings[0].Found)
	goals := make([][]float64, len(rankings))
	for i, r := range rankings {
		report.Rows = append(report.Rows, r.row(b))
		goals[i], report.Goal = r.goal(b)
	}
	order := make([]int, len(rankings))
	means := make([]float64, len(rankings))
	for i := range order {
		order[i], means[i] = i, Mean(goals[i])
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if math.Abs(means[a]-means[b]) > 1e-9 {
			return cmp.Compare(means[b], means[a])
		}
		return report.Rows[a].compareFurther(report.Rows[b])
	})
	best := order[0]
	choice := Choose(goals, best)
	if choice.Wins {
		report.Winner = rankings[best].Name()
	}
	report.Needed = choice.Needed
	rows := make([]GridRow, len(order))
	for i, of := range order {
		rows[i] = report.Rows[of]
		rows[i].Against, _ = PairedBootstrap(goals[of], goals[best]) // cannot fail, because the questions are the same
		rows[i].Tie = rows[i].Against.IncludesZero()
	}
	report.Rows = rows
	if len(rankings) > 1 && report.Questions > 3 {
		report.Halves = halves(rankings, goals, best)
	}
	return report
}

// compareFurther orders rows with the same goal: by recall at the first depth, by reciprocal
// rank, and by the tokens to read at the last depth, the fewest first.
func (r GridRow) compareFurther(other GridRow) int {
	order := 0
	if len(r.Depths) > 0 {
		order = cmp.Compare(other.Depths[0].Recall.Mean, r.Depths[0].Recall.Mean)
	}
	order = cmp.Or(order, cmp.Compare(other.Reciprocal.Mean, r.Reciprocal.Mean))
	if last := len(r.Depths) - 1; last >= 0 {
		order = cmp.Or(order, cmp.Compare(r.Depths[last].Read, other.Depths[last].Read))
	}
	return order
}

// halves chooses on each half of the questions and scores on the other.
func halves(rankings []Ranking, goals [][]float64, best int) *Halves {
	n := len(goals[0])
	var chosen [2]int // on the questions with even and with odd index
	for half := range chosen {
		top := -1.0
		for i, g := range goals {
			var of []float64
			for q := half; q < n; q += 2 {
				of = append(of, g[q])
			}
			if m := Mean(of); m > top {
				chosen[half], top = i, m
			}
		}
	}
	unseen := make([]float64, n)
	for q := range unseen {
		unseen[q] = goals[chosen[1-q%2]][q]
	}
	return &Halves{Odd: rankings[chosen[0]].Name(), Even: rankings[chosen[1]].Name(), Unseen: ShareInterval(unseen), Seen: ShareInterval(goals[best])}
}

// goal returns the values by which settings are compared, one per question, and their name.
func (r Ranking) goal(b Budgets) ([]float64, string) {
	if len(b.Tokens) > 0 {
		return r.each(func(q int) float64 { return r.within(q, b.Tokens[0]).Recall }), fmt.Sprintf("recall in %d tokens", b.Tokens[0])
	}
	return r.each(func(q int) float64 { return r.first(q, b.Depths[0]).Recall }), fmt.Sprintf("recall at %d", b.Depths[0])
}

func (r Ranking) each(of func(q int) float64) []float64 {
	out := make([]float64, len(r.Found))
	for q := range out {
		out[q] = of(q)
	}
	return out
}

func (r Ranking) row(b Budgets) GridRow {
	row := GridRow{Setting: r.Setting, Depths: []AtDepth{}, Budgets: []AtTokens{}, Millis: median(r.Millis)}
	for _, k := range b.Depths {
		scores := make([]Retrieval, len(r.Found))
		for q := range scores {
			scores[q] = r.first(q, k)
		}
		score := func(of func(Retrieval) float64) Interval {
			return ShareInterval(r.each(func(q int) float64 { return of(scores[q]) }))
		}
		row.Depths = append(row.Depths, AtDepth{
			K:         k,
			Recall:    score(func(s Retrieval) float64 { return s.Recall }),
			Precision: score(func(s Retrieval) float64 { return s.Precision }),
			IoU:       score(func(s Retrieval) float64 { return s.IoU }),
			Success: score(func(s Retrieval) float64 {
				if s.Recall > 0 {
					return 1
				}
				return 0
			}),
			Read: Mean(r.each(func(q int) float64 {
				sum := 0
				for _, f := range r.Found[q][:min(k, len(r.Found[q]))] {
					sum += f.Tokens
				}
				return float64(sum)
			})),
		})
	}
	for _, t := range b.Tokens {
		row.Budgets = append(row.Budgets, AtTokens{t, ShareInterval(r.each(func(q int) float64 { return r.within(q, t).Recall }))})
	}
	row.Reciprocal = ShareInterval(r.each(func(q int) float64 {
		if rank := r.Rank(q); rank > 0 {
			return 1 / float64(rank)
		}
		return 0
	}))
	return row
}

// first judges the first k chunks of a question.
func (r Ranking) first(q, k int) Retrieval {
	return Retrieve(r.Of[q], r.Refs[q], passages(r.Found[q][:min(k, len(r.Found[q]))]))
}

// within judges the first chunks of a question with the given total of tokens. It shortens
// the last one in proportion, by characters.
func (r Ranking) within(q, tokens int) Retrieval {
	var got []Passage
	for _, f := range r.Found[q] {
		if f.Tokens > tokens {
			f.End = f.Start + f.Len()*tokens/f.Tokens
		}
		got = append(got, f.Passage)
		if tokens -= f.Tokens; tokens <= 0 {
			break
		}
	}
	return Retrieve(r.Of[q], r.Refs[q], got)
}

// Rank returns the rank, from 1, of the first chunk with any part of a question's answer.
// It returns 0 if none was found.
func (r Ranking) Rank(q int) int {
	for i, f := range r.Found[q] {
		for _, ref := range r.Refs[q] {
			if m, _ := meet(f.Range, ref); f.Text == r.Of[q] && m.Len() > 0 {
				return i + 1
			}
		}
	}
	return 0
}

func passages(found []FoundChunk) []Passage {
	out := make([]Passage, len(found))
	for i, f := range found {
		out[i] = f.Passage
	}
	return out
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
