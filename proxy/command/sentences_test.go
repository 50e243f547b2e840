package command

import (
	"bytes"
	"encoding/json"
	"testing"
)

func FuzzAppendJSON(f *testing.F) {
	for _, s := range []string{"", "plain", "say \"so\" \\ <&>", "\n\r\t\f\b\v\x00\x1f\x7f", "é 字 😀 \u2028 \u2029 \u2027 \u202a", "\ufeff\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = string(bytes.ToValidUTF8([]byte(s), []byte("\ufffd")))
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		if got := string(appendJSON(nil, s)) + "\n"; got != want.String() {
			t.Errorf("%q: %s, want %s", s, got, want.String())
		}
	})
}
