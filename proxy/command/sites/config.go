package sites

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"go.yaml.in/yaml/v3"

	"seam/proxy/command/terminal"
)

// defaultConfig is read if --config names no file.
const defaultConfig = "seam.yaml"

// configure fills options that the command line leaves open from a file. The file cannot
// choose the provider or the key, because it may have come with a site.
func (c *IndexCommand) configure() error {
	name := cmp.Or(c.Config, defaultConfig)
	b, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && c.Config == "":
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", name, terminal.Reason(err))
	}
	var told struct {
		Site, Out, Expansions, Lang    string
		Folders, Enrich                oneOrMore
		Model, Run                     string
		Body, Ignore, Include, Exclude []string
		LLMs                           bool `yaml:"llms"`
		Meaning                        bool
	}
	d := yaml.NewDecoder(bytes.NewReader(b))
	d.KnownFields(true)
	if err := d.Decode(&told); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %s", name, terminal.OneLine(strings.TrimPrefix(err.Error(), "yaml: ")))
	}
	c.Site, c.Out = cmp.Or(c.Site, told.Site), cmp.Or(c.Out, told.Out)
	c.Expansions, c.RunFile = cmp.Or(c.Expansions, told.Expansions), cmp.Or(c.RunFile, told.Run)
	c.Model, c.Lang = cmp.Or(c.Model, told.Model), cmp.Or(c.Lang, told.Lang)
	c.LLMs, c.Meaning = c.LLMs || told.LLMs, c.Meaning || told.Meaning
	for _, l := range []struct {
		to   *[]string
		from []string
	}{{&c.Body, told.Body}, {&c.Ignore, told.Ignore}, {&c.Include, told.Include}, {&c.Exclude, told.Exclude}, {&c.Folders, told.Folders}, {&c.Enrich, told.Enrich}} {
		if len(*l.to) == 0 {
			*l.to = l.from
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
