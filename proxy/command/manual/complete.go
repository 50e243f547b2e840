package manual

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"seam/proxy/command/grammar"
)

// Candidate is a word that may come next on a command line.
type Candidate struct {
	Word string
	Help string // one line; may be empty
}

// Values lists the values of flags whose model has no enumeration, by the flag's name.
type Values map[string][]string

// Complete returns the words that may replace the last of words, which may be empty or begun.
// files reports whether the name of a file may, too. The words are the arguments of a command
// line; bash makes "=" a word of its own.
func Complete(root *kong.Node, words []string, values Values) (list []Candidate, files bool) {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	before := joined(words[:len(words)-1])
	node, only := root, false
	var wants *kong.Flag
	for _, w := range before {
		switch {
		case wants != nil:
			wants = nil
		case only:
		case w == "--":
			only = true
		case strings.HasPrefix(w, "-"):
			if f := flagOf(node, w); f != nil && grammar.TakesValue(f) && !strings.Contains(w, "=") {
				wants = f
			}
		case grammar.Child(node, w) != nil:
			node = grammar.Child(node, w)
		}
	}
	if len(before) > 0 && strings.HasSuffix(before[len(before)-1], "=") {
		f := flagOf(node, strings.TrimSuffix(before[len(before)-1], "="))
		return valuesOf(f, last, "", values)
	}
	switch name, value, given := strings.Cut(last, "="); {
	case wants != nil:
		return valuesOf(wants, last, "", values)
	case only:
		return nil, true
	case strings.HasPrefix(last, "--") && given:
		return valuesOf(flagOf(node, name), value, name+"=", values)
	case strings.HasPrefix(last, "-"):
		return flagsOf(node, last), false
	}
	for _, c := range node.Children {
		if strings.HasPrefix(c.Name, last) && !c.Hidden {
			list = append(list, Candidate{c.Name, oneLine(c.Help)})
		}
	}
	return list, len(node.Children) == 0
}

// joined puts "--flag", "=" and "value" together, which bash passes as three words.
func joined(words []string) (out []string) {
	for i := 0; i < len(words); i++ {
		if words[i] == "=" && len(out) > 0 {
			out[len(out)-1] += "="
			if i+1 < len(words) {
				i++
				out[len(out)-1] += words[i]
			}
			continue
		}
		out = append(out, words[i])
	}
	return out
}

// flagOf returns the flag of a command, or of a command above it, that is written as word.
func flagOf(n *kong.Node, word string) *kong.Flag {
	name, _, _ := strings.Cut(word, "=")
	return grammar.Flag(n, func(f *kong.Flag) bool {
		return name == "--"+f.Name || f.Short != 0 && name == "-"+string(f.Short)
	})
}

// flagsOf returns the flags that begin with a word.
func flagsOf(n *kong.Node, word string) (list []Candidate) {
	for ; n != nil; n = n.Parent {
		for _, f := range n.Flags {
			names := []string{"--" + f.Name}
			if f.Tag.Negatable != "" {
				names = append(names, "--no-"+f.Name)
			}
			for _, name := range names {
				if strings.HasPrefix(name, word) && !f.Hidden {
					list = append(list, Candidate{name, oneLine(f.Help)})
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b Candidate) int { return strings.Compare(a.Word, b.Word) })
	return list
}

// valuesOf returns the values of a flag that begin with a word, each after lead.
func valuesOf(f *kong.Flag, word, lead string, values Values) (list []Candidate, files bool) {
	if f == nil {
		return nil, true
	}
	all := values[f.Name]
	if f.Enum != "" {
		all = f.EnumSlice()
	}
	for _, v := range all {
		if v != "" && strings.HasPrefix(v, word) {
			list = append(list, Candidate{lead + v, ""})
		}
	}
	return list, len(all) == 0
}

// oneLine returns the beginning of a help text, up to a full stop, a colon or a bracket.
func oneLine(help string) string {
	help = strings.Join(strings.Fields(help), " ")
	for _, end := range []string{". ", ": ", " ("} {
		help, _, _ = strings.Cut(help, end)
	}
	return strings.TrimSuffix(help, ".")
}
