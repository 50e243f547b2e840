package wordpiece

import (
	"encoding/json"
	"strconv"
)

// File returns the tokenizer in the format of Hugging Face's tokenizer.json.
func (t *Tokenizer) File() ([]byte, error) {
	o := t.opt
	b := []byte(`{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":{"type":"BertNormalizer","clean_text":`)
	b = strconv.AppendBool(b, o.Clean)
	b = append(b, `,"handle_chinese_chars":`...)
	b = strconv.AppendBool(b, o.Han)
	b = append(b, `,"strip_accents":`...)
	b = strconv.AppendBool(b, o.StripAccents)
	b = append(b, `,"lowercase":`...)
	b = strconv.AppendBool(b, o.Lowercase)
	b = append(b, `},"pre_tokenizer":{"type":"BertPreTokenizer"},"post_processor":null,"decoder":null,"model":{"type":"WordPiece","unk_token":`...)
	quoted := func(s string) error {
		q, err := json.Marshal(s)
		b = append(b, q...)
		return err
	}
	if err := quoted(t.tokens[o.Unknown]); err != nil {
		return nil, err
	}
	b = append(b, `,"continuing_subword_prefix":`...)
	if err := quoted(o.Prefix); err != nil {
		return nil, err
	}
	b = append(b, `,"max_input_chars_per_word":`...)
	b = strconv.AppendInt(b, int64(o.MaxWord), 10)
	b = append(b, `,"vocab":{`...)
	for id, s := range t.tokens {
		if id > 0 {
			b = append(b, ',')
		}
		if err := quoted(s); err != nil {
			return nil, err
		}
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(id), 10)
	}
	return append(b, `}}}`...), nil
}
