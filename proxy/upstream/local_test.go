package upstream

import (
	"net/http"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// The errors of servers for models on one's own machine, word for word, each as one true
// sentence. The words of llama.cpp are from a server of November 2026.
func TestLocalErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		status int
		body   string
		code   protocol.Code
		says   string
		tries  int
	}{
		"llama.cpp, context": {400, `{"error":{"code":400,"message":"request (5031 tokens) exceeds the available context size (2048 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5031,"n_ctx":2048}}`,
			protocol.TooLarge, "The text is too long for this model: it has 5031 tokens, and the context has 2048. Send less of it.", 1},
		"llama.cpp, older context": {400, `{"error":{"code":400,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"invalid_request_error"}}`,
			protocol.TooLarge, "The text is too long for this model. Send less of it.", 1},
		"llama.cpp, batch": {500, `{"error":{"code":500,"message":"input (1001 tokens) is too large to process. increase the physical batch size (current batch size: 512)","type":"server_error"}}`,
			protocol.TooLarge, "The text is too long for this model. Send less of it.", 1},
		"Ollama, context": {400, `{"error":{"message":"the input length exceeds the context length","type":"invalid_request_error","param":null,"code":null}}`,
			protocol.TooLarge, "The text is too long for this model. Send less of it.", 1},
		"LM Studio, context": {400, `{"error":"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}`,
			protocol.TooLarge, "The text is too long for this model. Send less of it.", 1},
		"llama.cpp, slots": {503, `{"error":{"code":503,"message":"no slot available","type":"unavailable_error"}}`,
			protocol.UpstreamLimited, "The model is busy with other requests. Try again in a moment.", 3},
		"llama.cpp, grammar": {400, `{"error":{"code":400,"message":"Failed to initialize samplers: failed to parse grammar","type":"invalid_request_error"}}`,
			protocol.UpstreamRefused, "The provider cannot make this model answer in JSON. Choose another model for this step.", 1},
		"llama.cpp, schema": {400, `{"error":{"code":400,"message":"Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #: unrecognized type nonsense","type":"invalid_request_error"}}`,
			protocol.UpstreamRefused, "The provider cannot make this model answer in JSON. Choose another model for this step.", 1},
		"LM Studio, JSON": {400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`,
			protocol.UpstreamRefused, "The provider cannot make this model answer in JSON. Choose another model for this step.", 1},
		"llama.cpp, no answers": {501, `{"error":{"code":501,"message":"This server does not support completions. Start it without ` + "`--embeddings`" + `","type":"not_supported_error"}}`,
			protocol.UpstreamRefused, "This model does not answer questions. Choose another one.", 1},
		"Ollama, no answers": {400, `{"error":{"message":"\"nomic-embed-text:latest\" does not support chat","type":"invalid_request_error"}}`,
			protocol.UpstreamRefused, "This model does not answer questions. Choose another one.", 1},
		"Ollama, no such model": {404, `{"error":{"message":"model \"mistral\" not found, try pulling it first","type":"not_found_error","param":null,"code":null}}`,
			protocol.UpstreamRefused, "Ollama does not have this model: get it with `ollama pull`, or choose another one.", 1},
		"another 400": {400, `{"error":{"message":"a text about grammar and its slots"}}`, protocol.UpstreamRefused, "The provider rejected this request.", 1},
		"another 503": {503, `{"error":{"message":"bad day"}}`, protocol.UpstreamFailed, "The provider has a problem. Try again later.", 3},
	} {
		s := start(t)
		s.Always(upstreamtest.Script{Status: tt.status, Body: tt.body})
		c := connect(t, s)
		_, _, _, err := ask(c)
		if code(t, err) != tt.code || err.Error() != tt.says {
			t.Errorf("%s: %s, %v", name, code(t, err), err)
		}
		if n := len(s.Requests()); n != tt.tries {
			t.Errorf("%s: %d tries", name, n)
		}
		if strings.HasPrefix(name, "llama.cpp") && c.models["talk"].away.wait() != 0 {
			t.Errorf("%s: it counts as away", name)
		}
	}
	for name, body := range map[string]string{
		"llama.cpp": `{"error":{"code":501,"message":"This server does not support embeddings. Start it with ` + "`--embeddings`" + `","type":"not_supported_error"}}`,
		"pooling":   `{"error":{"code":400,"message":"Pooling type 'none' is not OAI compatible. Please use a different pooling type","type":"invalid_request_error"}}`,
		"Ollama":    `{"error":{"message":"this model does not support embeddings","type":"api_error"}}`,
	} {
		s := start(t)
		s.Always(upstreamtest.Script{Status: http.StatusNotImplemented, Body: body})
		_, _, err := connect(t, s).Embed(t.Context(), "vec", texts, 0)
		if code(t, err) != protocol.UpstreamRefused || !strings.HasPrefix(err.Error(), "This model makes no embeddings. Choose one that does") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A wrong port on this machine is not "cannot be reached".
func TestNobodyListens(t *testing.T) {
	s := start(t)
	c := connect(t, s)
	s.Close()
	_, _, _, err := ask(c)
	if code(t, err) != protocol.UpstreamFailed || !strings.HasPrefix(err.Error(), "Nothing listens at the provider's address: start its server") {
		t.Error(err)
	}
}
