package terminal

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"seam/shared/eval"
)

// Table is printed with its columns aligned, the first two to the left.
type Table [][]string

// Print writes the table.
func (t Table) Print(out *bufio.Writer) {
	var widths []int
	for _, row := range t {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range t {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i < 2 {
				line.WriteString(cell + pad + "  ")
			} else {
				line.WriteString(pad + cell + "  ")
			}
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
}

// PrintCSV prints a head and rows.
func PrintCSV(out *bufio.Writer, head string, rows [][]string) error {
	w := csv.NewWriter(out)
	w.Write(strings.Split(head, ","))
	w.WriteAll(rows)
	return w.Error()
}

// Fixed prints a number with so many decimals.
func Fixed(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// Exact prints all digits that a number has.
func Exact(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// DifferenceJSON is a mean of paired differences and its standard error, null where
// there is one pair alone.
type DifferenceJSON struct {
	Mean  float64  `json:"mean"`
	Error *float64 `json:"error"`
}

// DifferenceOf returns d rounded to five decimals.
func DifferenceOf(d eval.Difference) DifferenceJSON {
	j := DifferenceJSON{Mean: eval.Round(d.Mean, 5)}
	if !math.IsNaN(d.Error) {
		e := eval.Round(d.Error, 5)
		j.Error = &e
	}
	return j
}

// PrintDifference gives a difference and its error with so many decimals, times scale, and a star
// where it is more than twice the error.
func PrintDifference(d eval.Difference, scale float64, decimals int) string {
	s := Fixed(d.Mean*scale, decimals)
	if d.Mean >= 0 {
		s = "+" + s
	}
	if math.IsNaN(d.Error) {
		return s
	}
	s += " ±" + Fixed(d.Error*scale, decimals)
	if d.Sure() {
		return s + " *"
	}
	return s + "  "
}

// Paired compares one figure of two lists of scores of the same length.
func Paired[T any](a, b []T, of func(T) float64) eval.Difference {
	x, y := make([]float64, len(a)), make([]float64, len(b))
	for i := range a {
		x[i], y[i] = of(a[i]), of(b[i])
	}
	d, _ := eval.Paired(x, y) // of the same documents, so that it cannot fail
	return d
}
