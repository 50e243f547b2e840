package cut

import (
	"fmt"
	"strconv"

	"github.com/alecthomas/kong"

	"seam/proxy/command/terminal"
	"seam/shared/chunk"
	"seam/shared/pipeline"
)

// Positive is a number of at least 1. The zero value means that its flag is not given: the
// flag itself refuses 0, which would otherwise be ignored.
type Positive int

// Decode reads the value of a flag.
func (p *Positive) Decode(ctx *kong.DecodeContext) error {
	var s string
	if err := ctx.Scan.PopValueInto("number", &s); err != nil {
		return err
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return fmt.Errorf("%s is no number of at least 1", terminal.Shown(s))
	}
	*p = Positive(n)
	return nil
}

// printCount says why there are more or fewer chunks than --count wanted.
func printCount(std terminal.IO, name string, r *pipeline.Result) {
	c, n := r.Plan.Criterion, len(r.Chunks)
	want := int(c.Value)
	if c.By != chunk.ByCount || n == want || n == 0 {
		return
	}
	why := "some chunks would be shorter than the minimum"
	switch {
	case n > want && r.Plan.Limits.Max > 0:
		why = fmt.Sprintf("a chunk has at most %d %s", r.Plan.Limits.Max, unitOf(r))
	case n > want:
		why = "the document has fixed boundaries"
	case len(r.Sentences) < want:
		why = fmt.Sprintf("the text has %s", terminal.Count(len(r.Sentences), "sentence"))
	case r.Plan.Limits.Min == 0:
		why = "the method finds no more places to cut"
	}
	fmt.Fprintf(std.Err, "seam: %s: %s instead of %d: %s\n", terminal.Shown(name), terminal.Count(n, "chunk"), want, why)
}
