package markup

import (
	"encoding/json"
	"strings"
	"unicode"

	"seam/shared/text"
)

// Front matter is metadata at the beginning of a Markdown file, in one of the three forms of
// Hugo and other site generators: YAML between lines "---", TOML between lines "+++", and a
// JSON object.

// frontMatter reads front matter at the beginning of t.
func (r *reader) frontMatter() {
	l := r.lines
	if !l.next() {
		return
	}
	start, end := l.line.Start, -1
	switch first := trimRight(l.line.Of(r.t)); {
	case first == "---" || first == "+++":
		end = fenced(&l, first)
	case first == "{":
		end = objectEnd(&l, start)
	}
	if end >= 0 {
		r.blocks = append(r.blocks, Block{Kind: FrontMatter, Span: text.Span{Start: start, End: end}})
		r.lines = l
	}
}

// fenced returns the end of front matter between two lines fence, or -1. YAML begins with a
// line "name: value" and has no blank line. It may end with "...". TOML begins with a line
// "name = value", a table or a comment.
func fenced(l *lines, fence string) int {
	sure := false // a line that proves that this is front matter
	for l.next() {
		line := trimRight(l.line.Of(l.t))
		if line == fence || fence == "---" && line == "..." {
			if !sure {
				return -1
			}
			return l.line.Start + len(line)
		}
		switch {
		case fence == "---" && line == "":
			return -1
		case sure || line == "" || strings.HasPrefix(line, "#"):
			continue
		case fence == "---":
			name, _, ok := strings.Cut(line, ":")
			sure = ok && isName(name)
		default:
			name, _, ok := strings.Cut(line, "=")
			sure = ok && isName(strings.TrimSpace(name)) || strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]")
		}
		if !sure {
			return -1
		}
	}
	return -1
}

// maxObject is the maximum length of front matter in JSON, in bytes. Any text may begin with
// "{", and most are no Markdown.
const maxObject = 1 << 16

// objectEnd returns the end of the JSON object that begins at byte start of the text, or -1.
// A line ends after it, and text follows.
func objectEnd(l *lines, start int) int {
	part := l.t[start:min(start+maxObject, len(l.t))]
	n := braced(part)
	if n < 0 || !json.Valid([]byte(part[:n])) {
		return -1
	}
	end := start + n
	if after := l.t[end:]; strings.TrimSpace(after[:lineLen(after)]) != "" || strings.TrimSpace(after) == "" {
		return -1
	}
	for l.line.End < end && l.next() {
	}
	return end
}

// braced returns the end of the part of s up to the brace that closes its first one, or -1.
func braced(s string) int {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// FrontMatter returns the values in the front matter b of t, by name in lower case.
//
// In YAML, a value is on the line of its name, possibly as a list [a, b], or is a list of
// lines "- a" below it. In TOML, a list may run over several lines, and a name in a table
// has the table's name before it, except in "taxonomies". Other values over several lines
// are left out. In JSON, objects are left out.
func (b Block) FrontMatter(t string) map[string][]string {
	switch s := b.Of(t); {
	case strings.HasPrefix(s, "{"):
		return jsonValues(s)
	case strings.HasPrefix(s, "+++"):
		return tomlValues(s)
	default:
		return yamlValues(s)
	}
}

func jsonValues(s string) map[string][]string {
	all := map[string][]string{}
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(s), &object) != nil {
		return all
	}
	for name, value := range object {
		list := []json.RawMessage{value}
		if value[0] == '[' && json.Unmarshal(value, &list) != nil {
			continue
		}
		name = strings.ToLower(name)
		all[name] = nil
		for _, v := range list {
			var said string
			switch v[0] {
			case '"':
				_ = json.Unmarshal(v, &said) // valid
			case '{', '[', 'n':
			default:
				said = string(v)
			}
			all[name] = appendValue(all[name], said)
		}
	}
	return all
}

func tomlValues(s string) map[string][]string {
	all := map[string][]string{}
	table, name := "", "" // name is set inside a list over several lines
	inside := newLines(s)
	inside.next()
	for inside.next() {
		line := uncommented(inside.line.Of(inside.t))
		if name != "" {
			part, closed := strings.CutSuffix(line, "]")
			all[name] = appendList(all[name], part)
			if closed {
				name = ""
			}
			continue
		}
		if head := strings.Trim(line, "[]"); head != line && strings.HasPrefix(line, "[") {
			if table = strings.ToLower(head) + "."; head == "taxonomies" {
				table = ""
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		if !ok || !isName(key) {
			continue
		}
		key, value = table+strings.ToLower(key), strings.TrimSpace(value)
		list, isList := strings.CutPrefix(value, "[")
		switch part, closed := strings.CutSuffix(list, "]"); {
		case isList && !closed:
			name = key
			fallthrough
		case isList:
			all[key] = appendList(all[key], part)
		case strings.HasPrefix(value, `"""`) || strings.HasPrefix(value, "'''"):
			all[key] = nil
		default:
			all[key] = appendValue(all[key], value)
		}
	}
	return all
}

func yamlValues(s string) map[string][]string {
	all := map[string][]string{}
	name := ""
	inside := newLines(s)
	for inside.next() {
		line := inside.line.Of(inside.t)
		item, isItem := strings.CutPrefix(strings.TrimSpace(line), "- ")
		key, value, ok := strings.Cut(line, ":")
		switch {
		case isItem && name != "":
			all[name] = appendValue(all[name], uncommented(item))
		case !ok || !isName(key):
			name = ""
		default:
			name = strings.ToLower(key)
			value = uncommented(value)
			if list, ok := strings.CutPrefix(value, "["); ok && strings.HasSuffix(list, "]") {
				all[name] = appendList(all[name], list[:len(list)-1])
				continue
			}
			if inBlock(value) {
				value = ""
			}
			all[name] = appendValue(all[name], value)
		}
	}
	return all
}

// uncommented returns a value without its comment, which begins with a space and "#".
func uncommented(value string) string {
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, "#") {
		return ""
	}
	return strings.TrimSpace(value[:unquoted(value, " #")])
}

// unquoted returns the index of the first occurrence of part in value outside quotation
// marks, or len(value). A quotation opens at the beginning of the value, or of a value in a
// list.
func unquoted(value, part string) int {
	quote, opens := byte(0), true
	for i := range len(value) {
		switch c := value[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case opens && (c == '"' || c == '\'') && strings.IndexByte(value[i+1:], c) >= 0:
			quote = c
		case strings.HasPrefix(value[i:], part):
			return i
		default:
			opens = c == '[' || c == ',' || opens && c == ' '
		}
	}
	return len(value)
}

// inBlock reports whether the value is on the following lines: "|", or ">-".
func inBlock(value string) bool {
	return value != "" && (value[0] == '|' || value[0] == '>') && strings.Trim(value[1:], "+-0123456789") == ""
}

// appendList adds the values of a list "a, b".
func appendList(to []string, list string) []string {
	for list != "" {
		n := unquoted(list, ",")
		to = appendValue(to, list[:n])
		list = list[min(n+1, len(list)):]
	}
	return to
}

// appendValue adds a value without its quotation marks, unless it is empty.
func appendValue(to []string, value string) []string {
	value = strings.TrimSpace(value)
	for _, quote := range []string{`"`, "'"} {
		if len(value) > 1 && strings.HasPrefix(value, quote) && strings.HasSuffix(value, quote) {
			value = strings.TrimSpace(value[1 : len(value)-1])
		}
	}
	if value == "" {
		return to
	}
	return append(to, value)
}

// isName reports whether a word can be a name in front matter.
func isName(w string) bool {
	return w != "" && strings.IndexFunc(w, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.'
	}) < 0
}
