// Package metrics counts the activity of a proxy, for Prometheus. No label contains input
// from a client: models are from the configuration, codes and reasons are ours.
package metrics

import (
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/relay"
	"seam/shared/protocol"
)

// Metrics receives the reports of a gateway and a relay.
type Metrics struct {
	registry *prometheus.Registry

	sessions *prometheus.GaugeVec
	opened   *prometheus.CounterVec
	refused  *prometheus.CounterVec
	tokens   prometheus.Counter
	work     prometheus.Gauge
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
	first    *prometheus.HistogramVec
	texts    *prometheus.CounterVec
	calls    *prometheus.CounterVec
	upstream *prometheus.HistogramVec
	spent    *prometheus.CounterVec
	dollars  *prometheus.CounterVec
	searches *prometheus.CounterVec
	searched *prometheus.HistogramVec
	state    *prometheus.CounterVec
	failing  *prometheus.GaugeVec
}

var (
	_ gateway.Observer = (*Metrics)(nil)
	_ relay.Observer   = (*Metrics)(nil)
)

// Now has values that are read when the metrics are requested.
type Now struct {
	Spent    func() (limit.Amount, error) // by all, today
	Limit    func() limit.Amount          // per day; 0: none
	Off      func() bool
	Reloaded func() (at time.Time, ok bool) // the last reload
}

// seconds range from a cached vector to a long answer.
var seconds = []float64{.0001, .0005, .001, .005, .01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120}

// New returns the metrics of a proxy.
func New(version string, now Now) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "seam_" + name, Help: help}, labels)
	}
	histogram := func(name, help string, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "seam_" + name, Help: help, Buckets: seconds}, labels)
	}
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		sessions: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "seam_sessions", Help: "Sessions open now."}, []string{"transport"}),
		opened:   counter("sessions_total", "Sessions opened.", "transport"),
		refused:  counter("refused_total", "Connections, tokens and messages refused.", "reason"),
		tokens:   prometheus.NewCounter(prometheus.CounterOpts{Name: "seam_session_tokens_total", Help: "Session tokens given."}),
		work:     prometheus.NewGauge(prometheus.GaugeOpts{Name: "seam_work_bits", Help: "Bits of work that the last session token has cost."}),
		requests: counter("requests_total", "Requests ended; code is ok or what went wrong.", "kind", "model", "code"),
		took:     histogram("request_seconds", "From a request to its end.", "kind"),
		first:    histogram("first_frame_seconds", "From a request to the first frame of its answer.", "kind"),
		texts:    counter("texts_total", "Texts embedded: sent to a provider, or known already.", "model", "source"),
		calls:    counter("upstream_calls_total", "Calls of providers ended; code is ok or what went wrong.", "provider", "model", "code"),
		upstream: histogram("upstream_seconds", "From a call to its end.", "provider"),
		spent:    counter("tokens_total", "Model tokens, read (in) and written (out).", "model", "direction"),
		dollars:  counter("dollars_total", "US dollars spent, at the configured prices.", "model"),
		searches: counter("searches_total", "Searches of collections ended; code is ok or what went wrong.", "collection", "code"),
		searched: histogram("search_seconds", "From a search of a collection to its end.", "collection"),
		state:    counter("state_errors_total", "Reads and writes of the state folder, or of a shared Redis, that failed.", "file"),
		failing:  prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "seam_state_failing", Help: "1 while a file of the state folder, or a shared Redis, cannot be read or written."}, []string{"file"}),
	}
	m.registry.MustRegister(m.sessions, m.opened, m.refused, m.tokens, m.work, m.requests, m.took, m.first, m.texts, m.calls, m.upstream, m.spent, m.dollars, m.searches, m.searched, m.state, m.failing,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "seam_build_info", Help: "Always 1.", ConstLabels: prometheus.Labels{"version": version}}, func() float64 { return 1 }))
	gauge := func(name, help string, f func() float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "seam_" + name, Help: help}, f))
	}
	amount := func(of func(limit.Amount) float64) func() float64 {
		return func() float64 {
			a, err := now.Spent()
			if err != nil {
				return -1 // the budget cannot be read
			}
			return of(a)
		}
	}
	gauge("budget_day_tokens_spent", "Tokens spent today, including reservations; -1 if unknown.", amount(func(a limit.Amount) float64 { return float64(a.Tokens) }))
	gauge("budget_day_dollars_spent", "US dollars spent today, including reservations; -1 if unknown.", amount(func(a limit.Amount) float64 { return float64(a.Micros) / 1e6 }))
	gauge("budget_day_tokens_limit", "Limit of tokens per day; 0 means no limit.", func() float64 { return float64(now.Limit().Tokens) })
	gauge("budget_day_dollars_limit", "Limit of US dollars per day; 0 means no limit.", func() float64 { return float64(now.Limit().Micros) / 1e6 })
	gauge("switched_off", "1 while the kill switch is on.", func() float64 { return number(now.Off()) })
	gauge("last_reload_success", "1 if the last reload of the configuration succeeded.", func() float64 { _, ok := now.Reloaded(); return number(ok) })
	gauge("last_reload_seconds", "When the configuration was read last, in seconds since 1970.", func() float64 { at, _ := now.Reloaded(); return float64(at.Unix()) })
	return m
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Handler returns a handler that responds with all metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4})
}

func name(code protocol.Code) string {
	if code == "" {
		return "ok"
	}
	return string(code)
}

// Session implements gateway.Observer.
func (m *Metrics) Session(transport string, n int) {
	m.sessions.WithLabelValues(transport).Add(float64(n))
	if n > 0 {
		m.opened.WithLabelValues(transport).Inc()
	}
}

// Refused implements gateway.Observer.
func (m *Metrics) Refused(why string) { m.refused.WithLabelValues(why).Inc() }

// Token implements gateway.Observer.
func (m *Metrics) Token(work int) {
	m.tokens.Inc()
	m.work.Set(float64(work))
}

// Request implements gateway.Observer.
func (m *Metrics) Request(kind protocol.Type, model string, code protocol.Code, took, first time.Duration) {
	m.requests.WithLabelValues(string(kind), model, name(code)).Inc()
	m.took.WithLabelValues(string(kind)).Observe(took.Seconds())
	if first > 0 {
		m.first.WithLabelValues(string(kind)).Observe(first.Seconds())
	}
}

// Texts implements relay.Observer.
func (m *Metrics) Texts(model string, sent, cached int) {
	m.texts.WithLabelValues(model, "sent").Add(float64(sent))
	m.texts.WithLabelValues(model, "cached").Add(float64(cached))
}

// Call implements relay.Observer.
func (m *Metrics) Call(provider, model string, code protocol.Code, took time.Duration) {
	m.calls.WithLabelValues(provider, model, name(code)).Inc()
	m.upstream.WithLabelValues(provider).Observe(took.Seconds())
}

// Searched implements relay.Observer.
func (m *Metrics) Searched(collection string, code protocol.Code, took time.Duration) {
	m.searches.WithLabelValues(collection, name(code)).Inc()
	m.searched.WithLabelValues(collection).Observe(took.Seconds())
}

// Spent implements relay.Observer.
func (m *Metrics) Spent(model string, usage protocol.Usage, cost limit.Amount) {
	m.spent.WithLabelValues(model, "in").Add(float64(usage.Tokens))
	m.spent.WithLabelValues(model, "out").Add(float64(usage.TokensOut))
	m.dollars.WithLabelValues(model).Add(float64(cost.Micros) / 1e6)
}

// State records whether a file of the state folder works. The first call counts no error.
func (m *Metrics) State(file string, works bool) {
	m.failing.WithLabelValues(file).Set(number(!works))
	errors := m.state.WithLabelValues(file)
	if !works {
		errors.Inc()
	}
}

// Names returns the names of all metrics, including those without values.
func (m *Metrics) Names() (names []string) {
	descs := make(chan *prometheus.Desc, 100)
	go func() { m.registry.Describe(descs); close(descs) }()
	for d := range descs {
		if _, rest, ok := strings.Cut(d.String(), `fqName: "`); ok {
			name, _, _ := strings.Cut(rest, `"`)
			names = append(names, name)
		}
	}
	return names
}
