package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// gridCase is a grid with its report. The tests of the page's worker read the same file.
type gridCase struct {
	Budgets  Budgets    `json:"budgets"`
	Rankings []Ranking  `json:"rankings"`
	Judged   []Judged   `json:"judged,omitempty"`
	Report   GridReport `json:"report"`
}

// madeGrid returns settings that found random chunks for answers in several parts.
func madeGrid(seed uint64, questions, settings int, b Budgets) gridCase {
	random := rand.New(rand.NewPCG(seed, 0))
	of := gridCase{Budgets: b, Rankings: []Ranking{}}
	refs := make([][]Range, questions)
	for q := range refs {
		for at := random.IntN(40); len(refs[q]) == 0 || random.IntN(3) == 0; at += random.IntN(30) {
			refs[q] = append(refs[q], Range{at, at + 1 + random.IntN(60)})
		}
	}
	for i := range settings {
		r := Ranking{Setting: Setting{Method: "m" + fmt.Sprint(i), Size: 16 << (i % 3), Ranker: "keyword", Chunks: 5 + i, Tokens: 12.5}, Refs: refs, Of: make([]int, questions), Millis: make([]float64, questions)}
		for range questions {
			found := []FoundChunk{}
			for range random.IntN(8) {
				at := random.IntN(120)
				found = append(found, FoundChunk{Passage{0, Range{at, at + 1 + random.IntN(50)}}, 1 + random.IntN(20)})
			}
			r.Found = append(r.Found, found)
		}
		of.Rankings = append(of.Rankings, r)
	}
	of.Report = Grid(of.Rankings, b)
	return of
}

// withAnswers adds random judged answers, with or without a price.
func (of gridCase) withAnswers(seed uint64, dollars *float64) gridCase {
	random := rand.New(rand.NewPCG(seed, 0))
	for i := range of.Rankings {
		j := Judged{Repeats: [][]float64{{0}, {.25, .5, .3}}[i%2], Refused: random.IntN(3), Unanswerable: 4, Rightly: random.IntN(5), Read: 100 * random.Float64(), Written: 10 * random.Float64(), Dollars: dollars}
		for range of.Report.Questions {
			j.Faithful, j.Relevant = append(j.Faithful, float64(random.IntN(3))/2), append(j.Relevant, float64(random.IntN(3))/2)
		}
		of.Judged = append(of.Judged, j)
	}
	of.Report.AddAnswers(of.Rankings, of.Judged)
	return of
}

// UPDATE_GOLDEN=1 writes the file.
func TestGridGolden(t *testing.T) {
	price := .000123456
	b, err := json.Marshal([]gridCase{
		madeGrid(1, 1, 2, Budgets{Depths: []int{1, 5}, Tokens: []int{30}}),
		madeGrid(2, 9, 4, Budgets{Depths: []int{1, 3}, Tokens: []int{20, 60}}).withAnswers(2, nil),
		madeGrid(3, 40, 3, Budgets{Depths: []int{2}}).withAnswers(3, &price),
		madeGrid(4, 3, 2, Budgets{Depths: []int{2}}).withAnswers(4, &price),
	})
	if err != nil {
		t.Fatal(err)
	}
	b = append(b, '\n')
	const name = "testdata/grid.json"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, b, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b, want) {
		t.Errorf("grids come to other figures than %s has (UPDATE_GOLDEN=1 if that is meant):\n%s", name, b)
	}
}
