package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/rawbytes"
	"github.com/knadh/koanf/v2"
)

// Source is where a configuration comes from.
type Source struct {
	Flags   map[string]Flag              // by key
	File    string                       // "": none
	Environ func() []string              // os.Environ
	Read    func(string) ([]byte, error) // os.ReadFile
}

// Flag is a value from the command line.
type Flag struct {
	Name  string // as it is typed: --addr
	Value any
}

// Loaded is a configuration and where its values stand, for errors.
type Loaded struct {
	Config
	file  string
	lines map[string]int    // key → line of the file
	from  map[string]string // key → flag or variable that has set it
}

// Load reads all that a source has, and checks it: see Check. The error is one
// line for each problem, and names the key and where it stands.
func (s Source) Load() (*Loaded, error) {
	l := &Loaded{Config: Default(), file: s.File, from: map[string]string{}}
	k := koanf.New(".")
	if s.File != "" {
		b, err := s.Read(s.File)
		if err != nil {
			return nil, fmt.Errorf("configuration %s: %w", s.File, unpath(err))
		}
		if l.lines, err = linesOf(b); err != nil {
			return nil, fmt.Errorf("configuration %s: %w", s.File, err)
		}
		if err := l.unknown(); err != nil {
			return nil, err
		}
		if err := k.Load(rawbytes.Provider(b), yaml.Parser()); err != nil {
			return nil, fmt.Errorf("configuration %s: %w", s.File, err)
		}
	}
	environment := map[string]any{}
	known := variables()
	for _, pair := range s.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if key, ok := known[name]; ok && value != "" {
			environment[key] = value
			l.from[key] = name
		}
	}
	flags := map[string]any{}
	for key, flag := range s.Flags {
		flags[key], l.from[key] = flag.Value, flag.Name
	}
	err := errors.Join(k.Load(confmap.Provider(environment, "."), nil), k.Load(confmap.Provider(flags, "."), nil))
	if err == nil {
		err = l.decode(k)
	}
	if err != nil {
		return nil, err
	}
	l.expand()
	return l, l.Check()
}

// expand makes what is said in short long.
func (l *Loaded) expand() {
	if l.BaseURL == "" {
		return
	}
	p := Provider{Name: "default", BaseURL: l.BaseURL, KeyEnv: "OPENAI_API_KEY"}
	for _, id := range l.EmbedModels {
		p.Models = append(p.Models, Model{ID: id, Kind: "embed"})
	}
	for _, id := range l.ChatModels {
		p.Models = append(p.Models, Model{ID: id, Kind: "chat"})
	}
	l.Providers = append(l.Providers, p)
}

// decode fills the configuration. Errors name the key.
func (l *Loaded) decode(k *koanf.Koanf) error {
	err := k.UnmarshalWithConf("", &l.Config, koanf.UnmarshalConf{DecoderConfig: &mapstructure.DecoderConfig{
		Result: &l.Config, TagName: "koanf", WeaklyTypedInput: true, ErrorUnused: true,
		DecodeHook: mapstructure.ComposeDecodeHookFunc(
			sizes, mapstructure.StringToTimeDurationHookFunc(), mapstructure.StringToSliceHookFunc(",")),
	}})
	var all []error
	for _, e := range each(err) {
		var bad *mapstructure.DecodeError
		if !errors.As(e, &bad) {
			all = append(all, fmt.Errorf("configuration: %w", e))
			continue
		}
		all = append(all, l.problem(bad.Name(), "%s", wanted(bad.Name(), bad.Unwrap())))
	}
	return errors.Join(all...)
}

// sizes reads Bytes, which YAML may give as a number or a word.
func sizes(_, to reflect.Type, data any) (any, error) {
	if to != reflect.TypeFor[Bytes]() {
		return data, nil
	}
	var b Bytes
	return b, b.UnmarshalText(fmt.Append(nil, data))
}

// each returns the errors that were joined to err.
func each(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, each(e)...)
		}
		return all
	}
	var bad *mapstructure.DecodeError
	if err != nil && !errors.As(err, &bad) && errors.Unwrap(err) != nil {
		return each(errors.Unwrap(err))
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// wanted says in words what a key should have been.
func wanted(key string, err error) string {
	schema := keys(reflect.TypeFor[Config](), "")
	t, ok := schema[general(key, schema)]
	switch {
	case !ok || t == reflect.TypeFor[Bytes]():
		return err.Error()
	case t == reflect.TypeFor[time.Duration]():
		return "takes a time like 30s"
	case t.Kind() == reflect.Slice:
		return "takes a list"
	case t.Kind() == reflect.Map || t.Kind() == reflect.Struct:
		return "takes a group of keys"
	case t.Kind() == reflect.Bool:
		return "takes true or false"
	case t.Kind() == reflect.String:
		return "takes a word"
	}
	return "takes a number"
}

// problem is an error about a key, with where it was set.
func (l *Loaded) problem(key, format string, args ...any) error {
	says := fmt.Sprintf(format, args...)
	if from := l.from[key]; from != "" {
		return fmt.Errorf("%s (%s): %s", from, key, says)
	}
	for at := key; l.file != ""; {
		if line := l.lines[at]; line > 0 {
			return fmt.Errorf("%s:%d: %s: %s", l.file, line, key, says)
		}
		i := strings.LastIndexAny(at, ".[")
		if i < 0 {
			break
		}
		at = at[:i]
	}
	return fmt.Errorf("%s: %s", key, says)
}

// unknown reports keys of the file that are none.
func (l *Loaded) unknown() error {
	schema := keys(reflect.TypeFor[Config](), "")
	var all []error
	for _, key := range slices.Sorted(maps.Keys(l.lines)) {
		if _, ok := schema[general(key, schema)]; ok {
			continue
		}
		says := "is no key"
		if near := nearest(general(key, schema), schema); near != "" {
			says += "; do you mean " + near + "?"
		}
		all = append(all, l.problem(key, "%s", says))
	}
	return errors.Join(all...)
}

// unpath is an error of the file system without the path, which is said already.
func unpath(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
