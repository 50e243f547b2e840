package shards

import "strings"

// eachSigned calls add for the words of a text that begin with a sign or contain angle
// brackets, in lower case: options (--no-cache, -v), names such as .NET, @property and $PATH,
// and types with parameters (List<String>). Their letters are words as well. They consist of
// ASCII and have at most longestName bytes.
func eachSigned(s string, add func(form string)) {
	after := 0 // the end of the last type
	for i := 0; i < len(s); i++ {
		start, n := i, 0
		switch c := s[i]; {
		case c == '-':
			n = option(s, i)
		case c == '.' || c == '@' || c == '$':
			n = leading(s, i)
		case c == '<' && i >= after:
			start, n = typed(s, i)
			after = start + n
		}
		if n > 0 && n <= longestName {
			add(strings.ToLower(s[start : start+n]))
		}
		if n > 0 && start == i {
			i += n - 1
		}
	}
}

// typed returns the start and the length of the type whose parameters begin at byte i. The
// length is 0 without one.
func typed(s string, i int) (start, n int) {
	if n = generic(s, i); n == 0 {
		return i, 0
	}
	start = i
	for start > 0 && isNamePart(s[start-1]) {
		start--
	}
	for start < i && !isNameLetter(s[start]) {
		start++
	}
	if start == i {
		return i, 0
	}
	return start, i + n - start
}

// option returns the length of the option that begins at byte i, or 0.
func option(s string, i int) int {
	if i > 0 && (isNamePart(s[i-1]) || s[i-1] == '-' || s[i-1] >= 0x80) {
		return 0
	}
	at := i + 1
	if at < len(s) && s[at] == '-' {
		at++
	}
	if at == len(s) || !isNameLetter(s[at]) || s[at] == '_' {
		return 0
	}
	for at < len(s) && (isNamePart(s[at]) || s[at] == '-') {
		at++
	}
	for s[at-1] == '-' {
		at--
	}
	return at - i
}

// leading returns the length of the name that begins with the sign at byte i, or 0.
func leading(s string, i int) int {
	if i > 0 && (isNamePart(s[i-1]) || strings.IndexByte(".@$", s[i-1]) >= 0 || s[i-1] >= 0x80) || i+1 == len(s) || !isNameLetter(s[i+1]) {
		return 0
	}
	at := i + 1
	for at < len(s) && isNamePart(s[at]) {
		at++
	}
	return at - i
}

// generic returns the length of the parameters in angle brackets that begin at byte i, or 0.
func generic(s string, i int) int {
	depth := 0
	for at := i; at < len(s) && at-i < longestName; at++ {
		switch c := s[at]; {
		case c == '<':
			depth++
		case c == '>':
			if s[at-1] == '<' {
				return 0
			}
			if depth--; depth == 0 {
				return at + 1 - i
			}
		case !isNamePart(c) && strings.IndexByte(",&*:.", c) < 0:
			return 0
		}
	}
	return 0
}

func isNamePart(c byte) bool { return isNameLetter(c) || c >= '0' && c <= '9' }
