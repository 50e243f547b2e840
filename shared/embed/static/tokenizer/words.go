package tokenizer

import (
	"fmt"

	"seam/shared/embed/static/wordpiece"
)

// wordLevel recognizes only whole words.
type wordLevel struct {
	vocab   map[string]uint32
	unknown uint32
}

func (m *wordLevel) tokens(dst []token, w *word) []token {
	id, ok := m.vocab[w.text]
	if !ok {
		id = m.unknown
	}
	return append(dst, w.token(id, 0, len(w.text)))
}

func parseWordLevel(f *file) (model, error) {
	vocab, err := f.vocabulary()
	if err != nil {
		return nil, err
	}
	unknown := f.unknownOf(vocab)
	if unknown < 0 {
		return nil, fmt.Errorf("the vocabulary of WordLevel has no unknown token")
	}
	return &wordLevel{vocab, uint32(unknown)}, nil
}

// wordPiece splits words like package wordpiece.
type wordPiece struct {
	vocab   map[string]uint32
	options wordpiece.Options
	words   *wordpiece.Tokenizer
}

func parseWordPiece(f *file) (*wordPiece, error) {
	vocab, err := f.vocabulary()
	if err != nil {
		return nil, err
	}
	unknown := f.unknownOf(vocab)
	if unknown < 0 {
		return nil, fmt.Errorf("the vocabulary of WordPiece has no unknown token")
	}
	m := &wordPiece{vocab: vocab, options: wordpiece.Options{Prefix: "##", MaxWord: 100, Unknown: uint32(unknown)}}
	if f.Model.Prefix != nil {
		m.options.Prefix = *f.Model.Prefix
	}
	if f.Model.MaxWord != nil {
		m.options.MaxWord = *f.Model.MaxWord
	}
	m.words, err = wordpiece.New(byID(vocab), m.options)
	return m, err
}

// byID returns the tokens by id, with "" for an unused id.
func byID(vocab map[string]uint32) []string {
	var tokens []string
	for s, id := range vocab {
		for int(id) >= len(tokens) {
			tokens = append(tokens, "")
		}
		tokens[id] = s
	}
	return tokens
}

func (m *wordPiece) tokens(dst []token, w *word) []token {
	m.words.Word(w.text, func(id uint32, from, to int) { dst = append(dst, w.token(id, from, to)) })
	return dst
}

// onePass returns a tokenizer that does all of BERT's steps at once, or nil if the file
// describes something else.
func (f *file) onePass(t *Tokenizer, m *wordPiece) (*wordpiece.Tokenizer, error) {
	n, err := parseStep(f.Normalizer, 0)
	if err != nil {
		return nil, err
	}
	p, err := parseStep(f.Pretokenizer, 0)
	if err != nil {
		return nil, err
	}
	if n.Type != "BertNormalizer" || p.Type != "BertPreTokenizer" {
		return nil, nil
	}
	for i := range t.added {
		if t.added[i].Normalized {
			return nil, nil
		}
	}
	o := bertOptions(n)
	o.Prefix, o.MaxWord, o.Unknown = m.options.Prefix, m.options.MaxWord, m.options.Unknown
	return wordpiece.New(m.words.Tokens(), o)
}

// BERT returns the options of the tokenizer if it is BERT's, and the ids of the tokens that
// are matched literally in a text beforehand. ok is false for any other tokenizer.
func (t *Tokenizer) BERT() (opt wordpiece.Options, added []int, ok bool) {
	if t.bert == nil {
		return opt, nil, false
	}
	for i := range t.added {
		a := &t.added[i]
		if a.SingleWord || a.LeftStrip || a.RightStrip {
			return opt, nil, false
		}
		added = append(added, a.id)
	}
	return t.bert.Options(), added, true
}
