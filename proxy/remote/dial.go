package remote

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// Time limits for a host that has vanished without closing its connections, for example in
// a network failure.
const (
	dialWithin   = 4 * time.Second
	silentWithin = 8 * time.Second
)

// Dialer returns a dialer for connections that fail some seconds after the host's machine
// has stopped responding, however long its program may take to answer. Otherwise a
// connection to a host whose packets vanish would wait for the time limit of the request,
// and in the kernel for a quarter of an hour.
func Dialer() *net.Dialer {
	return &net.Dialer{Timeout: dialWithin, Control: endSilence,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silentWithin / 2, Interval: silentWithin / 4, Count: 2}}
}

// Transport returns the transport for engines reached over HTTP. secure is nil without TLS.
func Transport(secure *tls.Config) *http.Transport {
	return &http.Transport{DialContext: Dialer().DialContext, TLSClientConfig: secure, TLSHandshakeTimeout: dialWithin,
		MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true}
}
