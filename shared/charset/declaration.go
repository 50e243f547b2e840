package charset

import (
	"bytes"
	"strings"
)

// searched is the number of bytes in which a declaration is looked for. The HTML standard has
// 1,024, but browsers look further.
const searched = 8 << 10

// declaration returns the encoding that an HTML or XML file declares in a <meta> element or
// in its first line, in lower case, and "" if it declares none.
func declaration(b []byte) string {
	b = bytes.ToLower(bytes.TrimLeft(b[:min(len(b), searched)], " \t\r\n"))
	if !bytes.HasPrefix(b, []byte("<")) {
		return ""
	}
	head := string(b)
	for rest := head; ; {
		before, after, found := strings.Cut(rest, "<meta")
		if open := strings.LastIndex(before, "<!--"); open >= 0 && !strings.Contains(before[open:], "-->") {
			if _, rest, found = strings.Cut(rest[open:], "-->"); !found {
				break
			}
			continue
		}
		if !found {
			break
		}
		tag, _, _ := strings.Cut(after, ">")
		if name := value(tag, "charset"); name != "" {
			return name
		}
		rest = after
	}
	if first, _, found := strings.Cut(head, "?>"); found && strings.HasPrefix(first, "<?xml") {
		return value(first, "encoding")
	}
	return ""
}

// value returns the text after a name and an equals sign, up to a quote, a blank or a mark.
func value(tag, name string) string {
	_, after, _ := strings.Cut(tag, name)
	after, found := strings.CutPrefix(strings.TrimSpace(after), "=")
	if !found {
		return ""
	}
	after = strings.TrimLeft(after, "\"' \t\r\n")
	if end := strings.IndexAny(after, "\"' \t\r\n;/"); end >= 0 {
		after = after[:end]
	}
	return after
}
