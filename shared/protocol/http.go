package protocol

import (
	"crypto/sha256"
	"math/bits"
	"strconv"
)

// Where a proxy answers, below its address.
const (
	PathSocket  = "/v1/socket"  // GET: the websocket
	PathSession = "/v1/session" // POST: SessionRequest → SessionReply
	PathInit    = "/v1/init"    // POST: init → ack, and a header SessionHeader
	PathRequest = "/v1/request" // POST: embed, chat or search → a stream of events
)

// The same protocol without a websocket, for networks that let none pass: init
// goes to PathInit, whose reply names the session in SessionHeader; each request
// is a POST of its own to PathRequest with that header, and its reply a stream of
// server-sent events, one a frame: text frames as data, binary ones as an event
// VectorsEvent with the frame in base64. Cancel is to close the request; there
// are no credits. An error before the stream is an err message with a status
// that fits; unauthorized there says that the session is over.
const (
	SessionHeader = "Seam-Session"
	VectorsEvent  = "vectors"
)

// SessionRequest asks for a token. The first has no solution; where the reply is
// a puzzle, the second has.
type SessionRequest struct {
	Challenge string `json:"challenge,omitempty"`
	N         uint64 `json:"n,omitempty"`
}

// SessionReply is a token for one Init, or a puzzle to be solved first. Neither
// says that this proxy asks for no token.
type SessionReply struct {
	Token   string  `json:"token,omitempty"`
	Expires int64   `json:"expires,omitempty"` // seconds since 1970
	Puzzle  *Puzzle `json:"puzzle,omitempty"`
}

// Puzzle is a proof of work to be done: a number n, such that the SHA-256 of
// Challenge, a colon and n in decimal begins with Bits zero bits (hashcash,
// http://www.hashcash.org/papers/hashcash.pdf). On average 2^Bits tries.
type Puzzle struct {
	Challenge string `json:"challenge"`
	Bits      int    `json:"bits"`
	Expires   int64  `json:"expires"` // seconds since 1970
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

// Refusal is what a model is told to say when the passages do not hold the
// answer, to the letter, so that a page can tell it from an answer.
const Refusal = "I do not have enough information to answer that."
