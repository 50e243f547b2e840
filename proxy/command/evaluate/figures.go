package evaluate

import (
	"bufio"
	"encoding/csv"
	"math"
	"strconv"
	"strings"

	"seam/shared/eval"
)

// printCSV prints a header and rows.
func printCSV(out *bufio.Writer, head string, rows [][]string) error {
	w := csv.NewWriter(out)
	w.Write(strings.Split(head, ","))
	w.WriteAll(rows)
	return w.Error()
}

// fixed formats a number with a fixed number of decimals.
func fixed(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// exact formats a number with all its digits.
func exact(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// differenceJSON is a mean of paired differences and its standard error, which is null if
// there is only one pair.
type differenceJSON struct {
	Mean  float64  `json:"mean"`
	Error *float64 `json:"error"`
}

// differenceOf returns d rounded to five decimals.
func differenceOf(d eval.Difference) differenceJSON {
	j := differenceJSON{Mean: eval.Round(d.Mean, 5)}
	if !math.IsNaN(d.Error) {
		e := eval.Round(d.Error, 5)
		j.Error = &e
	}
	return j
}

// printDifference formats a difference and its standard error, both times scale. It adds a
// star if the difference is more than twice the error.
func printDifference(d eval.Difference, scale float64, decimals int) string {
	s := fixed(d.Mean*scale, decimals)
	if d.Mean >= 0 {
		s = "+" + s
	}
	if math.IsNaN(d.Error) {
		return s
	}
	s += " ±" + fixed(d.Error*scale, decimals)
	if d.Sure() {
		return s + " *"
	}
	return s + "  "
}

// comparedBy compares two lists of scores of the same length by each of the figures.
func comparedBy[T any](a, b []T, figures [4]func(T) float64) (d [4]eval.Difference) {
	x, y := make([]float64, len(a)), make([]float64, len(b))
	for i, of := range figures {
		for k := range a {
			x[k], y[k] = of(a[k]), of(b[k])
		}
		d[i], _ = eval.Paired(x, y) // both are about the same documents, so it cannot fail
	}
	return d
}
