package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/markup"
	"seam/shared/text"
)

// splitter walks through a text once. It stops only at bytes that may matter.
type splitter struct {
	t      string
	spans  []text.Span
	start  int // start of the current sentence; white space may come first
	line   int // start of the current line
	at     int // the next byte to examine
	opened int // position of the last opening bracket, or -1
	list   mark
	block  block
	long   bool // take no shortcuts; for a comparison in tests
}

func newSplitter(t string) *splitter { return &splitter{t: t, opened: -1} }

// The roles that a byte may have.
const (
	plain = iota
	stop
	newline
	opener
	closer
	colon // and semicolon: full stop in Armenian, question mark in Greek
	lead  // the first byte of a rune that may matter
)

// kinds holds the possible role of each byte. basic has one bit per rune of the Basic
// Multilingual Plane, set if the rune is a terminator.
var kinds, basic = func() (k [256]uint8, bits [1 << 16 / 64]uint64) {
	for c, kind := range map[byte]uint8{
		'.': stop, '!': stop, '?': stop, '\n': newline, '\r': newline, '\f': newline, '\v': newline,
		'(': opener, '[': opener, ')': closer, ':': colon, ';': colon,
	} {
		k[c] = kind
	}
	first := func(r rune) {
		if r >= utf8.RuneSelf {
			k[string(r)[0]] = lead
		}
	}
	terminator := func(r rune) {
		first(r)
		bits[r/64] |= 1 << (r % 64)
	}
	for _, r := range unicode.Sentence_Terminal.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			terminator(c)
		}
	}
	for _, r := range unicode.Sentence_Terminal.R32 {
		first(rune(r.Lo)) // all planes above the basic one share a first byte
	}
	for _, r := range moreTerminators {
		terminator(r)
	}
	bits[burmeseComma/64] &^= 1 << (burmeseComma % 64)
	k["\U0001f600"[0]] = lead
	for _, r := range markup.Bullets + "「（\u0085\u2028\u2029" {
		first(r)
	}
	return k, bits
}()

// moreTerminators are terminators in addition to Unicode's Sentence_Terminal: the ellipses,
// the Greek question mark and Khmer's full stops. burmeseComma has that property but is
// only a comma.
const (
	moreTerminators = "…⋯\u037e។៕"
	burmeseComma    = '\u104a'
)

func isBullet(r rune) bool { return strings.ContainsRune(markup.Bullets, r) }

// isTerminator reports whether r may end a sentence.
func isTerminator(r rune) bool {
	if r < 1<<16 {
		return basic[r/64]&(1<<(r%64)) != 0
	}
	return unicode.Is(unicode.Sentence_Terminal, r)
}

// until advances to byte limit, or to the end of a construct that crosses it.
func (s *splitter) until(limit int) {
	t := s.t
	for at := s.at; ; {
		for at < limit && kinds[t[at]] == plain {
			at++
		}
		if s.at = at; at >= limit {
			return
		}
		switch kinds[t[at]] {
		case stop:
			s.terminator()
		case newline:
			s.newline()
		case opener:
			s.opened = at
			s.at++
		case closer:
			s.at++
			s.inlineMark(at)
		case colon:
			s.colon()
		case lead:
			s.rune()
		}
		at = s.at
	}
}

// rune handles a rune that is not ASCII.
func (s *splitter) rune() {
	r, n := utf8.DecodeRuneInString(s.t[s.at:])
	switch {
	case isTerminator(r):
		s.terminator()
	case r == '「' || r == '（':
		s.opened = s.at
		s.at += n
	case r == '\u0085' || r == '\u2028' || r == '\u2029':
		s.newline()
	case isBullet(r):
		s.bullet(n)
	case r >= 0x1f000:
		s.picture()
	default:
		s.at += n
	}
}

// colon handles a colon or semicolon.
func (s *splitter) colon() {
	t, at := s.t, s.at
	if localStop(t, at) {
		s.terminator()
		return
	}
	s.at++
	if n := emoticon(t[at:]); n > 0 && at > 0 && isSpace(t[at-1]) {
		s.at = at + n
		s.endOfCheer(at)
	}
}

// end ends the current sentence before byte i. White space that is not ASCII stays with the
// adjacent sentence, so that even a reader who knows only ASCII finds only white space
// between two sentences.
func (s *splitter) end(i int) {
	t, lo, hi := s.t, s.start, i
	for lo < i && isSpace(t[lo]) {
		lo++
	}
	if lo == 0 && strings.HasPrefix(t[:i], "\ufeff") {
		lo = skipBlank(t[:i], 0)
	}
	for hi > lo && blankBefore(t, hi) {
		_, n := utf8.DecodeLastRuneInString(t[:hi])
		hi -= n
	}
	if s.start = i; lo == hi {
		return
	}
	for hi < len(t) && !isSpace(t[hi]) {
		r, n := utf8.DecodeRuneInString(t[hi:])
		if !blank(r) {
			break
		}
		hi += n
	}
	s.start = max(i, hi)
	if hasThai(t[lo:hi]) { // checked once, because it takes time for each part of a long sentence
		for cut := thaiCut(t[lo:hi]); cut > 0; cut = thaiCut(t[lo:hi]) {
			s.spans = append(s.spans, text.Span{Start: lo, End: lo + cut})
			lo += cut + 1
		}
	}
	s.spans = append(s.spans, text.Span{Start: lo, End: hi})
}

// isSpace reports whether c is ASCII white space.
func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// blank reports whether r may not begin or end a sentence: white space, and the byte order
// mark at the beginning of some files.
func blank(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || '\t' <= r && r <= '\r'
	}
	return unicode.IsSpace(r) || r == '\ufeff'
}

// skipBlank returns the index of the first byte at or after i that is not blank.
func skipBlank(t string, i int) int {
	for i < len(t) {
		r, n := utf8.DecodeRuneInString(t[i:])
		if !blank(r) {
			break
		}
		i += n
	}
	return i
}
