package command

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
	"seam/shared/embed/builtin"
	"seam/shared/export"
	"seam/shared/pipeline"
	"seam/shared/read"
	"seam/shared/token"
)

// manifest records the result for each file of a run, as one line of JSON per file. The
// next run then does only the rest: files that failed, changed, or were in progress when a
// run was killed. A line is added once the output of a file is in place.
type manifest struct {
	name string
	dir  string // of the output
	plan string // identifies every setting that decides the result, apart from the files

	inputs []files.Input     // files still to do
	places []string          // output path for each input
	now    []manifestLine    // state of each input before it was read
	before int               // number of files done in earlier runs
	all    map[string]bool   // output paths of this run below dir, in lower case
	keys   map[string]bool   // of the inputs
	old    map[string]string // by key of an earlier version's line, the key that replaces it
	gone   map[string]bool   // keys of lines whose output was pruned

	mu    sync.Mutex
	f     *os.File
	lines map[string]manifestLine // by key, from earlier runs
}

// manifestLine is the result for a file. During a run the last line of a file counts; at
// the end each file has only one.
type manifestLine struct {
	File     string    `json:"file"`               // as given
	Document string    `json:"document,omitempty"` // its lasting name; before the schema was recorded: its name in a bundle
	Schema   string    `json:"schema,omitempty"`   // export.ID
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	Plan     string    `json:"plan"`
	Out      string    `json:"out,omitempty"` // path below the folder of -o
	Bytes    int64     `json:"bytes"`         // of Out
	Chunks   int       `json:"chunks"`
	Notes    []string  `json:"notes,omitempty"` // parts that could not be read
	Error    string    `json:"error,omitempty"`
}

// key identifies the file. Lines of earlier versions have no schema; their names are made
// lasting, and a document of a bundle is below the bundle's.
func (l manifestLine) key() string {
	switch {
	case l.Schema != "":
		return l.Document
	case l.Document != "":
		return files.Lasting(l.File) + "\x00" + l.Document
	}
	return "\x00" + files.Lasting(l.File)
}

// was returns the key that an earlier version's line for an input has.
func (l manifestLine) was(in files.Input) string {
	l.Schema, l.Document = "", ""
	if in.Bundle != nil {
		l.Document = terminal.Called(in.Rel)
	}
	return l.key()
}

// openManifest opens a manifest and finds the files still to do. The caller must call
// close.
func openManifest(name, plan string, inputs []files.Input, out files.Output) (*manifest, error) {
	m := &manifest{name: name, dir: out.Name, plan: plan, all: map[string]bool{}, keys: map[string]bool{}, old: map[string]string{}, gone: map[string]bool{},
		lines: map[string]manifestLine{}}
	for i, in := range inputs {
		switch {
		case files.SameFile(name, out.Places[i]):
			return nil, terminal.Usagef("--manifest %s is also the output of %s: choose another file", terminal.Shown(name), terminal.Shown(in.Name))
		case files.SameFile(name, in.Name):
			return nil, terminal.Usagef("--manifest %s is also an input: choose another file", terminal.Shown(name))
		}
	}
	if err := m.read(); err != nil {
		return nil, err
	}
	for i, in := range inputs {
		l := manifestLine{File: terminal.Called(in.Name), Document: in.Document, Schema: export.ID, Plan: plan}
		m.keys[l.key()] = true
		if was, ok := m.lines[l.was(in)]; ok {
			m.keys[l.was(in)] = true
			m.old[l.was(in)] = l.key()
			if _, ok := m.lines[l.key()]; !ok {
				m.lines[l.key()] = was
			}
		}
		if info, err := os.Stat(in.Name); err == nil && in.Err == nil && in.Name != "-" {
			l.Size, l.Modified = info.Size(), info.ModTime().UTC()
		}
		l.Out = m.below(out.Places[i])
		m.all[strings.ToLower(l.Out)] = true
		if m.done(l, out.Places[i]) {
			m.before++
			continue
		}
		m.inputs, m.places, m.now = append(m.inputs, in), append(m.places, out.Places[i]), append(m.now, l)
	}
	m.clean(out.Places)
	var err error
	if m.f, err = os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666); err != nil {
		return nil, fmt.Errorf("write --manifest %s: %w", terminal.Shown(name), terminal.Reason(err))
	}
	return m, nil
}

func (m *manifest) below(place string) string {
	rel, err := filepath.Rel(m.dir, place)
	if err != nil {
		rel = place
	}
	return terminal.Called(filepath.ToSlash(rel))
}

// done reports whether a file is unchanged since its line was written, and its output is
// too.
func (m *manifest) done(l manifestLine, place string) bool {
	was, ok := m.lines[l.key()]
	if !ok || l.Modified.IsZero() || was.Error != "" || was.Plan != l.Plan || was.Out != l.Out || was.Size != l.Size || !was.Modified.Equal(l.Modified) {
		return false
	}
	info, err := os.Stat(place)
	return err == nil && info.Size() == was.Bytes
}

// read reads the lines of earlier runs, and rewrites the file if some are obsolete. The
// last line of a killed run may be incomplete.
func (m *manifest) read() error {
	f, err := os.Open(m.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("--manifest %s: %w", terminal.Shown(m.name), terminal.Reason(err))
	}
	defer f.Close()
	var order []string
	again := false
	for r := bufio.NewReader(f); ; {
		b, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("--manifest %s: %w", terminal.Shown(m.name), terminal.Reason(err))
		}
		if err != nil && len(b) == 0 {
			break
		}
		var l manifestLine
		switch bad := json.Unmarshal(b, &l); {
		case err != nil: // incomplete line
			again = true
			continue
		case bad != nil || l.File == "" || l.Plan == "":
			return terminal.Usagef("--manifest %s is not a manifest: choose a new file", terminal.Shown(m.name))
		}
		if _, ok := m.lines[l.key()]; ok {
			again = true
		} else {
			order = append(order, l.key())
		}
		m.lines[l.key()] = l
	}
	for was, now := range m.old {
		if _, ok := m.lines[now]; ok {
			m.gone[was] = true
		}
	}
	order = slices.DeleteFunc(order, func(key string) bool {
		again = again || m.gone[key]
		return m.gone[key]
	})
	if !again {
		return nil
	}
	return terminal.WriteOut(m.name, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for _, key := range order {
			if err := terminal.WriteJSON(out, m.lines[key]); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

// leftBehind is the age at which an unfinished file counts as abandoned.
const leftBehind = time.Hour

// clean removes unfinished files of killed runs.
func (m *manifest) clean(places []string) {
	seen := map[string]bool{}
	for _, p := range places {
		dir := filepath.Dir(p)
		if seen[dir] || len(m.lines) == 0 {
			continue
		}
		seen[dir] = true
		left, _ := filepath.Glob(filepath.Join(dir, terminal.Unfinished+"*")) // a dir with pattern characters matches less
		for _, name := range left {
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > leftBehind {
				os.Remove(name)
			}
		}
	}
}

// made records the output of input i. Its earlier output in another place is removed.
func (m *manifest) made(i, chunks int, size int64, notes []string) error {
	if m == nil {
		return nil
	}
	l := m.now[i]
	l.Chunks, l.Bytes, l.Notes = chunks, size, notes
	if err := m.add(l); err != nil {
		return err
	}
	was := m.lines[l.key()].Out
	if at := filepath.FromSlash(was); was != "" && !m.all[strings.ToLower(was)] && filepath.IsLocal(at) {
		os.Remove(filepath.Join(m.dir, at))
		os.Remove(cut.SettingsOf(filepath.Join(m.dir, at)))
	}
	return nil
}

// prune removes the outputs of files that are no longer among the inputs, and their lines.
// An output that was changed since is left where it is.
func (m *manifest) prune(std terminal.IO) {
	pruned := 0
	for key, l := range m.lines {
		if m.keys[key] {
			continue
		}
		m.gone[key] = true
		at := filepath.FromSlash(l.Out)
		if l.Out == "" || m.all[strings.ToLower(l.Out)] || !filepath.IsLocal(at) {
			continue
		}
		at = filepath.Join(m.dir, at)
		info, err := os.Lstat(at)
		switch {
		case err != nil:
			continue
		case !info.Mode().IsRegular() || info.Size() != l.Bytes:
			fmt.Fprintf(std.Err, "seam: %s was changed by another program: left as it is\n", terminal.Shown(at))
			continue
		}
		if err := os.Remove(at); err != nil {
			terminal.Report(std, fmt.Errorf("--prune: %w", terminal.Reason(err)))
			delete(m.gone, key)
			continue
		}
		os.Remove(cut.SettingsOf(at))
		pruned++
	}
	if pruned > 0 {
		fmt.Fprintf(std.Err, "seam: removed %s of documents that are no longer among the files\n", terminal.Count(pruned, "output"))
	}
}

// failed records the error of input i.
func (m *manifest) failed(i int, err error) error {
	if m == nil {
		return nil
	}
	l := m.now[i]
	l.Out, l.Error = m.lines[l.key()].Out, strings.ToValidUTF8(terminal.OneLine(err.Error()), "\ufffd")
	return m.add(l)
}

// add writes a line at once, so that it survives if the run is killed.
func (m *manifest) add(l manifestLine) error {
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	if err := errors.Join(terminal.WriteJSON(out, l), out.Flush()); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.f.Write(b.Bytes()); err != nil {
		return fmt.Errorf("%w: --manifest %s: %w", terminal.ErrOutput, terminal.Shown(m.name), terminal.Reason(err))
	}
	return nil
}

// close closes the manifest, and reports the files that were already done.
func (m *manifest) close(std terminal.IO) {
	if m == nil {
		return
	}
	err := m.f.Close()
	if err == nil {
		m.lines = map[string]manifestLine{}
		err = m.read() // leave one line per file
	}
	if err != nil {
		terminal.Report(std, err)
	}
	if m.before > 0 {
		fmt.Fprintf(std.Err, "seam: %d of %s already done and unchanged\n", m.before, terminal.Count(m.before+len(m.inputs), "file"))
	}
}

// planName identifies every setting that decides the result for a file, apart from the
// file.
func (c chunkCommand) planName(p pipeline.Plan, models *cut.Models) (string, error) {
	name := p.Embedder
	if name == pipeline.Auto {
		name = builtin.Name // or lexical, which is versioned with the methods
	}
	model, err := models.Hooks().Open(name)
	if err != nil {
		return "", err
	}
	plan, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("name a plan: %w", err)
	}
	unit := ""
	if file, ok := strings.CutPrefix(p.Limits.Unit, token.Tokenizer); ok {
		b, err := terminal.ReadInput(models.Std, file)
		if err != nil {
			return "", fmt.Errorf("--tokens %s: %w", p.Limits.Unit, err)
		}
		unit = fmt.Sprint(sha256.Sum256(b))
	}
	return files.DigestOf(read.Version, pipeline.Version, c.Format, string(plan), model.ID(), unit, export.ID, string(c.Offsets)), nil
}
