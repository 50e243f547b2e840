package upstream

import (
	"context"
	"net/http"
	"net/url"
	"strings"
)

// lacksVersion reports whether the base URL needs a /v1 at its end: the server has no list
// of models without it, and one with it. Only a base URL without a path is asked about, so
// that most providers get no request.
func lacksVersion(ctx context.Context, to *http.Client, p *Provider) bool {
	u, err := url.Parse(p.BaseURL)
	if err != nil || p.API != OpenAI || strings.Trim(u.Path, "/") != "" {
		return false
	}
	status := func(path string) int {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(p.BaseURL, "/")+path, nil)
		if err != nil {
			return 0
		}
		p.sign(req.Header)
		resp, err := to.Do(req)
		if err != nil {
			return 0
		}
		resp.Body.Close()
		return resp.StatusCode
	}
	if status("/models") != http.StatusNotFound {
		return false
	}
	switch status("/v1/models") {
	case http.StatusOK, http.StatusUnauthorized, http.StatusForbidden:
		return true
	}
	return false
}
