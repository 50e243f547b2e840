package sites

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"seam/proxy/command/terminal"
	"seam/proxy/spelling"
)

const (
	// defaultConfig is read if --config names no file.
	defaultConfig = "seam-index.yaml"
	// oldConfig is read if there is no defaultConfig. It was also the name of a proxy's
	// configuration.
	oldConfig = "seam.yaml"
)

// configure fills options that the command line leaves open from a file. The file cannot
// choose the provider or the key, because it may have come with a site. It writes a note about
// a file with the old name to warn.
func (c *IndexCommand) configure(warn io.Writer) error {
	name := c.Config
	if name == "" {
		if name = defaultConfig; !exists(name) && exists(oldConfig) {
			name = oldConfig
		}
	}
	b, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.Config == "":
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", name, terminal.Reason(err))
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(b, &doc); err != nil {
		return fmt.Errorf("%s: %s", name, terminal.OneLine(strings.TrimPrefix(err.Error(), "yaml: ")))
	}
	if len(doc.Content) == 0 {
		return nil
	}
	root := doc.Content[0]
	old := filepath.Base(name) == oldConfig
	if key := proxyKey(root); key != nil {
		if c.Config == "" && old {
			fmt.Fprintf(warn, "seam: %s has the keys of a proxy's configuration, so it was not read: rename it to seam-proxy.yaml\n", name)
			return nil
		}
		return fmt.Errorf("%s:%d: %q is a key of a proxy's configuration: the settings of seam index belong in a file of their own, %s", name, key.Line, key.Value, defaultConfig)
	}
	if old {
		fmt.Fprintf(warn, "seam: %s is an old name: rename it to %s\n", name, defaultConfig)
	}
	return c.fill(name, root)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// proxyKey returns the key that shows that the file is a proxy's configuration, or nil.
func proxyKey(root *yaml.Node) *yaml.Node {
	for i := 0; root.Kind == yaml.MappingNode && i+1 < len(root.Content); i += 2 {
		if slices.Contains([]string{"providers", "base_url", "collections", "listen", "origins"}, root.Content[i].Value) {
			return root.Content[i]
		}
	}
	return nil
}

// fill sets the options from the keys of root.
func (c *IndexCommand) fill(name string, root *yaml.Node) error {
	if root.Kind != yaml.MappingNode {
		return fmt.Errorf("%s:%d: must have a setting on each line, such as site: public", name, root.Line)
	}
	words := map[string]*string{"site": &c.Site, "out": &c.Out, "expansions": &c.Expansions, "run": &c.RunFile, "model": &c.Model, "lang": &c.Lang}
	lists := map[string]*[]string{"body": &c.Body, "ignore": &c.Ignore, "include": &c.Include, "exclude": &c.Exclude, "folders": &c.Folders, "enrich": &c.Enrich}
	switches := map[string]*bool{"llms": &c.LLMs, "meaning": &c.Meaning}
	seen := map[string]bool{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		problem := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s: %s", name, key.Line, key.Value, fmt.Sprintf(format, args...))
		}
		if seen[key.Value] {
			return problem("is set twice")
		}
		seen[key.Value] = true
		if value.Tag == "!!null" {
			continue
		}
		switch word, list, on := words[key.Value], lists[key.Value], switches[key.Value]; {
		case word != nil:
			var v string
			if value.Kind != yaml.ScalarNode || value.Decode(&v) != nil {
				return problem("must be a text, such as %s: public", key.Value)
			}
			*word = cmp.Or(*word, v)
		case list != nil:
			var v oneOrMore
			if value.Decode(&v) != nil {
				return problem("must be a text or a list of texts")
			}
			if len(*list) == 0 {
				*list = v
			}
		case on != nil:
			var v bool
			if value.Decode(&v) != nil {
				return problem("must be true or false")
			}
			*on = *on || v
		default:
			known := []string{"site", "out", "body", "ignore", "include", "exclude", "folders", "lang", "llms", "meaning", "expansions", "enrich", "model", "run"}
			if near := spelling.Nearest(key.Value, known, min(3, len(key.Value)-1)); near != "" {
				return problem("is not a setting of seam index; did you mean %s?", near)
			}
			return problem("is not a setting of seam index; these are: %s", strings.Join(known, ", "))
		}
	}
	return nil
}

// oneOrMore is a YAML list that may also be written as a single value.
type oneOrMore []string

// UnmarshalYAML implements yaml.Unmarshaler.
func (l *oneOrMore) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		*l = oneOrMore{n.Value}
		return nil
	}
	return n.Decode((*[]string)(l))
}
