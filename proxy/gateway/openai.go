package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"

	"seam/shared/protocol"
)

// This file offers the same models over OpenAI's HTTP interface, for SDKs and curl. A
// request is a session with one request, and has the same admission, limits, budgets and
// cache (https://platform.openai.com/docs/api-reference). A parameter is used, sent on, or
// refused by name, never ignored. The operator can allow some (Allow).

// Paths of OpenAI's interface.
const (
	pathEmbeddings  = "/v1/embeddings"
	pathCompletions = "/v1/chat/completions"
	pathModels      = "/v1/models"
)

// parsing is how many times the bytes of a body are in memory while it is parsed.
const parsing = 4

// call is a request over OpenAI's interface. It is a session with that one request.
type call struct {
	*peer
	done chan struct{}
}

func (c *call) count() int                       { return 0 }
func (c *call) drained() <-chan struct{}         { return c.done }
func (c *call) end(websocket.StatusCode, string) { c.cancel(0, nil) }

// paramError names the invalid parameter.
type paramError struct {
	told  *protocol.Error
	param string
}

func (e paramError) Error() string { return e.told.Message }
func (e paramError) Unwrap() error { return e.told }

func param(name, format string, args ...any) error {
	return paramError{protocol.Errorf(protocol.BadRequest, format, args...), name}
}

// bearer returns the API key of a request, which is a token here. The scheme's name is
// case-insensitive (RFC 9110, 11.1).
func bearer(r *http.Request) string {
	key := r.Header.Get("Authorization")
	if scheme, token, ok := strings.Cut(key, " "); ok && strings.EqualFold(scheme, "Bearer") {
		return strings.TrimLeft(token, " ")
	}
	return key
}

// openAI adds the paths.
func (g *Gateway) openAI(mux *http.ServeMux) {
	refuse := func(w http.ResponseWriter, no *refusal) { g.refuseOpenAI(w, no, "") }
	for path, read := range map[string]reading{pathEmbeddings: readEmbeddings, pathCompletions: readCompletion} {
		mux.HandleFunc("POST "+path, g.cross(func(w http.ResponseWriter, r *http.Request, origin string) { g.call(w, r, origin, read) }, refuse))
		mux.HandleFunc("OPTIONS "+path, g.cross(nil, refuse))
	}
	for path, handle := range map[string]func(http.ResponseWriter, *http.Request, string){pathModels: g.models, pathModels + "/{id...}": g.models} {
		mux.HandleFunc("GET "+path, g.cross(handle, refuse))
		mux.HandleFunc("OPTIONS "+path, g.cross(nil, refuse))
	}
	mux.HandleFunc("/v1/", g.cross(g.elsewhere, refuse))
}

// models responds with the list of models, or one of them.
func (g *Gateway) models(w http.ResponseWriter, r *http.Request, origin string) {
	config := g.config()
	_, as, err := config.Door.Enter(bearer(r), origin, config.Proxies.Caller(r))
	if err != nil {
		g.refuseOpenAI(w, &refusal{0, "token", errNoToken}, "")
		return
	}
	type model struct {
		ID     string `json:"id"`
		Object string `json:"object"`
		Made   int64  `json:"created"` // unknown
		Owner  string `json:"owned_by"`
	}
	list := struct {
		Object string  `json:"object"`
		Data   []model `json:"data"`
	}{"list", []model{}}
	id := r.PathValue("id")
	for _, m := range config.modelsOf(as) {
		one := model{m.ID, "model", 0, "seam"}
		if m.ID == id {
			answer(w, one)
			return
		}
		list.Data = append(list.Data, one)
	}
	if id != "" {
		g.refuseOpenAI(w, &refusal{0, "path", protocol.Errorf(protocol.UnknownModel, "This proxy has no model %.60q.", id)}, "model")
		return
	}
	answer(w, list)
}

// elsewhere refuses the paths of OpenAI's interface that the proxy does not have.
func (g *Gateway) elsewhere(w http.ResponseWriter, r *http.Request, _ string) {
	for _, path := range []string{pathEmbeddings, pathCompletions} {
		if r.URL.Path == path {
			w.Header().Set("Allow", http.MethodPost)
			g.refuseOpenAI(w, &refusal{http.StatusMethodNotAllowed, "path", protocol.Errorf(protocol.BadRequest, "%s takes POST.", path)}, "")
			return
		}
	}
	g.refuseOpenAI(w, &refusal{0, "path", protocol.Errorf(protocol.NotFound, "This proxy has no %.60q: use %s, %s or %s.", r.URL.Path, pathCompletions, pathEmbeddings, pathModels)}, "")
}

var errNoToken = protocol.Errorf(protocol.Unauthorized, "The token is not valid. Programs must send their token from the proxy's operator as the API key.")

// reading parses a body into a message of seam.v1, and returns how to write the answer.
type reading func(body []byte, c *Config) (protocol.Message, answering, error)

// call performs a request.
func (g *Gateway) call(w http.ResponseWriter, r *http.Request, origin string, read reading) {
	config := g.config()
	c := &call{g.newPeer("openai", origin, config.Proxies.Caller(r)), make(chan struct{})}
	c.link = c
	pays, as, err := config.Door.Enter(bearer(r), origin, c.address)
	if err != nil {
		g.refuseOpenAI(w, &refusal{0, "token", errNoToken}, "")
		return
	}
	c.who.Caller, c.who.Group, c.pays = pays, as, pays
	if wait, ok := g.calls.Allow(pays, 60*config.Messages, config.Now()); !ok {
		g.refuseOpenAI(w, &refusal{0, "messages", &protocol.Error{Code: protocol.RateLimited, Message: "Too many requests.", RetryAfter: wait}}, "")
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Time{}) // a connection that waits is a session; writers of tests do not support it
	no := g.enter(r.Context(), c.peer)
	_ = control.SetWriteDeadline(time.Now().Add(config.ReadWithin + config.WriteWithin)) // of a refusal
	if no != nil {
		g.refuseOpenAI(w, no.again(), "")
		return
	}
	defer g.leave(c.peer)
	defer close(c.done)
	defer g.backend.Ended(c.who.Session)
	message, to, err := c.read(w, r, read)
	var ctx context.Context
	if err == nil {
		ctx, err = c.take(r.Context(), 1)
	}
	if err != nil {
		g.refuseOpenAI(w, &refusal{0, "message", clientError(err)}, paramOf(err))
		return
	}
	c.who.User = to.user
	c.reply(ctx, w, message, to)
}

// read reads the body. It reserves room in the account while it reads.
func (c *call) read(w http.ResponseWriter, r *http.Request, read reading) (protocol.Message, answering, error) {
	config := c.gateway.config()
	size := r.ContentLength
	if size > config.Body {
		return nil, answering{}, tooLong("request", config.Body)
	}
	if size < 0 {
		size = config.Body
	}
	held := min(parsing*int(size), config.Held)
	if err := c.tab().reserve(r.Context(), held); err != nil {
		return nil, answering{}, err
	}
	defer c.tab().give(held)
	body, err := c.gateway.readBody(w, r, size, "request")
	if err != nil {
		return nil, answering{}, err
	}
	if !utf8.Valid(body) {
		return nil, answering{}, param("", "The body is not a JSON object in UTF-8.")
	}
	return read(body, config)
}

// reply performs the request and writes the response.
func (c *call) reply(ctx context.Context, w http.ResponseWriter, m protocol.Message, to answering) {
	to.events = c.events(w, 1)
	to.header, to.id, to.made = w.Header(), "chatcmpl-"+c.who.Session, c.gateway.config().Now().Unix()
	to.refuse = func(e *protocol.Error, param string) { c.gateway.refuseOpenAI(w, &refusal{0, "", e}, param) }
	c.respond(ctx, m, 1, to.events, &to)
}

// again returns a refusal that passes, with the time after which to try again. SDKs do that.
func (no *refusal) again() *refusal {
	e := *no.Error
	if e.RetryAfter == 0 {
		e.RetryAfter = againIn
	}
	return &refusal{no.status, no.why, &e}
}

// refuseOpenAI responds with an error in OpenAI's format. By default SDKs retry, so a
// header says whether they should.
func (g *Gateway) refuseOpenAI(w http.ResponseWriter, no *refusal, param string) {
	if no.why != "" {
		g.config().Observer.Refused(no.why)
	}
	status := no.status
	if status == 0 {
		status = openAIStatus(no.Error)
	}
	w.Header().Set("X-Should-Retry", strconv.FormatBool(no.RetryAfter > 0 && no.Temporary()))
	no.answer(w, status, openAIError(no.Error, param))
}

// openAIError returns the JSON of an error; param may be "".
func openAIError(e *protocol.Error, param string) []byte {
	kind := "invalid_request_error"
	switch status := openAIStatus(e); {
	case e.Code == protocol.BudgetSpent:
		kind = "insufficient_quota"
	case status == http.StatusTooManyRequests:
		kind = "rate_limit_error"
	case status == http.StatusUnauthorized:
		kind = "authentication_error"
	case status >= 500:
		kind = "api_error"
	}
	body := map[string]any{"message": e.Message, "type": kind, "param": nil, "code": e.Code}
	if e.Reason != "" && e.Reason != protocol.BadContents {
		body["code"] = e.Reason
	}
	if param != "" {
		body["param"] = param
	}
	b, _ := json.Marshal(map[string]any{"error": body}) // strings cannot fail
	return b
}

// openAIStatus returns the status of an error. A request that a provider refuses for its
// contents has status 400, as there: SDKs do not try again then.
func openAIStatus(e *protocol.Error) int {
	if e.Reason != "" {
		return http.StatusBadRequest
	}
	switch e.Code {
	case protocol.UnknownModel, protocol.NotFound:
		return http.StatusNotFound
	case protocol.PromptsOnly:
		return http.StatusForbidden
	case protocol.BudgetSpent, protocol.UpstreamLimited:
		return http.StatusTooManyRequests
	case protocol.UpstreamFailed, protocol.UpstreamRefused, protocol.UpstreamCutShort:
		return http.StatusBadGateway
	case protocol.UpstreamTimeout:
		return http.StatusGatewayTimeout
	}
	if status, ok := statuses[e.Code]; ok {
		return status
	}
	return http.StatusBadRequest
}

func paramOf(err error) string {
	var e paramError
	if errors.As(err, &e) {
		return e.param
	}
	return ""
}
