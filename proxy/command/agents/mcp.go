// Package agents serves documents and sites to agents: seam mcp.
package agents

import (
	"context"
	"errors"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"seam/proxy/command/files"
	"seam/proxy/command/sites"
	"seam/proxy/command/terminal"
)

// MCPCommand implements seam mcp.
type MCPCommand struct {
	Files    []string `arg:"" optional:"" name:"file" help:"Files (${formats}), bundles, folders or patterns (**/*.md) to serve."`
	Index    string   `placeholder:"DIR" help:"Serve a site instead: the folder that seam index wrote."`
	Lang     string   `placeholder:"CODE" help:"With --index: language of the reader, whose pages come first: de (default: the one with most pages)."`
	Password string   `help:"Password of encrypted PDFs."`

	files.FolderOptions `group:"Files in folders:"`
	files.CacheOptions
}

// Help returns the text that seam mcp -h prints below its options.
func (MCPCommand) Help() string {
	return `A Model Context Protocol (MCP) server over stdin and stdout, for agents. It reads only the files named, or the index of a site, writes
nothing but the cache, and sends nothing.

For files it has five tools. list names the documents; search finds their chunks; read returns a part of a document's text;
chunk cuts a document by another method or size; and cite finds the exact place of a quotation, or says that the document does not have it.
Files that change are read again by the next call. For a site it has two: search, which works like the site's widget, and read.

Examples, in the configuration of a client:
  {"mcpServers": {"papers": {"command": "seam", "args": ["mcp", "/home/me/papers"]}}}
  {"mcpServers": {"handbook": {"command": "seam", "args": ["mcp", "--index", "public/seam"]}}}`
}

// Run runs seam mcp.
func (c MCPCommand) Run(ctx context.Context, std terminal.IO, b terminal.Build) error {
	switch {
	case c.Index == "" && len(c.Files) == 0:
		return terminal.Usagef("give files or folders, or --index")
	case c.Index != "" && len(c.Files) > 0:
		return terminal.Usagef("--index serves a site: leave out the files")
	case c.Index == "" && c.Lang != "":
		return terminal.Usagef("--lang needs --index: files have no reader's language")
	}
	for _, name := range c.Files {
		if name == "-" {
			return terminal.Usagef("stdin is for the client: give files or folders")
		}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "seam", Version: string(b)}, &mcp.ServerOptions{Instructions: c.instructions()})
	if c.Index != "" {
		x, err := sites.OpenIndex(c.Index, c.Lang)
		if err != nil {
			return err
		}
		addSite(server, x)
	} else {
		l, err := openLibrary(ctx, std, b, c)
		if err != nil {
			return err
		}
		defer l.close()
		l.addTo(server)
	}
	err := server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(std.In), Writer: unclosed{std.Out}})
	if errors.Is(err, io.EOF) {
		return nil // the client has disconnected
	}
	return err
}

func (c MCPCommand) instructions() string {
	if c.Index != "" {
		return "Search the documentation with search, then read a page with read. Cite pages by their url."
	}
	return "Find passages with search, read around them with read, and check each quotation with cite before you use it. Cite a document by its file and page."
}

// safe describes a tool that changes nothing and reaches nothing outside.
func safe() *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: new(bool)}
}

// unclosed is a writer that cannot be closed by others.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
