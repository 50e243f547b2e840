package evaluate

import (
	"bufio"
	"encoding/csv"
	"math"
	"strconv"
	"strings"

	"seam/shared/eval"
)

// printCSV prints a head and rows.
func printCSV(out *bufio.Writer, head string, rows [][]string) error {
	w := csv.NewWriter(out)
	w.Write(strings.Split(head, ","))
	w.WriteAll(rows)
	return w.Error()
}

// fixed prints a number with so many decimals.
func fixed(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// exact prints all digits that a number has.
func exact(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// differenceJSON is a mean of paired differences and its standard error, null where
// there is one pair alone.
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

// printDifference gives a difference and its error with so many decimals, times scale, and a star
// where it is more than twice the error.
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
		d[i], _ = eval.Paired(x, y) // of the same documents, so that it cannot fail
	}
	return d
}
