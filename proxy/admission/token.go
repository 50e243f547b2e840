package admission

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// MaxAge is the longest life of a token. Pages request new ones.
const MaxAge = 5 * time.Minute

// Claims are the contents of a token.
type Claims struct {
	ID      string `json:"i"`           // valid once
	Origin  string `json:"o,omitempty"` // the site it was issued to; "": any
	Caller  Caller `json:"c,omitempty"` // the address it was issued to; "": any
	Expires int64  `json:"e"`           // seconds since 1970
}

// Signer issues and checks tokens, signed with HMAC-SHA256. It is safe for concurrent use.
type Signer struct {
	now    func() time.Time
	random io.Reader

	mu    sync.Mutex
	keys  [][]byte         // the first signs, all are accepted
	used  map[string]int64 // ID → when it may be forgotten
	swept int64
}

// NewSigner takes one key of 32 bytes or more, or several during a change of keys: the
// first signs. now and random are time.Now and crypto/rand.Reader, except in tests.
func NewSigner(keys [][]byte, now func() time.Time, random io.Reader) (*Signer, error) {
	s := &Signer{now: now, random: random, used: map[string]int64{}}
	return s, s.SetKeys(keys)
}

// SetKeys changes the keys. Tokens signed with removed keys become invalid.
func (s *Signer) SetKeys(keys [][]byte) error {
	if len(keys) == 0 {
		return fmt.Errorf("no signing key for tokens")
	}
	for i, key := range keys {
		if len(key) < 32 {
			return fmt.Errorf("signing key %d for tokens has %d bytes: use 32 or more", i+1, len(key))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = keys
	return nil
}

// Mint signs a token with these claims for the given time, at most MaxAge. It sets ID and
// Expires.
func (s *Signer) Mint(c Claims, life time.Duration) (string, error) {
	id := make([]byte, 12)
	if _, err := io.ReadFull(s.random, id); err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	c.ID = base64.RawURLEncoding.EncodeToString(id)
	c.Expires = s.now().Add(min(life, MaxAge)).Unix()
	body, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return s.seal("s1", body), nil
}

// Redeem checks a token and uses it up: a second time it returns ErrUsed. origin and caller
// are the request's.
func (s *Signer) Redeem(token, origin string, caller Caller) (Claims, error) {
	body, err := s.open("s1", token)
	if err != nil {
		return Claims{}, err
	}
	var c Claims
	if err := json.Unmarshal(body, &c); err != nil {
		return Claims{}, fmt.Errorf("%w: %v", ErrToken, err)
	}
	switch {
	case s.now().Unix() >= c.Expires:
		return Claims{}, ErrExpired
	case c.Origin != "" && c.Origin != origin, c.Caller != "" && c.Caller != caller:
		return Claims{}, fmt.Errorf("%w: it was issued to another client", ErrToken)
	}
	return c, s.once(c.ID, c.Expires)
}

// once records an ID until it expires. A second time it returns ErrUsed.
func (s *Signer) once(id string, expires int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := s.now().Unix(); now > s.swept {
		s.swept = now
		for id, until := range s.used {
			if until <= now {
				delete(s.used, id)
			}
		}
	}
	if _, ok := s.used[id]; ok {
		return ErrUsed
	}
	s.used[id] = expires
	return nil
}

func (s *Signer) secrets() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys
}

// seal returns "kind.body.signature". A token of one kind is invalid as another.
func (s *Signer) seal(kind string, body []byte) string {
	head := kind + "." + base64.RawURLEncoding.EncodeToString(body)
	return head + "." + base64.RawURLEncoding.EncodeToString(mac(s.secrets()[0], head))
}

func (s *Signer) open(kind, token string) ([]byte, error) {
	i := strings.LastIndexByte(token, '.')
	body, ok := strings.CutPrefix(token[:max(i, 0)], kind+".")
	if !ok || len(token) > 4096 {
		return nil, ErrToken
	}
	signature, err := base64.RawURLEncoding.Strict().DecodeString(token[i+1:])
	if err != nil {
		return nil, ErrToken
	}
	for _, key := range s.secrets() {
		if hmac.Equal(signature, mac(key, token[:i])) {
			b, err := base64.RawURLEncoding.Strict().DecodeString(body)
			if err != nil {
				return nil, ErrToken
			}
			return b, nil
		}
	}
	return nil, ErrToken
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	io.WriteString(h, text)
	return h.Sum(nil)
}
