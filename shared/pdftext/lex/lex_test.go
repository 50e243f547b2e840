package lex

import (
	"fmt"
	"strings"
	"testing"
)

// dump returns a value in a form that is easy to compare.
func dump(v Value) string {
	switch v.Kind {
	case Number:
		return fmt.Sprint(v.Num)
	case String:
		return fmt.Sprintf("%q", v.Bytes)
	case Name:
		return "/" + string(v.Bytes)
	case Operator:
		return string(v.Bytes)
	}
	var items []string
	for _, x := range v.Items {
		items = append(items, dump(x))
	}
	if v.Kind == Dict {
		return "<<" + strings.Join(items, " ") + ">>"
	}
	return "[" + strings.Join(items, " ") + "]"
}

func all(b string) string {
	var out []string
	for lx := New([]byte(b)); ; {
		v := lx.Next()
		if v.Kind == End {
			return strings.Join(out, " ")
		}
		out = append(out, dump(v))
	}
}

func TestNext(t *testing.T) {
	tests := []struct{ in, want string }{
		{"BT /F1 12 Tf (a) Tj ET", `BT /F1 12 Tf "a" Tj ET`},
		{"1 -2 +3 .5 -.5 4. 1e-2 --7 12-3 1.2.3 99999999999999999999", "1 -2 3 0.5 -0.5 4 0.01 -7 12 1.2 1e+20"},
		{`(a(b)c) (\(\n\101\7\0612\)) ` + "(a\\\nb) (a\rb)", `"a(b)c" "(\nA\a12)" "ab" "a\nb"`},
		{"<48 65 6C6c6> <> <zz>", `"Hell` + "`" + `" "" ""`},
		{"/A#20B /A#zz /", "/A B /A#zz /"},
		{"[1 (a) /b [2]] TJ", `[1 "a" /b [2]] TJ`},
		{"<< /A 1 /B << /C (d) >> >>", `<</A 1 /B <</C "d">>>>`},
		{"<< /Root 1 0 R /Size 5 /Odd >>", "<</Root 1 /Size 5>>"},
		{"a % comment\nb%c", "a b"},
		{")]>>} x", "x"},
		{"(open", `"open"`},
		{"[1 2", "[1 2]"},
		{"q\x00Q\fn", "q Q n"},
	}
	for _, c := range tests {
		if got := all(c.in); got != c.want {
			t.Errorf("%q: %s, not %s", c.in, got, c.want)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	all(strings.Repeat("[", 1<<20))
	all(strings.Repeat("<</a", 1<<18))
}

func TestSkipInlineImage(t *testing.T) {
	lx := New([]byte("BI /W 1 ID \x00 EI\xff\x80 EI Q"))
	lx.Next()
	lx.SkipInlineImage()
	if v := lx.Next(); string(v.Bytes) != "Q" {
		t.Errorf("after the image: %s", dump(v))
	}
}

func FuzzNext(f *testing.F) {
	for _, s := range []string{"BT /F1 12 Tf [(a\\101) -20 <41>] TJ ET", "<< /A [1 2 << >> ] >>", "BI /W 1 ID xx EI Q", "((", "<<<", "1e999 -"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		lx := New(b)
		for {
			before := lx.Offset()
			v := lx.Next()
			if v.Kind == End {
				break
			}
			if lx.Offset() <= before || lx.Offset() > len(b) {
				t.Fatalf("offset %d after %d of %d", lx.Offset(), before, len(b))
			}
			if string(v.Bytes) == "BI" {
				lx.SkipInlineImage()
			}
		}
	})
}
