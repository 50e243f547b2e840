// Package command is the command line of seam: one file a command, each a
// struct that kong fills and whose Run does the work.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"seam/shared/chunk"
)

// Exit statuses, the same for every command.
const (
	exitOK     = 0
	exitFailed = 1 // the work could not be done; one line on stderr says why
	exitUsage  = 2 // the command line is wrong

	exitStopped = 130 // by Ctrl-C, as shells have it
)

// IO is what a command reads from and writes to.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
}

// cli is the whole command line; the help of each command ends in an example.
type cli struct {
	Serve       serveCommand       `cmd:"" help:"Serve the page on this machine."`
	Chunk       chunkCommand       `cmd:"" help:"Split documents into chunks by meaning."`
	Bundle      bundleCommand      `cmd:"" help:"Keep documents with their vectors and chunks in one file, to cut them again offline."`
	Search      searchCommand      `cmd:"" help:"Search documents, best chunk first."`
	Index       indexCommand       `cmd:"" help:"Make the search of a built web site: an index and a widget."`
	Push        pushCommand        `cmd:"" help:"Bring chunks with their vectors into a search engine."`
	Diff        diffCommand        `cmd:"" help:"Tell what a push would do."`
	Mcp         mcpCommand         `cmd:"" help:"Let agents search a web site's index, over stdin and stdout."`
	Ask         askCommand         `cmd:"" help:"Have a hosted model answer a question from documents."`
	Embed       embedCommand       `cmd:"" help:"Print the vectors of texts."`
	Text        textCommand        `cmd:"" help:"Print the text of a document."`
	Sentences   sentencesCommand   `cmd:"" help:"Print the sentences of a text, one JSON object a line."`
	Breakpoints breakpointsCommand `cmd:"" help:"Find the breakpoints between vectors made elsewhere."`
	Enrich      enrichCommand      `cmd:"" help:"Have a model write what chunks can be found by: statements, headers."`
	Eval        evalCommand        `cmd:"" help:"Measure chunks against known segments, or against known answers."`
	Model       modelCommand       `cmd:"" help:"Keep sentence encoders, by which texts are compared."`
	Cache       cacheCommand       `cmd:"" help:"Tell what is kept between runs, and clear it."`
	Version     kong.VersionFlag   `help:"Print the version."`
}

// build is the program's version.
type build string

// usageError is an error of the caller's: it ends with exit status 2.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// Main runs the command line args and returns the exit status. Results go to
// std.Out; an error is one line on std.Err.
func Main(version string, args []string, std IO) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends what does not end
	std.In, std.Out = newStdin(ctx, std.In), &stdout{Writer: std.Out, ctx: ctx}
	var c cli
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("seam"),
		kong.Description("Seam splits documents by meaning, searches them, and shows why it cut where it cut.\nNothing leaves this machine unless you name a hosted model."),
		kong.Writers(std.Out, std.Err),
		kong.Vars{"version": "seam " + version, "methods": methodNames(), "pipelines": pipelineNames(), "size": strconv.Itoa(chunk.DefaultSize), "clusterSize": strconv.Itoa(chunk.DefaultCluster),
			"formats": formats.List("or") + ", bundles", "mostTokens": strconv.Itoa(chunk.DefaultMax), "leastTokens": strconv.Itoa(chunk.DefaultMin)},
		kong.Exit(func(code int) { exited = code }),
		kong.KindMapper(reflect.String, kong.MapperFunc(asItIs)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(std, build(version)),
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
	run, err := parser.Parse(flagsFirst(parser.Model.Node, args))
	if exited >= 0 { // --help and --version have printed and want to end
		return exited
	}
	if err != nil {
		fmt.Fprintf(std.Err, "seam: %s; see `seam %s-h`\n", oneLine(err.Error()), commandOf(parser, args))
		return exitUsage
	}
	err = run.Run()
	switch usage := (usageError{}); {
	case err == nil || errors.Is(err, errDry) || errors.Is(err, syscall.EPIPE):
		return exitOK
	case errors.As(err, &usage):
		report(std, err)
		return exitUsage
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(std.Err, "seam: stopped")
		return exitStopped
	case !errors.Is(err, errReported):
		report(std, err)
	}
	return exitFailed
}

// asItIs takes an argument as it is: kong would put U+FFFD where it is no UTF-8, and
// names of files are bytes.
func asItIs(ctx *kong.DecodeContext, target reflect.Value) error {
	token, err := ctx.Scan.PopValue("string")
	if err == nil {
		target.SetString(token.String())
	}
	return err
}

// errReported ends a command as failed when its errors were printed already.
var errReported = errors.New("reported")

// report prints an error as the one line that it is.
func report(std IO, err error) { fmt.Fprintf(std.Err, "seam: %s\n", oneLine(err.Error())) }

// commandOf returns the command's name and a blank where args begin with one.
func commandOf(parser *kong.Kong, args []string) string {
	for _, c := range parser.Model.Children {
		if len(args) > 0 && c.Name == args[0] {
			return c.Name + " "
		}
	}
	return ""
}

// oneLine keeps an error on the one line that scripts expect.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// mostInput is how many bytes of a file are read: what is longer is no document, but the
// image of a disk or a log without an end, and would end the program without a word.
const mostInput = 4 << 30

// readInput reads a file, or stdin for "-". Errors name the file.
func readInput(std IO, name string) ([]byte, error) {
	if name == "-" {
		if in, ok := std.In.(*stdin); ok && in.ended {
			return nil, usagef("stdin can be read once: - stands for two files")
		}
		b, err := io.ReadAll(io.LimitReader(std.In, mostInput+1))
		switch {
		case err != nil:
			return nil, fmt.Errorf("read stdin: %w", err)
		case int64(len(b)) > mostInput:
			return nil, fmt.Errorf("stdin is longer than %d GB, which seam reads at most: cut it up first", mostInput>>30)
		}
		return b, nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return nil, fmt.Errorf("%s is a folder: name a file in it", shown(name))
	} else if err == nil && info.Size() > mostInput {
		return nil, fmt.Errorf("%s has %d GB, and seam reads %d GB at most: cut it up first", shown(name), info.Size()>>30, mostInput>>30)
	}
	b, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file", shown(name))
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s: no permission to read it", shown(name))
	case err != nil:
		return nil, fmt.Errorf("%s: %w", shown(name), err)
	}
	return b, nil
}
