package upstream

import (
	"bytes"
	stdbase64 "encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/segmentio/asm/base64" // ten times as fast: it was most of what the proxy did

	"seam/shared/protocol"
)

// maxDims is what a binary frame of the protocol can say.
const maxDims = math.MaxUint16

// embeddings is a provider's answer. go-openai reads it, too, but cuts off a
// vector of odd length, and checks neither count nor order nor dimensions.
type embeddings struct {
	Data  []row   `json:"data"`
	Usage *tokens `json:"usage"`

	long [][]byte // the strings that slim took out: parts of body
	body *bytes.Buffer
}

// row is one vector of it.
type row struct {
	Index     *int            `json:"index"`
	Embedding json.RawMessage `json:"embedding"` // numbers, base64, or which of long it was
	text      []byte          // base64: where it is there, nothing else is
}

func parseEmbeddings(body []byte) (reply embeddings, failed *Error) {
	if reply, ok := usual(body); ok {
		return reply, nil
	}
	return unusual(body)
}

// unusual reads any answer.
func unusual(body []byte) (reply embeddings, failed *Error) {
	short, long := slim(body)
	if err := json.Unmarshal(short, &reply); err != nil {
		return embeddings{}, nonsense("it is no JSON with embeddings")
	}
	reply.long = long
	return reply, nil
}

// longString is from how many bytes on a string is taken out of the JSON.
const longString = 64

// slim takes long strings without escapes out of JSON and puts a number in the
// place of each. encoding/json looks at every byte several times, which for
// vectors in base64 takes longer than all the rest.
func slim(body []byte) (short []byte, long [][]byte) {
	for {
		open := bytes.IndexByte(body, '"')
		if open < 0 {
			return append(short, body...), long
		}
		short = append(short, body[:open]...)
		body = body[open:]
		n, ended := protocol.StringLen(body)
		if !ended {
			n = len(body) // which is then no JSON
		}
		if n > longString && bytes.IndexByte(body[:n], '\\') < 0 {
			short = strconv.AppendInt(short, int64(len(long)), 10)
			long = append(long, body[1:n-1])
		} else {
			short = append(short, body[:n]...)
		}
		body = body[n:]
	}
}

// vectors puts the rows of count texts in order. dims 0 takes what the first row
// has.
func (e *embeddings) vectors(count, dims int) ([][]float32, *Error) {
	if len(e.Data) != count {
		return nil, nonsense("%d vectors for %d texts", len(e.Data), count)
	}
	rows := make([][]float32, count)
	for i, row := range e.Data {
		at := i
		if row.Index != nil {
			at = *row.Index
		}
		if at < 0 || at >= count || rows[at] != nil {
			return nil, nonsense("vector %d of %d texts, or that one twice", at, count)
		}
		v, err := row.vector(e.long)
		if err == nil && dims == 0 && len(v) <= maxDims {
			dims = len(v)
		}
		if err == nil && len(v) != dims {
			err = fmt.Errorf("%d dimensions in the place of %d", len(v), dims)
		}
		if err != nil {
			return nil, nonsense("vector %d: %v", at, err)
		}
		rows[at] = v
	}
	return rows, nil
}

// vector reads one embedding.
func (r *row) vector(long [][]byte) (v []float32, err error) {
	text := r.text
	if text == nil {
		v, text, err = unpack(r.Embedding, long)
	}
	if err == nil && text != nil {
		v, err = decode(text)
	}
	if err != nil {
		return nil, err
	}
	if len(v) == 0 {
		return nil, errors.New("no numbers")
	}
	if i := protocol.NotFinite(v); i >= 0 {
		return nil, fmt.Errorf("number %d is NaN or an infinity", i)
	}
	return v, nil
}

// unpack reads an embedding: an array gives numbers, a string base64.
func unpack(raw json.RawMessage, long [][]byte) (numbers []float32, text []byte, err error) {
	switch {
	case len(raw) == 0:
		return nil, nil, errors.New("missing")
	case raw[0] == '[':
		// A null is what NaN becomes in JSON, and encoding/json makes it 0.
		if err := json.Unmarshal(raw, &numbers); err != nil || bytes.IndexByte(raw, 'n') >= 0 {
			return nil, nil, errors.New("not an array of numbers")
		}
		return numbers, nil, nil
	case raw[0] == '"':
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, nil, errors.New("a damaged string")
		}
		return nil, []byte(s), nil
	}
	i, err := strconv.Atoi(string(raw))
	if err != nil || i < 0 || i >= len(long) {
		return nil, nil, errors.New("neither numbers nor base64")
	}
	return nil, long[i], nil
}

// decode reads base64 of float32 in little-endian order, into memory of its own: a
// cache may keep it, and drop its neighbours.
func decode(text []byte) ([]float32, error) {
	v := make([]float32, (stdbase64.StdEncoding.DecodedLen(len(text))+3)/4)
	b := protocol.BytesOf(v)
	n, err := base64.StdEncoding.Decode(b, text)
	switch {
	case err != nil:
		return nil, errors.New("damaged base64")
	case n%4 != 0:
		return nil, fmt.Errorf("%d bytes are no float32", n)
	}
	v = v[: n/4 : n/4]
	protocol.GetFloats(v, b)
	return v, nil
}

// cost is like that of an answer.
func (e *embeddings) cost(texts []string, worked bool) protocol.Usage {
	if u := e.Usage; u != nil && max(u.Prompt, u.Total) > 0 {
		return protocol.Usage{Tokens: max(u.Prompt, u.Total)}
	}
	if worked {
		return protocol.Usage{Tokens: Estimate(texts...)}
	}
	return protocol.Usage{}
}
