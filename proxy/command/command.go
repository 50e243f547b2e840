// Package command implements the command line of seam. Each command has its own file and
// struct: kong fills the struct, and its Run does the work.
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"seam/proxy/command/agents"
	"seam/proxy/command/ask"
	"seam/proxy/command/collections"
	"seam/proxy/command/cut"
	"seam/proxy/command/defaults"
	"seam/proxy/command/evaluate"
	"seam/proxy/command/files"
	"seam/proxy/command/manual"
	"seam/proxy/command/sites"
	"seam/proxy/command/terminal"
	"seam/shared/charset"
	"seam/shared/chunk"
)

// Exit statuses, the same for every command.
const (
	exitOK     = 0
	exitFailed = 1 // the work failed; one line on stderr says why
	exitUsage  = 2 // the command line is wrong

	// A search ends as grep does.
	exitNothing      = 1
	exitSearchFailed = 2

	exitStopped = 130 // stopped by Ctrl-C; the value shells use
)

// cli is the whole command line. The help of each command ends in an example.
type cli struct {
	Serve       serveCommand             `cmd:"" help:"Serve the page on this machine."`
	Chunk       chunkCommand             `cmd:"" help:"Split documents into chunks by meaning."`
	Schema      cut.SchemaCommand        `cmd:"" help:"Print the JSON Schema of the chunks' files."`
	Bundle      bundleCommand            `cmd:"" help:"Store documents, vectors and chunks in one file."`
	Search      searchCommand            `cmd:"" help:"Search documents, best chunk first."`
	Index       sites.IndexCommand       `cmd:"" help:"Build a site's search index."`
	Push        collections.PushCommand  `cmd:"" help:"Store chunks and vectors in a search engine."`
	Mcp         agents.MCPCommand        `cmd:"" help:"Serve documents, or a site's index, to agents (MCP), over stdin and stdout."`
	Ask         ask.Command              `cmd:"" help:"Answer a question from documents with a hosted model."`
	Embed       embedCommand             `cmd:"" help:"Print the vectors of texts."`
	Text        textCommand              `cmd:"" help:"Print a document's text."`
	Sentences   sentencesCommand         `cmd:"" help:"Print a text's sentences, one JSON object per line."`
	Breakpoints breakpointsCommand       `cmd:"" help:"Find breakpoints between existing vectors."`
	Enrich      enrichCommand            `cmd:"" help:"Write statements or headers for chunks with a model."`
	Eval        evaluate.EvalCommand     `cmd:"" help:"Measure chunking against known segments or answers."`
	Model       modelCommand             `cmd:"" help:"Pack sentence encoders."`
	Cache       cacheCommand             `cmd:"" help:"List stored data, or delete it."`
	Completion  manual.CompletionCommand `cmd:"" help:"Print a script that completes command lines."`
	Man         manual.ManCommand        `cmd:"" help:"Print the man page."`
	AnyText     bool                     `help:"Also read texts that look like no language, such as base64."`
	Encoding    string                   `placeholder:"NAME" help:"Encoding of the texts, such as windows-1251 or shift_jis (default: found in each)."`
	As          string                   `placeholder:"TYPE" help:"Read the files as ${kinds} (default: by content and name)."`
	Name        string                   `placeholder:"NAME" help:"Name of the document on stdin, such as notes.md."`
	HiddenText  bool                     `help:"Keep text that nobody sees on the pages of a PDF (white, invisible or tiny) in the reading view."`
	Memory      string                   `placeholder:"SIZE" help:"Most memory for vectors, such as 2GB (default: what the machine has free)."`
	Quiet       bool                     `short:"q" help:"Print no notes and no progress, only results and errors."`
	Verbose     bool                     `short:"v" help:"Also print how each file was read and cut, and the defaults in use."`
	Version     kong.VersionFlag         `help:"Print the version."`
}

// Main runs the command line args and returns the exit status. Results go to
// std.Out; an error is one line on std.Err.
func Main(version string, args []string, std terminal.IO) int {
	if len(args) == 1 && args[0] == "--version" { // without the work of building the parser
		fmt.Fprintln(std.Out, "seam", version)
		return exitOK
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process
	std.In, std.Out = terminal.NewStdin(ctx, std.In, std.Err), terminal.NewStdout(ctx, std.Out)
	given, err := defaults.Read()
	if err != nil {
		terminal.Report(std, err)
		return exitUsage
	}
	var c cli
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("seam"),
		kong.Description("Seam splits documents by meaning, searches them, and shows why it cut where it cut.\nNothing leaves this machine unless you name a hosted model."),
		kong.Writers(std.Out, std.Err),
		kong.Vars{"version": "seam " + version, "methods": cut.MethodNames(), "embedders": cut.EmbedderNames(), "pipelines": evaluate.PipelineNames(), "size": strconv.Itoa(chunk.DefaultSize), "clusterSize": strconv.Itoa(chunk.DefaultCluster),
			"formats": files.Formats.List("or"), "kinds": strings.Join(files.Kinds(), ", "), "mostTokens": strconv.Itoa(chunk.DefaultMax), "leastTokens": strconv.Itoa(chunk.DefaultMin)},
		kong.Exit(func(code int) { exited = code }),
		kong.KindMapper(reflect.String, kong.MapperFunc(asItIs)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Resolvers(given),
		kong.Bind(std, terminal.Build(version)),
	)
	if err != nil {
		fmt.Fprintln(std.Err, "seam:", err)
		return exitFailed
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	if now := replacementOf(args); now != "" {
		fmt.Fprintln(std.Err, "seam:", now)
		return exitUsage
	}
	run, err := parser.Parse(flagsFirst(parser.Model.Node, args))
	if exited >= 0 { // --help or --version has printed its text
		return exited
	}
	if err != nil {
		fmt.Fprintf(std.Err, "seam: %s%s; see `seam %s-h`\n", terminal.OneLine(err.Error()), given.Behind(err.Error()), commandOf(parser, args))
		return exitUsage
	}
	if std, err = c.settle(std, args); err != nil {
		terminal.Report(std, err)
		return exitUsage
	}
	if c.Verbose {
		given.Print(std)
	}
	run.Bind(std)
	run.Bind(defaults.VariablesOf(parser.Model.Node), parser.Model.Node)
	return statusOf(std, run.Run(), given)
}

// settle returns the streams with the options of every command.
func (c *cli) settle(std terminal.IO, args []string) (terminal.IO, error) {
	if err := cmp.Or(files.SetRoom(c.Memory), files.CheckKind(c.As)); err != nil {
		return std, err
	}
	switch {
	case c.Quiet && c.Verbose:
		return std, terminal.Usagef("--quiet and --verbose exclude each other: leave one out")
	case c.Name != "" && !readsStdin(args):
		return std, terminal.Usagef("--name names stdin, which no argument reads: give -")
	case !charset.Known(c.Encoding):
		return std, terminal.Usagef("--encoding %s: %w", terminal.Shown(c.Encoding), charset.ErrUnknown)
	case c.Quiet:
		std = std.Quiet()
	}
	std.AnyText, std.Encoding, std.As, std.Name, std.HiddenText, std.Verbose = c.AnyText, c.Encoding, c.As, c.Name, c.HiddenText, c.Verbose
	return std, nil
}

// statusOf prints the error of a command and returns the exit status.
func statusOf(std terminal.IO, err error, given *defaults.Defaults) int {
	switch usage := (terminal.UsageError{}); {
	case err == nil || errors.Is(err, syscall.EPIPE):
		return exitOK
	case errors.Is(err, terminal.ErrDry) && !errors.Is(err, terminal.ErrReported): // else it lacks a file
		return exitOK
	case errors.As(err, &usage):
		terminal.Report(std, fmt.Errorf("%w%s", err, given.Behind(err.Error())))
		return exitUsage
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(std.Err, "seam: stopped")
		return exitStopped
	case errors.Is(err, terminal.ErrNothing):
		return exitNothing
	case !errors.Is(err, terminal.ErrReported):
		terminal.Report(std, err)
	}
	if errors.As(err, &terminal.Failure{}) {
		return exitSearchFailed
	}
	return exitFailed
}

// asItIs takes an argument unchanged. kong would replace invalid UTF-8 with U+FFFD, but
// file names can be any bytes.
func asItIs(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err == nil {
		target.SetString(token.String())
	}
	return err
}

// readsStdin reports whether a command line names stdin, or its command reads stdin if no
// argument names a file.
func readsStdin(args []string) bool {
	return slices.Contains(args, "-") || slices.Contains([]string{"sentences", "embed"}, args[0])
}

// commandOf returns the command that args begin with and a space, or "".
func commandOf(parser *kong.Kong, args []string) string {
	for _, c := range parser.Model.Children {
		if len(args) > 0 && c.Name == args[0] {
			return c.Name + " "
		}
	}
	return ""
}
