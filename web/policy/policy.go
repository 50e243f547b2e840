// Package policy holds the headers that keep the page and its workers from
// sending anything anywhere. The server sets them, and the build hands them to
// the service worker, which sets them where a server does not.
package policy

import "strings"

// Open is the content security policy of the page. It is a header, not a
// <meta> element, because workers inherit no policy from the page's markup.
const Open = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; " +
	"connect-src 'self'; worker-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types seam"

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
		"connect-src " + sources(".wasm", ".gz", ".pdf"),
		"worker-src " + scripts,
		"base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
		"require-trusted-types-for 'script'", "trusted-types seam",
		"sandbox allow-scripts allow-same-origin allow-forms allow-downloads",
	}, "; ")
}

// Header is a header but for the content security policy.
type Header struct{ Name, Value string }

// Headers are the same for both entries. Connection-Allowlist stops what no
// content security policy does: leaving for another address, WebRTC, bare
// connections ahead of a request.
func Headers() []Header {
	return []Header{
		{"Connection-Allowlist", "(response-origin)"},
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
