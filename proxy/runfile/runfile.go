// Package runfile stores everything that hosted models returned to an experiment in one
// file of JSON lines, which is only appended to. A run that was stopped or killed continues
// from there. A complete run can be reproduced without any requests.
package runfile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"

	"seam/shared/embed"
	"seam/shared/llm"
)

// Head is the first line, which identifies the run.
type Head struct {
	Seam     string          `json:"seam"` // the version that began it
	Pipeline string          `json:"pipeline"`
	Document string          `json:"document"` // its name
	SHA256   string          `json:"sha256"`   // of its text, in hex
	Settings json.RawMessage `json:"settings"`
	Was      string          `json:"-"` // SHA256 under the name that earlier versions gave the document, or ""
}

// line is a line of the file: the head, or one result.
type line struct {
	Head    *Head           `json:"run,omitempty"`
	Request *llm.Request    `json:"request,omitempty"`
	Reply   *llm.Reply      `json:"reply,omitempty"`
	Vector  string          `json:"vector,omitempty"`  // its key, in hex
	Numbers string          `json:"numbers,omitempty"` // float32, little-endian, in base64
	Result  string          `json:"result,omitempty"`  // its name
	Value   json.RawMessage `json:"value,omitempty"`
}

// begun is the beginning of every run file.
var begun = []byte(`{"run":{`)

// in calls do for the runs in a folder, NAME.jsonl. It skips other files.
func in(dir string, do func(name string)) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if name := filepath.Join(dir, e.Name()); e.Type().IsRegular() && filepath.Ext(name) == ".jsonl" && isRun(name) {
			do(name)
		}
	}
	return err
}

// Usage returns the number of runs in a folder, and their bytes. Unreadable ones are not
// counted.
func Usage(dir string) (runs int, size int64) {
	_ = in(dir, func(name string) {
		if info, err := os.Stat(name); err == nil {
			runs, size = runs+1, size+info.Size()
		}
	})
	return runs, size
}

// Clear removes the runs in a folder, and the folder if nothing else is in it.
func Clear(dir string) (err error) {
	listing := in(dir, func(name string) {
		if gone := os.Remove(name); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	})
	os.Remove(dir) // fails if there are other files
	return errors.Join(listing, err)
}

// isRun reports whether a file begins like a run, or is the truncated beginning of one.
func isRun(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	b := make([]byte, len(begun))
	n, _ := io.ReadFull(f, b)
	return bytes.HasPrefix(begun, b[:n])
}

// File is an open run. It is safe for concurrent use. A full disk does not end a paid run:
// further results are kept only in memory, and Trouble returns the error.
type File struct {
	mu      sync.Mutex
	file    *os.File // nil: read only
	trouble error    // why writing has stopped
	replies map[string]llm.Reply
	vectors map[embed.Key][]float32
	results map[string]json.RawMessage
}

var (
	_ llm.Store   = (*File)(nil)
	_ embed.Store = (*File)(nil)
)

// None returns a run that is kept only in memory.
func None() *File {
	return &File{replies: map[string]llm.Reply{}, vectors: map[embed.Key][]float32{}, results: map[string]json.RawMessage{}}
}

// ErrOther reports a file of another run.
var ErrOther = errors.New("it is from another run, with a different document, settings or models")

// Open opens the run with a head, or begins it. If the last line is truncated, Open adds a
// newline instead of removing it, because another program may be writing it. If the file is
// not a run, or another run, Open returns an error and does not change it.
func Open(name string, head Head) (*File, error) {
	f := None()
	whole, torn, err := f.read(name, head)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if f.file, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600); err != nil {
		return nil, err
	}
	switch {
	case whole:
		if torn {
			_, f.trouble = f.file.Write([]byte("\n"))
		}
		return f, nil
	case torn:
		err = f.file.Truncate(0)
	}
	if err == nil {
		err = f.append(line{Head: &head})
	}
	if err != nil {
		f.file.Close()
		return nil, err
	}
	return f, nil
}

// Replay opens the run with a head read-only. Results that are not in the file are missing.
func Replay(name string, head Head) (*File, error) {
	f := None()
	_, _, err := f.read(name, head)
	return f, err
}

// read reads a file. whole reports whether its first line is complete, and torn whether its
// last line is truncated.
func (f *File) read(name string, head Head) (whole, torn bool, err error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return false, false, err
	}
	if !bytes.HasPrefix(b, begun) && !bytes.HasPrefix(begun, b) {
		return false, false, errors.New("it is not a run of seam")
	}
	ended := bytes.LastIndexByte(b, '\n') + 1
	whole, torn = ended > 0, ended < len(b)
	b = b[:ended]
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, len(b)+1)
	for n := 0; lines.Scan(); n++ {
		var l line
		err := json.Unmarshal(lines.Bytes(), &l)
		if n == 0 {
			switch {
			case err != nil || l.Head == nil:
				return false, false, errors.New("it is not a run of seam")
			case !l.Head.same(head):
				return false, false, ErrOther
			}
			continue
		}
		if err == nil { // damaged lines are requested again
			f.take(l)
		}
	}
	return whole, torn, lines.Err()
}

// same reports whether two heads identify the same run. The version may differ, so a newer
// version can continue an older run.
func (h Head) same(o Head) bool {
	return h.Pipeline == o.Pipeline && (h.SHA256 == o.SHA256 || o.Was != "" && h.SHA256 == o.Was) && bytes.Equal(h.Settings, o.Settings)
}

func (f *File) take(l line) {
	if l.Request != nil && l.Reply != nil {
		f.replies[l.Request.Key()] = *l.Reply
	}
	if l.Result != "" && l.Value != nil {
		f.results[l.Result] = l.Value
	}
	key, err := hex.DecodeString(l.Vector)
	if err != nil || len(key) != len(embed.Key{}) {
		return
	}
	b, err := base64.StdEncoding.DecodeString(l.Numbers)
	if err != nil || len(b)%4 != 0 {
		return
	}
	v := make([]float32, len(b)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	f.vectors[embed.Key(key)] = v
}

// Reply implements llm.Store.
func (f *File) Reply(r llm.Request) (llm.Reply, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	reply, ok := f.replies[r.Key()]
	return reply, ok
}

// Keep implements llm.Store. Unless there is Trouble, the answer survives a power failure
// once it returns.
func (f *File) Keep(r llm.Request, reply llm.Reply) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.replies[r.Key()] = reply
	f.write(true, line{Request: &r, Reply: &reply})
	return nil
}

// Result returns the value that KeepResult stored under a name.
func (f *File) Result(name string) (json.RawMessage, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, ok := f.results[name]
	return v, ok
}

// KeepResult stores a value under a name, as the result of a step of the run.
func (f *File) KeepResult(name string, value any) error {
	b, err := json.Marshal(value)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.results[name] = b
	f.write(true, line{Result: name, Value: b})
	return nil
}

// Get implements embed.Store.
func (f *File) Get(_ context.Context, keys []embed.Key) ([][]float32, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := make([][]float32, len(keys))
	for i, k := range keys {
		out[i] = f.vectors[k]
	}
	return out, nil
}

// Put implements embed.Store.
func (f *File) Put(_ context.Context, keys []embed.Key, vectors [][]float32) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	lines := make([]line, len(keys))
	for i, k := range keys {
		b := make([]byte, 0, 4*len(vectors[i]))
		for _, x := range vectors[i] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		lines[i] = line{Vector: hex.EncodeToString(k[:]), Numbers: base64.StdEncoding.EncodeToString(b)}
		f.vectors[k] = vectors[i]
	}
	f.write(false, lines...)
	return nil
}

// Trouble returns the error that stopped writing to the file, or nil.
func (f *File) Trouble() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.trouble
}

// write appends lines, and syncs them to disk if safe. It stops at the first error, because
// a line after a truncated one would be lost, too.
func (f *File) write(safe bool, lines ...line) {
	if f.file == nil || f.trouble != nil {
		return
	}
	if f.trouble = f.append(lines...); f.trouble == nil && safe {
		f.trouble = f.file.Sync()
	}
}

// append writes lines in one call, so that other programs' writes do not split them.
func (f *File) append(lines ...line) error {
	var b bytes.Buffer
	for _, l := range lines {
		if err := json.NewEncoder(&b).Encode(l); err != nil {
			return err
		}
	}
	_, err := f.file.Write(b.Bytes())
	return err
}

// Close closes the file.
func (f *File) Close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
