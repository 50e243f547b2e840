package command

import (
	"bufio"
	"errors"
	"fmt"
	"math"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/breakpoint"
	"seam/shared/vector"
)

type breakpointsCommand struct {
	Method    string   `default:"percentile" help:"percentile, stddev, iqr, gradient, notebook-percentile, notebook-stddev or notebook-iqr."`
	Threshold *float64 `help:"Threshold of the method: a percentile or a factor (default: depends on the method)." xor:"how"`
	Count     *int     `help:"Break at the N-1 largest distances, for N chunks, with any method." placeholder:"N" xor:"how"`
	Vectors   string   `required:"" help:"NumPy file with one row per sentence, or a bundle of one document; - is stdin."`
}

func (breakpointsCommand) Help() string {
	return `Prints {"distances","threshold","boundaries"}. A boundary i is a break after sentence i. Distances are 1 - cosine.
percentile, stddev, iqr and gradient are LangChain's thresholds; the notebook-* methods use similarities.
A row of zeros, or one with NaN or infinity, has distance 1 to every other row.

Examples:
  seam breakpoints --method percentile --threshold 90 --vectors sentences.npy
  seam breakpoints --count 12 --vectors sentences.npy`
}

func (c breakpointsCommand) Run(std terminal.IO) error {
	m, err := breakpoint.Lookup(c.Method)
	if err != nil {
		return terminal.UsageError{Err: err}
	}
	vectors, err := c.read(std)
	if err != nil {
		return err
	}
	if bad := vector.Undirected(vectors); len(bad) > 0 {
		fmt.Fprintf(std.Err, "seam: %s: %d of %d rows are zero or hold NaN or infinity, the first is row %d: their distance to other rows is 1\n", c.Vectors, len(bad), vectors.Rows, bad[0])
	}
	similarities := vector.Adjacent(vectors)
	found, err := c.find(m, similarities)
	if err != nil {
		return terminal.UsageError{Err: err}
	}
	result := breakpointsJSON{Distances: make([]float64, len(similarities)), Boundaries: append([]int{}, found.Boundaries...)}
	for i, s := range similarities {
		result.Distances[i] = 1 - s
	}
	if !math.IsNaN(found.Threshold) {
		result.Threshold = &found.Threshold
	}
	out := bufio.NewWriter(std.Out)
	return errors.Join(terminal.WriteJSON(out, result), out.Flush())
}

// read returns the vectors of a NumPy file, or of a bundle with one document.
func (c breakpointsCommand) read(std terminal.IO) (m vector.Matrix, err error) {
	if c.Vectors != "-" && files.IsBundle(c.Vectors) {
		b, it, err := files.OnlyItem(c.Vectors)
		if err == nil && it.Chunking.Dimensions == 0 {
			err = fmt.Errorf("%s: the document in it has no vectors", terminal.Shown(c.Vectors))
		}
		if err != nil {
			return m, err
		}
		err = b.Vectors(0, it)
		return it.Vectors, err
	}
	b, err := terminal.ReadInput(std, c.Vectors)
	if err != nil {
		return m, err
	}
	if m, err = vector.ReadNPY(b); err != nil {
		err = fmt.Errorf("%s: %w", c.Vectors, err)
	}
	return m, err
}

func (c breakpointsCommand) find(m breakpoint.Method, similarities []float64) (breakpoint.Result, error) {
	switch {
	case c.Count != nil && *c.Count < 1:
		return breakpoint.Result{}, fmt.Errorf("--count %d: use 1 or more", *c.Count)
	case c.Count != nil:
		return breakpoint.Largest(similarities, *c.Count-1), nil
	case c.Threshold != nil:
		return m.Find(similarities, *c.Threshold)
	}
	return m.Find(similarities, m.Default())
}

type breakpointsJSON struct {
	Distances  []float64 `json:"distances"`
	Threshold  *float64  `json:"threshold"` // null if there is no gap
	Boundaries []int     `json:"boundaries"`
}
