package command

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/meaning"
	"seam/shared/embed/remote"
	"seam/shared/embed/static"
	"seam/shared/pipeline"
	"seam/shared/vector"
)

type embedCommand struct {
	Files  []string `arg:"" optional:"" name:"file" help:"Texts: JSON lines with a \"text\" or a \"query\", or plain lines; several files follow each other; - is stdin (default)."`
	Out    string   `short:"o" default:"-" help:"Output file; - is stdout."`
	Format string   `default:"npy" enum:"npy,jsonl" help:"npy: a float32 matrix with one row per text; jsonl: one line {\"text\",\"vector\"} per text."`
	Export string   `placeholder:"FOLDER" help:"Write the model of builtin or static:FOLDER as a Model2Vec folder instead of embedding texts."`
	cut.EmbedderOptions
}

func (embedCommand) Help() string {
	return `Prints one vector per text, in order. A "query" is embedded as a query, with its prefix if the model has one. A vector
has length 1, or is all zeros for a text without words the model knows.
static:FOLDER gives the same vectors as model2vec's encode, normalized only if the model's configuration says so.
With -o, the same command resumes a run that was stopped or killed.

Examples:
  seam sentences report.pdf | seam embed -o report.npy
  seam chunk --embedder npy:report.npy --method percentile --threshold 90 report.pdf
  seam embed --embedder static:my-model --format jsonl queries.jsonl
  seam embed --export seam-model   # then, in Python: StaticModel.from_pretrained("seam-model")`
}

func (c embedCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	if c.Embedder == pipeline.Auto {
		c.Embedder = builtin.Name // vectors of several calls are compared, so the model must not depend on the texts of one call
	}
	p, err := pipeline.NewPlan(pipeline.Settings{Embedder: c.Embedder})
	if err != nil {
		return terminal.UsageError{Err: err}
	}
	if len(c.Files) == 0 {
		c.Files = []string{"-"}
	}
	if err := c.Check(p); err != nil {
		return err
	}
	for _, name := range c.Files {
		if err := files.NotOver(c.Out, name); err != nil {
			return err
		}
	}
	m, err := c.Open(ctx, std, b, p)
	if err != nil {
		return hosted.RetryHint(err)
	}
	defer m.Close()
	model, err := m.Hooks().Open(c.Embedder)
	if err != nil {
		return err
	}
	if c.Export != "" {
		return c.export(model)
	}
	texts, queries, err := c.texts(std)
	if err != nil {
		return err
	}
	if err := c.quote(ctx, std, m, model, texts, queries); err != nil {
		return err
	}
	return c.vectorsOf(ctx, std, roles{model, queries}, texts)
}

// texts reads the texts of all files. queries marks those that are queries; nil means none.
func (c embedCommand) texts(std terminal.IO) (texts []string, queries []bool, err error) {
	for _, name := range c.Files {
		in, err := files.ReadText(std, name, "texts")
		switch {
		case errors.Is(err, files.ErrNotText):
			return nil, nil, fmt.Errorf("%w; embed its sentences with `seam sentences %s | seam embed`", err, terminal.Shown(name))
		case err != nil:
			return nil, nil, err
		}
		more, asked, err := textsIn(in)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", terminal.Shown(name), err)
		}
		if asked != nil || queries != nil {
			queries = append(queries, make([]bool, len(texts)-len(queries))...)
			asked = append(asked, make([]bool, len(more)-len(asked))...)
			queries = append(queries, asked...)
		}
		texts = append(texts, more...)
	}
	return texts, queries, nil
}

// name returns the name of the work for people.
func (c embedCommand) name() string {
	if len(c.Files) == 1 {
		return terminal.Shown(c.Files[0])
	}
	return terminal.Count(len(c.Files), "file")
}

// vectorsOf writes the vectors of texts to the output.
func (c embedCommand) vectorsOf(ctx context.Context, std terminal.IO, model roles, texts []string) error {
	embedder := model.embed
	if m, ok := model.Embedder.(*static.Model); ok && strings.HasPrefix(c.Embedder, pipeline.Static) {
		embedder = func(ctx context.Context, _ int, texts []string, progress embed.Progress) (vector.Matrix, error) {
			return m.Encode(ctx, texts, progress) // with the lengths of its configuration
		}
	}
	var failed error // error of the vectors, not of the output
	made := 0
	long := c.work(model, texts)
	if long != nil {
		long.Worth = func() bool { return failed != nil && made >= c.blockOf() }
	}
	to := func(w io.Writer) (err error) {
		if made, err = c.goOn(std, long, w, len(texts)); err != nil {
			return err
		}
		return c.write(ctx, std, w, texts, made, func(ctx context.Context, texts []string, progress embed.Progress) (m vector.Matrix, err error) {
			if m, failed = embedder(ctx, made, texts, progress); failed == nil {
				made += len(texts)
			}
			return m, failed
		})
	}
	var err error
	if c.Out == "-" {
		err = to(std.Out)
	} else {
		err = terminal.WriteLong(c.Out, long, to)
	}
	if failed == nil {
		return err
	}
	if long.Resumable() {
		fmt.Fprintf(std.Err, "seam: %d of %s are stored next to %s: run the same command again to resume\n", made, terminal.Count(len(texts), "vector"), terminal.Shown(c.Out))
	}
	return hosted.RetryHint(fmt.Errorf("%s: %w", c.name(), failed))
}

// blockOf returns how many texts to embed at a time, so that memory does not grow with the
// input. 0 means all at once, for embedders that are fitted to all texts or hosted.
func (c embedCommand) blockOf() int {
	switch kind, _ := pipeline.EmbedderOf(c.Embedder); kind.Name {
	case builtin.Name, pipeline.Static:
		return 4096
	case meaning.Name, pipeline.Encoder: // a second or so, which Ctrl-C may cost
		return 64
	}
	return 0
}

// quote prints a quote of the texts about to be sent, if any are.
func (c embedCommand) quote(ctx context.Context, std terminal.IO, m *cut.Models, model embed.Embedder, texts []string, queries []bool) error {
	var price hosted.Quote
	for query, some := range apart(texts, queries) {
		of := model
		if query {
			of = embed.For(model, embed.Queries)
		}
		if hosted, ok := of.(*remote.Embedder); ok && len(some) > 0 {
			one, err := hosted.Quote(ctx, some)
			if err != nil {
				return fmt.Errorf("%s: %w", c.name(), err)
			}
			price.AddOne(c.Embedder, one)
		}
	}
	if price.Print(std, m.Proxy, c.DryRun); c.DryRun {
		return terminal.ErrDry
	}
	return nil
}

// write makes and writes the vectors, apart from the first there, which are already
// written.
func (c embedCommand) write(ctx context.Context, std terminal.IO, w io.Writer, texts []string, there int, embedder func(context.Context, []string, embed.Progress) (vector.Matrix, error)) error {
	meter := terminal.NewMeter(ctx, std, c.name())
	defer meter.Clear()
	out := bufio.NewWriterSize(w, terminal.FlushSize)
	block := cmp.Or(c.blockOf(), max(1, len(texts)))
	for at := there; at == 0 || at < len(texts); at += block {
		some := texts[at:min(len(texts), at+block)]
		m, err := embedder(ctx, some, func(done, _ int) error { return meter.Report(pipeline.StageVectors, at+done, len(texts)) })
		if err != nil {
			return err
		}
		if c.Format == "npy" && at == 0 {
			out.Write(vector.NPYHeader("<f4", len(texts), m.Dim))
		}
		if err := c.rows(out, some, m); err != nil {
			return err
		}
	}
	return out.Flush()
}

// rows writes the vectors of some texts.
func (c embedCommand) rows(out *bufio.Writer, texts []string, m vector.Matrix) error {
	var b []byte
	for i, t := range texts {
		b = b[:0]
		if c.Format == "npy" {
			for _, x := range m.Row(i) {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
			}
		} else {
			b = append(appendJSON(append(b, `{"text":`...), strings.ToValidUTF8(t, "\ufffd")), `,"vector":[`...)
			for k, x := range m.Row(i) {
				if k > 0 {
					b = append(b, ',')
				}
				b = strconv.AppendFloat(b, float64(x), 'g', -1, 32)
			}
			b = append(b, "]}\n"...)
		}
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// export writes a model as a Model2Vec folder.
func (c embedCommand) export(model embed.Embedder) error {
	m, ok := model.(interface {
		Export(write func(name string, data []byte) error) error
	})
	if !ok {
		return terminal.Usagef("%s cannot be exported: --export needs builtin or static:FOLDER", c.Embedder)
	}
	if entries, err := os.ReadDir(c.Export); err == nil && len(entries) > 0 {
		return terminal.Usagef("%s is not empty: choose a new folder", c.Export)
	}
	if err := os.MkdirAll(c.Export, 0o755); err != nil {
		return fmt.Errorf("export the model: %w", err)
	}
	return m.Export(func(name string, data []byte) error {
		return terminal.WriteOut(filepath.Join(c.Export, name), func(w io.Writer) error { _, err := w.Write(data); return err })
	})
}

// work returns the resumable work of embedding texts, or nil if they are embedded all at
// once.
func (c embedCommand) work(model roles, texts []string) *terminal.Work {
	if c.blockOf() == 0 || len(texts) <= c.blockOf() {
		return nil
	}
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d ", len(t))
		io.WriteString(h, t)
	}
	if model.queries != nil {
		fmt.Fprint(h, model.queries)
	}
	return &terminal.Work{Digest: files.DigestOf(pipeline.Version, c.Format, c.Embedder, model.ID(), h.Sum(nil))}
}

// errForeign reports a file of some other work.
var errForeign = errors.New("it belongs to other work")

// begun returns how many vectors of an earlier run are complete, and how many bytes they
// take in its file.
func (c embedCommand) begun(f *os.File, size int64, texts int) (rows int, bytes int64, err error) {
	if c.Format == "npy" {
		return rowsOfNPY(f, size, texts)
	}
	for r := bufio.NewReaderSize(f, terminal.FlushSize); rows < texts; rows++ {
		n, err := lineOf(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, 0, err
		}
		bytes += n
	}
	return rows, bytes, nil
}

// lineOf skips a line and returns its length, or io.EOF if the line has no end.
func lineOf(r *bufio.Reader) (n int64, err error) {
	for {
		b, err := r.ReadSlice('\n')
		n += int64(len(b))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return n, err
		}
	}
}

func rowsOfNPY(f *os.File, size int64, texts int) (rows int, bytes int64, err error) {
	b := make([]byte, min(size, 256))
	if _, err := io.ReadFull(f, b); err != nil {
		return 0, 0, err
	}
	_, shape, length, err := vector.ParseNPYHeader(b)
	if err != nil {
		return 0, 0, err
	}
	if len(shape) != 2 || shape[0] != texts || shape[1] < 1 {
		return 0, 0, errForeign
	}
	row := int64(4 * shape[1])
	rows = min(texts, int((size-int64(length))/row))
	return rows, int64(length) + int64(rows)*row, nil
}

// goOn takes over the output of an earlier run and returns its number of vectors.
func (c embedCommand) goOn(std terminal.IO, w *terminal.Work, to io.Writer, texts int) (rows int, err error) {
	n, err := w.TakeOver(to, func(f *os.File, size int64) (n int64, err error) {
		if rows, n, err = c.begun(f, size, texts); rows == 0 {
			return 0, err
		}
		return n, err
	})
	if err != nil || n == 0 {
		return 0, err
	}
	fmt.Fprintf(std.Err, "seam: resuming an earlier run that made %s of %s\n", terminal.Count(rows, "vector"), c.name())
	return rows, nil
}
