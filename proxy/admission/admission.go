// Package admission decides who may use the proxy: pages of the sites that its owner names,
// with short-lived tokens that it signs itself. Optionally a token requires some work,
// which costs a visitor a moment and a flood of visitors a machine. The package uses no
// cookies and no accounts.
//
// A browser reports the true origin of a page, but a script may not. The origin therefore
// keeps other sites out, and everything that costs money has limits that do not depend on
// it.
package admission

import (
	"errors"
	"fmt"
	"hash/crc32"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// Reasons to refuse a caller, for errors.Is. The gateway chooses the message for the
// caller.
var (
	ErrOrigin  = errors.New("origin not allowed")
	ErrForeign = errors.New("not from this machine")
	ErrToken   = errors.New("token not valid")
	ErrExpired = errors.New("token expired")
	ErrUsed    = errors.New("token used before")
	ErrWork    = errors.New("proof of work not valid")
)

// Origins are the sites with pages that may connect.
type Origins struct {
	allowed map[string]bool
}

// NewOrigins takes full origins, "https://docs.example.org" or "http://localhost:8787".
// There are no patterns, because many proxies had a wildcard that admitted one site too
// many. http is accepted only for loopback hosts, because on a network anyone in between
// could impersonate the host.
func NewOrigins(list []string) (Origins, error) {
	o := Origins{map[string]bool{}}
	for _, s := range list {
		u, err := url.Parse(s)
		switch {
		case err != nil || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil || strings.Contains(s, "*"):
			return Origins{}, fmt.Errorf("origin %q: write it like https://docs.example.org, without a path and without *", s)
		case u.Scheme != "https" && (u.Scheme != "http" || !Loopback(u.Hostname())):
			return Origins{}, fmt.Errorf("origin %q: use https; http is allowed only for this machine", s)
		}
		o.allowed[normal(u)] = true
	}
	return o, nil
}

// Check returns an error unless the request comes from a page of an allowed site. A request
// without Origin does not come from a browser. It also gets ErrOrigin, and a gateway that
// accepts such callers must require a token.
func (o Origins) Check(r *http.Request) error {
	values := r.Header.Values("Origin")
	if len(values) != 1 {
		return fmt.Errorf("%w: %d Origin headers", ErrOrigin, len(values))
	}
	u, err := url.Parse(values[0])
	if err != nil || u.Host == "" || u.Path != "" || u.User != nil || !o.allowed[normal(u)] {
		return fmt.Errorf("%w: %.100q", ErrOrigin, values[0])
	}
	return nil
}

// normal returns an origin in the form of browsers: lower case, without the default port of
// its scheme.
func normal(u *url.URL) string {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "https":
		host = strings.TrimSuffix(host, ":443")
	case "http":
		host = strings.TrimSuffix(host, ":80")
	}
	return u.Scheme + "://" + host
}

// Loopback reports whether a host is this machine.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && ip.IsLoopback()
}

// forwarding lists the headers that servers in between add.
var forwarding = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Server", "X-Real-Ip",
	"Cf-Connecting-Ip", "True-Client-Ip", "X-Client-Ip", "Via"}

// here returns ErrForeign for a request that may have come from elsewhere: for another host
// name, or through a server in between, such as a tunnel.
func here(r *http.Request) error {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	if !Loopback(strings.ToLower(host)) {
		return fmt.Errorf("%w: host %.100q", ErrForeign, r.Host)
	}
	for _, name := range forwarding {
		if len(r.Header.Values(name)) > 0 {
			return fmt.Errorf("%w: it has %s", ErrForeign, name)
		}
	}
	return nil
}

// Caller is the part of an address that limits count by: a whole IPv4 address, or the first
// 64 bits of an IPv6 one, because a household has at least a /64.
type Caller string

// Proxies are the trusted proxies, for X-Forwarded-For.
type Proxies []netip.Prefix

// Caller returns the sender of the request: the peer, or, if that is a trusted proxy, the
// last untrusted address in X-Forwarded-For. Entries may have a port or brackets.
//
// If a trusted proxy has written something else, the sender is unknown. Such visitors are
// mapped to a few callers. They do not count as the proxy, nor all as one caller, and a
// visitor who controls the entry cannot become arbitrarily many callers.
func (p Proxies) Caller(r *http.Request) Caller {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	ip, err := netip.ParseAddr(host)
	if err != nil {
		return "unknown"
	}
	forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if strings.TrimSpace(forwarded) == "" {
		return callerOf(ip)
	}
	hops := strings.Split(forwarded, ",")
	for i := len(hops) - 1; i >= 0 && p.trusts(ip); i-- {
		if ip, err = hop(hops[i]); err != nil {
			return unreadable(hops[i])
		}
	}
	return callerOf(ip)
}

// Trusts reports whether an address is one of the proxies.
func (p Proxies) Trusts(ip net.IP) bool {
	addr, ok := netip.AddrFromSlice(ip)
	return ok && p.trusts(addr)
}

// hop parses an entry of X-Forwarded-For: 192.0.2.1, 192.0.2.1:443, 2001:db8::1,
// [2001:db8::1] or [2001:db8::1]:443.
func hop(s string) (netip.Addr, error) {
	s = strings.TrimSpace(s)
	if ip, err := netip.ParseAddr(s); err == nil {
		return ip, nil
	}
	if inside, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(inside, "]") {
		return netip.ParseAddr(strings.TrimSuffix(inside, "]"))
	}
	host, _, err := net.SplitHostPort(s) // the port may be anything, because it is not used
	if err != nil {
		return netip.Addr{}, err
	}
	return netip.ParseAddr(host)
}

// unreadableCallers is the number of callers that unreadable entries are mapped to.
const unreadableCallers = 16

// unreadable returns the caller for an entry that is not an address.
func unreadable(entry string) Caller {
	return Caller(fmt.Sprint("unreadable ", crc32.ChecksumIEEE([]byte(strings.TrimSpace(entry)))%unreadableCallers))
}

func (p Proxies) trusts(ip netip.Addr) bool {
	for _, prefix := range p {
		if prefix.Contains(ip.Unmap()) {
			return true
		}
	}
	return false
}

func callerOf(ip netip.Addr) Caller {
	ip = ip.Unmap().WithZone("")
	if ip.Is4() {
		return Caller(ip.String())
	}
	prefix, err := ip.Prefix(64)
	if err != nil {
		return "unknown"
	}
	return Caller(prefix.Masked().String())
}
