// Package policy holds the headers that keep the page and its workers from
// sending anything anywhere. The server sets them, and the build hands them to
// the service worker, which sets them where a server does not.
package policy

import (
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
)

// Open is the content security policy of the page. It is a header, not a
// <meta> element, because workers inherit no policy from the page's markup. The
// page may reach its own host and, where it is not empty, the origin of a proxy.
func Open(proxy string) string {
	connect := "'self'"
	if proxy != "" {
		connect += " " + proxy + " " + strings.Replace(proxy, "http", "ws", 1)
	}
	return "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; " +
		"connect-src " + connect + "; worker-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; " +
		"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types seam"
}

// CheckProxy returns the origin that address is: of a proxy that a page is built
// for. It is one that a policy can name, and encrypted unless it is this machine.
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

// nameable is a host that a policy can name: no IPv6 address, and nothing that
// would end the directive.
var nameable = regexp.MustCompile(`^[A-Za-z0-9.-]+(:[0-9]+)?$`)

// Nameable reports whether a policy can name host.
func Nameable(host string) bool { return nameable.MatchString(host) }

// SealedDir is the entry whose policy is Sealed, and everything below it.
const SealedDir = "sealed"

// Sealed is the policy of the sealed entry: nothing is allowed but what
// sources returns for files with the given extensions. Unlike 'self' a path
// lets no WebSocket pass, and nothing else that the same host may offer.
//
// The sandbox is for what no other directive reaches: opening windows. Scripts
// and the origin are needed by any page with workers, forms by its dialogs
// (which form-action keeps from sending), downloads by "Save JSON".
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

// Header is a header but for the content security policy.
type Header struct{ Name, Value string }

// Headers are those of the page that may reach proxy; of the sealed entry and
// of a page without a proxy, that is "". Connection-Allowlist stops what no
// content security policy does: leaving for another address, WebRTC, bare
// connections ahead of a request. An origin there is for its sockets, too.
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

// EnforcedBy is the header by which the page learns who set the policy, as a
// script cannot see the headers of its own page but for this one.
func EnforcedBy(who string) Header { return Header{"Server-Timing", `seam;desc="` + who + `"`} }

// WithProxy adds to it that the page's own host is a proxy, too, and whether there is a
// collection to search behind it.
func (h Header) WithProxy(collection bool) Header {
	if collection {
		return Header{h.Name, h.Value + `, proxy;desc="collection"`}
	}
	return Header{h.Name, h.Value + ", proxy"}
}
