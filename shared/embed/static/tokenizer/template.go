package tokenizer

import (
	"encoding/json"
	"fmt"
)

// postProcessor holds a tokenizer.json's rules for the tokens around a text.
type postProcessor struct {
	Type   string `json:"type"`
	Single []struct {
		Special *struct {
			ID string `json:"id"`
		} `json:"SpecialToken"`
		Sequence *struct {
			ID string `json:"id"`
		} `json:"Sequence"`
	} `json:"single"`
	Specials map[string]struct {
		IDs []uint32 `json:"ids"`
	} `json:"special_tokens"`
	First      pair              `json:"cls"`
	Last       pair              `json:"sep"`
	Processors []json.RawMessage `json:"processors"`
}

// pair is ["[CLS]", 101].
type pair struct{ id *uint32 }

// UnmarshalJSON reads the id. The token's text adds no information.
func (p *pair) UnmarshalJSON(b []byte) error {
	var text string
	return json.Unmarshal(b, &[]any{&text, &p.id})
}

// mostAround is the maximum number of tokens on either side of a text.
const mostAround = 64

// Around returns the ids that the file's post-processor puts before and after a single
// text, such as [CLS] and [SEP]. Both are empty if the file has no post-processor.
func (t *Tokenizer) Around() (before, after []uint32, err error) {
	var f struct {
		PostProcessor json.RawMessage `json:"post_processor"`
	}
	if err := json.Unmarshal(t.file, &f); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrFile, err)
	}
	before, after, err = tokensAround(f.PostProcessor, 0)
	if err == nil {
		err = t.checkAround(before, after)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%w: post_processor: %w", ErrFile, err)
	}
	return before, after, nil
}

func (t *Tokenizer) checkAround(before, after []uint32) error {
	if len(before) > mostAround || len(after) > mostAround {
		return fmt.Errorf("%d and %d tokens around a text; at most %d are supported", len(before), len(after), mostAround)
	}
	for _, ids := range [][]uint32{before, after} {
		for _, id := range ids {
			if int(id) >= len(t.tokens) {
				return fmt.Errorf("token %d is not in the vocabulary", id)
			}
		}
	}
	return nil
}

func tokensAround(raw json.RawMessage, depth int) (before, after []uint32, err error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil, nil
	}
	var p postProcessor
	if err := json.Unmarshal(raw, &p); err != nil {
		return nil, nil, err
	}
	switch p.Type {
	case "ByteLevel": // changes offsets, adds nothing
		return nil, nil, nil
	case "BertProcessing", "RobertaProcessing":
		if p.First.id == nil || p.Last.id == nil {
			return nil, nil, fmt.Errorf("%s without cls or sep", p.Type)
		}
		return []uint32{*p.First.id}, []uint32{*p.Last.id}, nil
	case "TemplateProcessing":
		return p.template()
	case "Sequence":
		if depth > 0 {
			return nil, nil, fmt.Errorf("a Sequence in a Sequence is not supported")
		}
		for _, r := range p.Processors {
			b, a, err := tokensAround(r, depth+1)
			if err != nil {
				return nil, nil, err
			}
			before, after = append(b, before...), append(after, a...)
		}
		return before, after, nil
	}
	return nil, nil, fmt.Errorf("%q is not supported", p.Type)
}

// template reads the pieces of TemplateProcessing for a single text.
func (p *postProcessor) template() (before, after []uint32, err error) {
	seen := false
	for _, piece := range p.Single {
		switch {
		case piece.Sequence != nil:
			if seen || piece.Sequence.ID != "A" {
				return nil, nil, fmt.Errorf("a template that is not of one text")
			}
			seen = true
		case piece.Special != nil:
			special, ok := p.Specials[piece.Special.ID]
			if !ok {
				return nil, nil, fmt.Errorf("the template's token %q has no id", piece.Special.ID)
			}
			if seen {
				after = append(after, special.IDs...)
			} else {
				before = append(before, special.IDs...)
			}
		}
	}
	if !seen {
		return nil, nil, fmt.Errorf("a template without the text")
	}
	return before, after, nil
}
