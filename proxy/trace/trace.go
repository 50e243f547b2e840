// Package trace sends spans of requests to an OpenTelemetry collector, where an
// operator asks for that: one of each request and one of each call to a provider
// below it. They say which model, how long, how many tokens and which error, and
// never a text, an address or a key.
package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	api "go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// Options say where spans go.
type Options struct {
	Endpoint string        // of a collector, over HTTP: "http://127.0.0.1:4318"; "" sends none
	Sample   float64       // share of requests, 0 to 1
	Header   func() string // "Name: value" that the collector asks for; nil or "": none
	Version  string        // of the program
	Log      *slog.Logger  // hears, once, that the collector does not answer
}

// Tracer makes spans. Close it to send what waits.
type Tracer struct {
	api.Tracer
	provider *sdk.TracerProvider // nil: nothing is sent
}

// New makes a tracer. Without an endpoint it does nothing, and costs next to that.
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
	e := &exporter{url: u.String(), options: o, client: &http.Client{Timeout: 10 * time.Second}}
	about := resource.NewSchemaless(attribute.String("service.name", "seam-proxy"), attribute.String("service.version", o.Version))
	p := sdk.NewTracerProvider(sdk.WithResource(about), sdk.WithSampler(sdk.TraceIDRatioBased(o.Sample)),
		sdk.WithBatcher(e, sdk.WithMaxQueueSize(2048), sdk.WithExportTimeout(10*time.Second))) // what does not fit is dropped
	return &Tracer{p.Tracer("seam"), p}, nil
}

// Close sends what waits, until ctx ends.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil || t.provider == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// exporter speaks OTLP over HTTP in JSON (https://opentelemetry.io/docs/specs/otlp/):
// the exporters of OpenTelemetry bring Protocol Buffers and gRPC, some 4 MB.
type exporter struct {
	url     string
	options Options
	client  *http.Client
	failing bool // one batch at a time
}

// ExportSpans implements sdk.SpanExporter.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := e.send(ctx, spans)
	if failing := err != nil; failing != e.failing {
		e.failing = failing
		if failing {
			e.options.Log.Warn("traces are not sent", "error", err)
		} else {
			e.options.Log.Info("traces are sent again")
		}
	}
	return nil // it has been said
}

// Shutdown implements sdk.SpanExporter.
func (e *exporter) Shutdown(context.Context) error { return nil }

func (e *exporter) send(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	body, err := json.Marshal(request(spans))
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if e.options.Header != nil {
		if name, value, ok := strings.Cut(e.options.Header(), ":"); ok {
			req.Header.Set(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection is used again
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("the collector answers with status %d", resp.StatusCode)
	}
	return nil
}

// The shapes of OTLP in JSON: ids in hex, 64-bit numbers as strings.
type (
	otlpRequest struct {
		ResourceSpans []otlpResource `json:"resourceSpans"`
	}
	otlpResource struct {
		Resource struct {
			Attributes []otlpAttribute `json:"attributes"`
		} `json:"resource"`
		ScopeSpans []otlpScope `json:"scopeSpans"`
	}
	otlpScope struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpSpan struct {
		TraceID    string          `json:"traceId"`
		SpanID     string          `json:"spanId"`
		ParentID   string          `json:"parentSpanId,omitempty"`
		Name       string          `json:"name"`
		Kind       int             `json:"kind"`
		Start      string          `json:"startTimeUnixNano"`
		End        string          `json:"endTimeUnixNano"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
		Status     struct {
			Code    int    `json:"code,omitempty"` // 2: error
			Message string `json:"message,omitempty"`
		} `json:"status"`
	}
	otlpAttribute struct {
		Key   string         `json:"key"`
		Value map[string]any `json:"value"`
	}
)

// request puts spans of one resource and scope, as all of ours are, into a request.
func request(spans []sdk.ReadOnlySpan) otlpRequest {
	var r otlpResource
	r.Resource.Attributes = attributes(spans[0].Resource().Attributes())
	scope := otlpScope{}
	scope.Scope.Name = spans[0].InstrumentationScope().Name
	for _, s := range spans {
		span := otlpSpan{
			TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(), Name: s.Name(), Kind: int(s.SpanKind()),
			Start: nanos(s.StartTime()), End: nanos(s.EndTime()), Attributes: attributes(s.Attributes()),
		}
		if s.Parent().SpanID().IsValid() {
			span.ParentID = s.Parent().SpanID().String()
		}
		if s.Status().Code == codes.Error {
			span.Status.Code, span.Status.Message = 2, s.Status().Description
		}
		scope.Spans = append(scope.Spans, span)
	}
	r.ScopeSpans = []otlpScope{scope}
	return otlpRequest{[]otlpResource{r}}
}

func nanos(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func attributes(all []attribute.KeyValue) (out []otlpAttribute) {
	for _, a := range all {
		value := map[string]any{"stringValue": a.Value.String()}
		switch a.Value.Type() {
		case attribute.INT64:
			value = map[string]any{"intValue": strconv.FormatInt(a.Value.AsInt64(), 10)}
		case attribute.BOOL:
			value = map[string]any{"boolValue": a.Value.AsBool()}
		}
		out = append(out, otlpAttribute{string(a.Key), value})
	}
	return out
}
