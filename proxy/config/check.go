package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seam/proxy/admission"
	"seam/proxy/limit"
	"seam/shared/protocol"
)

// Relays reports whether there is a provider or a collection. Otherwise only the page is
// served.
func (c *Config) Relays() bool { return len(c.Providers) > 0 || len(c.Collections) > 0 }

// Public reports whether the proxy can be reached from other machines: by its address, from
// pages of a site on the network, or through another proxy.
func (c *Config) Public() bool {
	return !loopback(c.Listen) || len(c.TrustedProxies) > 0 || slices.ContainsFunc(c.Origins, func(o string) bool {
		u, err := url.Parse(o)
		return err != nil || !admission.Loopback(u.Hostname())
	})
}

// PromptsBy returns who writes the prompts.
func (c *Config) PromptsBy() protocol.Prompts {
	switch {
	case c.Prompts != "":
		return c.Prompts
	case c.Public():
		return protocol.ByServer
	}
	return protocol.ByClient
}

// TokensRequired reports whether pages need a token, too.
func (c *Config) TokensRequired() bool { return c.Session.Tokens == "required" || c.Public() }

// Check returns an error for everything that cannot work, and for everything that would let
// strangers use the provider's account freely.
func (l *Loaded) Check() error {
	all := l.checkAddresses()
	all = append(all, l.checkProviders()...)
	all = append(all, l.checkNumbers()...)
	all = append(all, l.checkGroups()...)
	all = append(all, l.checkBook()...)
	all = append(all, l.checkCollections()...)
	if l.Relays() && l.Public() {
		all = append(all, l.checkPublic()...)
	}
	return errors.Join(all...)
}

func (l *Loaded) checkAddresses() (all []error) {
	bad := func(key, format string, args ...any) { all = append(all, l.problem(key, format, args...)) }
	path, file := SocketFile(l.Admin)
	for key, addr := range map[string]string{"listen": l.Listen, "admin": l.Admin, "metrics": l.Metrics} {
		if _, _, err := net.SplitHostPort(addr); err != nil && (key == "listen" || addr != "") && !(key == "admin" && file) {
			bad(key, "invalid address %q: write it like 127.0.0.1:8787", addr)
		}
	}
	if file && !filepath.IsAbs(path) {
		bad("admin", "invalid socket file %q: write it like unix:/run/seam/admin.sock", l.Admin)
	}
	if l.Admin != "" && !file && !loopback(l.Admin) {
		bad("admin", "%s is reachable from outside, and anyone who reaches it can switch the proxy off: use a loopback address, or a socket file like unix:/run/seam/admin.sock", l.Admin)
	}
	for i, o := range l.Origins {
		if _, err := admission.NewOrigins([]string{o}); err != nil {
			bad(fmt.Sprintf("origins[%d]", i), "%s", strings.TrimPrefix(err.Error(), "origin "))
		}
	}
	for i, p := range l.TrustedProxies {
		if _, err := Prefix(p); err != nil {
			bad(fmt.Sprintf("trusted_proxies[%d]", i), "invalid address or prefix %q: write it like 10.0.0.0/8", p)
		}
	}
	if (l.TLS.Cert == "") != (l.TLS.Key == "") {
		bad("tls", "needs both cert and key")
	}
	return all
}

// SocketFile returns the path of an address unix:/path, and reports whether it is one.
func SocketFile(addr string) (path string, ok bool) { return strings.CutPrefix(addr, "unix:") }

// Prefix parses an address or a prefix. A prefix that contains all addresses is an error.
func Prefix(s string) (netip.Prefix, error) {
	p, err := netip.ParsePrefix(s)
	if err != nil {
		var a netip.Addr
		if a, err = netip.ParseAddr(s); err == nil {
			p = netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen())
		}
	}
	if err == nil && p.Bits() == 0 {
		err = errors.New("every address would be trusted")
	}
	return p.Masked(), err
}

func (l *Loaded) checkProviders() (all []error) {
	names := map[string]bool{}
	for i, p := range l.Providers {
		bad := func(key, format string, args ...any) {
			all = append(all, l.problem(fmt.Sprintf("providers[%d].%s", i, key), format, args...))
		}
		switch u, err := url.Parse(p.BaseURL); {
		case p.Name == "" || names[p.Name]:
			bad("name", "each provider needs a unique name")
		case p.BaseURL == "":
			bad("base_url", "is missing: use an address like https://api.openai.com/v1")
		case err != nil || u.Host == "":
			bad("base_url", "is not a valid address") // never printed: it may have a password
		case u.Scheme == "http" && !admission.Loopback(u.Hostname()) && (p.KeyEnv != "" || p.KeyFile != ""):
			bad("base_url", "http would send the key in the clear: use https")
		case p.KeyEnv != "" && p.KeyFile != "":
			bad("key_env", "excludes key_file: leave one out")
		}
		names[p.Name] = true
		if len(p.Models) == 0 {
			bad("models", "is empty: list the models that clients may use")
		}
		for j, m := range p.Models {
			key := fmt.Sprintf("models[%d]", j)
			switch {
			case m.ID == "":
				bad(key+".id", "is missing")
			case !l.same(i, m):
				bad(key+".id", "%q is listed twice with different settings: use the same kind and dimensions, once per provider", m.ID)
			case m.Kind == protocol.Chatting && (m.QueryPrefix != nil || m.PassagePrefix != nil):
				bad(key+".query_prefix", "is for embedding models: leave query_prefix and passage_prefix out")
			case tooLong(m.QueryPrefix) || tooLong(m.PassagePrefix):
				bad(key+".query_prefix", "query_prefix and passage_prefix have at most %d bytes", longestPrefix)
			case m.Context < 0 || m.Context > 0 && m.Kind == protocol.Embedding:
				bad(key+".context", "must be 0 or more, and is only for chat models: use input for embedding models")
			case m.Weight != nil && !(*m.Weight >= 0 && *m.Weight <= 1e6):
				bad(key+".weight", "must be 0 or more")
			case m.Kind != protocol.Embedding && m.Kind != protocol.Chatting:
				bad(key+".kind", "must be embed or chat, not %q", m.Kind)
			case !priced(m.Price) || !priced(m.PriceOut):
				bad(key+".price", "must be dollars per million tokens, 0 or more")
			case m.MaxTemperature != nil && !(*m.MaxTemperature >= 0 && *m.MaxTemperature <= 2):
				bad(key+".max_temperature", "must be 0 to 2")
			}
		}
	}
	if l.BaseURL == "" && len(l.EmbedModels)+len(l.ChatModels) > 0 {
		all = append(all, l.problem("base_url", "is missing: embed_models and chat_models need it"))
	}
	return all
}

// priced reports whether a price is valid or unknown.
func priced(dollars *float64) bool { return dollars == nil || *dollars >= 0 && *dollars <= 1e6 }

// longestPrefix is the most bytes of a prefix. An instruction has some 100.
const longestPrefix = 500

func tooLong(prefix *string) bool { return prefix != nil && len(*prefix) > longestPrefix }

// same reports whether a model of provider i matches the models with the same id at other
// providers.
func (l *Loaded) same(i int, m Model) bool {
	for j, p := range l.Providers {
		twice := 0
		for _, other := range p.Models {
			if other.ID == m.ID && (other.Kind != m.Kind || other.Dimensions != m.Dimensions) {
				return false
			}
			if other.ID == m.ID {
				twice++
			}
		}
		if j == i && twice > 1 {
			return false
		}
	}
	return true
}

func (l *Loaded) checkNumbers() (all []error) {
	bad := func(key, format string, args ...any) { all = append(all, l.problem(key, format, args...)) }
	choice := func(key, value string, of ...string) {
		if !slices.Contains(of, value) {
			bad(key, "must be %s, not %q", strings.Join(of, " or "), value)
		}
	}
	choice("prompts", string(l.Prompts), "", "client", "server")
	choice("session.tokens", l.Session.Tokens, "auto", "required")
	choice("log.level", l.Log.Level, "debug", "info", "warn", "error")
	choice("log.format", l.Log.Format, "json", "text")
	choice("log.addresses", l.Log.Addresses, "truncated", "full", "none")
	if !(l.Trace.Sample >= 0 && l.Trace.Sample <= 1) {
		bad("trace.sample", "must be 0 to 1")
	}
	if u, err := url.Parse(l.Trace.Endpoint); l.Trace.Endpoint != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil) {
		bad("trace.endpoint", "must be an address like http://127.0.0.1:4318")
	}
	if l.Session.Work < 0 || l.Session.Work > admission.MaxWork {
		bad("session.work", "must be 0 to %d bits", admission.MaxWork)
	}
	n := l.Limits
	for key, v := range map[string]struct{ value, least, most int }{
		"texts": {n.Texts, 1, 1 << 16}, "text_bytes": {n.TextBytes, 1, 16 << 20}, "tokens": {n.Tokens, 1, 1 << 30},
		"in_flight": {n.InFlight, 1, 1000}, "answer": {n.Answer, 1, 1 << 20}, "context": {n.Context, 1, 16 << 20},
		"turns": {n.Turns, 0, 1000}, "history": {n.History, 0, protocol.MaxText - 1024},
		"credits": {n.Credits, 1, 1 << 16}, "connections": {n.Connections, 1, 1 << 20}, "per_address": {n.PerAddress, 1, 1 << 20}, "waiting": {n.Waiting, 0, 1 << 16}, "messages": {n.Messages, 1, 1 << 20},
	} {
		if v.value < v.least || v.value > v.most {
			bad("limits."+key, "must be %d to %d", v.least, v.most)
		}
	}
	if n.Body < 0 || n.Body > 1<<30 {
		bad("limits.body", "must be 0 to 1GiB")
	}
	if n.Wait < 0 || n.Wait > time.Hour {
		bad("limits.wait", "must be 0 to 1h")
	}
	for key, s := range map[string]Spend{"session": l.Budget.Session, "address": l.Budget.Address, "day": l.Budget.Day} {
		if s.Tokens < 0 || !(s.Dollars >= 0 && s.Dollars <= 1e9) {
			bad("budget."+key, "is not a valid budget: use 0 or more")
		}
	}
	for name, t := range l.Templates {
		if t.System == "" || strings.ContainsAny(name, ". ") {
			bad("templates."+name, "needs a system prompt, and a name without dots and spaces")
		}
	}
	if l.Log.Lines < 0 {
		bad("log.lines", "must be 0 or more")
	}
	if l.Cache.Memory < 1 {
		bad("cache.memory", "must be above 0; use a small size, such as 1KB, to keep almost nothing")
	}
	if l.Cache.Answers < 0 || l.Cache.AnswersKeep <= 0 {
		bad("cache.answers", "must be 0 or more, and cache.answers_keep above 0; 0 keeps no answers")
	}
	if l.Cache.Disk < 0 {
		bad("cache.disk", "must be 0 or more; 0 keeps the cache in memory only")
	}
	if l.Session.PerMinute < 1 || l.Session.Age <= 0 || l.Drain < 0 || l.Cache.Keep <= 0 {
		bad("session", "per_minute, age and cache.keep must be above 0, drain 0 or more")
	}
	return all
}

func (l *Loaded) checkBook() (all []error) {
	bad := func(key, format string, args ...any) {
		all = append(all, l.problem("budget.book."+key, format, args...))
	}
	b := l.Budget.Book
	if b.Redis == "" {
		if b.PasswordEnv != "" || b.PasswordFile != "" {
			bad("redis", "is missing, but a password is set: write it like redis://127.0.0.1:6379/0")
		}
	} else if _, err := limit.ParseRedis(b.Redis); err != nil {
		bad("redis", "%v", err) // never printed: it may have a password
	}
	if b.PasswordEnv != "" && b.PasswordFile != "" {
		bad("password_env", "excludes password_file: leave one out")
	}
	if b.Prefix == "" || len(b.Prefix) > 64 || strings.ContainsFunc(b.Prefix, func(r rune) bool { return r <= ' ' || r > '~' }) {
		bad("prefix", "must be 1 to 64 printable ASCII characters without spaces, like seam:")
	}
	return all
}

// checkPublic refuses settings that would make the proxy an open relay to a model, or let
// anyone use up an account.
func (l *Loaded) checkPublic() (all []error) {
	bad := func(key, format string, args ...any) { all = append(all, l.problem(key, format, args...)) }
	if l.PromptsBy() != protocol.ByServer {
		bad("prompts", "client on a public address makes an open relay: anyone could use your account for anything. Use server, which answers only with templates")
	}
	if len(l.Origins) == 0 && len(l.Session.Callers) == 0 {
		bad("origins", "is empty, so no page could connect: list the sites that may connect, like https://docs.example.org")
	}
	if l.Budget.Day == (Spend{}) {
		bad("budget.day", "is missing: without it a public proxy spends until the account is empty")
	}
	if l.Budget.Address == (Spend{}) && l.Budget.Session == (Spend{}) {
		bad("budget.address", "and budget.session are missing: one visitor could use up the day's budget")
	}
	if l.Budget.Day.Tokens == 0 {
		for i, p := range l.Providers {
			for j, m := range p.Models {
				if m.Price == nil || m.Kind == protocol.Chatting && m.PriceOut == nil {
					bad(fmt.Sprintf("providers[%d].models[%d].price", i, j), "is missing, but budget.day has only dollars: this model would be free. Set price (and price_out for chat), or budget.day.tokens")
				}
			}
		}
	}
	if l.TLS.Cert == "" && len(l.TrustedProxies) == 0 && !loopback(l.Listen) {
		bad("tls", "is missing: tokens and questions would be sent unencrypted. Set cert and key, or trusted_proxies if another server handles TLS")
	}
	return all
}

// loopback reports whether a listen address is reachable only from this machine.
func loopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && admission.Loopback(host)
}
