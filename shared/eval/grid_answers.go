package eval

// Judged holds the answers of one setting. Each score is a mean over repetitions.
type Judged struct {
	Faithful, Relevant []float64 // for each question that the texts answer, 0 to 1
	Repeats            []float64 // the quality of each repetition over all questions
	Refused            int       // number of those answers that are refusals
	Unanswerable       int       // number of answers to questions that the texts do not answer
	Rightly            int       // number of those that are refusals
	Read, Written      float64   // mean tokens of an answer
	Dollars            *float64  // mean cost of an answer; nil if the price is unknown
}

// AnswerScores holds the figures of one setting's answers.
type AnswerScores struct {
	Faithful     Interval `json:"faithfulness"`
	Relevant     Interval `json:"relevancy"`
	Quality      Interval `json:"quality"` // the mean of both
	Against      Interval `json:"against"` // difference in quality from the best
	Tie          bool     `json:"tie"`
	Spread       *float64 `json:"spread,omitempty"` // standard deviation (ddof 0) of the quality over repetitions
	Refused      int      `json:"refused"`
	Unanswerable int      `json:"unanswerable"`
	Rightly      int      `json:"refusedRightly"`
	Read         float64  `json:"read"`
	Written      float64  `json:"written"`
	Dollars      *float64 `json:"dollars,omitempty"`
}

// AddAnswers adds the scores of answers to the rows of r, matched by the names of their
// rankings.
func (r *GridReport) AddAnswers(rankings []Ranking, judged []Judged) {
	if len(rankings) == 0 {
		return
	}
	quality := make([][]float64, len(judged))
	best := 0
	for i, j := range judged {
		quality[i] = make([]float64, len(j.Faithful))
		for q := range quality[i] {
			quality[i][q] = (j.Faithful[q] + j.Relevant[q]) / 2
		}
		if Mean(quality[i]) > Mean(quality[best]) {
			best = i
		}
	}
	of := map[string]*AnswerScores{}
	for i, j := range judged {
		a := &AnswerScores{Faithful: ShareInterval(j.Faithful), Relevant: ShareInterval(j.Relevant), Quality: ShareInterval(quality[i]), Refused: j.Refused, Unanswerable: j.Unanswerable, Rightly: j.Rightly,
			Read: Round(j.Read, 2), Written: Round(j.Written, 2), Dollars: j.Dollars}
		a.Against, _ = PairedBootstrap(quality[i], quality[best]) // cannot fail, because the questions are the same
		a.Tie = a.Against.IncludesZero()
		if len(j.Repeats) > 1 {
			spread := Round(Deviation(j.Repeats), 5)
			a.Spread = &spread
		}
		of[rankings[i].Name()] = a
	}
	for i := range r.Rows {
		r.Rows[i].Answers = of[r.Rows[i].Name()]
	}
	r.BestAnswers = rankings[best].Name()
	choice := Choose(quality, best)
	r.AnswersWin, r.AnswersNeeded = choice.Wins, choice.Needed
	if len(rankings) > 1 && r.Questions > 3 {
		r.AnswerHalves = halves(rankings, quality, best)
	}
}
