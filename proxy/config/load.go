package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"seam/proxy/spelling"
)

// Source is the source of a configuration.
type Source struct {
	Flags   map[string]Flag              // by key
	File    string                       // "": none
	Environ func() []string              // os.Environ
	Others  []string                     // variables of other commands, which are no mistake
	Read    func(string) ([]byte, error) // os.ReadFile
}

// Flag is a value from the command line.
type Flag struct {
	Name   string   // as typed: --addr
	Values []string // one, or several for a key that takes a list
}

// Loaded is a configuration with the places of its values, for errors.
type Loaded struct {
	Config
	file   string
	others []string          // Source.Others
	lines  map[string]int    // key → line of the file
	from   map[string]string // key → flag or variable that has set it

	// Note says how to rename the file if it has an old name; "" if it does not.
	Note string

	// Unknown lists variables that begin like ours but are not keys, do not resemble a key,
	// and are not named by the configuration. They may belong to other programs.
	Unknown []string
}

// Names of the file. The old one was also the name of the settings of seam index.
const (
	fileName = "seam-proxy.yaml"
	oldName  = "seam.yaml"
)

// indexKey returns the key that shows that root has the settings of seam index, or nil.
func indexKey(root *yaml.Node) *yaml.Node {
	for i := 0; i+1 < len(root.Content); i += 2 {
		if slices.Contains([]string{"site", "out", "folders", "meaning", "llms", "exclude", "ignore"}, root.Content[i].Value) {
			return root.Content[i]
		}
	}
	return nil
}

// Load reads everything from a source, and checks it with Check. The error has a line for
// each problem, with the key and its place.
func (s Source) Load() (*Loaded, error) {
	l := &Loaded{Config: Default(), file: s.File, others: s.Others, lines: map[string]int{}, from: map[string]string{}}
	config := reflect.ValueOf(&l.Config).Elem()
	var all []error
	if s.File != "" {
		root, err := s.parse(s.File)
		if old := filepath.Join(filepath.Dir(s.File), oldName); errors.Is(err, fs.ErrNotExist) && filepath.Base(s.File) == fileName {
			if found, oldErr := s.parse(old); !errors.Is(oldErr, fs.ErrNotExist) {
				root, err, l.file = found, oldErr, old
			}
		}
		if err != nil {
			return nil, fmt.Errorf("configuration %s: %w", l.file, err)
		}
		if key := indexKey(root); key != nil {
			return nil, fmt.Errorf("configuration %s:%d: %q is a setting of seam index: its file is called seam-index.yaml; a proxy's file, %s, has providers", l.file, key.Line, key.Value, fileName)
		}
		if filepath.Base(l.file) == oldName {
			l.Note = fmt.Sprintf("%s is an old name of this file: rename it to %s", l.file, fileName)
		}
		all = l.fill(root, config, "")
	}
	known := variables(config, "")
	for _, pair := range s.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if to, ok := known[name]; ok && value != "" {
			l.from[to.key] = name
			all = append(all, l.fill(word(value), to.value, to.key)...)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Flags)) {
		flag := s.Flags[key]
		to, ok := known[variable(key)]
		if !ok || len(flag.Values) == 0 {
			return nil, fmt.Errorf("%s: %q is not a known key, or has no value", flag.Name, key)
		}
		node := word(flag.Values[0])
		if to.value.Kind() == reflect.Slice {
			node = words(flag.Values)
		}
		l.from[key] = flag.Name
		all = append(all, l.fill(node, to.value, key)...)
	}
	all = append(all, l.unknownVariables(s.Environ(), known)...)
	if err := errors.Join(all...); err != nil {
		return nil, err
	}
	l.expand()
	return l, l.Check()
}

// unknownVariables finds variables that are not keys. A variable that resembles a key is an error,
// as in the file, because a misspelt budget would not limit anything. Values are never
// shown.
func (l *Loaded) unknownVariables(environ []string, known map[string]setting) (all []error) {
	named := map[string]bool{"SEAM_DEFAULTS": true, l.Budget.Book.PasswordEnv: true, l.Trace.HeaderEnv: true, "SEAM_REMOTE_KEY": true, "SEAM_PROXY": true, "SEAM_PROXY_TOKEN": true, "SEAM_CACHE": true, "SEAM_MODELS": true, "SEAM_DATA": true, "SEAM_LONG": true, "SEAM_LOCAL_PORTS": true} // used by seam's other commands, and by tests
	for _, p := range l.Providers {
		named[p.KeyEnv] = true
	}
	for _, c := range l.Collections {
		named[c.KeyEnv] = true
	}
	for _, c := range l.Session.Callers {
		named[c.TokenEnv] = true
	}
	for _, name := range l.others {
		named[name] = true
	}
	names := slices.Sorted(maps.Keys(known))
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		if _, ok := known[name]; ok || named[name] || !strings.HasPrefix(name, "SEAM_") {
			continue
		}
		near := nearest(name, names)
		if near != "" && spelling.Distance(name, near) <= max(1, (len(name)-len("SEAM_"))/3) {
			all = append(all, fmt.Errorf("%s: is not a known key; did you mean %s?", name, near))
		} else {
			l.Unknown = append(l.Unknown, name)
		}
	}
	return all
}

// parse reads a file. An empty file counts as a group without keys.
func (s Source) parse(file string) (*yaml.Node, error) {
	b, err := s.Read(file)
	var path *os.PathError
	if errors.As(err, &path) {
		return nil, path.Err // the path is in the message already
	}
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return nil, fmt.Errorf("invalid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(doc.Content) == 0 {
		return &yaml.Node{Kind: yaml.MappingNode}, nil
	}
	if root := doc.Content[0]; root.Kind != yaml.MappingNode {
		return nil, fmt.Errorf("not a mapping of keys: line %d", root.Line)
	}
	return doc.Content[0], nil
}

// word returns a node for a value from outside the file, and words for a list of them.
func word(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

func words(all []string) *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, s := range all {
		list.Content = append(list.Content, word(s))
	}
	return list
}

// expand turns short forms into full ones.
func (l *Loaded) expand() {
	if l.BaseURL == "" {
		return
	}
	p := Provider{Name: "default", BaseURL: l.BaseURL, KeyEnv: "OPENAI_API_KEY", Timeout: l.Timeout}
	for _, id := range l.EmbedModels {
		p.Models = append(p.Models, Model{ID: id, Kind: "embed", QueryPrefix: l.QueryPrefix, PassagePrefix: l.PassagePrefix})
	}
	for _, id := range l.ChatModels {
		p.Models = append(p.Models, Model{ID: id, Kind: "chat"})
	}
	l.Providers = append(l.Providers, p)
}

// problem returns an error about a key, with the place where it was set.
func (l *Loaded) problem(key, format string, args ...any) error {
	says := fmt.Sprintf(format, args...)
	for at := key; at != ""; at = at[:max(0, strings.LastIndexAny(at, ".["))] {
		if from := l.from[at]; from != "" {
			return fmt.Errorf("%s (%s): %s", from, key, says)
		}
		if line := l.lines[at]; line > 0 {
			return fmt.Errorf("%s:%d: %s: %s", l.file, line, key, says)
		}
	}
	return fmt.Errorf("%s: %s", key, says)
}
