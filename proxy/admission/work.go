package admission

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"seam/shared/protocol"
)

// MaxWork is the greatest number of bits that Puzzle asks for. They take a browser over a
// minute, at some 200,000 tries a second.
const MaxWork = 24

// challenge is the content of a puzzle, which the visitor gets sealed.
type challenge struct {
	Salt    string `json:"s"`
	Bits    int    `json:"b"`
	Expires int64  `json:"e"`
}

// Puzzle returns a puzzle with that many bits, at most MaxWork. Nothing is stored until it
// is solved.
func (s *Signer) Puzzle(bits int) (protocol.Puzzle, error) {
	salt := make([]byte, 12)
	if _, err := io.ReadFull(s.random, salt); err != nil {
		return protocol.Puzzle{}, fmt.Errorf("puzzle: %w", err)
	}
	c := challenge{base64.RawURLEncoding.EncodeToString(salt), min(max(bits, 0), MaxWork), s.now().Add(2 * time.Minute).Unix()}
	body, err := json.Marshal(c)
	if err != nil {
		return protocol.Puzzle{}, fmt.Errorf("puzzle: %w", err)
	}
	return protocol.Puzzle{Challenge: s.seal("w1", body), Bits: c.Bits, Expires: c.Expires}, nil
}

// Solved checks a solution and uses the puzzle up. least is the number of bits required
// now: easier puzzles are refused.
func (s *Signer) Solved(sealed string, n uint64, least int) error {
	body, err := s.open("w1", sealed)
	if err != nil {
		return ErrWork
	}
	var c challenge
	if err := json.Unmarshal(body, &c); err != nil || c.Bits < min(least, MaxWork) || !protocol.Solves(sealed, c.Bits, n) {
		return ErrWork
	}
	if s.now().Unix() >= c.Expires {
		return ErrExpired
	}
	return s.once(c.Salt, c.Expires)
}
