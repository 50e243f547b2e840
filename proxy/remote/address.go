package remote

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Names of the engines, used as schemes of their addresses.
const (
	Weaviate   = "weaviate"
	Postgres   = "postgres"
	OpenSearch = "opensearch"
)

// kind describes an engine and its addresses.
type kind struct {
	name    string // the scheme
	title   string // its usual name
	port    string // default port
	form    string // the address after the scheme, for help texts
	options string // options that not every engine has, for help texts
}

// kinds lists all engines. A new one needs a row here and a case in package engines.
var kinds = []kind{
	{Weaviate, "Weaviate", "8080", "host:8080/NAME", "grpc=50051, replicas=1, shards=1"},
	{Postgres, "PostgreSQL with pgvector", "5432", "user@host:5432/DATABASE/NAME", "index=hnsw or exact"},
	{OpenSearch, "OpenSearch", "9200", "user@host:9200/NAME", "replicas=1, shards=1"},
}

// portOf returns the default port of an engine, or "" if the engine is unknown.
func portOf(engine string) string {
	if i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == engine }); i >= 0 {
		return kinds[i].port
	}
	return ""
}

// Titles lists the usual names of the engines.
func Titles() string {
	var titles []string
	for _, k := range kinds {
		titles = append(titles, k.title)
	}
	return strings.Join(titles, ", ")
}

// Forms returns a line for each engine, with the form of its addresses and its own options.
func Forms() string {
	var sb strings.Builder
	for _, k := range kinds {
		fmt.Fprintf(&sb, "  %-42soptions: %s\n", k.name+"://"+k.form, k.options)
	}
	return sb.String()
}

// schemes lists the schemes of addresses, as in "a://, b:// or c://".
func schemes() string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.name+"://")
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// Address is the address of a collection:
//
//	weaviate://[user@]host[:8080][,host…]/collection[?option=value…]
//	postgres://[user@]host[:5432][,host…]/database/collection
//	opensearch://[user@]host[:9200][,host…]/collection
//
// It holds no secret.
type Address struct {
	Engine     string
	User       string
	Hosts      []string // with ports
	Database   string   // for Postgres
	Collection string
	Options
}

// Options are the options after the question mark of an address.
type Options struct {
	TLS      bool   // tls=on or off; default: on, except for this machine
	CA       string // ca=FILE: certificates of trusted authorities; "": the system's
	Replicas int    // replicas=N: copies of each chunk, for Weaviate and OpenSearch; default: 1
	Shards   int    // shards=N: parts of the collection, on as many nodes; default: 1
	Words    string // words=LANGUAGE, whose stemmer is used to compare words; default: english; simple: no stemming
	Index    string // index=hnsw or exact: how Postgres finds vectors; default: hnsw
	GRPC     []int  // grpc=PORT of Weaviate, one for all hosts or one for each; default: 50051
}

// collectionName matches the names that all engines accept.
var collectionName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,47}$`)

// ParseAddress parses an address. It refuses an address with a password, and its error does
// not repeat the password.
func ParseAddress(s string) (Address, error) {
	scheme, rest, ok := strings.Cut(s, "://")
	if scheme == "postgresql" {
		scheme = Postgres
	}
	if !ok || portOf(scheme) == "" {
		return Address{}, fmt.Errorf("the address of a collection begins with %s, like postgres://db.example.org/docs/manual", schemes())
	}
	rest, query, _ := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(rest, "/")
	a := Address{Engine: scheme, Options: Options{Replicas: 1, Shards: 1, Words: "english", Index: "hnsw", GRPC: []int{50051}}}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		user, _, secret := strings.Cut(authority[:at], ":")
		if secret {
			return Address{}, errors.New("the address holds a password that others could see: put it into SEAM_REMOTE_KEY, or into a file for --key-file")
		}
		var err error
		if a.User, err = url.PathUnescape(user); err != nil {
			return Address{}, fmt.Errorf("the user %q of the address: %w", user, err)
		}
		authority = authority[at+1:]
	}
	if err := a.hosts(authority); err != nil {
		return Address{}, err
	}
	if err := a.path(path); err != nil {
		return Address{}, err
	}
	return a, a.options(query)
}

func (a *Address) hosts(list string) error {
	a.TLS = false
	for host := range strings.SplitSeq(list, ",") {
		name, port, err := net.SplitHostPort(host)
		if err != nil {
			name, port = strings.Trim(host, "[]"), portOf(a.Engine)
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || name == "" || strings.ContainsAny(name, " /\\") {
			return fmt.Errorf("invalid host %q in the address: write it like db.example.org or db.example.org:%s", host, portOf(a.Engine))
		}
		a.Hosts = append(a.Hosts, net.JoinHostPort(name, port))
		a.TLS = a.TLS || !here(name)
	}
	return nil
}

// here reports whether a host is this machine.
func here(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

func (a *Address) path(path string) error {
	parts := strings.Split(strings.TrimSuffix(path, "/"), "/")
	if a.Engine == Postgres {
		if len(parts) != 2 || parts[0] == "" {
			return errors.New("the address of a collection in PostgreSQL needs a database and a collection: postgres://host/database/collection")
		}
		a.Database, parts = parts[0], parts[1:]
	}
	if len(parts) != 1 || !collectionName.MatchString(parts[0]) {
		return fmt.Errorf("the address must end in a collection name of up to 48 lowercase letters, digits and _, like %s://host/%smanual", a.Engine, map[bool]string{true: "database/"}[a.Engine == Postgres])
	}
	a.Collection = parts[0]
	return nil
}

func (a *Address) options(query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("the options of the address: %w", err)
	}
	for name, v := range values {
		value, err := v[len(v)-1], error(nil)
		switch name {
		case "tls":
			a.TLS, err = value == "on", oneOf(value, "on", "off")
		case "ca":
			a.CA = value
		case "replicas":
			a.Replicas, err = count(value)
		case "shards":
			a.Shards, err = count(value)
		case "words":
			a.Words, err = value, oneOf(value, languages...)
		case "index":
			a.Index, err = value, oneOf(value, "hnsw", "exact")
		case "grpc":
			a.GRPC, err = counts(value)
			if err == nil && len(a.GRPC) != 1 && len(a.GRPC) != len(a.Hosts) {
				err = fmt.Errorf("give one port, or one for each of %d hosts", len(a.Hosts))
			}
		default:
			err = oneOf(name, "tls", "ca", "replicas", "shards", "words", "index", "grpc")
		}
		if err != nil {
			return fmt.Errorf("option %s=%s of the address: %w", name, value, err)
		}
	}
	return nil
}

// languages lists the languages that both PostgreSQL and OpenSearch can stem.
var languages = []string{"simple", "arabic", "danish", "dutch", "english", "finnish", "french", "german", "greek", "hungarian", "indonesian",
	"irish", "italian", "lithuanian", "norwegian", "portuguese", "romanian", "russian", "spanish", "swedish", "turkish"}

func oneOf(value string, all ...string) error {
	if !slices.Contains(all, value) {
		return fmt.Errorf("choose from %s", strings.Join(all, ", "))
	}
	return nil
}

func count(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > 1<<16-1 {
		return 0, errors.New("enter a whole number, 1 or more")
	}
	return n, nil
}

func counts(list string) (all []int, err error) {
	for value := range strings.SplitSeq(list, ",") {
		n, err := count(value)
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

// String returns the address. It is safe to show, because it has no secret.
func (a Address) String() string {
	s := a.Engine + "://" + strings.Join(a.Hosts, ",") + "/"
	if a.Database != "" {
		s += a.Database + "/"
	}
	return s + a.Collection
}

// TLSConfig returns the configuration that verifies the engine's certificate, or nil
// without TLS.
func (a Address) TLSConfig() (*tls.Config, error) {
	if !a.TLS {
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if a.CA != "" {
		b, err := os.ReadFile(a.CA)
		if err != nil {
			return nil, fmt.Errorf("the certificates ca=%s: %w", a.CA, err)
		}
		if c.RootCAs = x509.NewCertPool(); !c.RootCAs.AppendCertsFromPEM(b) {
			return nil, fmt.Errorf("the certificates ca=%s: no certificate in PEM format found", a.CA)
		}
	}
	return c, nil
}
