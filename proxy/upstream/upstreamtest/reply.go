package upstreamtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// reply writes the response to one request.
type reply struct {
	w      http.ResponseWriter
	r      *http.Request
	q      asked
	dims   int
	script Script
	count  func([]string) (int, int)
}

// wait waits, unless the client disconnects.
func (a *reply) wait(d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-a.r.Context().Done():
	}
}

func (a *reply) has(f Fault) bool { return a.script.Fault == f }

// start sends the headers, then waits for the delay of the body.
func (a *reply) start(mime string) {
	a.w.Header().Set("Content-Type", mime)
	a.w.WriteHeader(http.StatusOK)
	a.flush()
	a.wait(a.script.FirstByteDelay)
}

func (a *reply) flush() { http.NewResponseController(a.w).Flush() }

// fail responds with an error as careless as some providers': it contains the caller's key
// and organisation.
func (a *reply) fail(status int, body string) {
	if body == "" {
		key := strings.TrimPrefix(a.r.Header.Get("Authorization"), "Bearer ") + a.r.Header.Get("Api-Key")
		message, _ := json.Marshal(fmt.Sprintf("Incorrect API key provided: %s (Authorization: Bearer %s) for organization %s, org-SeCrEt123; see the provider's own words",
			key, key, a.r.Header.Get("OpenAI-Organization")))
		body = fmt.Sprintf(`{"error":{"message":%s,"type":"invalid_request_error","code":"scripted"}}`, message)
	}
	a.w.Header().Set("Content-Type", "application/json")
	a.w.WriteHeader(status)
	io.WriteString(a.w, body)
}

// refuse responds like a server that does not know a parameter.
func (a *reply) refuse(parameter, instead string) {
	a.fail(http.StatusBadRequest, fmt.Sprintf(`{"error":{"message":"Unsupported parameter: '%s'. %s","type":"invalid_request_error","param":"%s","code":"unsupported_parameter"}}`, parameter, instead, parameter))
}

// hangUp resets the connection, which needs the socket itself.
func (a *reply) hangUp() {
	conn, _, err := http.NewResponseController(a.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		tcp.SetLinger(0)
	}
	conn.Close()
}

// endless writes until the client disconnects.
func (a *reply) endless() {
	block := strings.Repeat("x", 4096)
	for a.r.Context().Err() == nil {
		if _, err := io.WriteString(a.w, block); err != nil {
			return
		}
		a.flush()
	}
}

// breakOff closes the connection in the middle of the body.
func (a *reply) breakOff() {
	a.flush()
	panic(http.ErrAbortHandler)
}
