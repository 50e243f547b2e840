package command

import (
	"bufio"
	"errors"
	"fmt"
	"math"

	"seam/shared/breakpoint"
	"seam/shared/vector"
)

type breakpointsCommand struct {
	Method    string   `default:"percentile" help:"percentile, stddev, iqr, gradient, notebook-percentile, notebook-stddev or notebook-iqr."`
	Threshold *float64 `help:"The method's number: a percentile or a factor; default: the method's own."`
	Vectors   string   `required:"" help:"NumPy file with one row a sentence; - is stdin."`
}

func (breakpointsCommand) Help() string {
	return `Prints {"distances","threshold","boundaries"}: a break after sentence i. Distances are 1 - cosine.

Example:
  seam breakpoints --method percentile --threshold 90 --vectors sentences.npy`
}

func (c breakpointsCommand) Run(std IO) error {
	m, err := breakpoint.Lookup(c.Method)
	if err != nil {
		return usageError{err}
	}
	b, err := readInput(std, c.Vectors)
	if err != nil {
		return err
	}
	vectors, err := vector.ReadNPY(b)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Vectors, err)
	}
	x := 0.0
	if m.Setting != nil {
		x = m.Setting.Default
	}
	if c.Threshold != nil {
		x = *c.Threshold
	}
	similarities := vector.Adjacent(vectors)
	found, err := m.Find(similarities, x)
	if err != nil {
		return usageError{err}
	}
	result := breakpointsJSON{Distances: make([]float64, len(similarities)), Boundaries: append([]int{}, found.Boundaries...)}
	for i, s := range similarities {
		result.Distances[i] = 1 - s
	}
	if !math.IsNaN(found.Threshold) {
		result.Threshold = &found.Threshold
	}
	out := bufio.NewWriter(std.Out)
	return errors.Join(writeJSON(out, result), out.Flush())
}

type breakpointsJSON struct {
	Distances  []float64 `json:"distances"`
	Threshold  *float64  `json:"threshold"` // null where there is no gap
	Boundaries []int     `json:"boundaries"`
}
