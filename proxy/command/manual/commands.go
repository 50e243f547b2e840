package manual

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"seam/proxy/command/cut"
	"seam/proxy/command/files"
	"seam/proxy/command/terminal"
)

// CompletionCommand is seam completion.
type CompletionCommand struct {
	Shell string   `arg:"" enum:"bash,zsh,fish,words" help:"bash, zsh or fish."`
	Words []string `arg:"" optional:"" hidden:"" help:"The words of a command line; used by the scripts."`
}

// Help is shown by --help.
func (CompletionCommand) Help() string {
	return `Prints a script that completes commands, flags and their values.

Examples:
  source <(seam completion bash)                                       # in ~/.bashrc
  source <(seam completion zsh)                                        # in ~/.zshrc, after compinit
  seam completion fish > ~/.config/fish/completions/seam.fish`
}

// Run prints a script, or the candidates for a command line.
func (c CompletionCommand) Run(std terminal.IO, root *kong.Node) error {
	switch {
	case c.Shell != "words" && len(c.Words) > 0:
		return terminal.Usagef("give one shell")
	case c.Shell != "words":
		_, err := io.WriteString(std.Out, Scripts[c.Shell])
		return err
	}
	list, takesFiles := Complete(root, c.Words, Values{
		"method": names(cut.MethodNames()), "as": files.Kinds(),
		"embedder": {"auto", "builtin", "meaning", "lexical", "static:", "encoder:", "openai:", "npy:", "cache:"},
		"tokens":   {"model", "words", "chars", "cl100k", "o200k", "tokenizer:"},
	})
	out := bufio.NewWriter(std.Out)
	for _, l := range list {
		fmt.Fprintf(out, "%s\t%s\n", l.Word, l.Help)
	}
	if takesFiles {
		fmt.Fprintln(out, ":files")
	}
	return out.Flush()
}

// names splits a list of names for a help text.
func names(list string) []string { return slices.Collect(strings.SplitSeq(list, ", ")) }

// ManCommand is seam man.
type ManCommand struct{}

// Help is shown by --help.
func (ManCommand) Help() string {
	return `Prints the man page of all commands.

Examples:
  seam man | man -l -
  seam man > ~/.local/share/man/man1/seam.1`
}

// Run prints the page.
func (ManCommand) Run(std terminal.IO, b terminal.Build, root *kong.Node) error {
	return Man(std.Out, root, string(b))
}
