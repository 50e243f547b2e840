package token

import (
	"slices"
	"testing"
)

func TestEachTerm(t *testing.T) {
	for s, want := range map[string][]string{
		"":                            nil,
		"The  Cats' cat_1 (CATEGORY)": {"the", "cats", "cat_1", "catego"},
		"Größe ÄRGER":                 {"größe", "ärger"},
		"Москва Москвы":               {"москва", "москвы"},
		"漢字仮名":                        {"漢", "字", "漢字", "仮", "字仮", "名", "仮名"},
		"a漢b":                         {"a", "漢", "b"},
		"お茶を飲むコーヒー":                   {"茶", "飲", "コー", "ーヒ", "ヒー"},
		"빵을 굽다":                       {"빵", "을", "빵을", "굽", "다", "굽다"},
		"น้ำขึ้น":                     {"น้ำ", "ำขึ้", "ขึ้น"},
		"किताबें किताब":               {"किताबे", "किताब"},
		"والكتاب الكِتَاب كتاب":                 {"كتاب", "كتاب", "كتاب"},
		"והירח הירח ירח":                        {"ירח", "ירח", "ירח"},
		"\xffab\xfe":                            {"ab"},
		"the \ufb01nal O\ufb03ces re\u00adport": {"the", "final", "office", "report"},
		"\xd7\xd7\xe0\xb8":                      nil,
	} {
		var got []string
		var buf [LongestTerm]byte
		EachTerm(s, buf[:0], func(w []byte) { got = append(got, string(w)) })
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
