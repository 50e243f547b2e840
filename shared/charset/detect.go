package charset

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// windows1252 is the name of the encoding of most Western texts.
const windows1252 = "windows-1252"

// alphabet holds the letters of the languages of some encodings, in lower case.
type alphabet struct {
	encodings string
	kind      kind
	letters   string // of each language, and frequent words if it is one of several
}

// kind says how letters are judged.
type kind int

const (
	accented kind = iota // Latin letters of each language, which count the same
	script               // a script of its own: the more frequent letters first
	marked               // accented, with combining marks
	chinese              // the most frequent characters of thousands
	japanese             // chinese, with kana
	korean               // syllables, the most frequent ones
)

const hanzi = "，。、的一是不了在人有我他这這个個们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于着下自之年过過发發后後作里用道行所然家种種事成方多经經么麼法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心本前开開但因只从從想实實日"

// alphabets lists the encodings that Decode distinguishes. If two decode a text alike, it names
// the first. The sets were written from the alphabets, and the orders by experience.
var alphabets = []alphabet{
	{windows1252 + " macintosh", accented, "éèêïçñöü the of and to in is|äöüß der die und ist von das|éèàçêîôûùëïœæ le la les des et est|áéíóúñü¿¡ el la los que en|ãõçáéíóúâêôà os que do da um não|àèéìòù il di che la un per|æøåéäö og at det er til|åäöé och att det som är har på|äöåõ ja on ei että|þðáéíóúæö og að er sem í|àçèéíïòóúü el els que amb|ëéïöü de het een van"},
	{"windows-1250 iso-8859-2", accented, "ąćęłńóśźż się nie jest na do w z|áčďéěíňóřšťúůýž se na je že do|áäčďéíĺľňóôŕšťúýž sa na je že aby|áéíóöőúüű az és hogy nem egy|čćđšž je se na da za|ăâîşţșț de la în din cu nu un şi"},
	{"windows-1254", accented, "çğıöşüâîû ve bir bu için ile"},
	{"windows-1257", accented, "ąčęėįšųūž ir yra kad į su|āčēģīķļņšūž un ir ar kas no|äõöüšž ja on ei et see"},
	{"windows-1258", marked, "ăâđêôơưáàéèíóòúùý\u0300\u0301\u0303\u0309\u0323 và là của có cho các không"},
	{"windows-1251 koi8-r koi8-u ibm866 iso-8859-5", script, "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэіїєъфёўґјљњћђџќѓѕ и в не на что с по из|оаиентвріслкдумпязьбгчйхжїшєюцщґф і в не на що з до та|аиоетнрсвлдкпмзъгубчяцжхщшюфйьёыэ и на се да от за с е"},
	{"windows-1253 iso-8859-7", script, "αοιετσνηρπκυλμςίάόέδγήθχύφβώωξζψϊϋ και το η ο να της του με"},
	{"windows-1255", script, "יוהלאתרבשמםנעדחקצפגכזטןסךףץ את של על לא הוא היא עם זה"},
	{"windows-1256 iso-8859-6", script, "الينمورتبدعسفكهحقةجصشطخأضزغذءىئظإآثؤپچیژگک في من على إن أن لا ما و"},
	{"windows-874", script, "านรอกเง่มย้ลวดัทสีติปบคหแะจพช็ืขใไุ์ูโผำณธถซภษศฉญฟึๆ"},
	{"shift_jis euc-jp", japanese, hanzi},
	{"gb18030", chinese, hanzi},
	{"big5", chinese, hanzi},
	{"euc-kr", korean, "이다는을를의에가고한하지로은도사있어기나대서해인자그라아시리과만들제정일부수스적전보것게장여으주니면우관"},
}

// leastDamaged is the minimum number of characters that are not ASCII for an encoding that is
// neither declared nor valid.
const leastDamaged = 40

// sampled is the number of bytes that detect looks at.
const sampled = 4 << 10

// highLines returns the first lines that are not ASCII.
func highLines(b []byte) (out []byte) {
	for line := range bytes.Lines(b) {
		if bytes.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
			continue
		}
		out = append(out, line[:min(len(line), sampled)]...)
		if len(out) >= sampled {
			// No character of several bytes has one below '0' after its first.
			if end := bytes.LastIndexFunc(out, func(r rune) bool { return r < '0' }); end > 0 {
				out = out[:end]
			}
			break
		}
	}
	return out
}

// guess is a text as decoded from an encoding.
type guess struct {
	name, text string
	score      float64 // 1 if every character is likely, and below 0 if most are not
	n          int     // characters that are not ASCII, and words of the language
	row        int     // of alphabets
	fits       bool    // it has such characters, and few invalid bytes
}

// detect returns the encoding of bytes that are not UTF-8, and "" if none or several fit. It
// prefers the declared one, if that is not contradicted.
func (d *decoder) detect(declared string) string {
	b := highLines(d.b)
	var all []guess
	var best, western, own guess
	as := ""
	if !strings.HasPrefix(declared, "utf-") {
		_, as = d.Tables(declared, b)
	}
	for row, a := range alphabets {
		if g := a.guess(declared, as); g.fits && (g.score > own.score || !own.fits) {
			own = g
		}
		for name := range strings.FieldsSeq(a.encodings) {
			_, t := d.Tables(name, b)
			g := a.guess(name, t)
			if !g.fits || g.n < leastDamaged && strings.ContainsRune(t, utf8.RuneError) {
				continue
			}
			g.row = row
			all = append(all, g)
			if g.score > best.score {
				best = g
			}
			if name == windows1252 {
				western = g
			}
		}
	}
	clear := best.score >= .25
	for _, g := range all {
		clear = clear && (g.text == best.text || best.beats(g))
	}
	switch {
	case own.fits && (own.score >= 0 || own.n < 4) && !(clear && best.n >= 8 && best.score-own.score > .3):
		return own.name
	case clear:
		return best.name
	case western.fits && western.score >= .5 && western.score > best.score-.25:
		return windows1252
	}
	return ""
}

// beats reports whether g fits clearly better. Few characters have to differ more, unless
// both encodings are for the same languages.
func (g guess) beats(other guess) bool {
	least := 1.5
	if g.row == other.row {
		least = .3
	}
	return (g.score-other.score)*float64(g.n) >= least
}

// guess judges a text as decoded from an encoding of a.
func (a alphabet) guess(name, t string) guess {
	g := guess{name: name, text: t}
	j := judge{kind: a.kind, letters: map[rune]int{}, words: map[string]int{}}
	for _, r := range t {
		j.add(r)
	}
	j.add(' ')
	g.n = j.n
	if g.n == 0 || j.invalid > 1+g.n/200 {
		return g
	}
	g.fits = true
	likely, hits := a.likely(&j)
	g.score = (likely + float64(j.marks-2*j.excess()-2*j.bad-3*j.invalid) - .2*float64(j.capitals)) / float64(g.n)
	g.n += hits
	return g
}

// judge counts the characters of a text that are not ASCII, and its words.
type judge struct {
	kind                   kind
	n, marks, bad, invalid int
	letters                map[rune]int // in lower case, in words that look like words
	words                  map[string]int
	all                    int    // number of words
	high, low              int    // letters that are not ASCII, and that are
	capitals               int    // letters of words in capitals
	word                   []rune // the current one, in lower case
	ascii                  int    // its ASCII letters
	last                   rune
	lower, wrong           bool // there is a letter in lower case; it does not look like a word
	afterWord, afterMark   bool // the last but one is a letter; the last one is a mark
}

// inside lists marks that may have letters on both sides, and symbols common ones that are
// no punctuation.
const inside, symbols = "’‘–—…·´\u00a0\u200c\u200d", "´°©®€£№ªº¹²³½×±µ\u00a0\u200c\u200d\u200e\u200f"

// ends and begins list letters that occur only at the end of a word, or never at its
// beginning.
const ends, never = "ςםןךףץ", "ьъы"

func (j *judge) add(r rune) {
	known := r >= utf8.RuneSelf && j.kind < chinese && (unicode.IsPunct(r) && r != '¶' || strings.ContainsRune(symbols, r))
	letter := (unicode.IsLetter(r) || unicode.IsMark(r)) && !known
	if letter && j.afterMark && (j.afterWord && !strings.ContainsRune(inside, j.last) || j.last == '’' && !j.afterWord) {
		j.bad, j.marks = j.bad+1, j.marks-1
	}
	switch {
	case r == utf8.RuneError:
		j.invalid++
	case letter || r >= utf8.RuneSelf && j.kind >= chinese:
		low := unicode.ToLower(r)
		j.wrong = j.wrong || low != r && j.lower && r >= utf8.RuneSelf || strings.ContainsRune(ends, j.last) || len(j.word) == 0 && strings.ContainsRune(never, r)
		j.lower = j.lower || unicode.IsLower(r)
		j.word = append(j.word, low)
		if r < utf8.RuneSelf {
			j.ascii++
		}
	case r >= utf8.RuneSelf && !known && len(j.word) > 0: // a symbol in a word
		j.word, j.wrong = append(j.word, r), true
	default:
		j.afterWord = len(j.word) > 0
		j.endWord()
		if r < utf8.RuneSelf {
			break
		}
		j.n++
		if known {
			j.marks++
		} else {
			j.bad++
		}
	}
	j.last, j.afterMark = r, known
}

func (j *judge) endWord() {
	n := len(j.word) - j.ascii
	switch j.kind {
	case accented:
		j.wrong = j.wrong || j.ascii*3 < n && n > 1
	case script:
		j.wrong = j.wrong || j.ascii > 0
	case marked:
	default:
		j.wrong = false
	}
	if j.kind == script && n > 1 && !j.lower && unicode.ToUpper(j.word[0]) != j.word[0] {
		j.capitals += n
	}
	j.n, j.high, j.low = j.n+n, j.high+n, j.low+j.ascii
	if j.wrong {
		j.bad += n
	} else {
		for _, r := range j.word {
			j.letters[r]++
		}
	}
	if len(j.word) > 0 {
		j.all++
		if j.kind <= marked && len(j.word) < 6 {
			j.words[string(j.word)]++
		}
	}
	j.word, j.ascii, j.lower, j.wrong = j.word[:0], 0, false, false
}

// excess returns the number of characters that are too many: of marks for the letters, and of
// accents for those without.
func (j *judge) excess() int {
	n := max(0, j.marks-(j.high+j.low)/4-2)
	switch j.kind {
	case accented:
		n += max(0, j.high-j.low-2)
	case marked:
		n += max(0, j.high-2*j.low-2)
	}
	return n
}

// likely returns the number of letters that are of one of the languages, weighted by their
// frequency, less the others. Words of the language add to it; found is their number.
func (a alphabet) likely(j *judge) (best float64, found int) {
	best = -float64(j.n)
	for language := range strings.SplitSeq(a.letters, "|") {
		letters, words, _ := strings.Cut(language, " ")
		sum, hits := 0, 0 // sum is in parts of whole, so that its order does not matter
		for r, n := range j.letters {
			if r >= utf8.RuneSelf {
				sum += n * a.kind.weight(r, strings.IndexRune(letters, r), len(letters))
			}
		}
		for w := range strings.FieldsSeq(words) {
			hits += j.words[w]
		}
		likely := float64(sum) / whole
		if hits > 0 {
			likely += min(.3, 2*float64(hits)/float64(j.all)) * float64(j.n)
		}
		if likely > best {
			best, found = likely, hits
		}
	}
	return best, found
}

// whole is the weight of the most likely letter.
const whole = 100

// weight returns how likely a letter is, from whole to -whole. at is its place among the
// letters of a language, or below 0, and size is their length.
func (k kind) weight(r rune, at, size int) int {
	switch {
	case k == script && at >= 0:
		return whole - whole*at/size
	case at >= 0 || k == japanese && 0x3041 <= r && r < 0x30ff:
		return whole
	case k < chinese:
	case 0x3000 <= r && r < 0x3020, 0xff01 <= r && r < 0xff5f:
		return whole / 2
	case k == korean && 0xac00 <= r && r < 0xd7a4, k < korean && 0x4e00 <= r && r < 0xa000:
		return whole / 4
	}
	return -whole
}
