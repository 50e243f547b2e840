// Package nearbytest runs servers that answer as Ollama, llama.cpp and LM Studio do, for
// tests. Chats and embeddings go on to a scripted provider.
package nearbytest

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Server is a server of models.
type Server struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

// Model is a model of a server.
type Model struct {
	Name         string
	Capabilities []string // of Ollama; nil: a version without that list
	Type         string   // of LM Studio
	Remote       string   // of Ollama: the machine that runs it
	Family       string
}

// Start runs a handler on a port of the loopback address.
func Start(t *testing.T, h http.Handler) *Server {
	t.Helper()
	s := &Server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.seen = append(s.seen, r.Method+" "+r.URL.Path)
		s.mu.Unlock()
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// Port returns the port of the server.
func (s *Server) Port() string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return port
}

// Seen returns the requests so far, as "GET /path".
func (s *Server) Seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

// Silent returns a port on which nothing listens.
func Silent(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// Ports returns the variable that makes seam look at other ports.
func Ports(ollama, llamaCpp, lmStudio string) string {
	return "SEAM_LOCAL_PORTS=" + ollama + "," + llamaCpp + "," + lmStudio
}

// orNone returns the provider, or a handler that knows no path.
func orNone(provider http.Handler) http.Handler {
	if provider == nil {
		return http.NotFoundHandler()
	}
	return provider
}

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// Ollama answers as Ollama 0.12 does; its list says which models run elsewhere.
func Ollama(provider http.Handler, models ...Model) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "Ollama is running") })
	mux.HandleFunc("GET /api/tags", func(w http.ResponseWriter, _ *http.Request) {
		list := []map[string]any{}
		for _, m := range models {
			row := map[string]any{"name": m.Name, "model": m.Name, "modified_at": "2026-11-01T10:00:00Z", "size": 2019393189, "digest": "a80c4f17acd5", "details": map[string]any{"format": "gguf", "family": m.Family, "parameter_size": "3.2B", "quantization_level": "Q4_K_M"}}
			if m.Remote != "" {
				row["remote_host"], row["remote_model"] = m.Remote, m.Name
			}
			list = append(list, row)
		}
		write(w, http.StatusOK, map[string]any{"models": list})
	})
	mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Model string `json:"model"`
		}
		_ = json.NewDecoder(r.Body).Decode(&ask)
		for _, m := range models {
			if m.Name == ask.Model {
				told := map[string]any{"license": strings.Repeat("Permission is granted. ", 2000), "modelfile": "FROM x", "template": "{{ .Prompt }}", "details": map[string]any{"family": m.Family}, "model_info": map[string]any{"general.architecture": m.Family}}
				if m.Capabilities != nil {
					told["capabilities"] = m.Capabilities
				}
				write(w, http.StatusOK, told)
				return
			}
		}
		write(w, http.StatusNotFound, map[string]any{"error": "model '" + ask.Model + "' not found"})
	})
	mux.Handle("/v1/", orNone(provider))
	return mux
}

// LlamaCpp answers as a llama.cpp server of November 2026 does. Its list says "completion"
// for every model.
func LlamaCpp(provider http.Handler, model string, embeds, answers bool) http.Handler {
	mux := http.NewServeMux()
	fail := func(w http.ResponseWriter, code int, message, kind string) {
		write(w, code, map[string]any{"error": map[string]any{"code": code, "message": message, "type": kind}})
	}
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		write(w, http.StatusOK, map[string]any{"object": "list", "models": []any{map[string]any{"name": model, "model": model, "type": "model", "capabilities": []string{"completion"}}},
			"data": []any{map[string]any{"id": model, "object": "model", "owned_by": "llamacpp", "meta": map[string]any{"n_ctx_train": 8192}}}})
	})
	once := func(path, missing, refusal string, can bool) {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			switch {
			case !can:
				fail(w, http.StatusNotImplemented, refusal, "not_supported_error")
			case r.ContentLength == 2: // {}
				fail(w, http.StatusBadRequest, missing, "invalid_request_error")
			default:
				orNone(provider).ServeHTTP(w, r)
			}
		})
	}
	once("/v1/embeddings", `"input" or "content" must be provided`, "This server does not support embeddings. Start it with `--embeddings`", embeds)
	once("/v1/chat/completions", "'messages' is required", "This server does not support completions. Start it without `--embeddings` or `--reranking`", answers)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusNotFound, "File Not Found", "not_found_error")
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", "llama.cpp")
		mux.ServeHTTP(w, r)
	})
}

// Loading answers as a llama.cpp server that is loading its model.
func Loading() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Server", "llama.cpp")
		write(w, http.StatusServiceUnavailable, map[string]any{"error": map[string]any{"message": "Loading model", "type": "unavailable_error", "code": 503}})
	})
}

// LMStudio answers as LM Studio 0.3 does: with 200, also to paths that it does not know.
func LMStudio(provider http.Handler, models ...Model) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v0/models", func(w http.ResponseWriter, _ *http.Request) {
		list := []map[string]any{}
		for _, m := range models {
			list = append(list, map[string]any{"id": m.Name, "object": "model", "type": m.Type, "publisher": "lmstudio-community", "arch": "llama", "compatibility_type": "gguf", "quantization": "Q4_K_M", "state": "not-loaded", "max_context_length": 131072})
		}
		write(w, http.StatusOK, map[string]any{"object": "list", "data": list})
	})
	mux.Handle("POST /v1/", orNone(provider))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		write(w, http.StatusOK, map[string]any{"error": "Unexpected endpoint or method. (" + r.Method + " " + r.URL.Path + "). Returning 200 anyway"})
	})
	return mux
}

// Web answers as a web server that has nothing to do with models.
func Web() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><title>Welcome to nginx!</title>")
	})
}
