package files

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"seam/proxy/command/sniff"
	"seam/proxy/command/terminal"
	"seam/shared/read"
)

// Kinds lists the formats that --as accepts.
func Kinds() (names []string) {
	for _, f := range Formats {
		if f.Read != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// CheckKind returns an error if --as names no format.
func CheckKind(name string) error {
	if name != "" && !slices.Contains(Kinds(), name) {
		return terminal.Usagef("--as %s: no such format: choose %s", terminal.Shown(name), strings.Join(Kinds(), ", "))
	}
	return nil
}

// formatOf returns the format of a file: the one of --as; or by its marks and its name; or,
// if its name says nothing, by its bytes. Stdin has the name of --name.
func formatOf(std terminal.IO, name string, b []byte) read.Format {
	if f, ok := Formats.Named(std.As); ok {
		return f
	}
	name = nameOf(std, name)
	f := Formats.Recognise(name, b)
	if Formats.Knows(name) || f.Name != "zip" && f.Name != "text" {
		return f
	}
	if found, ok := Formats.Named(sniff.Format(b)); ok {
		return found
	}
	return f
}

// formatKey returns the part of a cache key that, with the file's bytes, decides its format.
func formatKey(as, name string) string {
	if as == "" && !Formats.Knows(name) {
		return "by its bytes"
	}
	return as + "/" + Formats.Recognise(name, nil).Name
}

// nameOf returns the user's name for an input.
func nameOf(std terminal.IO, name string) string {
	if name == "-" && std.Name != "" {
		return std.Name
	}
	return name
}

// ErrNotText is the error of ReadText for a file of another format.
var ErrNotText = errors.New("not a text file")

// ReadText reads a text that is not a document, such as lines of JSON or of questions, and
// decodes it to UTF-8, without a byte order mark. Errors name the file. of names the content,
// as in "questions".
func ReadText(std terminal.IO, name, of string) ([]byte, error) {
	b, err := terminal.ReadInput(std, name)
	if err != nil {
		return nil, err
	}
	if f := Formats.Recognise(name, b); len(f.Marks) > 0 || f.In != "" || f.Name == "html" || f.Read == nil && f.Name != "text" {
		return nil, read.As(ErrNotText, fmt.Errorf("%s is %s, not a file of %s", terminal.Shown(name), f.One, of))
	}
	t, _, err := Decoder(std)(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", terminal.Shown(name), WithEncoding(err))
	}
	return bytes.TrimPrefix([]byte(t), []byte("\ufeff")), nil
}

// stdinRel returns Input.Rel of stdin.
func stdinRel(std terminal.IO) string {
	if rel := filepath.Base(std.Name); std.Name != "" && filepath.IsLocal(rel) && rel != "." {
		return rel
	}
	return "stdin"
}
