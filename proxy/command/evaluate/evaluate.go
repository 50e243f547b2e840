package evaluate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/chunk"
	"seam/shared/index"
	"seam/shared/pipeline"
)

// EvalCommand is seam eval.
type EvalCommand struct {
	Segmentation evalSegmentationCommand `cmd:"" help:"Compare chunks with known segments: Pk, WindowDiff, boundary F1."`
	Retrieval    evalRetrievalCommand    `cmd:"" help:"Measure search with known answers: recall, precision, IoU."`
	Grid         evalGridCommand         `cmd:"" help:"Compare methods, sizes, embedders and rankers on the same questions."`
	Questions    evalQuestionsCommand    `cmd:"" help:"Write questions and the excerpts that answer them, with a model."`
	Pipeline     evalPipelineCommand     `cmd:"" help:"Reproduce a published RAG pipeline and its figures."`
}

// evalOptions are the options shared by the measurements.
type evalOptions struct {
	Methods          []string `placeholder:"M" help:"Methods to compare; M:X is method M with threshold X (default: --method)." group:"Settings to compare:"`
	JSON             bool     `name:"json" xor:"as" help:"Print rows and differences as one JSON object." group:"Output:"`
	CSV              bool     `name:"csv" xor:"as" help:"Print the rows as CSV." group:"Output:"`
	cut.ChunkOptions `group:"How texts are cut:"`
}

// variant is one way of cutting to measure.
type variant struct {
	name string
	pipeline.Plan
}

// variants returns the named methods, each in each of the sizes; with no sizes,
// --max-tokens applies. It runs before any file is read.
func (o evalOptions) variants(std terminal.IO, sizes []int) ([]variant, error) {
	methods := o.Methods
	switch {
	case len(methods) > 0 && o.Method != "":
		return nil, terminal.Usagef("--methods and --method exclude each other: list all methods in --methods")
	case len(sizes) > 0 && o.MaxTokens != 0:
		return nil, terminal.Usagef("--sizes and --max-tokens exclude each other: list all sizes in --sizes")
	case len(methods) == 0:
		methods = []string{cmp.Or(o.Method, pipeline.Methods()[0].Name)}
	}
	var all []variant
	for _, name := range methods {
		c := o.ChunkOptions
		var x string
		var err error
		if c.Method, x, _ = strings.Cut(name, ":"); x != "" {
			c.Threshold = new(float64)
			if *c.Threshold, err = strconv.ParseFloat(x, 64); err != nil {
				return nil, terminal.Usagef("--methods %s: invalid threshold %q: write METHOD or METHOD:THRESHOLD", name, x)
			}
		}
		if slices.ContainsFunc(all, func(v variant) bool { return v.name == name || strings.HasPrefix(v.name, name+" ") }) {
			return nil, terminal.Usagef("--methods lists %s twice", name)
		}
		if len(sizes) == 0 {
			v, err := variantOf(c, std, name, len(methods) > 1)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
		for _, size := range sizes {
			c.MaxTokens = cut.Positive(size)
			v, err := variantOf(c, std, name+" "+strconv.Itoa(size), len(methods) > 1)
			if err != nil {
				return nil, err
			}
			all = append(all, v)
		}
	}
	return all, nil
}

// loose lists options that only some methods take, in groups.
var loose = []struct {
	names string
	drop  func(*cut.ChunkOptions)
}{
	{"--overlap", func(c *cut.ChunkOptions) { c.Overlap = 0 }},
	{"--threshold, --count and --min-tokens", func(c *cut.ChunkOptions) { c.Threshold, c.Count, c.MinTokens = nil, 0, nil }},
}

// variantOf checks the options. If several methods are compared, it drops the options that
// this one does not take, and says so.
func variantOf(o cut.ChunkOptions, std terminal.IO, name string, several bool) (variant, error) {
	p, err := o.Plan()
	if err == nil || !several {
		return variant{name, p}, err
	}
	for _, group := range loose {
		less := o
		group.drop(&less)
		if p, err := less.Plan(); err == nil {
			fmt.Fprintf(std.Err, "seam: %s does not take %s: measured without\n", name, group.names)
			return variant{name, p}, nil
		}
	}
	return variant{}, err
}

// measurement cuts documents up in several ways.
type measurement struct {
	ctx      context.Context
	std      terminal.IO
	variants []variant
	models   *cut.Models
	options  evalOptions
	searched bool     // by the vectors of chunks
	queries  []string // of the search, if any
	sends    *bool    // set by a dry run that lists a request; if nil, the dry run says that nothing is sent
}

// measure connects to the proxy if necessary. The caller must close the models.
func (o evalOptions) measure(ctx context.Context, std terminal.IO, b terminal.Build, variants []variant) (measurement, error) {
	m := measurement{ctx: ctx, std: std, variants: variants, options: o}
	var err error
	m.models, err = o.Open(ctx, std, b, variants[0].Plan)
	return m, err
}

// begin prints the amount of text for a hosted embedder and its price. It also prints how
// many texts are in a language that the embedder does not know.
func (m measurement) begin(sessions []*pipeline.Session) error {
	var price hosted.Quote
	unknown := 0
	for _, s := range sessions {
		asked := map[bool]bool{} // the notebook's methods split sentences in their own way
		for _, v := range m.variants {
			notebook := v.Sentences == chunk.Notebook
			if !v.Embeds() || asked[notebook] {
				continue
			}
			asked[notebook] = true
			if err := price.Add(m.ctx, s, v.Plan, m.models.Hooks()); err != nil {
				return err
			}
		}
		if (m.searched || len(asked) > 0) && s.Unknown(m.variants[0].Plan) != nil {
			unknown++
		}
	}
	if m.options.DryRun {
		return m.quoteDry(&price)
	}
	price.Print(m.std, m.models.Proxy, false)
	switch {
	case unknown == 0:
	case m.variants[0].Embedder == pipeline.Auto:
		fmt.Fprintf(m.std.Err, "seam: %d of %d texts seem not to be in English, the only language of the built-in model: using lexical for them, fitted to their own words\n", unknown, len(sessions))
	default:
		fmt.Fprintf(m.std.Err, "seam: %d of %d texts seem not to be in English, the only language of the built-in model: try --embedder lexical\n", unknown, len(sessions))
	}
	return nil
}

// quoteDry prints the requests of a dry run.
func (m measurement) quoteDry(price *hosted.Quote) error {
	sent := price.Missing > 0
	if sent {
		price.Print(m.std, m.models.Proxy, true)
	}
	if i := slices.IndexFunc(m.variants, func(v variant) bool { return v.Hosted() && v.Embeds() }); i >= 0 && m.searched {
		to, err := m.models.QuoteQueries(m.ctx, nil, m.variants[i].Plan, index.Hybrid, m.queries)
		if err != nil {
			return hosted.RetryHint(err)
		}
		sent = sent || len(to) > 0
	}
	switch {
	case m.sends != nil:
		*m.sends = *m.sends || sent
	case !sent:
		fmt.Fprintln(m.std.Out, "nothing would be sent")
	}
	return terminal.ErrDry
}

// cut cuts every document up in every way and passes each result to use. Work that methods
// share, such as sentences and vectors, is done once per document.
func (m measurement) cut(sessions []*pipeline.Session, use func(variant, document int, r *pipeline.Result) error) error {
	meter := terminal.NewMeter(m.ctx, m.std, "seam eval")
	defer meter.Clear()
	for d, s := range sessions {
		for i, v := range m.variants {
			hooks := m.models.Hooks()
			hooks.Progress = func(string, int, int) error {
				return meter.Report("cut", d*len(m.variants)+i+1, len(sessions)*len(m.variants))
			}
			r, err := s.Run(m.ctx, v.Plan, hooks)
			if err = hosted.Named(s, err); err == nil {
				err = use(i, d, r)
			}
			if err != nil {
				return hosted.RetryHint(err)
			}
		}
	}
	return nil
}

// verbatim returns an error if a chunk differs from the file's text at its offsets. Scores
// computed from offsets in the file would then mean nothing.
func verbatim(name, raw string, r *pipeline.Result) error {
	for _, c := range r.Chunks {
		if c.End > len(raw) || raw[c.Start:c.End] != c.Of(r.Text.Text) {
			return fmt.Errorf("%s: chunk %d..%d differs from the file at these offsets: save the file as plain UTF-8", name, c.Start, c.End)
		}
	}
	return nil
}

// readData reads a file of known segments or answers. what describes the expected content,
// for the error.
func readData(std terminal.IO, name, what string) ([]byte, error) {
	b, err := files.ReadText(std, name, "questions or segments")
	if err != nil {
		return nil, fmt.Errorf("%w; it should be %s", err, what)
	}
	return b, nil
}

// saveJSON writes the list of single scores to a file, unless name is "".
func saveJSON(name string, v any) error {
	if name == "" {
		return nil
	}
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return terminal.WriteOut(name, func(w io.Writer) error { _, err := w.Write(append(b, '\n')); return err })
}
