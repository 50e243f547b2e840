package collections

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"seam/proxy/command/cut"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
)

// dryRun prints the changes a push would make. It writes nothing.
func (c PushCommand) dryRun(ctx context.Context, std terminal.IO, b terminal.Build) error {
	s, err := c.open(ctx, std, b, c.ChunkOptions, c.FolderOptions, c.RootOption, c.Files, c.To)
	if err != nil {
		return err
	}
	defer s.close()
	out := bufio.NewWriter(std.Out)
	held, err := s.to.names(ctx, s.inputs)
	if err != nil {
		return err
	}
	began, total, seen, made := time.Now(), totals{}, map[string]bool{}, make([]*compared, len(s.inputs))
	with := cut.Cutter{Ctx: ctx, Std: std, Options: c.ChunkOptions, Plan: s.plan, Models: s.models, Exported: true, Compares: true}
	with.Then = func(i int) error {
		d := made[i]
		made[i] = nil
		if !seen[d.File] {
			seen[d.File] = true
			held.moved(d, seen)
			total.add(d)
			if !c.JSON && !d.None() {
				fmt.Fprintln(out, summary(d))
			}
		}
		return nil
	}
	failed, err := with.Each(s.inputs, func(ctx context.Context, std terminal.IO, i int, doc *cut.Cutting) (err error) {
		made[i], err = compare(ctx, std, with, doc, s.to, s.to.Known, held, false)
		return err
	})
	if errors.Is(err, terminal.ErrDry) {
		fmt.Fprintf(out, "chunks that %s lacks are known only after their texts are embedded\n", s.to.Address)
		return errors.Join(out.Flush(), err)
	}
	if err != nil {
		return hosted.RetryHint(err)
	}
	if s.to.Known == nil {
		fmt.Fprintf(std.Err, "seam: %s does not exist; a push would create it\n", s.to.Address)
	} else if err := reportOthers(ctx, std, s.to, seen); err != nil {
		return err
	}
	total.dry = true
	held.report(std, true)
	if err := errors.Join(total.print(out, c.JSON, time.Since(began)), out.Flush()); err != nil {
		return err
	}
	return failed
}

// reportOthers prints a note on the documents of the collection that are not among the files.
func reportOthers(ctx context.Context, std terminal.IO, to *Collection, seen map[string]bool) error {
	docs, err := to.others(ctx, seen)
	if err != nil || len(docs) == 0 {
		return err
	}
	chunks := 0
	for _, d := range docs {
		chunks += d.Chunks
	}
	fmt.Fprintf(std.Err, "seam: %s in the collection not among these files, with %s, for example %s: seam push --prune deletes them\n", isAre(len(docs), "document"), terminal.Count(chunks, "chunk"), terminal.Shown(docs[0].File))
	return nil
}

// summary returns a line that counts the new, changed, removed and unchanged chunks of a
// document.
func summary(d *compared) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(d.New, "new")
	add(d.Changed, "changed")
	add(len(d.Gone), "gone")
	add(d.Same, "unchanged")
	return terminal.Shown(d.File) + ": " + strings.Join(parts, ", ")
}

// totals counts the changes a push has made, or would make.
type totals struct {
	Documents int     `json:"documents"`
	New       int     `json:"new"`
	Changed   int     `json:"changed"`
	Same      int     `json:"same"`
	Removed   int     `json:"removed"`
	Pruned    int     `json:"pruned"` // documents removed by --prune
	Bytes     int     `json:"bytes"`  // length of the texts that are sent
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
		return terminal.WriteJSON(out, t)
	}
	sent, removed := "sent", "removed"
	if t.dry {
		sent, removed = "to send", "to remove"
	}
	line := fmt.Sprintf("%s: %s %s (%d new, %d changed), %d %s, %d unchanged", terminal.Count(t.Documents, "document"), terminal.Count(t.New+t.Changed, "chunk"), sent, t.New, t.Changed, t.Removed, removed, t.Same)
	if t.Pruned > 0 {
		line += "; " + terminal.Count(t.Pruned, "document") + " deleted"
	}
	if n := t.New + t.Changed; !t.dry && n > 0 {
		line += fmt.Sprintf("; %.0f chunks per second", float64(n)/max(t.Seconds, 1e-3))
	}
	_, err := fmt.Fprintln(out, line)
	return err
}
