package precomputed

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// line is a line of a JSONL file. Other fields are ignored, so that the lines printed by
// seam can be used with a vector added.
type line struct {
	Text      *string   `json:"text"`
	Query     *string   `json:"query"`
	Hash      string    `json:"hash"`
	Vector    []float32 `json:"vector"`
	Embedding []float32 `json:"embedding"`
}

func parseLines(b []byte) (*list, error) {
	d := json.NewDecoder(bytes.NewReader(b))
	l := &list{}
	keys, byRow := map[key]int{}, 0
	for n := 1; ; n++ {
		var in line
		if err := d.Decode(&in); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf(`vector %d is not {"text","vector"}: %w`, n, err)
		}
		if in.Vector == nil {
			in.Vector = in.Embedding
		}
		switch {
		case len(in.Vector) == 0:
			return nil, fmt.Errorf(`line %d has no "vector"`, n)
		case n > 1 && len(in.Vector) != l.rows.Dim:
			return nil, fmt.Errorf("vector %d has %d numbers, those before it %d", n, len(in.Vector), l.rows.Dim)
		}
		l.rows.Dim, l.rows.Rows = len(in.Vector), n
		l.rows.Data = append(l.rows.Data, in.Vector...)
		k, ok, err := in.key()
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if !ok {
			byRow++
			continue
		}
		if old, twice := keys[k]; twice && !slices.Equal(l.rows.Row(old), in.Vector) {
			return nil, fmt.Errorf("lines %d and %d have the same text but different vectors: leave out texts and hashes to match by row", old+1, n)
		}
		keys[k] = n - 1
	}
	switch {
	case l.rows.Rows == 0:
		return nil, errors.New("it holds no vectors")
	case byRow == 0:
		l.keys = keys
	case byRow < l.rows.Rows:
		return nil, fmt.Errorf("%d of %d lines have no text and no hash: give one to all lines or to none", byRow, l.rows.Rows)
	}
	return l, l.rows.Check()
}

// key returns the key for the text or the hash in a line, and false if it has neither.
func (in line) key() (k key, ok bool, err error) {
	switch {
	case in.Hash != "":
		b, err := hex.DecodeString(in.Hash)
		if err != nil || len(b) != len(k) {
			return k, false, fmt.Errorf("the hash %.80q is not a SHA-256 in hex", in.Hash)
		}
		return key(b), true, nil
	case in.Text != nil:
		return keyOf(*in.Text), true, nil
	case in.Query != nil:
		return keyOf(*in.Query), true, nil
	}
	return k, false, nil
}
