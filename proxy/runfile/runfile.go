// Package runfile keeps what an experiment was given by hosted models in one file: lines of
// JSON that are only ever appended. A run that was stopped, or killed, goes on from there,
// and one that is complete can be made again without anybody being asked.
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

// Head is the first line: what the run is of.
type Head struct {
	Seam     string          `json:"seam"` // the version that began it
	Pipeline string          `json:"pipeline"`
	Document string          `json:"document"` // its name
	SHA256   string          `json:"sha256"`   // of its text, in hex
	Settings json.RawMessage `json:"settings"`
}

// line is one of the file: the head, or one thing that a model gave.
type line struct {
	Head    *Head           `json:"run,omitempty"`
	Request *llm.Request    `json:"request,omitempty"`
	Reply   *llm.Reply      `json:"reply,omitempty"`
	Vector  string          `json:"vector,omitempty"`  // its key, in hex
	Numbers string          `json:"numbers,omitempty"` // float32, little-endian, in base64
	Result  string          `json:"result,omitempty"`  // its name
	Value   json.RawMessage `json:"value,omitempty"`
}

// begun are the first bytes of every run.
var begun = []byte(`{"run":{`)

// in calls do for the runs of a folder, NAME.jsonl: others may have files there, too.
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

// Usage is how many runs a folder has, and their bytes; what cannot be read is not counted.
func Usage(dir string) (runs int, size int64) {
	_ = in(dir, func(name string) {
		if info, err := os.Stat(name); err == nil {
			runs, size = runs+1, size+info.Size()
		}
	})
	return runs, size
}

// Clear takes the runs of a folder away, and the folder where nothing else is in it.
func Clear(dir string) (err error) {
	listing := in(dir, func(name string) {
		if gone := os.Remove(name); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	})
	os.Remove(dir) // which others may have files in
	return errors.Join(listing, err)
}

// isRun reports whether a file begins as a run does, or is one that was torn before.
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

// File is an open run. It is safe for concurrent use. A disk that is full does not end a run
// that was paid for: from there on it is kept in memory alone, and Trouble says why.
type File struct {
	mu      sync.Mutex
	file    *os.File // nil: it is only read
	trouble error    // why nothing is written any more
	replies map[string]llm.Reply
	vectors map[embed.Key][]float32
	results map[string]json.RawMessage
}

var (
	_ llm.Store   = (*File)(nil)
	_ embed.Store = (*File)(nil)
)

// None is a run that is kept in memory alone.
func None() *File {
	return &File{replies: map[string]llm.Reply{}, vectors: map[embed.Key][]float32{}, results: map[string]json.RawMessage{}}
}

// ErrOther says that a file is of another run.
var ErrOther = errors.New("it is of another run, whose file, settings or models differ")

// Open opens the run of a head, and begins it where there is none. A torn last line is
// ended, and not cut off: another program may be writing it, and more behind it. A file
// that is no run, or another one's, is an error and stays as it is.
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

// Replay opens the run of a head for reading alone: what it does not have, there is not.
func Replay(name string, head Head) (*File, error) {
	f := None()
	_, _, err := f.read(name, head)
	return f, err
}

// read reads a file. whole tells whether its first line is, torn whether its last one is not.
func (f *File) read(name string, head Head) (whole, torn bool, err error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return false, false, err
	}
	if !bytes.HasPrefix(b, begun) && !bytes.HasPrefix(begun, b) {
		return false, false, errors.New("it is no run of seam")
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
				return false, false, errors.New("it is no run of seam")
			case !l.Head.same(head):
				return false, false, ErrOther
			}
			continue
		}
		if err == nil { // what is damaged is asked for again
			f.take(l)
		}
	}
	return whole, torn, lines.Err()
}

// same tells whether two runs are of the same thing; a newer version goes on with an older
// one's.
func (h Head) same(o Head) bool {
	return h.Pipeline == o.Pipeline && h.SHA256 == o.SHA256 && bytes.Equal(h.Settings, o.Settings)
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

// Keep implements llm.Store. When it returns, a power cut would spare the answer,
// unless there is Trouble.
func (f *File) Keep(r llm.Request, reply llm.Reply) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.replies[r.Key()] = reply
	f.write(true, line{Request: &r, Reply: &reply})
	return nil
}

// Result is what KeepResult kept under a name.
func (f *File) Result(name string) (json.RawMessage, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v, ok := f.results[name]
	return v, ok
}

// KeepResult keeps a value, what a step of the run came to, under a name.
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

// Trouble is why the file lacks something of the run; nil: it does not.
func (f *File) Trouble() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.trouble
}

// write appends lines, to the disk itself if safe, until that fails for the first time: a
// line behind a torn one would be lost with it.
func (f *File) write(safe bool, lines ...line) {
	if f.file == nil || f.trouble != nil {
		return
	}
	if f.trouble = f.append(lines...); f.trouble == nil && safe {
		f.trouble = f.file.Sync()
	}
}

// append writes lines by one call, so that none is torn by another program's.
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
