package html

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// formula is an open MathML formula. It becomes a line of text that search and models can
// read: x^2, (a + b)/c, √x, ∑_(i = 1)^n. The names and the order of the parts are those in
// MathML Core (https://www.w3.org/TR/mathml-core/).
type formula struct {
	open []mathElement
	deep int // number of open elements that are left out
}

// mathElement is an open element and the texts of its parts.
type mathElement struct {
	name  string
	parts []string
}

// maxFormula is the maximum depth of a formula. Elements further inside are left out.
const maxFormula = 64

func (f *formula) start(t html.Token, closed bool) {
	switch {
	case closed:
	case len(f.open) < maxFormula:
		f.open = append(f.open, mathElement{name: t.Data})
	default:
		f.deep++
	}
}

func (f *formula) text(s string) {
	if s = strings.Join(strings.Fields(s), " "); s != "" && f.deep == 0 {
		last := &f.open[len(f.open)-1]
		last.parts = append(last.parts, s)
	}
}

// end closes the innermost element of this name, with those inside it.
func (f *formula) end(name string) {
	if f.deep > 0 {
		f.deep--
		return
	}
	at := len(f.open) - 1
	for at > 0 && f.open[at].name != name {
		at--
	}
	for at > 0 && len(f.open) > at {
		f.close()
	}
}

// close closes the innermost element and adds its text to the one around it.
func (f *formula) close() {
	last := f.open[len(f.open)-1]
	f.open = f.open[:len(f.open)-1]
	if s := last.line(); s != "" || len(last.parts) > 0 || last.name == "mrow" {
		around := &f.open[len(f.open)-1]
		around.parts = append(around.parts, s)
	}
}

// finish closes all elements and returns the text.
func (f *formula) finish() string {
	for len(f.open) > 1 {
		f.close()
	}
	return f.open[0].line()
}

// part returns part i, or an empty one if it is missing.
func (e *mathElement) part(i int) string {
	if i < len(e.parts) {
		return e.parts[i]
	}
	return ""
}

// line returns the text of e.
func (e *mathElement) line() string {
	a, b, c := e.part(0), e.part(1), e.part(2)
	switch e.name {
	case "annotation", "annotation-xml", "mphantom":
		return ""
	case "semantics", "maction":
		return a
	case "mo":
		return operator(strings.Join(e.parts, ""))
	case "msup":
		return base(a) + "^" + term(b)
	case "msub", "munder":
		return base(a) + "_" + term(b)
	case "mover":
		if accent := over[strings.TrimSpace(b)]; accent != "" && utf8.RuneCountInString(a) == 1 {
			return a + accent
		}
		return base(a) + "^" + term(b)
	case "msubsup", "munderover":
		return base(a) + "_" + term(b) + "^" + term(c)
	case "mfrac":
		return term(a) + "/" + term(b)
	case "msqrt":
		return "√" + term(joined(e.parts))
	case "mroot":
		return "√[" + b + "]" + term(a)
	case "mfenced":
		return "(" + strings.Join(e.parts, ", ") + ")"
	case "mtd":
		return joined(e.parts)
	case "mtr":
		return strings.Join(e.parts, ", ")
	case "mtable":
		return "[" + strings.Join(e.parts, "; ") + "]"
	}
	return joined(e.parts)
}

// spacedOperators have spaces around them.
const spacedOperators = "=<>≤≥≠≈≡∼≅∝+−±∓→←↔⇒⇐⇔∈∉⊂⊆⊃∪∩∧∨×⋅·∣:"

// operator returns an operator with its spaces. Invisible ones are left out.
func operator(s string) string {
	s = strings.Trim(s, "\u2061\u2062\u2063\u2064 ")
	switch {
	case s == "-" || s == "−":
		return " − "
	case s == ",", s == ";":
		return s + " "
	case utf8.RuneCountInString(s) == 1 && strings.Contains(spacedOperators, s):
		return " " + s + " "
	}
	return s
}

// joined returns the parts of a row. A sign at its beginning or after a bracket has no space
// behind it.
func joined(parts []string) string {
	var sb strings.Builder
	for _, p := range parts {
		before := sb.String()
		if strings.HasPrefix(p, " ") && (before == "" || strings.ContainsAny(before[len(before)-1:], "([ ")) {
			p = strings.TrimSpace(p)
		}
		sb.WriteString(p)
	}
	return strings.TrimSpace(sb.String())
}

// over maps an accent over one letter to its combining character.
var over = map[string]string{"¯": "\u0304", "‾": "\u0304", "ˉ": "\u0304", "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "˙": "\u0307", "¨": "\u0308", "→": "\u20d7"}

// base returns s as the base of an index: an operator without its spaces.
func base(s string) string {
	if t := strings.TrimSpace(s); utf8.RuneCountInString(t) == 1 {
		return t
	}
	return term(s)
}

// term returns s in parentheses, unless it is one number, name or sign.
func term(s string) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= 1 || strings.IndexFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '\'' && r != '′'
	}) < 0 {
		return s
	}
	return "(" + s + ")"
}
