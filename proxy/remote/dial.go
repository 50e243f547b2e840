package remote

import (
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

// Times after which a host that has gone without a word, as behind a cut, is given up.
const (
	dialWithin   = 4 * time.Second
	silentWithin = 8 * time.Second
)

// Dialer makes connections that end some seconds after the host's machine has stopped to
// answer, however long an answer of its program may take. Without it a connection to a host
// whose packets vanish is waited for until the time limit of what is asked, and by the
// kernel for a quarter of an hour.
func Dialer() *net.Dialer {
	return &net.Dialer{Timeout: dialWithin, Control: endSilence,
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silentWithin / 2, Interval: silentWithin / 4, Count: 2}}
}

// Transport is that of engines that are asked over HTTP; secure is nil without TLS.
func Transport(secure *tls.Config) *http.Transport {
	return &http.Transport{DialContext: Dialer().DialContext, TLSClientConfig: secure, TLSHandshakeTimeout: dialWithin,
		MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true}
}
