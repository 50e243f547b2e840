package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

type diffCommand struct {
	Files  []string `arg:"" name:"file" help:"Files of ${formats}, folders and patterns (**/*.md) of them."`
	Remote string   `required:"" placeholder:"ADDRESS" help:"The collection that they are compared with; see seam push -h."`
	JSON   bool     `name:"json" help:"Print the counts as one JSON object."`
	collectionOptions
	chunkOptions
}

func (diffCommand) Help() string {
	return `Tells what seam push would do, and writes nothing: which documents are new, have changed, or are not among the files, how many
chunks would be sent and removed, and what a hosted model would cost.

Examples:
  seam diff --remote postgres://seam@localhost/postgres/manual reports/
  SEAM_REMOTE_KEY=… seam diff --remote weaviate://search.example.org/manual --json reports.seam`
}

func (c diffCommand) Run(ctx context.Context, std IO, b build) error {
	p, inputs, err := c.begin(std, c.Files)
	if err != nil {
		return err
	}
	to, err := c.collectionOptions.open(ctx, c.Remote)
	if err != nil {
		return err
	}
	defer to.Close()
	m, err := c.chunkOptions.open(ctx, std, b, p)
	if err != nil {
		return retryHint(err)
	}
	defer m.close()
	c.DryRun = true
	out := bufio.NewWriter(std.Out)
	began, total, seen, made := time.Now(), totals{}, map[string]bool{}, make([]*compared, len(inputs))
	with := cutter{ctx: ctx, std: std, options: c.chunkOptions, plan: p, models: m, exported: true, compares: true}
	with.then = func(i int) error {
		d := made[i]
		made[i] = nil
		if !seen[d.File] {
			seen[d.File] = true
			total.add(d)
			if !c.JSON && !d.None() {
				fmt.Fprintln(out, told(d))
			}
		}
		return nil
	}
	failed, err := with.each(inputs, func(ctx context.Context, std IO, i int, s *cutting) (err error) {
		made[i], err = compare(ctx, std, with, s, to, to.held, false)
		return err
	})
	if errors.Is(err, errDry) {
		fmt.Fprintf(out, "which chunks of them %s does not hold is known when their texts have vectors\n", to.address)
		return errors.Join(out.Flush(), err)
	}
	if err != nil {
		return retryHint(err)
	}
	if to.held == nil {
		fmt.Fprintf(std.Err, "seam: %s is not there; a push would make it\n", to.address)
	} else if err := c.others(ctx, std, to, seen); err != nil {
		return err
	}
	total.dry = true
	if err := errors.Join(total.print(out, c.JSON, time.Since(began)), out.Flush()); err != nil {
		return err
	}
	return failed
}

// others tells of documents that are not among the files.
func (c diffCommand) others(ctx context.Context, std IO, to *collection, seen map[string]bool) error {
	docs, err := to.others(ctx, seen)
	if err != nil || len(docs) == 0 {
		return err
	}
	chunks := 0
	for _, d := range docs {
		chunks += d.Chunks
	}
	fmt.Fprintf(std.Err, "seam: %s in the collection not among these files, with %s, such as %s: seam push --prune takes them out\n", isAre(len(docs), "document"), count(chunks, "chunk"), shown(docs[0].File))
	return nil
}

// told is a line about a document.
func told(d *compared) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(d.New, "new")
	add(d.Changed, "changed")
	add(len(d.Gone), "gone")
	add(d.Same, "as they are")
	return shown(d.File) + ": " + strings.Join(parts, ", ")
}

// totals are what a push has done, or would do.
type totals struct {
	Documents int     `json:"documents"`
	New       int     `json:"new"`
	Changed   int     `json:"changed"`
	Same      int     `json:"same"`
	Removed   int     `json:"removed"`
	Pruned    int     `json:"pruned"` // documents that were taken out
	Bytes     int     `json:"bytes"`  // of the texts that are sent
	Seconds   float64 `json:"seconds"`
	twice     int
	dry       bool
}

func (t *totals) add(d *compared) {
	t.Documents++
	t.New, t.Changed, t.Same, t.Removed, t.Bytes = t.New+d.New, t.Changed+d.Changed, t.Same+d.Same, t.Removed+len(d.Gone), t.Bytes+d.bytes
}

func (t *totals) print(out *bufio.Writer, asJSON bool, took time.Duration) error {
	if t.Seconds = took.Seconds(); asJSON {
		return writeJSON(out, t)
	}
	sent, removed := "sent", "removed"
	if t.dry {
		sent, removed = "to send", "to remove"
	}
	line := fmt.Sprintf("%s: %s %s (%d new, %d changed), %d %s, %d as they are", count(t.Documents, "document"), count(t.New+t.Changed, "chunk"), sent, t.New, t.Changed, t.Removed, removed, t.Same)
	if t.Pruned > 0 {
		line += "; " + count(t.Pruned, "document") + " taken out"
	}
	if n := t.New + t.Changed; !t.dry && n > 0 {
		line += fmt.Sprintf("; %.0f chunks a second", float64(n)/max(t.Seconds, 1e-3))
	}
	_, err := fmt.Fprintln(out, line)
	return err
}
