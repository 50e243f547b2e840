package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sync"

	"github.com/sashabaranov/go-openai"

	"seam/shared/protocol"
)

// Embed requests the vectors of texts in one request; the caller must split larger inputs.
// dimensions 0 means the model's default. On success there is exactly one vector per text,
// in the same order. Each has its own memory, the requested or configured number of
// dimensions, and no NaN or infinity.
//
// Errors are *Error. usage is reported by the provider, or estimated if it reports none
// (see Estimate). It is also returned with errors if the provider may have worked.
func (c *Client) Embed(ctx context.Context, modelID string, texts []string, dimensions int) (vectors [][]float32, usage protocol.Usage, err error) {
	m, failed := c.model(modelID, protocol.Embedding)
	switch {
	case failed != nil:
		return vectors, usage, failed
	case len(texts) == 0:
		return vectors, usage, fail(protocol.BadRequest, "No texts to embed.")
	case dimensions < 0 || dimensions > maxDims:
		return vectors, usage, fail(protocol.BadRequest, "Too many dimensions for a vector.")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, c.provider.Timeouts.Embed, errEmbed)
	defer cancel()
	reply, failed := c.embed(ctx, m, texts, dimensions)
	if failed != nil && failed.public.Code == protocol.UpstreamCutShort {
		// The connection broke, which says nothing about the texts. Try only once more,
		// because both requests may be charged.
		usage = reply.cost(texts, true)
		reply.release()
		reply, failed = c.embed(ctx, m, texts, dimensions)
	}
	if failed == nil {
		dims := dimensions
		orDefault(&dims, m.Dimensions)
		vectors, failed = reply.vectors(len(texts), dims)
	}
	usage.Tokens += reply.cost(texts, failed == nil || failed.worked).Tokens
	reply.release()
	if failed != nil {
		return nil, usage, failed
	}
	return vectors, usage, nil
}

// embed requests base64, which needs a third of the bytes of numbers. Servers refuse it in
// many ways. A server that never answered such a request is asked for numbers, and if it
// sends them, this is remembered.
func (c *Client) embed(ctx context.Context, m *model, texts []string, dimensions int) (embeddings, *Error) {
	if m.quirks.has(floatsOnly) {
		return c.embedAs(ctx, m, texts, dimensions, openai.EmbeddingEncodingFormatFloat)
	}
	reply, failed := c.embedAs(ctx, m, texts, dimensions, openai.EmbeddingEncodingFormatBase64)
	if failed == nil {
		m.quirks.learn(base64Fine)
		return reply, nil
	}
	if !failed.refused() || !m.quirks.mayRefuseBase64() {
		return reply, failed
	}
	reply, failed = c.embedAs(ctx, m, texts, dimensions, openai.EmbeddingEncodingFormatFloat)
	if failed == nil {
		m.quirks.learn(floatsOnly)
	}
	return reply, failed
}

func (c *Client) embedAs(ctx context.Context, m *model, texts []string, dimensions int, format openai.EmbeddingEncodingFormat) (reply embeddings, failed *Error) {
	user, _ := ctx.Value(userKey{}).(string)
	request, err := json.Marshal(openai.EmbeddingRequest{User: user, Input: texts, Model: openai.EmbeddingModel(m.Name), EncodingFormat: format, Dimensions: dimensions})
	if err != nil {
		return reply, fail(protocol.BadRequest, "These texts cannot be sent.")
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.embeddingsURL(m), bytes.NewReader(request))
	if err != nil {
		return reply, unreachable(ctx, err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	resp, failed := c.transport.send(req, m)
	if failed != nil {
		return reply, failed
	}
	defer resp.Body.Close()
	body := bodies.Get().(*bytes.Buffer)
	body.Reset()
	if n := resp.ContentLength; n > 0 && n <= int64(c.provider.Limits.Response) {
		body.Grow(int(n) + bytes.MinRead)
	}
	if _, err := io.Copy(body, resp.Body); err != nil {
		bodies.Put(body)
		return reply, broken(ctx, err)
	}
	reply, failed = parseEmbeddings(body.Bytes())
	reply.body = body
	return reply, failed
}

// bodies are buffers for responses, which have half a megabyte for 64 texts. Without the
// pool they would be most of the garbage collector's work.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const keptBody = 4 << 20

// release returns the body to the pool, after its vectors have been decoded.
func (e *embeddings) release() {
	if e.body != nil && e.body.Cap() <= keptBody {
		bodies.Put(e.body)
	}
	e.body, e.long = nil, nil
}
