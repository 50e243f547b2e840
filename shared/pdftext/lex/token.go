package lex

import "strconv"

// literal reads a string in parentheses.
func (l *Lexer) literal() Value {
	l.at++
	start, depth := l.at, 1
	for i := l.at; i < len(l.b); i++ {
		switch l.b[i] {
		case '\\', '\r': // needs a copy
			return l.escaped(start, i, depth)
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				l.at = i + 1
				return Value{Kind: String, Bytes: l.b[start:i]}
			}
		}
	}
	l.at = len(l.b)
	return Value{Kind: String, Bytes: l.b[start:]}
}

// escaped continues a literal string in which the bytes from start to at are plain.
func (l *Lexer) escaped(start, at, depth int) Value {
	out := append([]byte(nil), l.b[start:at]...)
	for l.at = at; l.at < len(l.b); {
		c := l.b[l.at]
		l.at++
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return Value{Kind: String, Bytes: out}
			}
		case '\r': // an end of line in a string is one line feed
			if l.peek(0) == '\n' {
				l.at++
			}
			c = '\n'
		case '\\':
			out = l.escape(out)
			continue
		}
		out = append(out, c)
	}
	return Value{Kind: String, Bytes: out}
}

// escape reads the text after a backslash and appends its meaning.
func (l *Lexer) escape(out []byte) []byte {
	if l.at >= len(l.b) {
		return out
	}
	c := l.b[l.at]
	l.at++
	switch c {
	case 'n':
		return append(out, '\n')
	case 'r':
		return append(out, '\r')
	case 't':
		return append(out, '\t')
	case 'b':
		return append(out, '\b')
	case 'f':
		return append(out, '\f')
	case '\n':
		return out
	case '\r':
		if l.peek(0) == '\n' {
			l.at++
		}
		return out
	}
	if c < '0' || c > '7' {
		return append(out, c)
	}
	v := c - '0'
	for n := 0; n < 2 && '0' <= l.peek(0) && l.peek(0) <= '7'; n++ {
		v = v<<3 | (l.b[l.at] - '0')
		l.at++
	}
	return append(out, v)
}

// hex reads a string in angle brackets. An odd last digit is the high half of a byte.
func (l *Lexer) hex() Value {
	l.at++
	end := l.at
	for end < len(l.b) && l.b[end] != '>' {
		end++
	}
	out := l.bytes.cut((end - l.at + 1) / 2)
	n, half := 0, byte(0)
	for _, c := range l.b[l.at:end] {
		d, ok := hexDigit(c)
		if !ok {
			continue
		}
		half = half<<4 | d
		if n++; n%2 == 0 {
			out[n/2-1] = half
		}
	}
	if n%2 == 1 {
		out[n/2] = half << 4
	}
	l.at = min(end+1, len(l.b))
	return Value{Kind: String, Bytes: out[:(n+1)/2]}
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

// name reads a name, in which "#xx" stands for a byte.
func (l *Lexer) name() Value {
	l.at++
	raw := l.regular()
	for i, c := range raw {
		if c == '#' {
			return Value{Kind: Name, Bytes: unescapeName(raw, i)}
		}
	}
	return Value{Kind: Name, Bytes: raw}
}

func unescapeName(raw []byte, from int) []byte {
	out := append([]byte(nil), raw[:from]...)
	for i := from; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			hi, ok1 := hexDigit(raw[i+1])
			lo, ok2 := hexDigit(raw[i+2])
			if ok1 && ok2 {
				out = append(out, hi<<4|lo)
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return out
}

// word reads a number or an operator.
func (l *Lexer) word() Value {
	w := l.regular()
	if len(w) == 0 { // impossible, because next handles every delimiter
		l.at++
		return Value{Kind: closing}
	}
	if c := w[0]; '0' <= c && c <= '9' || c == '+' || c == '-' || c == '.' {
		return Value{Kind: Number, Num: number(w)}
	}
	return Value{Kind: Operator, Bytes: w}
}

// number reads numbers in the forms that writers use: those of the grammar, and "--12",
// "12-3" (12), "1.2.3" (1.2) and "1e-5".
func number(w []byte) float64 {
	v, digits, point := 0.0, 1.0, false
	i, negative := 0, false
	for ; i < len(w) && (w[i] == '-' || w[i] == '+'); i++ {
		negative = negative || w[i] == '-'
	}
	for ; i < len(w); i++ {
		c := w[i]
		switch {
		case '0' <= c && c <= '9':
			v = v*10 + float64(c-'0')
			if point {
				digits *= 10
			}
			continue
		case c == '.' && !point:
			point = true
			continue
		case c == 'e' || c == 'E':
			if x, err := strconv.ParseFloat(string(w), 64); err == nil {
				return x
			}
		}
		break
	}
	if digits > 1e15 || v > 1e15 { // too long for the quick way
		x, err := strconv.ParseFloat(string(w[:i]), 64)
		if err != nil {
			return 0
		}
		return x
	}
	if v /= digits; negative {
		return -v
	}
	return v
}
