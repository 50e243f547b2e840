package command

import (
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"seam/proxy/command/grammar"
)

// flagsFirst moves files and queries after the flags, because kong takes a list of them
// only in one piece, and people type `seam search QUERY --json docs/`. Arguments that kong
// would refuse are left in place, for kong to report.
func flagsFirst(root *kong.Node, args []string) []string {
	node := root
	var head, names []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		child := grammar.Child(node, arg)
		switch {
		case arg == "--":
			return slices.Concat(head, args[i:i+1], names, args[i+1:])
		case len(arg) > 1 && arg[0] == '-':
			head = append(head, arg)
			if i+1 < len(args) && wantsNext(node, arg) {
				if i++; isNumber(args[i]) && strings.HasPrefix(args[i], "-") && strings.HasPrefix(arg, "--") {
					head[len(head)-1] += "=" + args[i] // kong would take -1 for a flag
				} else {
					head = append(head, args[i])
				}
			}
		case child != nil:
			node, head = child, append(head, arg)
		case len(node.Children) > 0:
			return args
		default:
			names = append(names, arg)
		}
	}
	return append(head, names...)
}

// wantsNext reports whether the next argument is the value of a flag.
func wantsNext(n *kong.Node, arg string) bool {
	if long, ok := strings.CutPrefix(arg, "--"); ok {
		f := grammar.Flag(n, func(f *kong.Flag) bool { return f.Name == long || slices.Contains(f.Aliases, long) })
		return f != nil && grammar.TakesValue(f) // never matches "--name=value"
	}
	for i, letter := range arg[1:] {
		f := grammar.Flag(n, func(f *kong.Flag) bool { return f.Short == letter })
		switch {
		case f == nil:
			return false
		case grammar.TakesValue(f):
			return 1+i+len(string(letter)) == len(arg)
		}
	}
	return false
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// former lists commands and flags that seam no longer has. Each has its command and its
// replacement.
var former = []struct{ command, word, now string }{
	{"", "diff", "use seam push --dry-run to preview a push"},
	{"model", "list", "give the path of a model's folder or file, --embedder encoder:PATH"},
	{"model", "remove", "give the path of a model's folder or file, --embedder encoder:PATH, and delete the file yourself"},
	{"search", "--expansions", "put extra search words into the lines of --enriched, see seam search -h"},
	{"model add", "--models", "set the file with --out"},
}

// replacementOf returns a sentence about the first command or flag in args that seam no longer has,
// with its replacement. It returns "" if all are current.
func replacementOf(args []string) string {
	for _, f := range former {
		words := strings.Fields(f.command)
		if len(args) <= len(words) || !slices.Equal(args[:len(words)], words) {
			continue
		}
		rest := args[len(words):]
		if !strings.HasPrefix(f.word, "--") {
			if rest[0] == f.word {
				return strconv.Quote(strings.TrimSpace(f.command+" "+f.word)) + " was removed: " + f.now
			}
			continue
		}
		if i := slices.Index(rest, "--"); i >= 0 {
			rest = rest[:i]
		}
		if slices.ContainsFunc(rest, func(arg string) bool { name, _, _ := strings.Cut(arg, "="); return name == f.word }) {
			return f.word + " was removed: " + f.now
		}
	}
	return ""
}
