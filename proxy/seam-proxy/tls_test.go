package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"seam/shared/protocol"
)

// certificate writes a new certificate for loopback with this serial number.
func certificate(t *testing.T, dir string, serial int64) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "seam test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	write(t, filepath.Join(dir, "cert.pem"), string(public))
	write(t, filepath.Join(dir, "key.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: private})))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(public)
	return pool
}

// Certificates are files; SIGHUP replaces them while sockets are open.
func TestTLS(t *testing.T) {
	_, url := provider(t)
	dir, file := setUp(t, strings.Replace(common, "work: 4", "work: 4, callers: [{name: ci, token_file: DIR/ci}]", 1)+"tls: {cert: DIR/cert.pem, key: DIR/key.pem}\n", url)
	token := strings.Repeat("t0k3n", 10)
	write(t, filepath.Join(dir, "ci"), token)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.ReplaceAll(string(b), "DIR", dir))
	roots := certificate(t, dir, 1)
	p := start(t, file)
	if !strings.HasPrefix(p.url, "https://") {
		t.Fatal(p.url)
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	ws, _, err := websocket.Dial(ctx, p.url+protocol.PathSocket, &websocket.DialOptions{HTTPClient: client, HTTPHeader: http.Header{"Origin": {site}}, Subprotocols: []string{protocol.Subprotocol}})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.CloseNow()
	s := &socket{t, ws, ctx}
	s.send(&protocol.Init{Client: "test", Token: token})
	if m := s.next(); protocol.TypeOf(m) != protocol.TypeAck {
		t.Fatalf("%+v instead of ack", m)
	}
	certificate(t, dir, 2)
	p.signal(syscall.SIGHUP)
	p.wait(`"msg":"reloaded"`, 1)
	for version, ok := range map[uint16]bool{tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		c, err := tls.Dial("tcp", strings.TrimPrefix(p.url, "https://"), &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version})
		if (err == nil) != ok {
			t.Errorf("TLS %x: %v", version, err)
		}
		if err == nil {
			if serial := c.ConnectionState().PeerCertificates[0].SerialNumber.Int64(); serial != 2 {
				t.Errorf("certificate %d after the change", serial)
			}
			c.Close()
		}
	}
	if code := s.embed(1, "over the old certificate"); code != "" {
		t.Errorf("the socket from before: %s", code)
	}
}
