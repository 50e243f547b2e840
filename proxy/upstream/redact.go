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

// secrets are what keys and accounts look like: sk-…, Bearer …, organisations
// and projects, a key of which a provider shows only the ends, and any long run
// without a blank.
var secrets = regexp.MustCompile(`(?i)bearer\s+[^\s"',;]+|\b(?:sk|pk|rk|gsk|org|proj)[-_][\w*.-]+|[\w.-]*\*{2,}[\w*.-]*|[\w+/=-]{32,}`)

// key returns the key as it is sent: files of keys end with a line feed.
func (p *Provider) key() string {
	if p.Key == nil {
		return ""
	}
	return strings.TrimSpace(p.Key())
}

// redact takes the configured key and organisation out of a provider's words,
// and all that looks like some. Where they were cut off, the end goes, too: it
// may be the beginning of a key.
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

// shorten keeps s on one line of at most n bytes.
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
