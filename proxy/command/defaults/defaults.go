// Package defaults gives flags of the command line the values of the environment and of the
// user's file.
package defaults

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"go.yaml.in/yaml/v3"

	"seam/proxy/command/grammar"
	"seam/proxy/command/terminal"
	"seam/proxy/config"
	"seam/proxy/spelling"
)

// variable names the file of defaults, or is off.
const variable = "SEAM_DEFAULTS"

// Defaults gives flags the values of the environment, or else of the user's file. It is a
// kong.Resolver.
//
// The variable of a flag is SEAM_ and its name in capitals, with _ for -. A flag has none if a
// proxy has a key of that name, or if it means only one run.
//
// The file is YAML: flags without dashes, for every command that has them, and commands, with
// flags for themselves.
type Defaults struct {
	environ func(string) (string, bool)
	file    string     // its name, for messages
	root    *yaml.Node // nil without a file
	used    []use
}

// use is a default that a flag got.
type use struct{ flag, value, from string }

// once lists flags without defaults: they print something else, or have a meaning in tests.
var once = []string{"help", "version", "name", "data"}

// Read reads the user's file of defaults, if there is one.
func Read() (*Defaults, error) {
	d := &Defaults{environ: os.LookupEnv}
	name, named := os.LookupEnv(variable)
	if !named || name == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return d, nil // without a home
		}
		name, named = filepath.Join(dir, "seam", "config.yaml"), false
	}
	if name == "off" {
		return d, nil
	}
	b, err := os.ReadFile(name)
	if err != nil && !named && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)) {
		return d, nil
	}
	var doc yaml.Node
	if err == nil {
		err = yaml.Unmarshal(b, &doc)
	}
	if err == nil && len(doc.Content) > 0 && doc.Content[0].Kind != yaml.MappingNode {
		err = errors.New("write lines such as “method: recursive”")
	}
	if err != nil {
		return d, fmt.Errorf("defaults %s: %s", terminal.Shown(name), strings.TrimPrefix(terminal.Reason(err).Error(), "yaml: "))
	}
	if d.file = name; len(doc.Content) > 0 {
		d.root = doc.Content[0]
	}
	return d, nil
}

// Validate implements kong.Resolver: every key of the file must be a flag or a command.
func (d *Defaults) Validate(app *kong.Application) error {
	if d.root == nil {
		return nil
	}
	return d.check(d.root, app.Node)
}

func (d *Defaults) check(m *yaml.Node, n *kong.Node) error {
	flags := flagNames(n)
	for key, value := range pairs(m) {
		child := grammar.Child(n, key.Value)
		switch {
		case child != nil && value.Kind == yaml.MappingNode:
			if err := d.check(value, child); err != nil {
				return err
			}
		case value.Kind == yaml.MappingNode || value.Kind == yaml.SequenceNode && slices.ContainsFunc(value.Content, func(v *yaml.Node) bool { return v.Kind != yaml.ScalarNode }):
			return fmt.Errorf("defaults %s:%d: %q is no command and takes one value, or a list", terminal.Shown(d.file), key.Line, key.Value)
		case slices.Contains(once, key.Value) || !slices.Contains(flags, key.Value):
			err := fmt.Errorf("defaults %s:%d: %q is no flag of seam%s", terminal.Shown(d.file), key.Line, key.Value, strings.TrimPrefix(n.FullPath(), "seam"))
			if near := spelling.Nearest(key.Value, flags, 2); near != "" {
				err = fmt.Errorf("%w: did you mean %s?", err, near)
			}
			return err
		}
	}
	return nil
}

// flagNames returns the flags of a command and of all below it.
func flagNames(n *kong.Node) (names []string) {
	for _, f := range n.Flags {
		names = append(names, f.Name)
	}
	for _, c := range n.Children {
		names = append(names, flagNames(c)...)
	}
	return names
}

// pairs yields the keys of a YAML mapping with their values.
func pairs(m *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		for i := 0; i+1 < len(m.Content); i += 2 {
			if !yield(m.Content[i], m.Content[i+1]) {
				return
			}
		}
	}
}

// Resolve implements kong.Resolver.
func (d *Defaults) Resolve(_ *kong.Context, parent *kong.Path, f *kong.Flag) (any, error) {
	if slices.Contains(once, f.Name) {
		return nil, nil
	}
	for _, name := range f.Envs { // kong has read it
		if _, ok := d.environ(name); ok {
			return nil, nil
		}
	}
	if name := variableOf(f.Name); name != "" && len(f.Envs) == 0 {
		if value, ok := d.environ(name); ok && value != "" {
			return d.give(f, value, name), nil
		}
	}
	var found *yaml.Node
	for m, names := d.root, commandPath(parent.Node()); m != nil; names = names[1:] {
		var next *yaml.Node
		for key, value := range pairs(m) {
			if key.Value == f.Name && value.Kind != yaml.MappingNode {
				found = value
			}
			if len(names) > 0 && key.Value == names[0] && value.Kind == yaml.MappingNode {
				next = value
			}
		}
		if m = next; len(names) == 0 {
			break
		}
	}
	if found == nil {
		return nil, nil
	}
	values := []string{found.Value}
	if found.Kind == yaml.SequenceNode {
		values = nil
		for _, v := range found.Content {
			values = append(values, v.Value)
		}
	}
	return d.give(f, strings.Join(values, ","), d.file), nil
}

func (d *Defaults) give(f *kong.Flag, value, from string) string {
	d.used = append(d.used, use{f.Name, value, from})
	return value
}

// commandPath returns the names of a command and the commands above it, without the
// program's.
func commandPath(n *kong.Node) (names []string) {
	for ; n != nil && n.Parent != nil; n = n.Parent {
		names = append([]string{n.Name}, names...)
	}
	return names
}

// variableOf returns the variable of a flag, or "" if it has none.
func variableOf(flag string) string {
	name := "SEAM_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
	if slices.Contains(once, flag) || slices.Contains(config.Variables(), name) {
		return ""
	}
	return name
}

// Variables are the names of the variables of all flags.
type Variables []string

// VariablesOf returns the variables of a program's flags.
func VariablesOf(root *kong.Node) (all Variables) {
	for _, flag := range flagNames(root) {
		if name := variableOf(flag); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// Behind names the defaults that an error mentions, as the end of its sentence.
func (d *Defaults) Behind(message string) string {
	for _, u := range d.used {
		if strings.Contains(message, "--"+u.flag) || u.value != "" && strings.Contains(message, u.value) {
			return fmt.Sprintf("; --%s %s comes from %s", u.flag, terminal.Shown(u.value), terminal.Shown(u.from))
		}
	}
	return ""
}

// Print names all defaults that flags got.
func (d *Defaults) Print(std terminal.IO) {
	for _, u := range d.used {
		fmt.Fprintf(std.Err, "seam: --%s %s, from %s\n", u.flag, terminal.Shown(u.value), terminal.Shown(u.from))
	}
}
