package upstream

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"time"
)

// contextWithin limits the time of all questions about a context. A server that computes an
// answer may not reply before it is finished.
const contextWithin = 2 * time.Second

// mostListed is the number of bytes read of a list of models.
const mostListed = 1 << 20

func noRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// Only the context of a loaded model counts: the context with which a model was trained is
// much larger than the one that a server gives it by default.
var contexts = []struct {
	path string // from the server's root
	of   func(body []byte, model string) int
}{
	{"/props", func(body []byte, _ string) int { // llama.cpp
		var v struct {
			Settings struct {
				Context int `json:"n_ctx"`
			} `json:"default_generation_settings"`
		}
		if json.Unmarshal(body, &v) != nil {
			return 0
		}
		return v.Settings.Context
	}},
	{"/api/ps", func(body []byte, model string) int { // Ollama
		var v struct {
			Models []struct {
				Name    string `json:"name"`
				Model   string `json:"model"`
				Context int    `json:"context_length"`
			} `json:"models"`
		}
		if json.Unmarshal(body, &v) != nil {
			return 0
		}
		for _, m := range v.Models {
			if sameModel(m.Name, model) || sameModel(m.Model, model) {
				return m.Context
			}
		}
		return 0
	}},
	{"/api/v0/models", func(body []byte, model string) int { return listed(body, model) }}, // LM Studio
	{"/v1/models", func(body []byte, model string) int { return listed(body, model) }},     // vLLM
}

// listed returns the context in a list of models.
func listed(body []byte, model string) int {
	var v struct {
		Data []struct {
			ID     string `json:"id"`
			Loaded int    `json:"loaded_context_length"` // LM Studio
			Most   int    `json:"max_model_len"`         // vLLM
		} `json:"data"`
	}
	if json.Unmarshal(body, &v) != nil {
		return 0
	}
	for _, m := range v.Data {
		if sameModel(m.ID, model) {
			return max(m.Loaded, m.Most)
		}
	}
	return 0
}

// sameModel compares names, with Ollama's default tag.
func sameModel(a, b string) bool {
	return a != "" && strings.TrimSuffix(a, ":latest") == strings.TrimSuffix(b, ":latest")
}

// askContext returns the first answer of the methods, or 0.
func askContext(ctx context.Context, to *http.Client, p *Provider, model string) int {
	root := strings.TrimSuffix(p.BaseURL, "/v1")
	for _, each := range contexts {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, root+each.path, nil)
		if err != nil {
			return 0
		}
		p.sign(req.Header)
		resp, err := to.Do(req)
		if err != nil {
			return 0 // nobody is there, or the time is up
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, mostListed))
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			continue
		}
		if n := each.of(body, model); n > 0 {
			return n
		}
	}
	return 0
}
