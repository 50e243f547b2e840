package upstream

import (
	"bytes"
	stdbase64 "encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/segmentio/asm/base64" // ten times as fast as the standard library's, which took most of the proxy's time

	"seam/shared/protocol"
)

// maxDims is the limit of a binary frame of the protocol.
const maxDims = math.MaxUint16

// embeddings is a provider's response. go-openai can decode it, too, but truncates vectors
// of odd length, and checks neither count nor order nor dimensions.
type embeddings struct {
	Data  []row   `json:"data"`
	Usage *tokens `json:"usage"`

	long [][]byte // the strings that slim removed; parts of body
	body *bytes.Buffer
}

// row is one vector of a response.
type row struct {
	Index     *int            `json:"index"`
	Embedding json.RawMessage `json:"embedding"` // numbers, base64, or an index into long
	text      []byte          // base64; if set, Embedding is not
}

func parseEmbeddings(body []byte) (reply embeddings, failed *Error) {
	if reply, ok := usual(body); ok {
		return reply, nil
	}
	return unusual(body)
}

// unusual parses any response.
func unusual(body []byte) (reply embeddings, failed *Error) {
	short, long := slim(body)
	if err := json.Unmarshal(short, &reply); err != nil {
		return embeddings{}, badResponse("it is not JSON with embeddings")
	}
	reply.long = long
	return reply, nil
}

// longString is the length in bytes from which slim removes a string.
const longString = 64

// slim replaces long strings without escapes in JSON by numbers. encoding/json looks at
// every byte several times, which takes longer than all the rest for vectors in base64.
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
			n = len(body) // it is then not valid JSON
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

// vectors returns the rows of count texts in order. dims 0 means the number of the first
// row.
func (e *embeddings) vectors(count, dims int) ([][]float32, *Error) {
	if len(e.Data) != count {
		return nil, badResponse("%d vectors for %d texts", len(e.Data), count)
	}
	rows := make([][]float32, count)
	for i, row := range e.Data {
		at := i
		if row.Index != nil {
			at = *row.Index
		}
		if at < 0 || at >= count || rows[at] != nil {
			return nil, badResponse("vector %d of %d texts, or a repeated one", at, count)
		}
		v, err := row.vector(e.long)
		if err == nil && dims == 0 && len(v) <= maxDims {
			dims = len(v)
		}
		if err == nil && len(v) != dims {
			err = fmt.Errorf("%d dimensions instead of %d", len(v), dims)
		}
		if err != nil {
			return nil, badResponse("vector %d: %v", at, err)
		}
		rows[at] = v
	}
	return rows, nil
}

// vector decodes one embedding.
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
		return nil, fmt.Errorf("number %d is NaN or infinite", i)
	}
	return v, nil
}

// unpack returns the numbers of an array, or the base64 of a string.
func unpack(raw json.RawMessage, long [][]byte) (numbers []float32, text []byte, err error) {
	switch {
	case len(raw) == 0:
		return nil, nil, errors.New("missing")
	case raw[0] == '[':
		// NaN becomes null in JSON, which encoding/json would decode as 0.
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

// decode decodes base64 of little-endian float32. Each vector has its own memory, because a
// cache may keep it and drop its neighbours.
func decode(text []byte) ([]float32, error) {
	v := make([]float32, (stdbase64.StdEncoding.DecodedLen(len(text))+3)/4)
	b := protocol.BytesOf(v)
	n, err := base64.StdEncoding.Decode(b, text)
	switch {
	case err != nil:
		return nil, errors.New("damaged base64")
	case n%4 != 0:
		return nil, fmt.Errorf("%d bytes are not float32 numbers", n)
	}
	v = v[: n/4 : n/4]
	protocol.GetFloats(v, b)
	return v, nil
}

// cost returns the provider's usage, or an estimate.
func (e *embeddings) cost(texts []string, worked bool) protocol.Usage {
	if u := e.Usage; u != nil && max(u.Prompt, u.Total) > 0 {
		return protocol.Usage{Tokens: max(u.Prompt, u.Total)}
	}
	if worked {
		return protocol.Usage{Tokens: Estimate(texts...), Estimated: true}
	}
	return protocol.Usage{}
}
