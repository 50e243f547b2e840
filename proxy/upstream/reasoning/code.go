package reasoning

import "bytes"

const (
	longestRun  = 64       // backticks that are counted
	longestInfo = 128      // bytes after the backticks that open a fence
	longestSpan = 4 << 10  // bytes of inline code
	longestCode = 32 << 10 // bytes of a fence after a mark; a longer one is searched no further, which bounds the work
)

// code follows Markdown's code: fences, and runs of backticks inside a paragraph. The zero
// value is the start of a text.
type code struct {
	fence  int // length of the open fence, or 0
	char   byte
	inline int // length of the open run, or 0
	indent int // white space since the start of the line, or -1 after anything else
	looked int // bytes already searched for the end of the fence
}

// read takes bytes that are decided.
func (c *code) read(b []byte) {
	for _, x := range b {
		switch {
		case x == '\n':
			if c.indent >= 0 { // a blank line ends the paragraph
				c.inline = 0
			}
			c.indent = 0
		case x == ' ' && c.indent >= 0:
			c.indent++
		case x == '\t' && c.indent >= 0:
			c.indent += 4
		case x != '\r':
			c.indent = -1
		}
	}
}

func (c *code) fenceMayBegin() bool { return c.indent >= 0 && c.indent <= 3 }

// atRun reports whether b begins with a run that may open or close code.
func (c *code) atRun(b []byte) bool { return b[0] == '`' || b[0] == '~' && c.fenceMayBegin() }

// length returns the length of the run at the start of b.
func length(b []byte) int {
	n := 1
	for n < len(b) && n < longestRun && b[n] == b[0] {
		n++
	}
	return n
}

// run reads the run at the start of b. ok is false if it needs more bytes.
func (c *code) run(b []byte, end bool) (n int, ok bool) {
	n = length(b)
	if n == len(b) && n < longestRun && !end {
		return 0, false
	}
	switch {
	case c.fence > 0:
		if c.fenceMayBegin() && b[0] == c.char && n >= c.fence {
			blank, known := blankLine(b[n:], end)
			if !known {
				return 0, false
			}
			if blank {
				*c = code{indent: c.indent}
			}
		}
	case c.fenceMayBegin() && n >= 3:
		opens, known := b[0] == '~', true
		if !opens {
			opens, known = info(b[n:], end)
		}
		switch {
		case !known:
			return 0, false
		case opens:
			*c = code{fence: n, char: b[0], indent: c.indent}
		default:
			c.inline = n
		}
	case b[0] != '`':
	case c.inline == 0:
		c.inline = n
	case c.inline == n:
		c.inline = 0
	}
	return n, true
}

// blankLine reports whether the rest of the line is white space.
func blankLine(b []byte, end bool) (blank, known bool) {
	for i, x := range b {
		switch {
		case x == '\n':
			return true, true
		case x != ' ' && x != '\t' && x != '\r' || i == longestInfo:
			return false, true
		}
	}
	return end, end
}

// info reports whether the rest of the line may follow the backticks of a fence: it has no
// other backticks.
func info(b []byte, end bool) (opens, known bool) {
	for i, x := range b {
		if x == '`' {
			return false, true
		}
		if x == '\n' || i == longestInfo {
			return true, true
		}
	}
	return end, end
}

// quotes reports whether a mark of n bytes at the start of b is inside code that ends.
func (c *code) quotes(b []byte, n int, end bool) (quoted, known bool) {
	switch {
	case c.fence > 0:
		quoted, known = c.fenceEnds(b, n, end)
	case c.inline > 0:
		quoted, known = c.spanEnds(b, n, end)
	default:
		return false, true
	}
	if known {
		c.looked = 0
	}
	return quoted, known
}

// spanEnds reports whether the open run of backticks has its pair in this paragraph.
func (c *code) spanEnds(b []byte, n int, end bool) (ends, known bool) {
	for i := n; i < n+longestSpan; {
		if i >= len(b) {
			return false, end
		}
		switch b[i] {
		case '`':
			r := length(b[i:])
			if i+r == len(b) && !end {
				return false, false
			}
			if r == c.inline {
				return true, true
			}
			i += r
		case '\n':
			blank, known := blankLine(b[i+1:], end)
			if !known || blank {
				return false, known
			}
			i++
		default:
			i++
		}
	}
	return false, true
}

// fenceEnds reports whether a line closes the open fence.
func (c *code) fenceEnds(b []byte, n int, end bool) (ends, known bool) {
	at := max(c.looked, n)
	for at < longestCode {
		next := bytes.IndexByte(b[at:], '\n')
		if c.looked > 0 {
			line := b[at:]
			if next >= 0 {
				line = b[at : at+next]
			}
			if (next >= 0 || end) && c.closedBy(line) {
				return true, true
			}
		}
		if next < 0 {
			return false, end || len(b) >= longestCode
		}
		at += next + 1
		c.looked = at
	}
	return false, true
}

// closedBy reports whether a line closes the open fence.
func (c *code) closedBy(line []byte) bool {
	line = bytes.TrimRight(line, " \t\r")
	bare := bytes.TrimLeft(line, " ")
	return len(line)-len(bare) <= 3 && len(bare) >= c.fence && len(bytes.TrimLeft(bare, string(c.char))) == 0
}
