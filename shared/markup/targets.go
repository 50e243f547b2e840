package markup

import (
	"strings"
	"unicode"

	"seam/shared/text"
)

// Links returns the links of t, a Markdown text, by their starts: "[label](address)",
// "[label][name]" and "[name]" with a definition of the name, "<address>", and addresses
// that begin with "http://", "https://" or "www.". The span is the label. Links without an
// address are left out.
func Links(t string) []text.Link { return looksOf(t).links }

// link adds a link or a picture. The label begins at bracket.
func (l *inline) link(start, bracket, end int) int {
	end = min(end, bracket+3*longPart)
	from, to := bracket+1, l.closing(bracket, end)
	if to == 0 || l.within == inPicture && start == bracket {
		return from
	}
	url, after := "", 0
	if to+1 < end && l.t[to+1] == '(' {
		url, after = l.address(to+2, end)
	}
	if after == 0 {
		if url, after = l.named(from, to, end); after == 0 {
			return from
		}
	}
	if from == to { // nothing visible
		l.mark(Hidden, start, after)
		return after
	}
	within := l.within
	if start < bracket {
		l.within = inPicture
		l.part(text.Image, start, from, to, after)
		l.within = within
		return after
	}
	elements, marks, links := len(l.elements), len(l.marks), len(l.links)
	l.within = inLink
	l.mark(Hidden, start, from)
	l.line(text.Span{Start: from, End: to})
	l.mark(Hidden, to, after)
	l.within = within
	if len(l.links) > links { // a link within is the link
		l.elements, l.marks, l.links = l.elements[:elements], l.marks[:marks], l.links[:links]
		return from
	}
	l.addLink(url, from, to)
	return after
}

func (l *inline) addLink(url string, from, to int) {
	if url = text.CleanURL(url); url != "" {
		l.links = append(l.links, text.Link{URL: url, Span: text.Span{Start: from, End: to}})
	}
}

// closing returns the offset of the bracket that closes the one at i, or 0.
func (l *inline) closing(i, end int) int {
	for depth := 0; i < end && depth <= deepest; i++ {
		switch l.t[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// address parses an address and a title up to the parenthesis after them. It returns the
// address and the offset after the parenthesis, or 0.
func (l *inline) address(at, end int) (url string, after int) {
	url, at = destination(l.t[:end], blanks(l.t[:end], at))
	if at > 0 {
		at = title(l.t[:end], at)
	}
	if at == 0 || at >= end || l.t[at] != ')' {
		return "", 0
	}
	return url, at + 1
}

// named returns the address that the name after a label, or the label, is defined to have.
// It also returns the offset after the name, or 0.
func (l *inline) named(from, to, end int) (url string, after int) {
	if l.targets == nil {
		return "", 0
	}
	name, after := l.t[from:to], to+1
	if after < end && l.t[after] == '[' {
		if n := strings.IndexByte(l.t[after:end], ']'); n > 0 {
			if n > 1 {
				name = l.t[after+1 : after+n]
			}
			after += n + 1
		}
	}
	url, ok := l.targets[folded(name)]
	if !ok {
		return "", 0
	}
	return url, after
}

// folded returns a name in the form in which names are compared.
func folded(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// define records the definitions at the beginning of a paragraph, `[name]: address "title"`.
// It returns the offset of the text after them.
func (l *inline) define(s text.Span) int {
	for t := l.t[:s.End]; s.Start < s.End && t[s.Start] == '['; {
		to := l.closing(s.Start, min(s.End, s.Start+longPart))
		if to < s.Start+2 || t[s.Start+1] == '^' || to+1 >= s.End || t[to+1] != ':' {
			break
		}
		url, at := destination(t, blanks(t, to+2))
		if at <= to+2 || url == "" {
			break
		}
		end := title(t, at)
		if before := strings.TrimRight(t[:end], " \t"); end == 0 || end < s.End && !isLineEnd(before[len(before)-1]) {
			if end = at + lineLen(t[at:]); strings.TrimSpace(t[at:end]) != "" {
				break
			}
		}
		name := folded(t[s.Start+1 : to])
		if _, ok := l.targets[name]; !ok {
			if l.targets == nil {
				l.targets = map[string]string{}
			}
			l.targets[name] = url
		}
		s.Start = blanks(t, end)
	}
	return s.Start
}

// destination parses the address at a byte of t. It returns its end, or 0.
func destination(t string, at int) (url string, end int) {
	if at < len(t) && t[at] == '<' {
		n := strings.IndexAny(t[at:], ">\n\r\f")
		if n < 0 || t[at+n] != '>' {
			return "", 0
		}
		return unescaped(t[at+1 : at+n]), at + n + 1
	}
	depth := 0
	for end = at; end < len(t) && t[end] > ' '; end++ {
		switch t[end] {
		case '\\':
			if end+1 < len(t) && isPunct(t[end+1]) {
				end++
			}
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > 1 {
			return "", 0
		}
		if depth < 0 {
			break
		}
	}
	return unescaped(t[at:end]), end
}

// title returns the offset after a title and the white space around it. Both may be missing.
// It returns 0 if the title has no end.
func title(t string, at int) int {
	from := blanks(t, at)
	if from == at || from >= len(t) {
		return from
	}
	i := strings.IndexByte("\"'(", t[from])
	if i < 0 {
		return from
	}
	n := strings.IndexByte(t[from+1:], "\"')"[i])
	if n < 0 {
		return 0
	}
	return blanks(t, from+n+2)
}

func blanks(t string, at int) int {
	for at < len(t) && (t[at] == ' ' || t[at] == '\t' || isLineEnd(t[at])) {
		at++
	}
	return at
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' || c == '\f' }

// unescaped returns an address without the backslashes before punctuation.
func unescaped(url string) string {
	if strings.IndexByte(url, '\\') < 0 {
		return url
	}
	var out []byte
	for i := 0; i < len(url); i++ {
		if url[i] == '\\' && i+1 < len(url) && isPunct(url[i+1]) {
			i++
		}
		out = append(out, url[i])
	}
	return string(out)
}

// angled adds the link "<address>", whose address has a scheme or is of mail.
func (l *inline) angled(i, end int) int {
	end = min(end, i+longPart)
	n := strings.IndexAny(l.t[i+1:end], "<> \t")
	to := i + 1 + n
	if n < 1 || l.t[to] != '>' || l.within == inPicture {
		return i + 1
	}
	url := l.t[i+1 : to]
	scheme := strings.IndexFunc(url, func(r rune) bool {
		return !('a' <= r|0x20 && r|0x20 <= 'z') && !('0' <= r && r <= '9') && r != '+' && r != '.' && r != '-'
	})
	switch at := strings.IndexByte(url, '@'); {
	case scheme > 1 && scheme <= 32 && url[scheme] == ':' && url[0] >= 'A':
	case at > 0 && at+1 < n && !strings.ContainsAny(url, ":/\\"):
		url = "mailto:" + url
	default:
		return i + 1
	}
	l.mark(Hidden, i, i+1)
	l.addLink(url, i+1, to)
	l.mark(Hidden, to, to+1)
	return to + 1
}

// bare adds the link of an address without marks around it, as GitHub does. first is the
// first byte of the part of the text.
func (l *inline) bare(i, first, end int) int {
	t := l.t[i:min(end, i+2*longPart)]
	url, n := "", len("www.")
	switch {
	case strings.HasPrefix(t, "http://"), strings.HasPrefix(t, "https://"):
		n = strings.IndexByte(t, '/') + 2
	case strings.HasPrefix(t, "www."):
		url = "http://"
	default:
		return i + 1
	}
	if before := lastRune(l.t[first:i]); l.within > 0 || i > first && !unicode.IsSpace(before) && !strings.ContainsRune("*_~(", before) {
		return i + n
	}
	if k := strings.IndexAny(t, "< \t"); k >= 0 {
		t = t[:k]
	}
	for len(t) > n {
		c := t[len(t)-1]
		if strings.IndexByte("?!.,:;*_~'\"", c) < 0 && (c != ')' || strings.Count(t, ")") <= strings.Count(t, "(")) {
			break
		}
		t = t[:len(t)-1]
	}
	if len(t) > n {
		l.addLink(url+t, i, i+len(t))
	}
	return i + max(n, len(t))
}
