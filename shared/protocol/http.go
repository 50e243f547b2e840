package protocol

import (
	"math/bits"
	"strconv"

	"seam/shared/digest"
)

// Paths on the proxy, relative to its address.
const (
	PathSocket  = "/v1/socket"  // GET: the websocket
	PathSession = "/v1/session" // POST: SessionRequest → SessionReply
	PathInit    = "/v1/init"    // POST: init → ack, and a header SessionHeader
	PathRequest = "/v1/request" // POST: embed, chat or search → a stream of events
)

// These names belong to the protocol without a websocket, for networks that block them.
// init is posted to PathInit, and the reply names the session in SessionHeader. Each
// request is a separate POST to PathRequest with that header. Its reply is a stream of
// server-sent events, one per frame: text frames as data, binary frames as a VectorsEvent
// in base64.
//
// To cancel a request, close it. There are no credits. An error before the stream starts is
// an err message with a matching status; the code unauthorized then means that the session
// is over.
const (
	SessionHeader = "Seam-Session"
	VectorsEvent  = "vectors"
)

// SessionRequest asks for a token. The first request has no solution. If the reply is a
// puzzle, the second request has one.
type SessionRequest struct {
	Challenge string `json:"challenge,omitempty"`
	N         uint64 `json:"n,omitempty"`
}

// SessionReply is a token for one Init, or a puzzle to solve first. If it is empty, the
// proxy requires no token.
type SessionReply struct {
	Token   string  `json:"token,omitempty"`
	Expires int64   `json:"expires,omitempty"` // seconds since 1970
	Puzzle  *Puzzle `json:"puzzle,omitempty"`
}

// Puzzle is a proof of work. A solution is a number n such that the SHA-256 of Challenge, a
// colon and n in decimal begins with Bits zero bits (hashcash,
// http://www.hashcash.org/papers/hashcash.pdf). It takes 2^Bits tries on average.
type Puzzle struct {
	Challenge string `json:"challenge"`
	Bits      int    `json:"bits"`
	Expires   int64  `json:"expires"` // seconds since 1970
}

// Solves reports whether n solves the puzzle.
func Solves(challenge string, want int, n uint64) bool {
	sum := digest.Sum256(strconv.AppendUint([]byte(challenge+":"), n, 10))
	zeros := 0
	for _, b := range sum {
		zeros += bits.LeadingZeros8(b)
		if b != 0 {
			break
		}
	}
	return zeros >= want
}

// Refusal is the exact sentence that a model must give if the passages do not hold the
// answer. A page recognizes it as a refusal.
const Refusal = "I do not have enough information to answer that."

// NoAnswer is the mark that the template "answer-marked" asks for in place of Refusal. It is
// the same in every language, and no citation looks like it. It is never shown.
const NoAnswer = "[[NO ANSWER]]"
