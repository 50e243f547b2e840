package upstream

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	maxErrorBody = 8 << 10 // bytes of an error's body that are read
	maxDetail    = 600     // bytes of Detail
	redacted     = "[redacted]"
)

// secrets matches the usual forms of keys and accounts: sk-…, Bearer …, organisations and
// projects, keys with only their ends shown, and any long run without a space.
var secrets = regexp.MustCompile(`(?i)bearer\s+[^\s"',;]+|\b(?:sk|pk|rk|gsk|org|proj)[-_][\w*.-]+|[\w.-]*\*{2,}[\w*.-]*|[\w+/=-]{32,}`)

// key returns the trimmed key, because key files end with a newline.
func (p *Provider) key() string {
	if p.Key == nil {
		return ""
	}
	return strings.TrimSpace(p.Key())
}

// redact removes the configured key and organisation from a provider's words, and
// everything that looks like one. If the words were cut off, the end is removed, too: it
// may be the start of a key.
func (p *Provider) redact(s string, cut bool) string {
	key := p.key()
	for _, secret := range []string{key, p.Organization} {
		if secret != "" {
			s = strings.ReplaceAll(s, secret, redacted)
		}
	}
	s = secrets.ReplaceAllString(strings.ToValidUTF8(s, "�"), redacted)
	if cut {
		s = s[:max(0, len(s)-len(key)-len(p.Organization))]
	}
	return s
}

// shorten returns s on one line of at most n bytes.
func shorten(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
