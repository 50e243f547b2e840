package cut

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"seam/proxy/command/files"
	"seam/proxy/command/hosted"
	"seam/proxy/command/terminal"
	"seam/proxy/ranks"
	"seam/proxy/upstream/prefix"
	"seam/proxy/vectorfile"
	"seam/shared/embed"
	"seam/shared/embed/builtin"
	"seam/shared/embed/encoder"
	"seam/shared/embed/meaning"
	"seam/shared/embed/precomputed"
	"seam/shared/embed/remote"
	"seam/shared/embed/static"
	"seam/shared/embed/static/tokenizer"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/token"
)

// EmbedderOptions are the options of every command that computes vectors.
type EmbedderOptions struct {
	Embedder string `default:"auto" placeholder:"E" help:"Embedder: ${embedders}, static:FOLDER (a Model2Vec model), encoder:PATH (a sentence encoder of the BERT family: its folder, or a file from seam model add), npy:FILE (your own vectors), cache:FILE (vectors of a bundle; the default for a bundle), or openai:MODEL, which sends the texts through --proxy or to --base-url."`
	DryRun   bool   `help:"Print the size and cost of the requests to a hosted model; send nothing."`
	hosted.ProxyOptions
	files.CacheOptions
}

// Check returns an error if the plan's embedder contradicts the other options.
func (o EmbedderOptions) Check(p pipeline.Plan) error {
	if p.Hosted() && !o.Hosted() {
		return terminal.Usagef("embedder %s needs "+hosted.HowHosted, p.Embedder)
	}
	return nil
}

// Models opens the embedders of one command, each once.
type Models struct {
	Std      terminal.IO
	Seam     string        // version of the program
	Proxy    *hosted.Proxy // nil if not needed
	store    embed.Store
	Cached   *files.FileCache              // nil if nothing of the files is cached
	Dial     func() (*hosted.Proxy, error) // connects to the proxy when first needed; nil: no connection is possible
	queries  bool                          // the command embeds queries
	mu       sync.Mutex                    // guards the fields below
	made     map[string]madeBy             // by the name of a cache
	missing  map[string]bool               // embedders already reported as missing
	opened   map[string]embed.Embedder     // by name
	counters map[string]token.Counter
}

// EmbedderNames returns a list for a help text: each embedder that takes no argument, with
// a short description.
func EmbedderNames() string {
	var names []string
	words := pipeline.AllEmbedderWords()
	for _, k := range pipeline.Embedders() {
		if k.Argument != "" {
			continue
		}
		name := k.Name
		if name == pipeline.DefaultEmbedder {
			name += ", the default"
		}
		names = append(names, fmt.Sprintf("%s (%s)", name, words[k.Name].Short))
	}
	return strings.Join(names, ", ")
}

// Open connects to the proxy if the plan needs it. The caller must close the result.
func (o EmbedderOptions) Open(ctx context.Context, std terminal.IO, b terminal.Build, p pipeline.Plan) (*Models, error) {
	m := o.Models(std)
	m.Seam = string(b)
	if !p.Hosted() {
		if o.Hosted() {
			m.Dial = func() (*hosted.Proxy, error) { return o.Connect(ctx, b) }
		}
		return m, nil
	}
	var err error
	m.Proxy, err = o.Connect(ctx, b)
	return m, err
}

// Models returns the models that the options select. It opens no model.
func (o EmbedderOptions) Models(std terminal.IO) *Models {
	m := &Models{Std: std, made: map[string]madeBy{}, missing: map[string]bool{}, opened: map[string]embed.Embedder{}, counters: map[string]token.Counter{}}
	if dir := o.Dir(); dir != "" {
		m.store = vectorfile.In(dir, vectorfile.DefaultLimit)
	}
	m.Cached = o.FileCache(std)
	return m
}

// Close ends the connection and reports vectors that could not be cached. It reports paid
// vectors first, then those that cost only time.
func (m *Models) Close() {
	m.Proxy.Close()
	told := false
	for _, e := range m.opened {
		if hosted, ok := e.(*remote.Embedder); ok && hosted.Trouble() != nil {
			told = true
			fmt.Fprintf(m.Std.Err, "seam: cannot cache the vectors of %s: %s\n", hosted.ID(), terminal.OneLine(hosted.Trouble().Error()))
		}
	}
	std := m.Std
	if told {
		std.Err = io.Discard // the same folder, so report it once
	}
	m.Cached.Close(std)
}

// Hooks returns the engine's hooks for embedders and counters.
func (m *Models) Hooks() pipeline.Hooks {
	return pipeline.Hooks{Embedder: m.Embedder, Counter: m.counter}
}

// counter returns the counter of a unit, which is opened once. Errors name the unit.
func (m *Models) counter(unit string) (token.Counter, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.counters[unit]; c != nil {
		return c, nil
	}
	c, err := m.openCounter(unit)
	if err == nil {
		m.counters[unit] = c
	}
	return c, err
}

func (m *Models) openCounter(unit string) (token.Counter, error) {
	file, ok := strings.CutPrefix(unit, token.Tokenizer)
	if !ok {
		return ranks.Open(unit)
	}
	b, err := terminal.ReadInput(m.Std, file)
	if err != nil {
		return nil, fmt.Errorf("--tokens %s: %w", unit, err)
	}
	t, err := tokenizer.Parse(b)
	if err != nil {
		return nil, fmt.Errorf("--tokens %s: %w", unit, err)
	}
	return fileCounter{t, unit}, nil
}

// fileCounter counts tokens with a tokenizer.json.
type fileCounter struct {
	*tokenizer.Tokenizer
	name string
}

func (c fileCounter) Name() string { return c.name }

// Embedder returns the embedder of a name. Errors name it.
func (m *Models) Embedder(name string) (embed.Embedder, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.opened[name]; e != nil {
		return e, nil
	}
	e, err := m.find(name)
	if err == nil {
		m.opened[name] = e
	}
	return e, err
}

func (m *Models) find(name string) (embed.Embedder, error) {
	kind, _ := pipeline.EmbedderOf(name)
	switch rest := strings.TrimPrefix(name, kind.Name); kind.Name {
	case builtin.Name:
		return builtin.Default()
	case meaning.Name:
		return meaning.Default()
	case pipeline.Static:
		return openStatic(rest)
	case pipeline.Encoder:
		return openEncoder(rest)
	case pipeline.Precomputed:
		v, err := precomputed.Parse(rest, func(file string) ([]byte, error) { return terminal.ReadInput(m.Std, file) })
		if err != nil {
			return nil, fmt.Errorf("read the vectors: %w", err)
		}
		return v, nil
	case pipeline.Bundled:
		return m.cached(name)
	case remote.Prefix:
		return m.remote(name, nil)
	}
	return nil, terminal.Usagef("unknown embedder %q", name)
}

// remote opens a hosted model. made is the ID of the embedder of stored vectors, whose
// prefixes are used, or nil.
func (m *Models) remote(name string, made *string) (embed.Embedder, error) {
	if m.Proxy == nil {
		return nil, terminal.Usagef("embedder %s needs "+hosted.HowHosted, name)
	}
	model, err := m.Proxy.Model(name, protocol.Embedding)
	if err != nil {
		return nil, err
	}
	if made != nil {
		model.Query, model.Passage = prefix.OfID(*made)
	}
	return remote.New(m.Proxy.Client, model, remote.Options{Proxy: m.Proxy.Address(name), Store: m.store}), nil
}

// openStatic opens the Model2Vec model in a folder.
func openStatic(dir string) (*static.Model, error) {
	fsys, name, err := folderOf(pipeline.Static, dir, "model.safetensors, tokenizer.json and config.json")
	if err != nil {
		return nil, err
	}
	m, err := static.Open(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("the model in %s: %w", filepath.Clean(dir), err)
	}
	return m, nil
}

// openEncoder opens the sentence encoder in a folder or in a packed file.
func openEncoder(dir string) (embed.Embedder, error) {
	info, err := os.Stat(dir)
	switch file := formerModel(dir); {
	case err == nil && info.Mode().IsRegular():
		return OpenPacked(dir)
	case err != nil && file != "":
		return nil, fmt.Errorf("%[1]s%[2]s: no such path; use this model's path, --embedder %[1]s%[3]s", pipeline.Encoder, dir, file)
	case err != nil:
		return nil, fmt.Errorf("%s%s: no such path; give a sentence-transformers folder, or a file from seam model add", pipeline.Encoder, dir)
	}
	fsys, name, err := folderOf(pipeline.Encoder, dir, "config.json, tokenizer.json and model.safetensors")
	if err != nil {
		return nil, err
	}
	m, err := encoder.Open(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("the model in %s: %w", filepath.Clean(dir), err)
	}
	return m.Embedder(), nil
}

// OpenPacked opens the sentence encoder in a packed file. If the file is something else,
// only its beginning is read, because it may have any size.
func OpenPacked(file string) (embed.Embedder, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", pipeline.Encoder, file, err)
	}
	defer f.Close()
	head := make([]byte, 16)
	n, _ := io.ReadFull(f, head)
	if !encoder.IsPacked(head[:n]) {
		return nil, fmt.Errorf("%s%s is not a packed encoder: give one, or a folder with config.json, tokenizer.json and model.safetensors", pipeline.Encoder, file)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s%s: %w", pipeline.Encoder, file, err)
	}
	m, err := encoder.OpenPacked(b, strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	if err != nil {
		return nil, fmt.Errorf("the model in %s: %w", file, err)
	}
	return m.Embedder(), nil
}

// folderOf returns a model's folder and its name. files lists the files the folder must
// hold, for the error.
func folderOf(prefix, dir, files string) (fs.FS, string, error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return nil, "", fmt.Errorf("%s%s: no such folder", prefix, dir)
	case !info.IsDir():
		return nil, "", fmt.Errorf("%s%s is a file: give a folder with %s", prefix, dir, files)
	}
	return os.DirFS(dir), filepath.Base(filepath.Clean(dir)), nil
}

// PackedEnd is the extension of packed encoders.
const PackedEnd = ".seamenc"

// formerModel returns the file in which an earlier version of seam stored a model of that
// name, or "".
func formerModel(name string) string {
	dir := os.Getenv("SEAM_MODELS")
	if dir == "" {
		config, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(config, "seam", "models")
	}
	at := filepath.Join(dir, name+PackedEnd)
	if _, err := os.Stat(at); err != nil || filepath.Base(name) != name {
		return ""
	}
	return at
}
