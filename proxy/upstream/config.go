package upstream

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"seam/shared/protocol"
)

// API is the dialect of a provider.
type API string

const (
	// OpenAI is the default: POST BaseURL/embeddings and /chat/completions with a bearer
	// key.
	OpenAI API = "openai"
	// Azure has the deployment in the path, api-version in the query, and the key in a
	// separate header.
	Azure API = "azure"
)

// Provider is the configuration of a provider. Zero values mean the defaults.
type Provider struct {
	Name       string // for operators; never sent
	BaseURL    string // "https://api.openai.com/v1"; Azure: the resource, without a path
	API        API    // default OpenAI
	APIVersion string // only for Azure, required there

	// Deployments maps the provider's model names to Azure's deployments. A model that is
	// not listed has a deployment with the same name.
	Deployments map[string]string

	// Key returns the key. It is called before each try, so that a reload takes effect at
	// once. If it is nil or returns "", no key is sent. It must be safe for concurrent use.
	Key func() string

	Organization string // sent as OpenAI-Organization

	near bool // on this machine or its network

	Models   []Model
	Timeouts Timeouts
	Retry    Retry
	Limits   Limits
}

// Model is a model offered to clients, with the provider's name for it.
type Model struct {
	protocol.Model
	Name string // the provider's name; default: ID

	// Reasoning sends max_completion_tokens instead of max_tokens, and no temperature. It
	// is detected automatically if a provider asks for this.
	Reasoning bool

	// Temperature is the highest temperature that clients may set. nil means 2, the limit
	// of the protocol.
	Temperature *float64
}

func (m *Model) mostTemperature() float64 {
	if m.Temperature == nil {
		return 2
	}
	return *m.Temperature
}

// Timeouts limits the phases of a request.
type Timeouts struct {
	Connect   time.Duration // for a connection, and again for TLS; default 5 s
	FirstByte time.Duration // from the start of a try to the first byte of its response; default 60 s, or 5 min if the provider is near
	Idle      time.Duration // between two bytes of a response; default 60 s
	Embed     time.Duration // for a whole Embed, including retries; default FirstByte
}

// Retry sets when to try again. Only failures before the first byte of a response are
// retried: refused and reset connections, and status 408, 429, 500, 502, 503, 504.
type Retry struct {
	Tries int           // in all, including the first; default 3
	Wait  time.Duration // before the second try, ± half of it at random; doubles each time; default 300 ms
	Total time.Duration // no try begins later than this after the first; default 20 s

	// After is the longest Retry-After to wait for, default 10 s. A longer one ends the
	// call, and its error has the value.
	After time.Duration
}

// Limits bounds the size of a provider's responses.
type Limits struct {
	Response int // bytes of an embeddings response; default 64 MiB
	Answer   int // bytes of a whole stream; default 16 MiB
	Line     int // bytes of one line of a stream; default 1 MiB
}

func orDefault[T comparable](v *T, fallback T) {
	if *v == *new(T) {
		*v = fallback
	}
}

func (p *Provider) fill() {
	orDefault(&p.API, OpenAI)
	orDefault(&p.Timeouts.Connect, 5*time.Second)
	p.near = near(p.BaseURL)
	if p.near {
		orDefault(&p.Timeouts.FirstByte, 5*time.Minute) // it may have to load the model
	}
	orDefault(&p.Timeouts.FirstByte, time.Minute)
	orDefault(&p.Timeouts.Idle, time.Minute)
	orDefault(&p.Timeouts.Embed, p.Timeouts.FirstByte)
	orDefault(&p.Retry.Tries, 3)
	orDefault(&p.Retry.Wait, 300*time.Millisecond)
	orDefault(&p.Retry.Total, 20*time.Second)
	orDefault(&p.Retry.After, 10*time.Second)
	orDefault(&p.Limits.Response, 64<<20)
	orDefault(&p.Limits.Answer, 16<<20)
	orDefault(&p.Limits.Line, 1<<20)
	p.BaseURL = strings.TrimRight(p.BaseURL, "/")
}

// IsLoopback reports whether an address is on this machine.
func IsLoopback(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback() || host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// near reports whether an address is on this machine or its network: a loopback or private
// address, or a name without a domain or in .local, .lan, .internal or .home.arpa.
func near(base string) bool {
	u, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast()
	}
	for _, end := range []string{".localhost", ".local", ".lan", ".internal", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return host != "" && !strings.Contains(host, ".")
}

// check validates the configuration, after fill.
func (p *Provider) check() error {
	u, err := url.Parse(p.BaseURL)
	switch {
	case err != nil: // err would print the address, and a password in it
		return errors.New("invalid base URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return errors.New("base URL needs http:// or https:// and a host")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("base URL must not have a user, query or fragment; the key has its own option")
	case p.API != OpenAI && p.API != Azure:
		return fmt.Errorf("API %q: use %s or %s", p.API, OpenAI, Azure)
	case (p.API == Azure) != (p.APIVersion != ""):
		return errors.New("only Azure has an API version, and requires it")
	}
	for _, d := range []time.Duration{p.Timeouts.Connect, p.Timeouts.FirstByte, p.Timeouts.Idle, p.Timeouts.Embed, p.Retry.Wait, p.Retry.Total, p.Retry.After} {
		if d < 0 {
			return fmt.Errorf("a time of %v", d)
		}
	}
	if p.Retry.Tries < 0 || p.Limits.Response < 0 || p.Limits.Answer < 0 || p.Limits.Line < 0 {
		return errors.New("tries and limits must be above 0")
	}
	return nil
}

func (m *Model) check(p *Provider) error {
	switch {
	case m.ID == "":
		return errors.New("a model without an id")
	case m.Kind != protocol.Embedding && m.Kind != protocol.Chatting:
		return fmt.Errorf("model %q: kind %q: use %s or %s", m.ID, m.Kind, protocol.Embedding, protocol.Chatting)
	case m.Dimensions < 0 || m.Dimensions > maxDims || m.Input < 0 || m.Context < 0:
		return fmt.Errorf("model %q: dimensions must be 0 to %d, input and context 0 or more", m.ID, maxDims)
	case !(m.mostTemperature() >= 0 && m.mostTemperature() <= 2):
		return fmt.Errorf("model %q: temperature must be 0 to 2", m.ID)
	case p.API == Azure && strings.ContainsAny(p.deployment(m.Name), "/?#% "):
		return fmt.Errorf("model %q: invalid deployment name %q", m.ID, p.deployment(m.Name))
	}
	return nil
}

// deployment maps the provider's model name to Azure's deployment.
func (p *Provider) deployment(name string) string {
	if d := p.Deployments[name]; d != "" {
		return d
	}
	return name
}
