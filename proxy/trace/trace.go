// Package trace sends spans of requests to an OpenTelemetry collector, if the operator
// configures one: a span for each request and for each of its calls to a provider. Spans
// have the model, duration, tokens and error, but never a text, an address or a key.
package trace

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Options sets where spans are sent.
type Options struct {
	Endpoint string        // of a collector, over HTTP: "http://127.0.0.1:4318"; "": none
	Sample   float64       // share of requests, 0 to 1
	Header   func() string // "Name: value" that the collector needs; nil or "": none
	Version  string        // of the program
	Log      *slog.Logger  // gets one warning when the collector fails
}

// Tracer makes spans. Close it to send the waiting ones.
type Tracer struct {
	api.Tracer
	provider *sdk.TracerProvider // nil: nothing is sent
}

// New returns a Tracer. Without an endpoint it does nothing, at almost no cost.
func New(o Options) (*Tracer, error) {
	if o.Endpoint == "" {
		return &Tracer{Tracer: noop.NewTracerProvider().Tracer("seam")}, nil
	}
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, fmt.Errorf("trace endpoint: it takes an address like http://127.0.0.1:4318")
	}
	if u.Path = strings.TrimRight(u.Path, "/"); !strings.HasSuffix(u.Path, "/v1/traces") {
		u.Path += "/v1/traces"
	}
	to, err := otlptracehttp.New(context.Background(),
		otlptracehttp.WithEndpointURL(u.String()),
		otlptracehttp.WithTimeout(timeout),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{}), // the next batch is the next try
		otlptracehttp.WithHTTPClient(&http.Client{Timeout: timeout, Transport: headed{o.Header}}))
	if err != nil {
		return nil, fmt.Errorf("trace endpoint: %w", err)
	}
	about := resource.NewSchemaless(attribute.String("service.name", "seam-proxy"), attribute.String("service.version", o.Version))
	p := sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithSampler(sdk.TraceIDRatioBased(o.Sample)),
		sdk.WithBatcher(&exporter{SpanExporter: to, log: o.Log}, sdk.WithMaxQueueSize(2048), sdk.WithExportTimeout(timeout))) // drop spans that do not fit
	return &Tracer{p.Tracer("seam"), p}, nil
}

// timeout is the time limit for one batch.
const timeout = 10 * time.Second

// Close sends the waiting spans, until ctx ends.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil || t.provider == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// headed adds the header of Options to each request. Its value may change while the program
// runs.
type headed struct{ header func() string }

func (h headed) RoundTrip(r *http.Request) (*http.Response, error) {
	if h.header == nil {
		return http.DefaultTransport.RoundTrip(r)
	}
	if name, value, ok := strings.Cut(h.header(), ":"); ok {
		r = r.Clone(r.Context())
		r.Header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
	}
	return http.DefaultTransport.RoundTrip(r)
}

// exporter wraps OpenTelemetry's. It logs once when the collector fails, and once when it
// answers again.
type exporter struct {
	sdk.SpanExporter
	log     *slog.Logger
	failing bool // not called concurrently
}

// ExportSpans implements sdk.SpanExporter. It returns no error, because it logs it.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	if failing := err != nil; failing != e.failing {
		e.failing = failing
		if failing {
			e.log.Warn("traces are not sent", "error", err)
		} else {
			e.log.Info("traces are sent again")
		}
	}
	return nil
}
