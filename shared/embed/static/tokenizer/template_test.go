package tokenizer

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

// Around must follow the post-processor.
func TestAround(t *testing.T) {
	const words = `{"model":{"type":"WordLevel","unk_token":"a","vocab":{"a":0,"b":1,"c":2,"d":3}},"post_processor":PP}`
	template := func(single string) string {
		return `{"type":"TemplateProcessing","single":[` + single + `],"special_tokens":{"b":{"ids":[1]},"c":{"ids":[2,3]},"far":{"ids":[4]},"many":{"ids":[` + strings.Repeat("1,", 64) + `1]}}}`
	}
	const a, b, c = `{"Sequence":{"id":"A"}}`, `{"SpecialToken":{"id":"b"}}`, `{"SpecialToken":{"id":"c"}}`
	for _, x := range []struct {
		processor     string
		before, after []uint32
		says          string
	}{
		{`null`, nil, nil, ""},
		{`{"type":"ByteLevel"}`, nil, nil, ""},
		{`{"type":"BertProcessing","cls":["b",1],"sep":["c",2]}`, []uint32{1}, []uint32{2}, ""},
		{`{"type":"RobertaProcessing","cls":["b",1],"sep":["c",2]}`, []uint32{1}, []uint32{2}, ""},
		{template(b + "," + a + "," + c), []uint32{1}, []uint32{2, 3}, ""},
		{template(a), nil, nil, ""},
		{`{"type":"Sequence","processors":[{"type":"ByteLevel"},` + template(b+","+a+","+c) + `]}`, []uint32{1}, []uint32{2, 3}, ""},
		{`{"type":"RobertaProcessing"}`, nil, nil, "without cls"},
		{`{"type":"RobertaProcessing","cls":["b","x"],"sep":["c",2]}`, nil, nil, "post_processor"},
		{`{"type":"RobertaProcessing","cls":7,"sep":["c",2]}`, nil, nil, "post_processor"},
		{`{"type":"Magic"}`, nil, nil, `"Magic" is not supported`},
		{`7`, nil, nil, "post_processor"},
		{template(b), nil, nil, "without the text"},
		{template(a + "," + a), nil, nil, "not of one text"},
		{template(`{"Sequence":{"id":"B"}}`), nil, nil, "not of one text"},
		{template(a + `,{"SpecialToken":{"id":"z"}}`), nil, nil, `"z" has no id`},
		{template(a + `,{"SpecialToken":{"id":"far"}}`), nil, nil, "token 4"},
		{template(a + `,{"SpecialToken":{"id":"many"}}`), nil, nil, "at most 64"},
		{`{"type":"Sequence","processors":[{"type":"Sequence"}]}`, nil, nil, "Sequence in a Sequence"},
	} {
		tok, err := Parse(bytes.Replace([]byte(words), []byte("PP"), []byte(x.processor), 1))
		if err != nil {
			t.Fatal(err)
		}
		before, after, err := tok.Around()
		switch {
		case x.says == "" && (err != nil || !slices.Equal(before, x.before) || !slices.Equal(after, x.after)):
			t.Errorf("%s: %d and %d, %v", x.processor, before, after, err)
		case x.says != "" && (!errors.Is(err, ErrFile) || !strings.Contains(err.Error(), x.says)):
			t.Errorf("%s: %v, should say %q", x.processor, err, x.says)
		}
	}
}
