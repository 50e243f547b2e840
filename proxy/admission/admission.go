// Package admission decides who may talk to the proxy: pages of the sites that
// its owner names, with short-lived tokens that it signs itself, and, where that
// is asked for, after some work that costs a visitor a moment and a flood of them
// a machine. It keeps no cookies and knows no accounts.
//
// A browser tells the truth about the site that it shows; a script does not. So
// the origin keeps other sites out, and everything that costs money is limited
// without it.
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

// Reasons to turn a caller away. They are for errors.Is; what the caller is told
// is the gateway's to say.
var (
	ErrOrigin  = errors.New("origin not allowed")
	ErrForeign = errors.New("not from this machine")
	ErrToken   = errors.New("token not valid")
	ErrExpired = errors.New("token expired")
	ErrUsed    = errors.New("token used before")
	ErrWork    = errors.New("proof of work not valid")
)

// Origins are the sites whose pages may connect.
type Origins struct {
	allowed map[string]bool
}

// NewOrigins takes full origins, "https://docs.example.org" or
// "http://localhost:8787". There are no patterns: a wildcard that admits one site
// too many has been the fault of many a proxy. http is taken for loopback hosts
// only, as anybody on the way may speak for another.
func NewOrigins(list []string) (Origins, error) {
	o := Origins{map[string]bool{}}
	for _, s := range list {
		u, err := url.Parse(s)
		switch {
		case err != nil || u.Host == "" || u.Path != "" || u.RawQuery != "" || u.User != nil || strings.Contains(s, "*"):
			return Origins{}, fmt.Errorf("origin %q: write it like https://docs.example.org, without a path and without *", s)
		case u.Scheme != "https" && (u.Scheme != "http" || !Loopback(u.Hostname())):
			return Origins{}, fmt.Errorf("origin %q: only https is safe; http is taken for this machine alone", s)
		}
		o.allowed[normal(u)] = true
	}
	return o, nil
}

// Check reports whether the request comes from a page of an allowed site. A
// request without an Origin comes from no browser: it is ErrOrigin, too, and a
// gateway that takes such callers has to ask for a token.
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

// normal is an origin as browsers write it: small letters, and no port where it
// is the scheme's own.
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

// Loopback reports whether a host is this machine itself.
func Loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && ip.IsLoopback()
}

// forwarding are the headers that a server in between adds.
var forwarding = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Server", "X-Real-Ip",
	"Cf-Connecting-Ip", "True-Client-Ip", "X-Client-Ip", "Via"}

// here is ErrForeign for a request that may have come from elsewhere: it asks for
// another host's name, or has come through a server in between, as through a tunnel.
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

// Caller is the part of an address that limits count by: all of an IPv4 address,
// the first 64 bits of an IPv6 one, as a household has at least those.
type Caller string

// Proxies are the addresses whose X-Forwarded-For is believed.
type Proxies []netip.Prefix

// Caller returns who sent the request: the peer, or, where that is a trusted
// proxy, the last address in X-Forwarded-For that is none. Proxies write addresses
// with a port, too, and in brackets.
//
// Where a trusted proxy has written something else, who sent it is not known. Such
// visitors are neither the proxy itself nor all one, and who can choose what is
// written is not as many callers as he likes: they are one of a few callers.
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

// hop reads an entry of X-Forwarded-For: 192.0.2.1, 192.0.2.1:443, 2001:db8::1,
// [2001:db8::1] or [2001:db8::1]:443.
func hop(s string) (netip.Addr, error) {
	s = strings.TrimSpace(s)
	if ip, err := netip.ParseAddr(s); err == nil {
		return ip, nil
	}
	if inside, ok := strings.CutPrefix(s, "["); ok && strings.HasSuffix(inside, "]") {
		return netip.ParseAddr(strings.TrimSuffix(inside, "]"))
	}
	host, _, err := net.SplitHostPort(s) // a port is whatever it likes: nothing reads it
	if err != nil {
		return netip.Addr{}, err
	}
	return netip.ParseAddr(host)
}

// unreadableCallers is how many callers there are of those whose address cannot be read.
const unreadableCallers = 16

// unreadable is the caller of an entry that is no address.
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
