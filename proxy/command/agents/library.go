package agents

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/index"
	"seam/shared/pipeline"
	"seam/shared/search"
)

// library holds the documents of files and folders. It answers calls one at a time.
type library struct {
	command MCPCommand
	ctx     context.Context
	std     terminal.IO
	plan    pipeline.Plan
	options cut.ChunkOptions
	models  *cut.Models

	mu       sync.Mutex
	state    string // of the files when they were last read
	docs     []cut.Document
	failed   []string // files that could not be read
	searcher *search.Searcher
}

// openLibrary reads all files once, so that mistakes show before a client asks.
func openLibrary(ctx context.Context, std terminal.IO, b terminal.Build, c MCPCommand) (*library, error) {
	l := &library{command: c, ctx: ctx, std: std}
	l.std.Out = nil // the client's
	l.options = cut.ChunkOptions{View: "auto", Password: c.Password, EmbedderOptions: cut.EmbedderOptions{Embedder: pipeline.Auto, CacheOptions: c.CacheOptions}}
	var err error
	if l.plan, err = l.options.Plan(); err != nil {
		return nil, err
	}
	if l.models, err = l.options.Open(ctx, std, b, l.plan); err != nil {
		return nil, err
	}
	if err := l.refresh(); err != nil {
		l.models.Close()
		return nil, err
	}
	if len(l.docs) == 0 {
		l.models.Close()
		return nil, errors.New("none of these files could be read")
	}
	return l, nil
}

func (l *library) close() { l.models.Close() }

// refresh reads the files again if one of them, or their list, has changed.
func (l *library) refresh() error {
	inputs, err := l.command.InputsOf(l.std, l.command.Files)
	if err != nil {
		return err
	}
	state := stateOf(inputs)
	if state == l.state {
		return nil
	}
	std := l.std
	notes := &lines{to: std.Err}
	docs, searcher, _, err := cut.Cutter{Ctx: l.ctx, Std: std.To(notes, notes), Options: l.options, Plan: l.plan, Models: l.models}.Index(inputs, index.Hybrid)
	if err != nil {
		return err
	}
	l.state, l.docs, l.searcher, l.failed = state, docs, searcher, nil
	read := map[string]bool{}
	for _, d := range docs {
		read[d.Name] = true
	}
	for _, in := range inputs {
		if in.Bundle == nil && !read[terminal.Called(in.Name)] {
			l.failed = append(l.failed, terminal.Called(in.Name))
		}
	}
	return nil
}

// stateOf describes the files of inputs: their names, sizes and times.
func stateOf(inputs []files.Input) string {
	var s strings.Builder
	for _, in := range inputs {
		info, err := os.Stat(in.Name)
		if err != nil {
			fmt.Fprintf(&s, "%q %q %d\n", in.Name, in.Rel, in.Item)
			continue
		}
		fmt.Fprintf(&s, "%q %q %d %d %d\n", in.Name, in.Rel, in.Item, info.Size(), info.ModTime().UnixNano())
	}
	return s.String()
}

// document returns a document by the name that list and search give it. Other names, such as
// paths of other files, are errors: nothing is opened by a client's words.
func (l *library) document(name string) (cut.Document, error) {
	for _, d := range l.docs {
		if d.Name == name {
			return d, nil
		}
	}
	return cut.Document{}, fmt.Errorf("no document has the name %s: list shows the names", terminal.Shown(name))
}

// lines is a writer of notes to a log. It never fails.
type lines struct {
	to interface{ Write([]byte) (int, error) }
}

func (w *lines) Write(b []byte) (int, error) {
	w.to.Write(b) // a client may not read the log
	return len(b), nil
}
