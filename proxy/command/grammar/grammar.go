// Package grammar finds commands and flags in the model of a command line.
package grammar

import (
	"slices"

	"github.com/alecthomas/kong"
)

// Child returns the command below n with a name, or nil.
func Child(n *kong.Node, name string) *kong.Node {
	i := slices.IndexFunc(n.Children, func(c *kong.Node) bool { return c.Name == name || slices.Contains(c.Aliases, name) })
	if i < 0 {
		return nil
	}
	return n.Children[i]
}

// Flag returns the matching flag of a command or its parents, or nil.
func Flag(n *kong.Node, is func(*kong.Flag) bool) *kong.Flag {
	for ; n != nil; n = n.Parent {
		if i := slices.IndexFunc(n.Flags, is); i >= 0 {
			return n.Flags[i]
		}
	}
	return nil
}

// TakesValue reports whether a flag needs a value.
func TakesValue(f *kong.Flag) bool { return !f.IsBool() && !f.IsCounter() }
