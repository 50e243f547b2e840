package sites

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"seam/proxy/admission"
)

// ownHost answers only requests for a name of this server. A page of another site can have its
// own name resolved to this machine (DNS rebinding), and would read the site like its own
// pages. origins returns the sites that the configuration names.
func ownHost(next http.Handler, origins func() []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOwnHost(r, origins()) {
			w.Header().Set("X-Content-Type-Options", "nosniff")
			http.Error(w, fmt.Sprintf("%.100q is not a name of this server: open its own address, or name this one with --origin", r.Host), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isOwnHost reports whether the request names this machine: by an address of the kind that it
// came in at, as localhost, by the machine's name on a network, or by a name of origins.
func isOwnHost(r *http.Request, origins []string) bool {
	host := strings.ToLower(hostOf(r.Host))
	if admission.Loopback(host) {
		return true
	}
	for _, o := range origins {
		if u, err := url.Parse(o); err == nil && host != "" && strings.EqualFold(u.Hostname(), host) {
			return true
		}
	}
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || admission.Loopback(hostOf(local.String())) {
		return false
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true // nobody can have a name resolved to itself
	}
	name, err := os.Hostname()
	name = strings.ToLower(name)
	return err == nil && name != "" && slices.Contains([]string{name, name + ".local"}, host)
}

// hostOf returns a host without its port and brackets.
func hostOf(s string) string {
	if host, _, err := net.SplitHostPort(s); err == nil {
		return host
	}
	return strings.Trim(s, "[]")
}
