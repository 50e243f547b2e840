package gateway

import (
	"encoding/json"
	"io"
	"net/http"

	"seam/proxy/admission"
	"seam/shared/protocol"
)

// refusing writes the response to a refused request.
type refusing func(w http.ResponseWriter, no *refusal)

// cross allows cross-origin requests (CORS) from pages of the allowed sites only. Nothing
// here reads a cookie, so cookies are not allowed. handle is nil for OPTIONS.
func (g *Gateway) cross(handle func(w http.ResponseWriter, r *http.Request, origin string), refuse refusing) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Add("Vary", "Origin")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		config := g.config()
		origin, err := config.Door.Knock(r)
		if err != nil {
			refuse(w, denied(err))
			return
		}
		if origin != "" {
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers", protocol.SessionHeader+", Retry-After")
		}
		if handle != nil {
			handle(w, r, origin)
			return
		}
		h.Set("Access-Control-Allow-Methods", "GET, POST")
		h.Set("Access-Control-Allow-Headers", "Content-Type, Authorization, "+protocol.SessionHeader)
		h.Set("Access-Control-Max-Age", "600")
		w.WriteHeader(http.StatusNoContent)
	}
}

// token gives a page a token, after a proof of work if that is required. Programs need
// tokens from the operator.
func (g *Gateway) token(w http.ResponseWriter, r *http.Request, origin string) {
	config := g.config()
	at := config.Proxies.Caller(r)
	if origin == "" {
		g.refuse(w, &refusal{0, "origin", protocol.Errorf(protocol.Unauthorized, "A program needs its own token: ask the operator of this proxy for one.")})
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4096))
	var ask protocol.SessionRequest
	if err != nil || json.Unmarshal(body, &ask) != nil {
		g.refuse(w, &refusal{0, "message", protocol.Errorf(protocol.BadRequest, "This is not a request for a token.")})
		return
	}
	if !config.Door.Required {
		answer(w, protocol.SessionReply{})
		return
	}
	if config.Door.Signer == nil {
		g.refuse(w, &refusal{0, "token", protocol.Errorf(protocol.Unauthorized, "This proxy needs a token: open the page at the full address that seam serve printed, which ends in #token= and the token.")})
		return
	}
	if wait, ok := g.tokens.Allow(at, config.PerMinute, config.Now()); !ok {
		g.refuse(w, &refusal{0, "pace", &protocol.Error{Code: protocol.RateLimited, Message: "Too many token requests from your address.", RetryAfter: wait}})
		return
	}
	work := g.work(config)
	switch {
	case config.Work == 0:
	case ask.Challenge == "":
		puzzle, err := config.Door.Signer.Puzzle(work)
		if err != nil {
			g.refuse(w, &refusal{0, "internal", clientError(err)})
			return
		}
		answer(w, protocol.SessionReply{Puzzle: &puzzle})
		return
	default: // a puzzle from a calmer time counts, but it must have the minimum of work
		if err := config.Door.Signer.Solved(ask.Challenge, ask.N, config.Work); err != nil {
			g.refuse(w, &refusal{0, "work", protocol.Errorf(protocol.Unauthorized, "The proof of work is not valid.")})
			return
		}
	}
	token, err := config.Door.Signer.Mint(admission.Claims{Origin: origin, Caller: at}, admission.MaxAge)
	if err != nil {
		g.refuse(w, &refusal{0, "internal", clientError(err)})
		return
	}
	config.Observer.Token(work)
	answer(w, protocol.SessionReply{Token: token, Expires: config.Now().Add(admission.MaxAge).Unix()})
}

// work returns how many bits of work a token costs now: the configured number while up to a
// quarter of the places is taken, and a bit more for each further eighth. A flood of
// visitors then has to work up to 64 times as much.
func (g *Gateway) work(config *Config) int {
	if config.Work == 0 {
		return 0
	}
	return min(config.Work+max(0, g.Sessions()*8/config.Connections-2), admission.MaxWork)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the client may have disconnected
}
