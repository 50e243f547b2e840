package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// goTexts returns the comments of a Go file, and its messages: see message. A file that
// does not parse has none.
func goTexts(src string) []Text {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return nil
	}
	var out []Text
	for _, group := range file.Comments {
		out = append(out, Text{Line: fset.Position(group.Pos()).Line, Kind: Comment, Body: group.Text()})
	}
	tags := map[*ast.BasicLit]bool{} // of fields; each has one message, its help
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				tags[n.Tag] = true
			}
		case *ast.BasicLit:
			s, err := strconv.Unquote(n.Value)
			if err != nil || n.Kind != token.STRING {
				return true
			}
			if tags[n] {
				s = reflect.StructTag(s).Get("help")
			}
			if tags[n] || message(s) {
				out = append(out, Text{Line: fset.Position(n.Pos()).Line, Kind: Message, Body: s})
			}
		}
		return true
	})
	return out
}

var messageStart = regexp.MustCompile(`^(%[a-z] |%[a-z]: |)[A-Za-z]`)

// message reports whether a string literal reads as a sentence: at least five words,
// most of them letters alone.
func message(s string) bool {
	words := strings.Fields(s)
	if len(words) < 5 || len(words) > 80 || !messageStart.MatchString(s) {
		return false
	}
	plain := 0
	for _, w := range words {
		if strings.Trim(strings.ToLower(w), "abcdefghijklmnopqrstuvwxyz',.;:()") == "" {
			plain++
		}
	}
	return plain*4 >= len(words)*3
}

// scriptComments returns the comments of TypeScript, JavaScript or CSS that have lines
// of their own. Comments after code are few, and left out.
func scriptComments(src string) []Text {
	var out []Text
	var open *Text // the comment that the line before belongs to
	block := false
	for i, line := range strings.Split(src, "\n") {
		s := strings.TrimSpace(line)
		switch {
		case block:
		case strings.HasPrefix(s, "//"):
			if open == nil {
				out = append(out, Text{Line: i + 1, Kind: Comment})
				open = &out[len(out)-1]
			}
			open.Body += " " + strings.TrimPrefix(s, "//")
			continue
		case strings.HasPrefix(s, "/*"):
			out = append(out, Text{Line: i + 1, Kind: Comment})
			open, block = &out[len(out)-1], true
			s = strings.TrimLeft(s, "/*")
		default:
			open = nil
			continue
		}
		before, _, closed := strings.Cut(s, "*/")
		open.Body += " " + strings.TrimPrefix(before, "* ")
		if closed {
			open, block = nil, false
		}
	}
	return out
}

// paragraphs returns the paragraphs, headings, list items and tables of Markdown.
// Listings and front matter are left out.
func paragraphs(src string) []Text {
	var out []Text
	fence, open := "", false
	for i, line := range strings.Split(src, "\n") {
		s := strings.TrimSpace(line)
		if i == 0 && s == "---" {
			fence = "---"
			continue
		}
		if fence != "" {
			if s == fence {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(s, "```") {
			fence, open = "```", false
			continue
		}
		item := strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "|") || strings.HasPrefix(s, "#")
		switch {
		case s == "" || strings.HasPrefix(s, "<"):
			open = false
			continue
		case !open || item:
			out = append(out, Text{Line: i + 1, Kind: Markdown})
		}
		open = true
		out[len(out)-1].Body += " " + s
	}
	return out
}

// WideLine is the greatest number of characters in a line of Markdown outside tables.
const WideLine = 160

// WideLines returns the numbers, from 1, of the lines of Markdown that have more than
// WideLine characters and are not rows of a table.
func WideLines(src string) []int {
	var out []int
	for i, line := range strings.Split(src, "\n") {
		if len([]rune(line)) > WideLine && !strings.HasPrefix(strings.TrimSpace(line), "|") {
			out = append(out, i+1)
		}
	}
	return out
}
