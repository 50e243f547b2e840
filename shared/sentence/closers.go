package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// closers returns the end of the text that belongs to the terminators: closing quotation
// marks and brackets, emphasis marks, references to footnotes and sources, and an emoji.
func (p *place) closers() int {
	t, i := p.t, p.run
	for i < len(t) {
		r, n := utf8.DecodeRuneInString(t[i:])
		switch {
		case closing(r), isSuperscript(r):
			i += n
		case r == '“' || r == '«' || r == '‹' || r == '*' || r == '_' || r == '`':
			if !closesHere(t[i+n:]) {
				return i
			}
			i += n
		case r == '[' || r == '(':
			n = reference(t[i:])
			if n == 0 {
				return i
			}
			i += n
		case r == ' ' || r == '\u00a0' || r == '\u202f': // French has a space before the closing mark
			rest := t[i+n:]
			if strings.HasPrefix(rest, "»") && opensGuillemets(t[max(p.start, i-bracketReach):i]) {
				i += n + len("»")
				continue
			}
			if e := emoji(rest); e > 0 {
				return i + n + e
			}
			return i
		case '0' <= r && r <= '9':
			return i + p.footnote(i)
		default:
			return i + emoji(t[i:])
		}
	}
	return i
}

// opensGuillemets reports whether t uses guillemets as in French, where « opens a
// quotation. In German and Danish » does.
func opensGuillemets(t string) bool {
	open, other := strings.Index(t, "«"), strings.Index(t, "»")
	return open >= 0 && (other < 0 || open < other)
}

// closesHere reports whether a mark before rest is a closing mark: no word follows.
func closesHere(rest string) bool {
	r, n := utf8.DecodeRuneInString(rest)
	return n == 0 || blank(r) || closing(r) || strings.ContainsRune(",;:.!?*_`", r)
}

// closing reports whether r closes a quotation or a bracket.
func closing(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '"' || r == '\'' || r == ')' || r == ']' || r == '}'
	}
	return unicode.Is(unicode.Pe, r) || unicode.Is(unicode.Pf, r) || r == '＂' || r == '″'
}

// opening reports whether r may precede the first word of a sentence.
func opening(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '"' || r == '\'' || r == '(' || r == '[' || r == '{' || r == '*' || r == '_' || r == '`'
	}
	return r == '¿' || r == '¡' || unicode.Is(unicode.Ps, r) || unicode.Is(unicode.Pi, r) || r == '»' || r == '”' || r == '’'
}

func isSuperscript(r rune) bool {
	return r == '²' || r == '³' || r == '¹' || r == '⁰' || '⁴' <= r && r <= '⁹' || r == '⁻' || r == '†' || r == '‡'
}

// reference returns the length of a reference at the beginning of t, such as "[12]",
// "(12)", "[3, 4]", "[a]" or "[citation needed]". It returns 0 if there is none.
func reference(t string) int {
	i := strings.IndexAny(t[:min(len(t), 32)], "])")
	if i < 2 {
		return 0
	}
	if r, _ := utf8.DecodeRuneInString(t[i+1:]); !closesHere(t[i+1:]) && r != '[' && !ideograph(r) {
		return 0
	}
	body := t[1:i]
	if strings.Trim(body, "0123456789,;–- ") == "" {
		return i + 1
	}
	if t[0] == '[' && (len(body) <= 2 || body == "citation needed" || strings.HasPrefix(body, "note ")) {
		return i + 1
	}
	return 0
}

// footnote returns the length of a footnote number at byte i, directly after the
// terminators, as in "found.12 The next". It returns 0 if there is none.
func (p *place) footnote(i int) int {
	t, n := p.t, 0
	for i+n < len(t) && n <= 8 && (isDigit(t[i+n]) || n > 0 && strings.IndexByte(",- ", t[i+n]) >= 0) {
		n++
	}
	for !isDigit(t[i+n-1]) || strings.Contains(t[i:i+n], " ") && !strings.Contains(t[i:i+n], ", ") { // "5, 6"
		n--
	}
	if n > 8 || t[i] == '0' || !closesHere(t[i+n:]) {
		return 0
	}
	if next := skipBlank(t, i+n); next < len(t) {
		if r, _ := utf8.DecodeRuneInString(t[next:]); !unicode.IsUpper(r) && !opening(r) && !unicode.IsDigit(r) {
			return 0
		}
	}
	word := strings.TrimLeftFunc(lastWord(t[p.start:p.first]), opening)
	last, _ := utf8.DecodeLastRuneInString(t[:p.first])
	switch {
	case closing(last) || i > p.run && unicode.IsLower(last):
		return n
	case !unicode.IsLower(last) && !(isYear(word) && n < 3):
		return 0
	case p.marks() == "." && (len(word) < 2 || classify(word) != none || strings.ContainsAny(word, "./")):
		return 0
	}
	return n
}

// emoji returns the length of the pictures or the emoticon at the beginning of t, or 0 if
// there are none or a word follows directly.
func emoji(t string) int {
	if t == "" || t[0] < utf8.RuneSelf && strings.IndexByte(":;^<", t[0]) < 0 {
		return 0
	}
	i := 0
	for i < len(t) && i < wordReach {
		r, n := utf8.DecodeRuneInString(t[i:])
		picture := r >= 0x2600 && unicode.Is(unicode.So, r) || r >= 0x1f000 && unicode.Is(unicode.Sk, r)
		if !picture && r != '\u200d' && r != '\ufe0f' { // these join or colour pictures
			break
		}
		i += n
	}
	if i == 0 {
		i = emoticon(t)
	}
	if !closesHere(t[i:]) {
		return 0
	}
	return i
}

// emoticon returns the length of the emoticon at the beginning of t, or 0.
func emoticon(t string) int {
	for _, e := range [...]string{":-)", ":)", ":-(", ":(", ";-)", ";)", ":D", ":-D", "^^", "<3"} {
		if strings.HasPrefix(t, e) {
			return len(e)
		}
	}
	return 0
}

// picture handles emoji, because faces and gestures may end a sentence.
func (s *splitter) picture() {
	at := s.at
	r, n := utf8.DecodeRuneInString(s.t[at:])
	s.at += max(n, emoji(s.t[at:]))
	if '\U0001f600' <= r && r <= '\U0001f64f' || '\U0001f90c' <= r && r <= '\U0001f93a' || '\U0001f970' <= r && r <= '\U0001f97a' || r == '🎉' || r == '👍' || r == '👏' {
		s.endOfCheer(at)
	}
}

// endOfCheer ends a sentence without a full stop after the face at byte i if the next word
// has a capital: "So good 😀 Thank you".
func (s *splitter) endOfCheer(i int) {
	next := skipBlank(s.t, s.at)
	if r, _ := utf8.DecodeRuneInString(s.t[s.at:]); ideograph(r) && !s.leads(i) {
		s.end(s.at)
	} else if next > s.at && !s.leads(i) && capital(strings.TrimLeft(s.t[next:min(len(s.t), next+wordReach)], "¿¡\"“(")) {
		s.end(s.at)
	}
}
