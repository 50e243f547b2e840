package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"

	"seam/shared/embed/static/norm"
)

// ErrFile reports bytes that are not a usable tokenizer.json.
var ErrFile = errors.New("tokenizer.json")

// file is tokenizer.json. The post-processor and the decoder do not matter here. Truncation
// and padding are up to the model.
type file struct {
	Added        []added         `json:"added_tokens"`
	Normalizer   json.RawMessage `json:"normalizer"`
	Pretokenizer json.RawMessage `json:"pre_tokenizer"`
	Model        struct {
		Type         string            `json:"type"`
		Vocab        json.RawMessage   `json:"vocab"`
		Merges       []json.RawMessage `json:"merges"`
		Unknown      *string           `json:"unk_token"`
		UnknownID    *int              `json:"unk_id"`
		Prefix       *string           `json:"continuing_subword_prefix"`
		Suffix       *string           `json:"end_of_word_suffix"`
		FuseUnknown  bool              `json:"fuse_unk"`
		ByteFallback bool              `json:"byte_fallback"`
		IgnoreMerges bool              `json:"ignore_merges"`
		Dropout      *float64          `json:"dropout"`
		MaxWord      *int              `json:"max_input_chars_per_word"`
	} `json:"model"`
}

// Parse reads a tokenizer.json. The tokenizer keeps b.
func Parse(b []byte) (*Tokenizer, error) {
	t, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	return t, nil
}

func parse(b []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(b, &f); err != nil {
		return nil, err
	}
	t := &Tokenizer{file: b, unknown: -1}
	var err error
	if t.normalize, err = parseNormalizer(f.Normalizer, 0); err != nil {
		return nil, err
	}
	if t.split, err = parsePretokenizer(f.Pretokenizer, 0); err != nil {
		return nil, err
	}
	ids := map[string]uint32{}
	switch f.Model.Type {
	case "BPE":
		t.model, err = parseBPE(&f)
	case "WordLevel":
		t.model, err = parseWordLevel(&f)
	case "WordPiece":
		t.model, err = parseWordPiece(&f)
	case "Unigram":
		t.model, err = parseUnigram(&f)
	default:
		err = fmt.Errorf("model %q is not supported", f.Model.Type)
	}
	if err != nil {
		return nil, err
	}
	switch m := t.model.(type) {
	case *bpe:
		ids = m.vocab
	case *wordLevel:
		ids = m.vocab
	case *wordPiece:
		ids = m.vocab
	case *unigram:
		ids, t.unknown = m.ids, int(m.unknown)
	}
	if err := t.number(f.Added, ids); err != nil {
		return nil, err
	}
	m, ok := t.model.(*wordPiece)
	if f.Model.Type != "Unigram" {
		t.unknown = f.unknownOf(ids)
	}
	if ok {
		t.bert, err = f.onePass(t, m)
	}
	return t, err
}

// vocabulary reads {"token": id, …}.
func (f *file) vocabulary() (map[string]uint32, error) {
	var vocab map[string]uint32
	if err := json.Unmarshal(f.Model.Vocab, &vocab); err != nil {
		return nil, fmt.Errorf("the vocabulary of %s: %w", f.Model.Type, err)
	}
	if len(vocab) == 0 {
		return nil, fmt.Errorf("the vocabulary of %s is empty", f.Model.Type)
	}
	for s, id := range vocab {
		if id >= mostIDs {
			return nil, fmt.Errorf("token %q has id %d, which is beyond %d", s, id, mostIDs)
		}
	}
	return vocab, nil
}

// unknownOf returns the id of the unknown token, or -1.
func (f *file) unknownOf(vocab map[string]uint32) int {
	name := ""
	switch {
	case f.Model.Unknown != nil:
		name = *f.Model.Unknown
	case f.Model.Type == "WordPiece":
		name = "[UNK]"
	case f.Model.Type == "WordLevel":
		name = "<unk>"
	default:
		return -1
	}
	if id, ok := vocab[name]; ok {
		return int(id)
	}
	return -1
}

// mostIDs limits the ids of tokens, so that a file of a few bytes cannot allocate memory
// for billions.
const mostIDs = 1 << 23

// number assigns ids to the added tokens and lists all tokens.
func (t *Tokenizer) number(list []added, vocab map[string]uint32) error {
	t.tokens = byID(vocab)
	for s, id := range vocab {
		if other := t.tokens[id]; other != s {
			return fmt.Errorf("tokens %q and %q have the same id, %d", min(s, other), max(s, other), id)
		}
	}
	t.size = len(vocab)
	next := len(vocab)
	seen := map[string]bool{}
	for _, a := range list {
		if a.Content == "" || seen[a.Content] {
			continue
		}
		seen[a.Content] = true
		id, ok := vocab[a.Content]
		if !ok {
			id = uint32(next)
			t.size++
			for len(t.tokens) <= int(id) {
				t.tokens = append(t.tokens, "")
			}
			if t.tokens[id] != "" {
				return fmt.Errorf("the added token %q and %q have the same id, %d", a.Content, t.tokens[id], id)
			}
			t.tokens[id] = a.Content
		}
		next = max(next, int(id)+1)
		a.id = int(id)
		a.runes = t.lookedFor(&a)
		t.added = append(t.added, a)
	}
	t.begins = map[rune][]*added{}
	for i := range t.added {
		if a := &t.added[i]; len(a.runes) > 0 {
			t.begins[a.runes[0]] = append(t.begins[a.runes[0]], a)
		}
	}
	return nil
}

// lookedFor returns the form of a token to look for in a text.
func (t *Tokenizer) lookedFor(a *added) []rune {
	runes := []rune(a.Content)
	if !a.Normalized || t.normalize == nil {
		return runes
	}
	chars := make([]norm.Char, len(runes))
	for i, r := range runes {
		chars[i].Rune = r
	}
	runes = runes[:0]
	for _, c := range t.normalize(chars) {
		runes = append(runes, c.Rune)
	}
	return runes
}
