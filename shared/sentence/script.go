package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// localStop reports whether the colon or semicolon at byte at ends an Armenian sentence or
// a Greek question.
func localStop(t string, at int) bool {
	script := unicode.Greek
	if t[at] == ':' {
		script = unicode.Armenian
	}
	r, _ := utf8.DecodeLastRuneInString(t[:at])
	if unicode.IsDigit(r) || closing(r) {
		r, _ = utf8.DecodeRuneInString(t[skipBlank(t, at+1):])
	}
	return unicode.Is(script, r)
}

// ideograph reports whether r belongs to a script written without spaces.
func ideograph(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0xff00 && r <= 0xffef
}

// hasKana reports whether t has Japanese letters.
func hasKana(t string) bool {
	return strings.ContainsFunc(t, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) })
}

// isCaseless reports whether r is a letter of a script that has no capitals but has spaces
// between words.
func isCaseless(r rune) bool { return unicode.Is(unicode.Lo, r) && !ideograph(r) }

// smallOnly reports whether r is a lower-case letter without a capital in ordinary writing,
// as in Georgian.
func smallOnly(r rune) bool { return unicode.Is(unicode.Georgian, r) }

// opensWithQuote reports whether a sentence begins with a quotation mark.
func opensWithQuote(t string) bool {
	r, _ := utf8.DecodeRuneInString(t[skipBlank(t, 0):])
	return opening(r) && r != '(' && r != '['
}

// quoteGoesOn reports whether a closed quotation is part of a longer sentence, because a
// Japanese particle or a Chinese verb of saying follows.
func (p *place) quoteGoesOn() bool {
	if p.closed() == "" || p.next != p.close {
		return false
	}
	t := p.t[p.close:min(len(p.t), p.close+wordReach)]
	for _, particle := range particles {
		if strings.HasPrefix(t, particle) {
			return true
		}
	}
	if asks := strings.HasSuffix(p.marks(), "！") || strings.HasSuffix(p.marks(), "？"); asks && p.quotesWithin() {
		return true
	}
	if i := strings.IndexAny(t, "，。！？：；,、"); i >= 0 {
		t = t[:i]
	}
	says := utf8.RuneCountInString(t) <= 8 && strings.ContainsAny(t, "说說道问問喊叫答") && opensWithQuote(p.t[p.start:p.first])
	return says || strings.HasSuffix(p.closed(), "》") // closes the title of a book
}

// quotesWithin reports whether the closing quotation was opened within a sentence and is
// not direct speech, which follows a colon or a comma: 写着“禁止入内！”四个字.
func (p *place) quotesWithin() bool {
	so := p.t[max(p.start, p.first-bracketReach):p.first]
	i := strings.LastIndexAny(so, "“「『‘")
	if i <= 0 {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(so[:i])
	return ideograph(r) && !strings.ContainsRune("：，、。！？", r)
}

var particles = strings.Fields("と って という は が を に の も で や など から まで だ です")

// indic lists the scripts in which an initial is a syllable of two letters.
var indic = []*unicode.RangeTable{unicode.Devanagari, unicode.Bengali, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Gujarati, unicode.Gurmukhi}

// isShortVerb holds short words that do end Hindi sentences.
var isShortVerb = set(`है था थी थे हो दे लो दो को का की के`)

// inDandaText reports whether a full stop occurs in an Indian text that ends its sentences
// with a danda.
func (p *place) inDandaText() bool {
	r, _ := utf8.DecodeLastRuneInString(p.t[:p.first])
	if p.marks() != "." || !unicode.In(r, indic...) {
		return false
	}
	return strings.Contains(p.t[max(0, p.first-caseReach):min(len(p.t), p.close+caseReach)], "।")
}

// urduInitial reports whether an Urdu full stop follows the name of a Latin letter.
func (p *place) urduInitial() bool {
	if !strings.HasPrefix(p.marks(), "۔") {
		return false
	}
	word, _ := p.lastToken(p.first)
	return isUrduLetter[word]
}

var isUrduLetter = set(`اے بی سی ڈی ای ایف جی ایچ آئی جے ایل ایم این پی کیو آر ایس ٹی یو وی ڈبلیو ایکس وائی زیڈ`)

// shortestThai is the minimum number of bytes in a part that a space may end: some 40
// letters.
const shortestThai = 120

// hasThai reports whether a text contains Thai or Lao and is long enough to be cut there.
func hasThai(t string) bool {
	return len(t) >= 2*shortestThai && (strings.Contains(t, "\xe0\xb8") || strings.Contains(t, "\xe0\xba"))
}

// thaiCut returns the first byte where Thai or Lao continues after a space, or 0. A space
// there ends a sentence as well as a clause, so both parts must be long enough for a
// sentence.
func thaiCut(t string) int {
	for at := shortestThai; at < len(t)-shortestThai; at++ {
		if t[at] != ' ' {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(t[:at])
		after, _ := utf8.DecodeRuneInString(t[at+1:])
		if unicode.In(before, unicode.Thai, unicode.Lao) && unicode.In(after, unicode.Thai, unicode.Lao) {
			return at
		}
	}
	return 0
}
