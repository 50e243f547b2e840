package admission

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/netip"
)

// Door decides who may open a session. Pages of the allowed sites may, with a
// token where one is required; programs, which have no origin, with a token
// always.
type Door struct {
	Origins  Origins
	Signer   *Signer // nil: no tokens are made, and only those of Known hold
	Required bool    // pages need a token, too
	Here     bool    // this machine alone may come: a request through a server in between, or for another host, is refused
	Known    []Known
}

// Known is a caller with a token of its own, which does not expire.
type Known struct {
	Name string
	sum  [sha256.Size]byte
}

// NewKnown keeps a hash of the token, which has to have 24 characters at least:
// it is all that stands between a stranger and the account.
func NewKnown(name, token string) (Known, error) {
	if len(token) < 24 {
		return Known{}, fmt.Errorf("the token of %s has %d characters: it takes 24 or more, made at random", name, len(token))
	}
	return Known{name, sha256.Sum256([]byte(token))}, nil
}

// Knock returns the origin of a request, "" for a program's. It is ErrOrigin for
// a page of another site, and for programs where no token could hold; ErrForeign
// where only this machine may come, and the request is not surely from it.
func (d *Door) Knock(r *http.Request) (origin string, err error) {
	if d.Here {
		if err := here(r); err != nil {
			return "", err
		}
	}
	values := r.Header.Values("Origin")
	if len(values) == 0 && (d.Signer != nil || len(d.Known) > 0) {
		return "", nil
	}
	if err := d.Origins.Check(r); err != nil {
		return "", err
	}
	return values[0], nil
}

// Enter checks the token of somebody with that origin at that address, and
// returns who pays, the address or the known caller, and whose policy holds.
func (d *Door) Enter(token, origin string, at Caller) (Caller, Group, error) {
	if token == "" && origin != "" && !d.Required {
		return at, SiteGroup(origin), nil
	}
	sum := sha256.Sum256([]byte(token))
	for _, k := range d.Known {
		if subtle.ConstantTimeCompare(sum[:], k.sum[:]) == 1 {
			return Caller("caller " + k.Name), CallerGroup(k.Name), nil
		}
	}
	if d.Signer == nil {
		return "", "", ErrToken
	}
	if _, err := d.Signer.Redeem(token, origin, at); err != nil {
		return "", "", err
	}
	return at, SiteGroup(origin), nil
}

// Truncated is the address without what tells one household from its neighbours:
// the first 24 bits of IPv4, 48 of IPv6. The name of a known caller stays.
func (c Caller) Truncated() string {
	ip, err := netip.ParseAddr(string(c))
	bits := 24
	if prefix, no := netip.ParsePrefix(string(c)); no == nil {
		ip, bits, err = prefix.Addr(), 48, nil
	}
	if err != nil {
		return string(c)
	}
	prefix, err := ip.Prefix(bits)
	if err != nil {
		return string(c)
	}
	return prefix.String()
}
