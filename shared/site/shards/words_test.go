package shards

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/shared/index"
)

// The words of these texts are fixed in a file, which the widget reads too.
var wordTexts = []string{
	"OAuth2Client IPv6Address iOSBuild H264Encoder HTTPServer IOError xAxis eBay MyOAuthClient UTF8",
	"registerEventListener eth_sendRawTransaction Py_CompileStringExFlags __init__ a_b_c",
	"v2.14.3 v1.21.0-rc.2 RFC9110 RFC 9110 TLS1.3 TLS 1.3 2.14.3 127.0.0.1 1,000.5 v2",
	"C++ C# F# H2O H₂O CO₂ x² Node.js Vue.js os.path.join std::fmt a::b.c .NET ASP.NET",
	"ﾊﾟﾝ ｶﾞｽ ｱﾞ ﾞ ｷｰ カタカナ ﾃﾞｰﾀ型 カﾞ ｶﾞﾟ _# _++ x_#",
	"0xDEADBEEF1A2B aBcDeFgHiJkLmNoPqRsTuVwXyZ A1B2C3d4E5f ABc AbC aB A B",
	"Don't l'homme Cafe\u0301 o\ufb03ce re\u00adport ＡＢＣ１ 织布机 と",
	"--no-cache -v a-b --a-- -- -1 x--y é--z List<String> Map<String,List<Int>> a<b 1<2>3 <b> f<> List<.b> 9List<T> .NET ASP.NET ...x @property a@b.c $PATH $_GET $1",
	"0Node.js éNode.js 🧵aNode.js ²Node.js e\u0301Node.js ß_RFC.NET éd.e.f x.éa.b",
	strings.Repeat("LongName", 12) + " x" + strings.Repeat("1.", 40),
}

type textWords struct {
	Text  string   `json:"text"`
	Words []string `json:"words"` // extra forms begin with "+"
	Query []string `json:"query"`
}

func TestWordsGolden(t *testing.T) {
	name := filepath.Join("..", "testdata", "words.json")
	var all []textWords
	for _, s := range wordTexts {
		w := textWords{Text: s}
		index.EachWord(s, func(form []byte, extra bool) {
			sign := ""
			if extra {
				sign = "+"
			}
			w.Words = append(w.Words, sign+string(form))
		})
		eachSigned(s, func(form string) { w.Words = append(w.Words, form) })
		w.Query = queryWords(s)
		all = append(all, w)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(all); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("the words of texts have changed: UPDATE_GOLDEN=1 go test ./shared/site/shards writes %s anew; look at the changes", name)
	}
}

// Parts of names, numbers and other spellings must find the names.
func TestWordsOfNames(t *testing.T) {
	for _, c := range []struct{ text, finds string }{
		{"OAuth2Client", "oauth2client oauth2 oauth client"},
		{"IPv6Address", "ipv6address ipv6 address"},
		{"iOSBuild", "iosbuild ios build"},
		{"H264Encoder", "h264 encoder"},
		{"HTTPServer", "http server"},
		{"registerEventListener", "event listener eventlistener"},
		{"eth_sendRawTransaction", "rawtransaction sendrawtransaction"},
		{"v2.14.3", "2.14.3 2.14"},
		{"v1.21.0-rc.2", "1.21 1.21.0"},
		{"RFC9110", "rfc 9110"},
		{"C++, C#", "c++ cpp c# csharp"},
		{"Node.js", "node js nodejs node.js"},
		{"H₂O", "h2o"},
		{"use --no-cache, List<String> and .NET", "--no-cache no cache list<string> list .net"},
		{"ﾊﾟﾝ", "パン"},
	} {
		var forms []string
		eachWord(c.text, func(w []byte) { forms = append(forms, string(w)) })
		for want := range strings.FieldsSeq(c.finds) {
			if !slices.Contains(forms, want) {
				t.Errorf("%s has the words %q, without %q", c.text, forms, want)
			}
		}
	}
}
