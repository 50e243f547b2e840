package remote

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Unverified turns the error of an unacceptable certificate into a sentence that wraps
// ErrUnverified. It returns nil for any other error.
func Unverified(a Address, err error) error {
	var (
		unknown x509.UnknownAuthorityError
		named   x509.HostnameError
		invalid x509.CertificateInvalidError
		failed  *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &unknown):
		by := "the authorities this machine trusts"
		if a.CA != "" {
			by = "the certificates in " + a.CA
		}
		return fmt.Errorf("%s: %w: not signed by %s; set ca=FILE in the address to a file with the signer's certificate", a, ErrUnverified, by)
	case errors.As(err, &named):
		names := named.Certificate.DNSNames
		for _, ip := range named.Certificate.IPAddresses {
			names = append(names, ip.String())
		}
		return fmt.Errorf("%s: %w: it is for %s, but the address has %s", a, ErrUnverified, strings.Join(names, ", "), named.Host)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		c := invalid.Cert
		return fmt.Errorf("%s: %w: it is valid only from %s to %s, by this machine's clock", a, ErrUnverified, c.NotBefore.Format(time.DateTime), c.NotAfter.Format(time.DateTime))
	case errors.As(err, &invalid), errors.As(err, &failed):
		return fmt.Errorf("%s: %w: %w", a, ErrUnverified, err)
	}
	return nil
}

// ErrUnverified reports an unacceptable certificate, for errors.Is.
var ErrUnverified = errors.New("the host's certificate was rejected")
