package eval

import "slices"

// SegmentationRow holds the means over a set of documents, to 4 decimals.
type SegmentationRow struct {
	Set        string  `json:"set"`
	Documents  int     `json:"documents"`
	Segments   float64 `json:"segments"` // of the reference
	Found      float64 `json:"found"`
	Pk         float64 `json:"pk"`
	WindowDiff float64 `json:"windowdiff"`
	F1         float64 `json:"f1"`
	F1Near     float64 `json:"f1_1"`
}

// Names of summary rows.
const (
	AllDocuments = "ALL"  // mean over documents
	MeanOfSets   = "sets" // mean of the sets' rounded means: a small set counts as much as a large one
)

// SummariseSets returns a row for each set, in order of their first documents, followed by
// AllDocuments and MeanOfSets. sets holds the set of each score. Without scores it returns
// no rows.
func SummariseSets(scores []Segmentation, sets []string) []SegmentationRow {
	if len(scores) == 0 {
		return nil
	}
	var rows []SegmentationRow
	for _, set := range distinctInOrder(sets) {
		var of []SegmentationRow
		for i, s := range scores {
			if sets[i] == set {
				of = append(of, s.row())
			}
		}
		rows = append(rows, meanRow(set, of))
	}
	all := make([]SegmentationRow, len(scores))
	for i, s := range scores {
		all[i] = s.row()
	}
	return append(rows, meanRow(AllDocuments, all), meanRow(MeanOfSets, rows))
}

func (s Segmentation) row() SegmentationRow {
	return SegmentationRow{"", 1, float64(s.Segments), float64(s.Found), s.Pk, s.WindowDiff, s.F1, s.F1Near}
}

func meanRow(name string, rows []SegmentationRow) SegmentationRow {
	mean := func(of func(SegmentationRow) float64) float64 { return Round(Mean(each(rows, of)), 4) }
	out := SegmentationRow{
		Set:        name,
		Segments:   mean(func(r SegmentationRow) float64 { return r.Segments }),
		Found:      mean(func(r SegmentationRow) float64 { return r.Found }),
		Pk:         mean(func(r SegmentationRow) float64 { return r.Pk }),
		WindowDiff: mean(func(r SegmentationRow) float64 { return r.WindowDiff }),
		F1:         mean(func(r SegmentationRow) float64 { return r.F1 }),
		F1Near:     mean(func(r SegmentationRow) float64 { return r.F1Near }),
	}
	for _, r := range rows {
		out.Documents += r.Documents
	}
	return out
}

func each[T any](list []T, of func(T) float64) []float64 {
	out := make([]float64, len(list))
	for i, x := range list {
		out[i] = of(x)
	}
	return out
}

func distinctInOrder(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// RetrievalRow holds the means over the questions on one text, to 5 decimals, with the
// standard deviations of the whole population.
type RetrievalRow struct {
	Corpus      string  `json:"corpus"`
	Questions   int     `json:"questions"`
	Chunks      int     `json:"chunks"`
	MeanChars   float64 `json:"mean_chars"` // of a chunk, to 1 decimal
	Recall      float64 `json:"recall"`
	RecallSD    float64 `json:"recall_sd"`
	Precision   float64 `json:"precision"`
	PrecisionSD float64 `json:"precision_sd"`
	IoU         float64 `json:"iou"`
	IoUSD       float64 `json:"iou_sd"`
	Omega       float64 `json:"precision_omega"`
	OmegaSD     float64 `json:"precision_omega_sd"`
}

// AllQuestions is the name of the row of all questions.
const AllQuestions = "all"

// SummariseTexts returns the row of all questions, followed by one for each text. of holds,
// for each score, the index of its question's text.
func SummariseTexts(scores []Retrieval, of []int, names []string, chunks []Passage) []RetrievalRow {
	rows := []RetrievalRow{retrievalRow(AllQuestions, scores, chunks)}
	for t, name := range names {
		var some []Retrieval
		for i, s := range scores {
			if of[i] == t {
				some = append(some, s)
			}
		}
		its := slices.DeleteFunc(slices.Clone(chunks), func(p Passage) bool { return p.Text != t })
		rows = append(rows, retrievalRow(name, some, its))
	}
	return rows
}

func retrievalRow(name string, scores []Retrieval, chunks []Passage) RetrievalRow {
	chars := 0
	for _, c := range chunks {
		chars += c.Len()
	}
	row := RetrievalRow{Corpus: name, Questions: len(scores), Chunks: len(chunks), MeanChars: Round(float64(chars)/float64(max(1, len(chunks))), 1)}
	figure := func(of func(Retrieval) float64) (mean, sd float64) {
		v := each(scores, of)
		return Round(Mean(v), 5), Round(Deviation(v), 5)
	}
	row.Recall, row.RecallSD = figure(func(r Retrieval) float64 { return r.Recall })
	row.Precision, row.PrecisionSD = figure(func(r Retrieval) float64 { return r.Precision })
	row.IoU, row.IoUSD = figure(func(r Retrieval) float64 { return r.IoU })
	row.Omega, row.OmegaSD = figure(func(r Retrieval) float64 { return r.Omega })
	return row
}
