// Package policy holds the headers that keep the page and its workers from sending data
// elsewhere. The server sets them. The build also passes them to the service worker, which
// sets them if a server does not.
package policy

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// Open returns the content security policy of the page. It is a header, not a <meta>
// element, because workers inherit no policy from the page's markup. The page may reach its
// own host and, if proxy is not empty, that origin.
func Open(proxy string) string {
	connect := "'self'"
	if proxy != "" {
		connect += " " + proxy + " " + strings.Replace(proxy, "http", "ws", 1)
	}
	return "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; " +
		"connect-src " + connect + "; worker-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types seam"
}

// CheckProxy returns the origin of a proxy's address for the build of a page. It returns an
// error unless a policy can name the origin, and it is encrypted or on this machine.
func CheckProxy(address string) (origin string, err error) {
	u, err := url.Parse(address)
	if err != nil || u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" || !nameable.MatchString(u.Host) {
		return "", fmt.Errorf("%q is no origin: it takes a scheme and a host, as in https://proxy.example.org", address)
	}
	ip, noIP := netip.ParseAddr(u.Hostname())
	local := u.Hostname() == "localhost" || noIP == nil && ip.IsLoopback()
	if u.Scheme != "https" && !(u.Scheme == "http" && local) {
		return "", fmt.Errorf("%s: a proxy takes https, but for one on this machine", address)
	}
	return u.Scheme + "://" + strings.ToLower(u.Host), nil
}

// nameable matches hosts that a policy can name: no IPv6 address, and nothing that would
// end the directive.
var nameable = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]+)?$`)

// Nameable reports whether a policy can name host.
func Nameable(host string) bool { return nameable.MatchString(host) }

// SealedDir is the folder of the sealed entry. It and everything below have the policy
// Sealed.
const SealedDir = "sealed"

// Sealed returns the policy of the sealed entry. It allows only the files that sources
// returns for the given extensions. Unlike 'self', a path allows no WebSocket and no other
// resource of the host.
//
// The sandbox covers opening windows, for which there is no other directive. Scripts and
// the origin are needed by any page with workers, and downloads by "Save JSON". Forms are
// needed by its dialogs; form-action keeps them from sending.
func Sealed(sources func(ext ...string) string) string {
	scripts := sources(".js")
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + scripts + " 'wasm-unsafe-eval'",
		"style-src " + sources(".css"),
		"img-src " + sources(".svg"),
		"connect-src " + sources(".wasm", ".gz", ".pdf", ".cmaps", ".bin", ".packed"),
		"worker-src " + scripts,
		"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
		"require-trusted-types-for 'script'", "trusted-types seam",
		"sandbox allow-scripts allow-same-origin allow-forms allow-downloads",
	}, "; ")
}

// Header is a header other than the content security policy.
type Header struct{ Name, Value string }

// Headers returns the headers of the page that may reach proxy. Proxy is "" for the sealed
// entry and for a page without a proxy. Connection-Allowlist stops channels that no content
// security policy covers: navigation to another address, WebRTC, and connections opened
// ahead of a request. An origin in it covers its sockets too.
func Headers(proxy string) []Header {
	allowed := "(response-origin)"
	if proxy != "" {
		allowed = `(response-origin "` + proxy + `")`
	}
	return []Header{
		{"Connection-Allowlist", allowed},
		{"X-DNS-Prefetch-Control", "off"},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		{"Cross-Origin-Opener-Policy", "same-origin"},
		{"Cross-Origin-Resource-Policy", "same-origin"},
		{"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
	}
}

// EnforcedBy returns the header that names who set the policy. It is Server-Timing, the
// only header of its own response that a page can read.
func EnforcedBy(who string) Header { return Header{"Server-Timing", `seam;desc="` + who + `"`} }

// WithProxy returns the header with a note that the page's own host is a proxy too.
func (h Header) WithProxy() Header { return Header{h.Name, h.Value + ", proxy"} }

// WithCollection returns the header with a note that the page's own host is a proxy with a
// collection to search.
func (h Header) WithCollection() Header {
	return Header{h.Name, h.Value + `, proxy;desc="collection"`}
}

// WithLocal returns the header with a note that the page may ask its own host for models on
// this machine.
func (h Header) WithLocal() Header { return Header{h.Name, h.Value + ", local"} }
