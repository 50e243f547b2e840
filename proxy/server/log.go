package server

import (
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"seam/proxy/config"
)

// newLog returns a logger that writes to w with the configured level and format. It removes
// the proxy's secrets from every line.
func newLog(w io.Writer, c config.Log, hide *hidden) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(c.Level)) // validated with the configuration
	o := &slog.HandlerOptions{Level: level, ReplaceAttr: hide.replace}
	var h slog.Handler = slog.NewJSONHandler(w, o)
	if c.Format == "text" {
		h = slog.NewTextHandler(w, o)
	}
	return slog.New(newSampler(h, c.Lines, time.Now))
}

// hidden holds the current secrets.
type hidden struct {
	now atomic.Pointer[strings.Replacer]
}

func (h *hidden) set(s secrets) {
	var pairs []string
	for _, key := range append(s.keys[:len(s.keys):len(s.keys)], s.book) {
		if len(key) >= 8 { // a shorter value is not a secret, and would hide words
			pairs = append(pairs, key, "[secret]")
		}
	}
	h.now.Store(strings.NewReplacer(pairs...))
}

func (h *hidden) replace(_ []string, a slog.Attr) slog.Attr {
	r := h.now.Load()
	if r == nil {
		return a
	}
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(r.Replace(v))
	case error:
		a.Value = slog.StringValue(r.Replace(v.Error()))
	}
	return a
}
