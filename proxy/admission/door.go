package admission

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"net/netip"
)

// Door decides who may open a session. Pages of the allowed sites may, with a token if one
// is required. Programs, which have no origin, always need a token.
type Door struct {
	Origins  Origins
	Signer   *Signer // if nil, no tokens are issued, and only Known tokens are valid
	Required bool    // pages need a token, too
	Here     bool    // accept only this machine: refuse requests through a server in between, or for another host
	Known    []KnownCaller
}

// KnownCaller is a caller with its own token, which does not expire.
type KnownCaller struct {
	Name string
	sum  [sha256.Size]byte
}

// NewKnown stores a hash of the token, which must have at least 24 characters, because only
// the token protects the account from strangers.
func NewKnown(name, token string) (KnownCaller, error) {
	if len(token) < 24 {
		return KnownCaller{}, fmt.Errorf("the token of %s has %d characters: use 24 or more random characters", name, len(token))
	}
	return KnownCaller{name, sha256.Sum256([]byte(token))}, nil
}

// Knock returns the origin of a request, or "" for a program. It returns ErrOrigin for a
// page of another site, and for programs if no token could be valid. It returns ErrForeign
// if only this machine is accepted and the request may be from elsewhere.
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

// Enter checks a token for a request with that origin and address. It returns who pays (the
// address or the known caller), and the group that sets the policy.
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

// Truncated returns the address without the bits that distinguish neighbouring households:
// it keeps the first 24 bits of IPv4, 48 of IPv6. The name of a known caller is unchanged.
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
