package read

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noise returns n bytes that look random.
func noise(n int) (b []byte) {
	for i := 0; len(b) < n; i++ {
		sum := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		b = append(b, sum[:]...)
	}
	return b[:n]
}

// lines cuts a text into lines of n bytes.
func lines(t string, n int) string {
	var out []string
	for len(t) > n {
		out, t = append(out, t[:n]), t[n:]
	}
	return strings.Join(append(out, t), "\n")
}

// Encoded data and rows of marks must be refused, unless they are short or asked for.
func TestTextsInNoLanguage(t *testing.T) {
	coded := base64.StdEncoding.EncodeToString(noise(3000))
	for name, in := range map[string]string{
		"base64 in lines": lines(coded, 76), "base64 in one line": coded, "base64 for URLs": base64.URLEncoding.EncodeToString(noise(3000)),
		"hexadecimal": lines(hex.EncodeToString(noise(3000)), 64), "a letter with its attachment": "Dear Ada,\nhere is the file.\n\n" + lines(coded, 76),
		"rows of marks": strings.Repeat("+----+----+\n|    |    |\n", 40), "dots": strings.Repeat(". ", 300),
	} {
		if _, err := All().Read("a.txt", []byte(in), Options{}); !errors.Is(err, ErrNoLanguage) {
			t.Errorf("%s: %v", name, err)
		}
		if d, err := All().Read("a.txt", []byte(in), Options{AnyText: true}); err != nil || d == nil {
			t.Errorf("%s, asked for: %v", name, err)
		}
	}
	if _, err := All().Read("a.txt", []byte(coded[:150]), Options{}); err != nil {
		t.Errorf("a short text: %v", err)
	}
}

// Text of every script, source code and tables must be read.
func TestTextsInLanguages(t *testing.T) {
	for name, sentence := range map[string]string{
		"Chinese":    "磨坊主打开水闸，水流过轮子，轮子转动石磨，风把帆吹得很快。",
		"Japanese":   "粉屋が堰を開けると、水は車の上を流れ、車は石を回す。",
		"Thai":       "คนโม่แป้งเปิดประตูน้ำแล้วน้ำก็ไหลผ่านกังหันและกังหันหมุนหินโม่",
		"Arabic":     "يفتح الطحان السد فيجري الماء فوق العجلة.",
		"Hindi":      "चक्की वाला बाँध खोलता है और पानी पहिये पर बहता है।",
		"German":     "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft!",
		"Go":         "if err := f(x[i]); err != nil { return nil, fmt.Errorf(\"%w\", err) }",
		"JavaScript": "a=>{for(let[b,c]of d)e[b]??=(...f)=>g(...f,{h:c&&!i})};",
		"Perl":       "s/^\\s+//; @{$x}{qw(a b)} = (1, 2); print \"$_\\n\" for @$y;",
		"a table":    "1 | 2.50 | 3 | -4 | 17\n",
		"a log":      "2026-11-29T14:00:00Z INFO 7f3a9c GET /index.html 200 12ms\n",
		"addresses":  "https://example.org/a/very/long/path/that/goes/on/and/on/and/on?with=a&query=of&many=parts1\n",
		"a checksum": "The digest of the file is e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855, as it was before and will be later on the next day of the week.\n",
		"DNA":        strings.Repeat("ACGT", 20) + "\n",
		"emphasis":   "*** Note: the mill --- the old one --- stands! ***\n",
	} {
		if _, err := All().Read("a.txt", []byte(strings.Repeat(sentence, 30)), Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	sources, err := filepath.Glob("*.go")
	if err != nil || len(sources) == 0 {
		t.Fatal(sources, err)
	}
	for _, name := range sources {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := All().Read(name, b, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
