package collections

import (
	"context"
	"fmt"
	"sync"

	"github.com/google/uuid"

	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/proxy/remote"
)

// earlier finds documents of a collection that were pushed under other names, as versions
// of seam before lasting names did: ./a.md, or an absolute path. It is safe for concurrent
// use.
type earlier struct {
	mu     sync.Mutex
	files  map[string][]string // names in the collection that are no name of an input now, by lasting name
	count  int                 // documents moved
	sample [2]string           // the earlier and the lasting name of one
}

// names returns the documents of the collection that may have been pushed under earlier
// names of the inputs.
func (c *Collection) names(ctx context.Context, inputs []files.Input) (*earlier, error) {
	e := &earlier{files: map[string][]string{}}
	if c.Known == nil {
		return e, nil
	}
	now := map[string]bool{}
	for _, in := range inputs {
		now[in.Document], now[remote.Printable(in.Document)] = true, true
	}
	docs, err := c.others(ctx, now)
	if err != nil {
		return nil, err
	}
	for _, d := range docs {
		at := files.Lasting(d.File)
		e.files[at] = append(e.files[at], d.File)
	}
	return e, nil
}

// of returns the earlier names of a document, and adds the chunks under them to held, so
// that they are removed once the document is written. A name that may also be another
// document's counts only if a chunk under it has the same text.
func (e *earlier) of(ctx context.Context, to *Collection, in files.Input, all []remote.Chunk, held map[uuid.UUID]string) (was []string, err error) {
	for _, name := range e.files[in.Full()] {
		sure, maybe := in.Was(name)
		if !sure && !maybe {
			continue
		}
		old, err := to.digests(ctx, name)
		if err != nil {
			return nil, err
		}
		for i := 0; !sure && i < len(all); i++ {
			_, sure = old[remote.IDOf(name, all[i].Chunk)]
		}
		if !sure {
			continue
		}
		was = append(was, name)
		for id := range old {
			held[id] = ""
		}
	}
	return was, nil
}

// moved counts a document with earlier names, which are then not other documents.
func (e *earlier) moved(d *compared, seen map[string]bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, name := range d.was {
		seen[name] = true
		e.sample = [2]string{name, d.File}
	}
	if len(d.was) > 0 {
		e.count++
	}
}

// report says how many documents were moved, if any.
func (e *earlier) report(std terminal.IO, dry bool) {
	if e.count == 0 {
		return
	}
	done := "moved"
	if dry {
		done = "to be moved"
	}
	fmt.Fprintf(std.Err, "seam: %s %s from an earlier name: %s is now %s\n", terminal.Count(e.count, "document"), done, terminal.Shown(e.sample[0]), terminal.Shown(e.sample[1]))
}

// digests is Digests, retried while the engine is unavailable.
func (c *Collection) digests(ctx context.Context, file string) (held map[uuid.UUID]string, err error) {
	err = remote.NewPusher(c, nil).Retry(ctx, func(ctx context.Context) (err error) {
		held, err = c.Digests(ctx, file)
		return err
	})
	if err != nil {
		return nil, terminal.EngineError{Err: err}
	}
	if held == nil {
		held = map[uuid.UUID]string{}
	}
	return held, nil
}
