package enginetest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/proxy/remote"
)

// authority is a certificate authority.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	file        string
}

func newAuthority(t testing.TB, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	b, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	must(t, err)
	c, err = x509.ParseCertificate(b)
	must(t, err)
	file := filepath.Join(t.TempDir(), name+".pem")
	must(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: b}), 0o600))
	return &authority{c, key, file}
}

// vouch signs a certificate for a host, valid until a time.
func (a *authority) vouch(t testing.TB, host string, until time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: host}, NotBefore: time.Now().Add(-time.Hour), NotAfter: until, KeyUsage: x509.KeyUsageDigitalSignature}
	if ip := net.ParseIP(host); ip != nil {
		c.IPAddresses = []net.IP{ip}
	} else {
		c.DNSNames = []string{host}
	}
	b, err := x509.CreateCertificate(rand.Reader, c, a.certificate, key.Public(), a.key)
	must(t, err)
	return tls.Certificate{Certificate: [][]byte{b}, PrivateKey: key}
}

// TLS puts a TLS proxy in front of a plain server and checks that its certificate is
// verified. The correct certificate is accepted. A certificate of an unknown authority, of
// another host or an expired one is refused in one sentence without the key, and the key is
// not sent. address is the plain server's address.
func TLS(t *testing.T, address string, open func(a remote.Address, key string) (remote.Engine, error)) {
	plain, err := remote.ParseAddress(address)
	must(t, err)
	ours, stranger := newAuthority(t, "ours"), newAuthority(t, "stranger")
	soon, here := time.Now().Add(time.Hour), "127.0.0.1"
	for name, tt := range map[string]struct {
		certificate tls.Certificate
		says        string // "" if the certificate is accepted
	}{
		"right":        {ours.vouch(t, here, soon), ""},
		"a stranger's": {stranger.vouch(t, here, soon), "not signed by"},
		"another's":    {ours.vouch(t, "search.example.org", soon), "it is for search.example.org, but the address has 127.0.0.1"},
		"the past's":   {ours.vouch(t, here, time.Now().Add(-time.Minute)), "it is valid only from "},
	} {
		t.Run(name, func(t *testing.T) {
			door := newDoor(t, plain, tt.certificate)
			a := plain
			a.Hosts, a.TLS, a.CA = []string{door.host}, true, ours.file
			e, err := open(a, secret)
			must(t, err)
			t.Cleanup(func() { e.Close() })
			if tt.says == "" {
				sealed(t, e)
				if door.passed() == 0 {
					t.Error("nothing went by TLS")
				}
				return
			}
			refused(t, e, tt.says)
			if n := door.passed(); n > 0 {
				t.Errorf("%d bytes were sent to a host that was not verified", n)
			}
		})
	}
}

// sealed checks that writing and reading work.
func sealed(t *testing.T, e remote.Engine) {
	must(t, e.Health(t.Context()))
	c := chunk("a.md", "sealed", "what is sealed stays so", 0)
	write(t, made(t, e), c)
	hits, err := e.Search(t.Context(), remote.Query{Text: "sealed", Vector: unit(0), K: 1})
	if err != nil || len(hits) != 1 || hits[0].ID != c.ID {
		t.Errorf("%v, %v", hits, err)
	}
}

// refused checks that every call fails at once with one sentence.
func refused(t *testing.T, e remote.Engine, says string) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, search := e.Search(ctx, remote.Query{Text: "x", K: 1})
	_, shape := e.Shape(ctx)
	p := remote.NewPusher(e, func(err error) { t.Errorf("it is asked again: %v", err) })
	push := p.Retry(ctx, func(ctx context.Context) error { return e.Upsert(ctx, []remote.Chunk{chunk("a.md", "1", "x", 0)}) })
	for what, err := range map[string]error{"search": search, "health": e.Health(ctx), "shape": shape, "push": push} {
		if !errors.Is(err, remote.ErrUnverified) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", what, err, says)
		}
	}
	t.Logf("%v", search)
}

// door is a proxy that terminates TLS for a plain server.
type door struct {
	host  string
	mu    sync.Mutex
	bytes int64 // bytes received from clients
}

func (d *door) passed() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.bytes
}

// newDoor starts a door. PostgreSQL clients ask for TLS before the handshake, so a door
// answers that request first.
func newDoor(t testing.TB, to remote.Address, certificate tls.Certificate) *door {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	d := &door{host: l.Addr().String()}
	secure := &tls.Config{Certificates: []tls.Certificate{certificate}}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go d.pass(c, to, secure)
		}
	}()
	return d
}

// sslRequest is PostgreSQL's request to start TLS: its length and a number.
const sslRequest = "\x00\x00\x00\x08\x04\xd2\x16\x2f"

func (d *door) pass(c net.Conn, to remote.Address, secure *tls.Config) {
	defer c.Close()
	if to.Engine == remote.Postgres {
		asked := make([]byte, len(sslRequest))
		if _, err := io.ReadFull(c, asked); err != nil || string(asked) != sslRequest {
			return
		}
		if _, err := c.Write([]byte("S")); err != nil {
			return
		}
	}
	in := tls.Server(c, secure)
	if in.Handshake() != nil {
		return
	}
	out, err := net.Dial("tcp", to.Hosts[0])
	if err != nil {
		return
	}
	defer out.Close()
	go func() {
		_, _ = io.Copy(in, out)
		in.Close()
	}()
	_, _ = io.Copy(io.MultiWriter(out, d), in)
}

// Write counts the bytes.
func (d *door) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bytes += int64(len(b))
	return len(b), nil
}
