// Package lex splits content streams and CMap programs into operands and operators (ISO
// 32000-1, 7.2 and 7.8.2). It accepts any bytes. It skips anything outside the grammar, and
// ends a truncated value at the end of the input.
package lex

// Kind is the kind of a Value.
type Kind uint8

// The kinds of values. An Operator is any bare word, such as Tj, true or null.
const (
	End Kind = iota
	Number
	String
	Name
	Operator
	Array
	Dict
	closing // the end of an array or a dictionary; internal only
)

// maxDepth is the maximum nesting of arrays and dictionaries. A deeper one ends the one
// around it, so that the recursion is bounded.
const maxDepth = 64

// Value is an operand or an operator.
type Value struct {
	Kind  Kind
	Num   float64 // of a Number
	Bytes []byte  // of a String, a Name (without the slash) or an Operator; may be part of the input
	Items []Value // of an Array; of a Dict: name, value, name, value …
}

// Get returns the value of key in a Dict, or the zero Value if there is none.
func (v Value) Get(key string) Value {
	if v.Kind == Dict {
		for i := 0; i+1 < len(v.Items); i += 2 {
			if string(v.Items[i].Bytes) == key {
				return v.Items[i+1]
			}
		}
	}
	return Value{}
}

// Lexer reads values from bytes.
type Lexer struct {
	b     []byte
	at    int
	open  []Value // items of the arrays and dictionaries being read
	items store[Value]
	bytes store[byte] // of strings that are not part of the input
}

// store is memory from which slices are cut. A separate allocation for each string or array
// would cost more than reading it.
type store[T any] struct {
	block []T
	used  int
}

// cut returns a slice of n elements with capacity n.
func (s *store[T]) cut(n int) []T {
	if n > len(s.block)-s.used {
		const least, most = 4, 1 << 12
		s.block, s.used = make([]T, max(n, min(max(least, 2*len(s.block)), most))), 0
	}
	s.used += n
	return s.block[s.used-n : s.used : s.used]
}

// New returns a Lexer at the start of b, which must not change while it is used.
func New(b []byte) *Lexer { return &Lexer{b: b} }

// Offset returns the number of bytes read.
func (l *Lexer) Offset() int { return l.at }

// Release frees the memory of all values returned so far. They must not be used afterwards.
func (l *Lexer) Release() { l.items.used, l.bytes.used = 0, 0 }

// Next returns the next value. At the end of the input its Kind is End.
func (l *Lexer) Next() Value {
	for {
		if v := l.next(0); v.Kind != closing {
			return v
		}
	}
}

func (l *Lexer) next(depth int) Value {
	l.skipBlanks()
	if l.at >= len(l.b) {
		return Value{}
	}
	c := l.b[l.at]
	switch {
	case c == '(':
		return l.literal()
	case c == '/':
		return l.name()
	case c == '[', c == '{':
		l.at++
		return l.collect(Array, depth)
	case c == ']', c == '}', c == ')':
		l.at++
		return Value{Kind: closing}
	case c == '<' && l.peek(1) == '<':
		l.at += 2
		return l.collect(Dict, depth)
	case c == '<':
		return l.hex()
	case c == '>':
		if l.at++; l.at < len(l.b) && l.b[l.at] == '>' {
			l.at++
		}
		return Value{Kind: closing}
	}
	return l.word()
}

// collect reads the items of an array or a dictionary up to its end.
func (l *Lexer) collect(kind Kind, depth int) Value {
	v := Value{Kind: kind}
	if depth >= maxDepth {
		return Value{Kind: closing}
	}
	first := len(l.open)
	for {
		x := l.next(depth + 1)
		if x.Kind == End || x.Kind == closing {
			break
		}
		if kind == Dict && (len(l.open)-first)%2 == 0 && x.Kind != Name {
			continue // not a key: skipped, so that pairs stay pairs
		}
		l.open = append(l.open, x)
	}
	n := len(l.open) - first
	if kind == Dict {
		n -= n % 2
	}
	if n > 0 {
		v.Items = l.items.cut(n)
		copy(v.Items, l.open[first:])
	}
	l.open = l.open[:first]
	return v
}

func (l *Lexer) peek(n int) byte {
	if l.at+n < len(l.b) {
		return l.b[l.at+n]
	}
	return 0
}

func (l *Lexer) skipBlanks() {
	for l.at < len(l.b) {
		switch c := l.b[l.at]; {
		case Blank(c):
			l.at++
		case c == '%':
			for l.at < len(l.b) && l.b[l.at] != '\n' && l.b[l.at] != '\r' {
				l.at++
			}
		default:
			return
		}
	}
}

// regular skips the regular characters and returns them.
func (l *Lexer) regular() []byte {
	start := l.at
	for l.at < len(l.b) && !Blank(l.b[l.at]) && !delimiter(l.b[l.at]) {
		l.at++
	}
	return l.b[start:l.at]
}

// Blank reports whether c is white space (ISO 32000-1, table 1).
func Blank(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func delimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

// SkipInlineImage skips the inline image with the operator BI that was read last: its
// dictionary, "ID", the data and "EI". Data may contain "EI" by chance. So "EI" counts only
// between white space, and before bytes that look like text rather than image data.
func (l *Lexer) SkipInlineImage() {
	for {
		v := l.Next()
		if v.Kind == End {
			return
		}
		if v.Kind == Operator && string(v.Bytes) == "ID" {
			break
		}
	}
	l.at++
	for ; l.at+1 < len(l.b); l.at++ {
		if l.b[l.at] == 'E' && l.b[l.at+1] == 'I' && Blank(l.b[l.at-1]) && l.looksLikeContent(l.at+2) {
			l.at += 2
			return
		}
	}
	l.at = len(l.b)
}

// looksLikeContent reports whether a content stream may continue at i.
func (l *Lexer) looksLikeContent(i int) bool {
	if i < len(l.b) && !Blank(l.b[i]) {
		return false
	}
	for _, c := range l.b[min(i, len(l.b)):min(i+10, len(l.b))] {
		if c >= 0x7f || c < ' ' && !Blank(c) {
			return false
		}
	}
	return true
}
