package manual

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Man writes a man page of a program and all its commands, in the macros of man(7).
func Man(w io.Writer, root *kong.Node, version string) error {
	p := page{}
	p.line(`.TH SEAM 1 "" "seam %s" "User Commands"`, version)
	p.line(".SH NAME")
	p.line(`seam \- split documents by meaning, and search them`)
	p.line(".SH SYNOPSIS")
	p.line(`.B seam`)
	p.line(`.I command`)
	p.line(`[flags] [files]`)
	p.line(".SH DESCRIPTION")
	p.text(root.Help)
	p.line(".SH FLAGS OF EVERY COMMAND")
	p.flags(root.Flags)
	p.line(".SH COMMANDS")
	p.commands(root, "seam")
	p.line(".SH ENVIRONMENT")
	p.text("The variable of a flag is SEAM_ and its name in capitals, as in SEAM_MAX_TOKENS for --max-tokens. A flag that is also a key of the proxy's configuration has none.")
	p.entry("SEAM_DEFAULTS", "File of defaults, or off (default: seam/config.yaml in the user's configuration folder).")
	p.entry("SEAM_CACHE", "Folder of the cache, or off.")
	p.entry("OPENAI_API_KEY", "Key of the provider of hosted models.")
	p.entry("NO_COLOR, TERM", "With NO_COLOR, or TERM=dumb, seam prints no escape sequences.")
	p.line(".SH FILES")
	p.entry("~/.config/seam/config.yaml", "Defaults: flags without dashes, such as “method: recursive”, for every command, or below the name of a command for that one.")
	p.line(".SH EXIT STATUS")
	p.entry("0", "Success. For search: something was found.")
	p.entry("1", "The work failed, or a file of several did. For search: nothing was found.")
	p.entry("2", "The command line is wrong. For search: or the work failed.")
	p.entry("130", "Stopped by Ctrl-C. The status of serve is 0.")
	_, err := io.WriteString(w, p.String())
	return err
}

type page struct{ strings.Builder }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// text writes a text. Its indented lines are examples and keep their breaks.
func (p *page) text(s string) {
	example := false
	for _, l := range strings.Split(strings.TrimSpace(s), "\n") {
		indented := strings.HasPrefix(l, "  ")
		switch {
		case strings.TrimSpace(l) == "":
			if !example {
				p.line(".PP")
			}
			continue
		case indented && !example:
			p.line(".PP\n.nf")
		case !indented && example:
			p.line(".fi\n.PP")
		}
		example = indented
		p.line("%s", escaped(l))
	}
	if example {
		p.line(".fi")
	}
}

func (p *page) entry(term, help string) {
	p.line(".TP\n.B %s", escaped(term))
	p.line("%s", escaped(strings.Join(strings.Fields(help), " ")))
}

func (p *page) flags(flags []*kong.Flag) {
	for _, f := range flags {
		if !f.Hidden {
			p.entry(f.String(), f.Help)
		}
	}
}

// commands writes the commands below n, which are typed after path.
func (p *page) commands(n *kong.Node, path string) {
	for _, c := range n.Children {
		if c.Hidden {
			continue
		}
		name := path + " " + c.Name
		if len(c.Children) > 0 {
			p.commands(c, name)
			continue
		}
		p.line(".SS %s", escaped(name+positionals(c)))
		p.text(c.Help)
		if c.Detail != "" {
			p.line(".PP")
			p.text(c.Detail)
		}
		p.flags(c.Flags)
	}
}

func positionals(n *kong.Node) (s string) {
	for _, a := range n.Positional {
		s += " " + a.Summary()
	}
	return s
}

// escaped returns a text that troff does not take for commands.
func escaped(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
