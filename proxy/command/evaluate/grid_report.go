package evaluate

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"

	"seam/proxy/command/terminal"
	"seam/shared/eval"
)

//go:embed grid_report.html
var gridPage string

var gridTemplate = template.Must(template.New("grid").Funcs(template.FuncMap{"add": func(a, b int) int { return a + b }}).Parse(gridPage))

// html writes the report as one self-contained page.
func (g *grid) html(r gridReport) func(io.Writer) error {
	return func(w io.Writer) error {
		page := struct {
			Summary, Seam string
			Advice, Heads []string
			Rows          [][]string
			Plots         []plot
			Documents     []gridDocument
			Questions     []questionRanks
			Numbers       []int
			Judged        []judgedQuestion
		}{Summary: r.summary(), Seam: r.Seam, Advice: r.advice(), Heads: r.heads()[1:], Plots: r.plots(), Documents: r.Documents, Questions: g.ranks(r), Judged: g.judgedQuestions(r)}
		for i := range r.Rows {
			page.Rows, page.Numbers = append(page.Rows, r.cells(i)[1:]), append(page.Numbers, i+1)
		}
		return gridTemplate.Execute(w, page)
	}
}

// questionRanks holds a question and, for each row in order, the rank at which the setting
// first found part of the answer, or "–" if it did not.
type questionRanks struct {
	ID, Question, Text string
	Ranks              []string
}

func (g *grid) ranks(r gridReport) []questionRanks {
	var order []eval.Ranking
	for _, row := range r.Rows {
		i := slices.IndexFunc(g.done, func(d eval.Ranking) bool { return d.Name() == row.Name() })
		order = append(order, g.done[i])
	}
	out := make([]questionRanks, len(g.exam.questions))
	for k, q := range g.exam.questions {
		out[k] = questionRanks{ID: q.ID, Question: q.Question, Text: terminal.Called(q.Text)}
		for _, ranking := range order {
			rank := "–"
			if n := ranking.Rank(k); n > 0 {
				rank = fmt.Sprint(n)
			}
			out[k].Ranks = append(out[k].Ranks, rank)
		}
	}
	return out
}

// plot shows the target score of every setting against another figure.
type plot struct {
	Title, X, Y string
	Points      []point
	Across      []tick
	Up          []tick
	// The frame, in pixels.
	Left, Right, Top, Bottom float64
}

type point struct {
	X, Y, Low, High float64 // in pixels
	Number          int     // of its row, from 1
	Name            string
	Kind            int // number of its method, for the colour
}

type tick struct {
	At   float64
	Text string
}

// colours is the number of colours for methods.
const colours = 8

func (r gridReport) plots() []plot {
	goal := func(row eval.GridRow) eval.Interval {
		if len(row.Budgets) > 0 {
			return row.Budgets[0].Recall
		}
		return row.Depths[0].Recall
	}
	plots := []plot{r.plot("Length of the chunks", "tokens of a chunk, on average", goal, func(row eval.GridRow) float64 { return row.Tokens })}
	if n := len(r.Rows[0].Depths); n > 0 {
		k := r.Rows[0].Depths[n-1].K
		plots = append(plots, r.plot("Tokens for a model to read", fmt.Sprintf("tokens of the %d best chunks", k),
			func(row eval.GridRow) eval.Interval { return row.Depths[n-1].Recall }, func(row eval.GridRow) float64 { return row.Depths[n-1].Read }))
		plots[1].Y = fmt.Sprintf("recall at %d, per cent", k)
	}
	if r.Rows[0].Answers != nil {
		p := r.plot("Cost of an answer", r.costName(), func(row eval.GridRow) eval.Interval { return row.Answers.Quality }, cost)
		p.Y = "quality of the answers, per cent"
		plots = append(plots, p)
	}
	return append(plots, r.plot("Time of a search", "milliseconds, the median", goal, func(row eval.GridRow) float64 { return row.Millis }))
}

// plot places every row at its x and y. The x axis runs from 0 to a round number. The y
// axis is in per cent, between round numbers around all intervals.
func (r gridReport) plot(title, across string, y func(eval.GridRow) eval.Interval, x func(eval.GridRow) float64) plot {
	p := plot{Title: title, X: across, Y: r.Goal + ", per cent", Left: 46, Right: 470, Top: 14, Bottom: 250}
	most := 0.0
	for _, row := range r.Rows {
		most = max(most, x(row))
	}
	step := roundStep(most / 4)
	most = max(step, math.Ceil(most/step)*step)
	low, high := 100.0, 0.0
	for _, row := range r.Rows {
		for _, v := range []float64{y(row).Low, y(row).Mean, y(row).High} {
			if !math.IsNaN(v) {
				low, high = min(low, 100*v), max(high, 100*v)
			}
		}
	}
	rise := roundStep(max(high-low, 4) / 4)
	low, high = math.Floor(low/rise)*rise, math.Ceil(high/rise)*rise
	if high == low {
		high += rise
	}
	px := func(v float64) float64 { return eval.Round(p.Left+v/most*(p.Right-p.Left), 2) }
	py := func(v float64) float64 { return eval.Round(p.Bottom-(100*v-low)/(high-low)*(p.Bottom-p.Top), 2) }
	var methods []string
	for i, row := range r.Rows {
		kind := slices.Index(methods, row.Method)
		if kind < 0 {
			kind, methods = len(methods), append(methods, row.Method)
		}
		v := y(row)
		at := point{X: px(x(row)), Y: py(v.Mean), Low: py(v.Mean), High: py(v.Mean), Number: i + 1, Name: row.Name(), Kind: kind % colours}
		if !math.IsNaN(v.Low) {
			at.Low, at.High = py(v.Low), py(v.High)
		}
		p.Points = append(p.Points, at)
	}
	for v := 0.0; v <= most+step/2; v += step {
		p.Across = append(p.Across, tick{px(v), exact(eval.Round(v, 6))})
	}
	for v := low; v <= high+rise/2; v += rise {
		p.Up = append(p.Up, tick{py(v / 100), exact(eval.Round(v, 6))})
	}
	return p
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten that is not below x.
func roundStep(x float64) float64 {
	if x <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, n := range []float64{1, 2, 5} {
		if n*power >= x {
			return n * power
		}
	}
	return 10 * power
}
