package encoder

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"seam/shared/digest"
)

// PartsVersion is the version of Parts' output, which web/widget/meaning reads.
const PartsVersion = 1

// partsHead is the JSON of a head.
type partsHead struct {
	Version    int      `json:"version"`
	ID         string   `json:"id"` // of the model
	Width      int      `json:"width"`
	Heads      int      `json:"heads"`
	Inner      int      `json:"inner"`
	Layers     int      `json:"layers"`
	Vocabulary int      `json:"vocabulary"` // rows of the table of words
	Positions  int      `json:"positions"`
	Window     int      `json:"window"`
	Epsilon    float64  `json:"epsilon"`
	Rows       int      `json:"rows"`    // of a block
	First      int      `json:"first"`   // rows in the head
	Before     []uint32 `json:"before"`  // ids before a text
	After      []uint32 `json:"after"`   // ids after it
	Unknown    uint32   `json:"unknown"` // id of a word that cannot be split into pieces
	Longest    int      `json:"longest"` // a word with more characters is unknown
	Added      []int    `json:"added"`   // ids of tokens that are matched literally in a text
}

// mostPartsInner limits sums of products of bytes to 25 bits, because a page holds two of
// them in one float64.
const mostPartsInner = 2048

// Parts divides a packed file of 4 bits for a page, which loads only the parts its
// questions need. The head contains everything except the table of words, and the first
// rows of that. Block i has the rows from first + i×rows; the last one may have fewer. Rows
// are in the form of pack4. The head is
//
//	four lengths in bytes, uint32
//	the shape: JSON
//	the vocabulary in order of its ids, a line end between two tokens
//	the first rows of the table of words
//	the other numbers, as in the packed file after that table
//
// Everything is little endian, and the same file gives the same parts. Parts accepts only
// models that a page can run: BERT's tokens in lower case, mean pooling, no prompts.
func Parts(packed []byte, rows, first int) (head []byte, blocks [][]byte, err error) {
	m, err := OpenPacked(packed, "")
	if err != nil {
		return nil, nil, err
	}
	le := binary.LittleEndian
	if bits := le.Uint32(packed[8:]); bits != Four {
		return nil, nil, fmt.Errorf("divide a packed encoder: its weights have %d bits, and parts have %d", bits, Four)
	}
	if rows < 1 || first < 0 || first > m.Vocabulary {
		return nil, nil, fmt.Errorf("divide a packed encoder: blocks of %d rows behind the first %d of %d are not possible", rows, first, m.Vocabulary)
	}
	shape, err := m.partsHead(packed)
	if err != nil {
		return nil, nil, fmt.Errorf("divide a packed encoder: %w", err)
	}
	shape.Rows, shape.First = rows, first
	about, err := json.Marshal(shape)
	if err != nil {
		return nil, nil, fmt.Errorf("divide a packed encoder: %w", err)
	}
	words := []byte(strings.Join(m.tokens.Tokens(), "\n"))
	numbers := packed[headSize+int(le.Uint32(packed[12:]))+int(le.Uint32(packed[16:])) : len(packed)-digest.Size]
	row := groupBytes(m.Width)
	table, numbers := numbers[:m.Vocabulary*row], numbers[m.Vocabulary*row:]
	sections := [][]byte{about, words, table[:first*row], numbers}
	for _, s := range sections {
		head = le.AppendUint32(head, uint32(len(s)))
	}
	for _, s := range sections {
		head = append(head, s...)
	}
	for table = table[first*row:]; len(table) > 0; {
		n := min(len(table), rows*row)
		blocks = append(blocks, table[:n:n])
		table = table[n:]
	}
	return head, blocks, nil
}

// partsHead returns the data of a model that a page needs. It refuses a model that a page
// cannot run.
func (m *Model) partsHead(packed []byte) (*partsHead, error) {
	opt, added, ok := m.tokens.BERT()
	switch {
	case !ok || opt.Prefix != "##" || !opt.Clean || !opt.Han || !opt.StripAccents || !opt.Lowercase:
		return nil, errors.New("its tokenizer is not BERT's in lower case without accents")
	case m.Pooling != Mean:
		return nil, fmt.Errorf("pooling %q is not supported; %s is", m.Pooling, Mean)
	case m.Query != "" || m.Passage != "" || m.Default != "":
		return nil, errors.New("prompts are not supported")
	case m.Inner > mostPartsInner || m.Width > mostPartsInner:
		return nil, fmt.Errorf("a width of %d, within the feed-forward part %d; at most %d are supported", m.Width, m.Inner, mostPartsInner)
	case m.Offset != 0:
		return nil, errors.New("positions that begin behind the first are not supported")
	}
	for id, s := range m.tokens.Tokens() {
		if strings.Contains(s, "\n") {
			return nil, fmt.Errorf("token %d, %q, has a line end", id, s)
		}
	}
	name, err := packedName(packed)
	if err != nil {
		return nil, err
	}
	return &partsHead{
		Version: PartsVersion, ID: fmt.Sprintf("%s%s@%x", Prefix, name, packed[len(packed)-digest.Size:][:6]),
		Width: m.Width, Heads: m.Heads, Inner: m.Inner, Layers: m.Layers, Vocabulary: m.Vocabulary, Positions: m.Positions,
		Window: m.Window, Epsilon: m.Epsilon, Before: m.before, After: m.after,
		Unknown: opt.Unknown, Longest: opt.MaxWord, Added: added,
	}, nil
}

// packedName returns the name in the configuration of a packed file that has been opened.
func packedName(packed []byte) (string, error) {
	var c Config
	err := json.Unmarshal(packed[headSize:][:binary.LittleEndian.Uint32(packed[12:])], &c)
	return c.Name, err
}
