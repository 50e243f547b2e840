package index

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"seam/shared/text"
)

// composed lists letters with a mark, grouped by the mark. Each is followed by the letter
// without it. They are the lower-case letters of Unicode 15 that decompose canonically into
// one Latin, Greek or Cyrillic letter and one mark.
var composed = []struct {
	mark    rune
	letters string
}{
	{0x0300, "àaèeìiòoùuǜüǹnѐеѝиḕēṑōẁwầâằăềêồôờơừưỳy"},
	{0x0301, "áaéeíióoúuýyćcĺlńnŕrśsźzǘüǵgǻåǽæǿø΅¨ΐϊάαέεήηίιΰϋόούυώωϓϒѓгќкḉçḗēḯïḱkḿmṍõṓōṕpṹũẃwấâắăếêốôớơứư"},
	{0x0302, "âaêeîiôoûuĉcĝgĥhĵjŝsŵwŷyẑzậạệẹộọ"},
	{0x0303, "ãañnõoĩiũuṽvẫâẵăẽeễêỗôỡơữưỹy"},
	{0x0304, "āaēeīiōoūuǖüǟäǡȧǣæǭǫȫöȭõȱȯȳyӣиӯуḡgḹḷṝṛ"},
	{0x0306, "ăaĕeğgĭiŏoŭuйиўуӂжӑаӗеḝȩặạ"},
	{0x0307, "ċcėeġgżzȧaȯoḃbḋdḟfḣhṁmṅnṗpṙrṡsṥśṧšṩṣṫtẇwẋxẏyẛſ"},
	{0x0308, "äaëeïiöoüuÿyϊιϋυϔϒёеїіӓаӛәӝжӟзӥиӧоӫөӭэӱуӵчӹыḧhṏõṻūẅwẍxẗt"},
	{0x0309, "ảaẩâẳăẻeểêỉiỏoổôởơủuửưỷy"},
	{0x030a, "åaůuẘwẙy"},
	{0x030b, "őoűuӳу"},
	{0x030c, "čcďděeľlňnřršsťtžzǎaǐiǒoǔuǚüǧgǩkǯʒǰjȟh"},
	{0x030f, "ȁaȅeȉiȍoȑrȕuѷѵ"},
	{0x0311, "ȃaȇeȋiȏoȓrȗu"},
	{0x031b, "ơoưu"},
	{0x0323, "ḅbḍdḥhḳkḷlṃmṇnṛrṣsṭtṿvẉwẓzạaẹeịiọoợơụuựưỵy"},
	{0x0324, "ṳu"},
	{0x0325, "ḁa"},
	{0x0326, "șsțt"},
	{0x0327, "çcģgķkļlņnŗrşsţtȩeḑdḩh"},
	{0x0328, "ąaęeįiųuǫo"},
	{0x032d, "ḓdḙeḽlṋnṱtṷu"},
	{0x032e, "ḫh"},
	{0x0330, "ḛeḭiṵu"},
	{0x0331, "ḇbḏdḵkḻlṉnṟrṯtẕzẖh"},
}

// ligatures maps letters to their usual spelling on keyboards that lack them.
var ligatures = map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ı': "i", 'ħ': "h", 'ς': "σ"}

var (
	composition = map[[2]rune]rune{} // letter, mark -> letter with the mark
	plain       = map[rune]rune{}    // letter with a mark -> letter without it
)

func init() {
	for _, c := range composed {
		letters := []rune(c.letters)
		for i := 0; i < len(letters); i += 2 {
			composition[[2]rune{letters[i+1], c.mark}] = letters[i]
			plain[letters[i]] = letters[i+1]
		}
	}
}

// shaped lists Arabic letters by the first of the two or four presentation forms for them.
// PDFs in Arabic may contain these.
var shaped = []struct {
	first   rune
	letters string // letters of consecutive characters
}{
	{0xfb56, "پپپپ"}, {0xfb7a, "چچچچ"}, {0xfb8a, "ژژ"}, {0xfb8e, "ککککگگگگ"}, {0xfbfc, "یییی"},
	{0xfe80, "ءآآأأؤؤإإئئئئااببببةةتتتتثثثثججججححححخخخخددذذررززسسسسششششصصصصضضضضططططظظظظععععغغغغففففققققككككللللممممننننههههووىىيييي"},
}

// lamAlif lists the letters of the two-letter ligatures starting at U+FEF5.
var lamAlif = [...]string{"لآ", "لآ", "لأ", "لأ", "لإ", "لإ", "لا", "لا"}

// unshaped returns the letters that a presentation form stands for, or "" for an ordinary
// letter.
func unshaped(r rune) string {
	if letters := text.Ligature(r); letters != "" {
		return letters
	}
	if i := int(r) - 0xfef5; i >= 0 && i < len(lamAlif) {
		return lamAlif[i]
	}
	for _, s := range shaped {
		const size = len("ا") // bytes of each
		if i := int(r-s.first) * size; i >= 0 && i < len(s.letters) {
			return s.letters[i : i+size]
		}
	}
	return ""
}

// compose appends a rune to a word in lower case. Ligatures and presentation forms become
// their letters, and full-width letters and digits and subscripts become ordinary ones. A mark is combined
// with the letter before it. Vowel marks of Hebrew and Arabic are dropped, because most
// writers omit them.
func compose(word []byte, r rune) []byte {
	if r >= 0xfb00 && r < 0xff00 {
		if letters := unshaped(r); letters != "" {
			return append(word, letters...)
		}
	}
	if '０' <= r && r <= 'ｚ' {
		r -= '０' - '0'
	}
	if isSubscript(r) {
		r -= '₀' - '0'
	}
	if !unicode.IsMark(r) {
		return utf8.AppendRune(word, r)
	}
	last, size := utf8.DecodeLastRune(word)
	switch c, ok := composition[[2]rune{last, r}]; {
	case ok:
		return utf8.AppendRune(word[:len(word)-size], c)
	case r >= 0x300 && r < 0x370, r >= 0x591 && r < 0x5c8, r >= 0x64b && r < 0x660:
		return word
	}
	return utf8.AppendRune(word, r)
}

// fold returns a word without marks, as typed on a keyboard that lacks them.
func fold(word string) string {
	if isASCII(word) {
		return word
	}
	var b strings.Builder
	for _, r := range word {
		if s, ok := ligatures[r]; ok {
			b.WriteString(s)
			continue
		}
		for p, ok := plain[r]; ok; p, ok = plain[r] {
			r = p
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isSubscript reports whether a character is a lowered digit, as in H₂O. A raised one is
// usually a mark of a note.
func isSubscript(r rune) bool { return '₀' <= r && r <= '₉' }

// halfWidth lists the letters of the half-width kana from U+FF66 on. Two marks follow them.
const halfWidth = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"

// The first half-width kana, and the marks for a voiced and a half-voiced one.
const (
	firstHalf  = 'ｦ'
	voiced     = 'ﾞ'
	halfVoiced = 'ﾟ'
)

// isHalf reports whether a character is a half-width kana or a mark of one.
func isHalf(r rune) bool { return firstHalf <= r && r <= halfVoiced }

// widen appends kana at their ordinary width.
func widen(b []byte, kana string) []byte {
	half := false // the letter before was of half width
	for _, r := range kana {
		switch {
		case r == voiced || r == halfVoiced:
			last, size := utf8.DecodeLastRune(b)
			with := '\u3099' + r - voiced // a mark of its own
			switch {
			case !half:
			case r == voiced && last == 'ウ':
				last, with = 'ヴ', 0
			case r == voiced && strings.ContainsRune("カキクケコサシスセソタチツテトハヒフヘホ", last), strings.ContainsRune("ハヒフヘホ", last):
				last, with = last+1+r-voiced, 0
			}
			half = false
			if with == 0 {
				b = utf8.AppendRune(b[:len(b)-size], last)
			} else {
				b = utf8.AppendRune(b, with)
			}
		case isHalf(r):
			i := int(r-firstHalf) * len("ヲ")
			b = append(b, halfWidth[i:i+len("ヲ")]...)
			half = true
		default:
			b = utf8.AppendRune(b, r)
			half = false
		}
	}
	return b
}
