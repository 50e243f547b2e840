package server

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"seam/proxy/admission"
	"seam/proxy/config"
)

// secrets are the secrets that the configuration names but does not contain. They are read
// again at each reload.
type secrets struct {
	keys  []string // of the providers, in their order
	known []admission.KnownCaller
	sign  [][]byte // for tokens; nil: use the state folder's
	cert  *tls.Certificate
	book  string // password of the shared book

	collections []string // keys of the collections' engines, in their order; "": none
}

// readSecrets reads the secrets. Errors name the key of the configuration, never a value.
func readSecrets(c *config.Config) (s secrets, err error) {
	var all []error
	read := func(key, env, file string) string {
		v, err := named(key, env, file)
		all = append(all, err)
		return v
	}
	for i, p := range c.Providers {
		env := p.KeyEnv
		if u, err := url.Parse(p.BaseURL); err == nil && admission.Loopback(u.Hostname()) && os.Getenv(env) == "" {
			env = "" // a model on this machine needs no key
		}
		s.keys = append(s.keys, read(fmt.Sprintf("providers[%d].key", i), env, p.KeyFile))
	}
	for i, k := range c.Collections {
		s.collections = append(s.collections, read(fmt.Sprintf("collections[%d].key", i), k.KeyEnv, k.KeyFile))
	}
	if s.book, err = bookPassword(c); err != nil {
		all = append(all, err)
	}
	for i, k := range c.Session.Callers {
		key := fmt.Sprintf("session.callers[%d].token", i)
		token := read(key, k.TokenEnv, k.TokenFile)
		known, err := admission.NewKnown(k.Name, token)
		if err != nil && token != "" {
			all = append(all, fmt.Errorf("%s: %w", key, err))
		}
		s.known = append(s.known, known)
	}
	if f := c.Session.SecretFile; f != "" {
		b, err := readSecret(f)
		if err != nil {
			all = append(all, fmt.Errorf("session.secret_file: %w", err))
		}
		s.sign = bytes.Fields(b)
		if _, bad := admission.NewSigner(s.sign, nil, nil); err == nil && bad != nil {
			all = append(all, fmt.Errorf("session.secret_file: %w", bad))
		}
	}
	if c.TLS.Cert != "" {
		var pair tls.Certificate
		cert, err := readSecret(c.TLS.Cert)
		key, noKey := readSecret(c.TLS.Key)
		if err = errors.Join(err, noKey); err == nil {
			pair, err = tls.X509KeyPair(cert, key)
		}
		if err != nil {
			all = append(all, fmt.Errorf("tls: %w", err))
		}
		s.cert = &pair
	}
	return s, errors.Join(all...)
}

// bookPassword reads the password of the shared book, if there is one.
func bookPassword(c *config.Config) (string, error) {
	b := c.Budget.Book
	return named("budget.book.password", b.PasswordEnv, b.PasswordFile)
}

// named reads the secret that a key names by variable or file. It returns "" if both are
// empty.
func named(key, env, file string) (string, error) {
	switch {
	case env != "":
		if v := strings.TrimSpace(os.Getenv(env)); v != "" { // a variable filled from a file ends with a newline, too
			return v, nil
		}
		return "", fmt.Errorf("%s_env: the variable %s is not set", key, env)
	case file != "":
		b, err := readSecret(file)
		v := strings.TrimSpace(string(b))
		if err == nil && v == "" {
			err = errors.New("the file is empty")
		}
		if err != nil {
			return "", fmt.Errorf("%s_file: %w", key, err)
		}
		return v, nil
	}
	return "", nil
}

// credentials at the start of a file name is replaced by the folder where systemd puts the
// files of LoadCredential=.
const credentials = "${CREDENTIALS_DIRECTORY}"

// readSecret reads a file of the configuration.
func readSecret(file string) ([]byte, error) {
	if rest, ok := strings.CutPrefix(file, credentials); ok {
		dir := os.Getenv("CREDENTIALS_DIRECTORY")
		if dir == "" {
			return nil, fmt.Errorf("%s: CREDENTIALS_DIRECTORY is not set: systemd sets it for a unit with LoadCredential=", file)
		}
		file = dir + rest
	}
	return os.ReadFile(file)
}

// stateDir returns statePath. It creates the folder if necessary, unreadable for others.
func stateDir(c *config.Config) (string, error) {
	dir, err := statePath(c)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("state: %w", err)
	}
	return dir, nil
}

// statePath returns the folder for data that must outlive the process.
func statePath(c *config.Config) (string, error) {
	dir := c.State
	if dir == "" {
		dir = os.Getenv("STATE_DIRECTORY") // set by systemd
	}
	if dir == "" {
		base := os.Getenv("XDG_STATE_HOME")
		if base == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("state: no folder is configured and no home folder was found: %w", err)
			}
			base = filepath.Join(home, ".local", "state")
		}
		dir = filepath.Join(base, "seam")
	}
	return dir, nil
}

// newSecret creates a file with a secret. If another process creates it at the same time,
// one file stays for both.
func newSecret(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".secret-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(rand.Text() + rand.Text() + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err = os.Link(f.Name(), path); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil { // a file system without links
		return os.Rename(f.Name(), path)
	}
	return nil
}

// secretOf returns a secret of the state folder, and generates it the first time.
func secretOf(dir, name string) (string, error) {
	path := filepath.Join(dir, name)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = newSecret(path); err == nil {
			b, err = os.ReadFile(path)
		}
	}
	if err != nil {
		return "", fmt.Errorf("state: %w", err)
	}
	secret := strings.TrimSpace(string(b))
	if len(secret) < 32 {
		return "", fmt.Errorf("state: %s is damaged: delete it to create a new one", path)
	}
	return secret, nil
}
