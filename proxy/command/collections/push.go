package collections

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/remote"
	"seam/shared/embed/lexical"
)

// PushCommand is seam push.
type PushCommand struct {
	Files []string `arg:"" name:"file" help:"Files (${formats}), bundles, folders or patterns (**/*.md)."`
	To    string   `required:"" placeholder:"ADDRESS" help:"Collection; created if it does not exist."`
	Prune bool     `help:"Delete documents from the collection that are not among these files."`
	JSON  bool     `name:"json" help:"Print the counts as JSON."`
	CollectionOptions
	files.FolderOptions `group:"Files in folders:"`
	files.RootOption
	cut.ChunkOptions
}

// Help returns the text that seam push -h prints below the options.
func (PushCommand) Help() string {
	return `Stores chunks of documents and their vectors in a search engine: ` + remote.Titles() + `.
Chunks keep their text, span, pages, rectangles, sections and the metadata of their file. seam search --remote searches them.

A second push sends new and changed chunks and deletes old ones, so repeating a stopped push resumes it. A document is
identified by its name: its path below the folder given, or below the working directory for a file. So a.md, ./a.md and
/home/me/a.md are one document. Use --root to push different folders, or from different places, into one collection.
Documents that an earlier version pushed under other names are moved. The collection records the embedder of its vectors and refuses others.
--dry-run writes nothing. It lists new and changed documents, documents that are not among the files, the number of chunks
to send and remove, and the cost of a hosted model.

` + addresses + `

Keep the password or API key out of the address: put it into SEAM_REMOTE_KEY, or into a file for --key-file.

Examples:
  seam push --to postgres://seam@localhost/postgres/manual reports/
  SEAM_REMOTE_KEY=… seam push --to 'weaviate://search.example.org/manual?replicas=3' --prune reports.seam
  seam push --to opensearch://localhost:9200/manual --embedder meaning --dry-run 'docs/**/*.md'`
}

// Run runs seam push.
func (c PushCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	if c.DryRun {
		return c.dryRun(ctx, std, b)
	}
	s, err := c.open(ctx, std, b, c.ChunkOptions, c.FolderOptions, c.RootOption, c.Files, c.To)
	if err != nil {
		return err
	}
	defer s.close()
	run := &push{ctx: ctx, std: std, to: s.to, began: time.Now(), seen: map[string]bool{}, meter: terminal.NewMeter(ctx, std, s.to.Address.String()), inputs: len(s.inputs), made: make([]*compared, len(s.inputs)),
		Cutter: cut.Cutter{Ctx: ctx, Std: std, Options: c.ChunkOptions, Plan: s.plan, Models: s.models, Exported: true}}
	run.pusher = remote.NewPusher(s.to, func(err error) { fmt.Fprintf(std.Err, "seam: %s; trying again\n", terminal.OneLine(err.Error())) })
	failed, err := run.push(s.inputs, c.Prune)
	if err != nil {
		if n := run.pusher.Sent(); n > 0 {
			fmt.Fprintf(std.Err, "seam: %s written; run the same command again to resume\n", isAre(n, "chunk"))
		}
		return hosted.RetryHint(err)
	}
	out := bufio.NewWriter(std.Out)
	if err := errors.Join(run.total.print(out, c.JSON, time.Since(run.began)), out.Flush()); err != nil {
		return err
	}
	return failed
}

func isAre(n int, what string) string {
	if n == 1 {
		return "1 " + what + " is"
	}
	return terminal.Count(n, what) + " are"
}

// compared is a document compared with its chunks in the collection.
type compared struct {
	remote.Change
	chunks []remote.Chunk // the chunks to send
	was    []string       // earlier names of the document, whose chunks are removed
	bytes  int            // total length of their texts
	shape  remote.Shape
}

// compare cuts a document up and finds the chunks that the collection does not hold. before
// is the collection's shape when the command began, or nil if the collection did not exist.
func compare(ctx context.Context, std terminal.IO, c cut.Cutter, s *cut.Cutting, to *Collection, before *remote.Shape, old *earlier, vectors bool) (*compared, error) {
	r, err := c.Cut(ctx, std, s, nil)
	if err != nil {
		return nil, err
	}
	if r.Plan.Embedder == lexical.Name {
		return nil, hosted.Named(s.Session, cut.ErrLexical)
	}
	model, err := c.HooksOf(s).Open(r.Plan.Embedder)
	if err != nil {
		return nil, hosted.Named(s.Session, err)
	}
	shape := remote.Shape{Version: remote.Version, Embedder: model.ID(), Name: c.Models.Origin(r.Plan.Embedder), Metric: remote.Cosine, Words: to.Address.Words}
	all := recordsOf(s.Cut(r))
	var held map[uuid.UUID]string
	var was []string
	if before != nil {
		if err := to.Fits(shape, *before); err != nil {
			return nil, err
		}
		if held, err = to.digests(ctx, s.Lasting()); err != nil {
			return nil, err
		}
		if was, err = old.of(ctx, to, s.In(), all, held); err != nil {
			return nil, err
		}
	}
	d := &compared{Change: remote.Compare(s.Lasting(), all, held), shape: shape, was: was}
	for _, i := range d.Send {
		d.chunks = append(d.chunks, all[i])
		d.bytes += len(all[i].Text)
	}
	if !vectors || len(d.Send) == 0 {
		return d, nil
	}
	rows, err := c.ChunkVectors(ctx, s, r)
	if err != nil {
		return nil, err
	}
	d.shape.Dimensions = rows.Dim
	for at, i := range d.Send {
		if row := rows.Row(i); !remote.Zero(row) {
			d.chunks[at].Vector = row
		}
	}
	return d, nil
}

// recordsOf returns the chunks of a document in the form in which they are sent.
func recordsOf(d cut.Document) []remote.Chunk {
	r := d.Result
	meta := map[string][]string{}
	for name, values := range d.Meta {
		meta[name] = values
	}
	for name, value := range map[string]string{"author": d.Author, "language": d.Language} {
		if value != "" {
			meta[name] = append([]string{value}, meta[name]...)
		}
	}
	if len(meta) == 0 {
		meta = nil
	}
	all := make([]remote.Chunk, len(r.Chunks))
	for i := range all {
		c := d.Chunk(i)
		record := remote.Record{File: d.Lasting, Chunk: c.ID, Title: d.Title, Start: c.Start, End: c.End, Tokens: c.Tokens, Pages: c.Pages, Labels: r.Labels(i), Section: c.Section, Part: string(r.Part(i)),
			Header: r.Header(i), Text: c.Text, Reason: c.Reason, Topic: c.Topic, Origin: c.Origin, Meta: meta, Unread: d.Unread()}
		for _, b := range d.Boxes(r.Plan.View, r.Chunks[i].Span) {
			record.Boxes = append(record.Boxes, remote.Box{float64(d.Pages[b.Page].Number), hundredth(b.X0), hundredth(b.Y0), hundredth(b.X1), hundredth(b.Y1)})
		}
		all[i] = remote.ChunkOf(record)
	}
	return all
}

// hundredth rounds a length in points to two decimals. Finer differences are invisible, and
// this saves half of the bytes.
func hundredth(x float64) float64 { return math.Round(100*x) / 100 }

// push is the state of one push.
type push struct {
	cut.Cutter
	ctx    context.Context
	std    terminal.IO
	to     *Collection
	pusher *remote.Pusher
	meter  *terminal.Meter
	inputs int
	made   []*compared
	old    *earlier
	seen   map[string]bool
	began  time.Time
	total  totals
}

func (p *push) push(inputs []files.Input, prune bool) (failed, err error) {
	p.Then = p.send
	before := p.to.Known
	if before != nil { // another push may have been killed
		if err := p.pusher.Retry(p.ctx, p.to.Settle); err != nil {
			return nil, err
		}
	}
	if p.old, err = p.to.names(p.ctx, inputs); err != nil {
		return nil, err
	}
	failed, err = p.Each(inputs, func(ctx context.Context, std terminal.IO, i int, s *cut.Cutting) (err error) {
		p.made[i], err = compare(ctx, std, p.Cutter, s, p.to, before, p.old, true)
		return err
	})
	if p.to.Known != nil {
		if closed := p.pusher.Close(p.ctx); err == nil {
			err = closed
		}
	}
	p.meter.Clear()
	if err == nil {
		p.old.report(p.std, false)
	}
	if err == nil && prune && failed == nil && p.to.Known != nil {
		err = p.prune()
	}
	return failed, err
}

// send writes the changes of document i.
func (p *push) send(i int) error {
	d := p.made[i]
	p.made[i] = nil
	if p.seen[d.File] {
		p.total.twice++
		fmt.Fprintf(p.std.Err, "seam: %s is given twice: pushed only the first document of that name\n", terminal.Shown(d.File))
		return nil
	}
	p.seen[d.File] = true
	p.old.moved(d, p.seen)
	p.total.add(d)
	if len(d.chunks) > 0 {
		if err := p.ready(d.shape); err != nil {
			return err
		}
	}
	if err := p.pusher.Add(p.ctx, d.chunks, d.Gone); err != nil {
		return err
	}
	rate := float64(p.pusher.Sent()) / time.Since(p.began).Seconds()
	return p.meter.Report(fmt.Sprintf("%d chunks sent, %.0f per second; file", p.pusher.Sent(), rate), len(p.seen), p.inputs)
}

// ready creates the collection if it does not exist, and checks that the vectors fit it.
func (p *push) ready(shape remote.Shape) (err error) {
	if p.to.Known == nil {
		if err := p.pusher.Retry(p.ctx, func(ctx context.Context) error { return p.to.Create(ctx, shape) }); err != nil {
			return err
		}
		if p.to.Known, err = p.to.Shape(p.ctx); err != nil { // another push may have created it, for other vectors
			return err
		}
		if p.to.Known == nil {
			return fmt.Errorf("%s was created, but cannot be found", p.to.Address)
		}
	}
	return p.to.Fits(shape, *p.to.Known)
}

// prune removes the documents that are not among the files.
func (p *push) prune() error {
	docs, err := p.to.others(p.ctx, p.seen)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if err := p.pusher.Retry(p.ctx, func(ctx context.Context) error { return p.to.Delete(ctx, d.File) }); err != nil {
			return err
		}
		p.total.Pruned++
		p.total.Removed += d.Chunks
	}
	return p.to.Settle(p.ctx)
}
