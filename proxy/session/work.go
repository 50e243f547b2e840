package session

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"time"
)

// MaxWork is the most bits that Challenge asks for: some seconds of a browser.
const MaxWork = 24

// challenge is what a puzzle says; the visitor gets it sealed.
type challenge struct {
	Salt    string `json:"s"`
	Bits    int    `json:"b"`
	Expires int64  `json:"e"`
}

// Puzzle is a proof of work to be done: a number n, such that the SHA-256 of
// Challenge, a colon and n in decimal begins with Bits zero bits (hashcash,
// http://www.hashcash.org/papers/hashcash.pdf). On average 2^Bits tries.
type Puzzle struct {
	Challenge string `json:"challenge"`
	Bits      int    `json:"bits"`
	Expires   int64  `json:"expires"` // seconds since 1970
}

// Puzzle makes a puzzle; bits are cut to MaxWork. Nothing is kept until it is
// solved.
func (s *Signer) Puzzle(bits int) (Puzzle, error) {
	salt := make([]byte, 12)
	if _, err := io.ReadFull(s.random, salt); err != nil {
		return Puzzle{}, fmt.Errorf("puzzle: %w", err)
	}
	c := challenge{base64.RawURLEncoding.EncodeToString(salt), min(max(bits, 0), MaxWork), s.now().Add(2 * time.Minute).Unix()}
	body, err := json.Marshal(c)
	if err != nil {
		return Puzzle{}, fmt.Errorf("puzzle: %w", err)
	}
	return Puzzle{s.seal("w1", body), c.Bits, c.Expires}, nil
}

// Solved checks a solution and uses the puzzle up. least is what the proxy asks
// for now: an easier puzzle from calmer times does not count.
func (s *Signer) Solved(sealed string, n uint64, least int) error {
	body, err := s.open("w1", sealed)
	if err != nil {
		return ErrWork
	}
	var c challenge
	if err := json.Unmarshal(body, &c); err != nil || c.Bits < min(least, MaxWork) || !Solves(sealed, c.Bits, n) {
		return ErrWork
	}
	if s.now().Unix() >= c.Expires {
		return ErrExpired
	}
	return s.once(c.Salt, c.Expires)
}

// Solves reports whether n solves the puzzle.
func Solves(challenge string, want int, n uint64) bool {
	sum := sha256.Sum256(strconv.AppendUint([]byte(challenge+":"), n, 10))
	zeros := 0
	for _, b := range sum {
		zeros += bits.LeadingZeros8(b)
		if b != 0 {
			break
		}
	}
	return zeros >= want
}
