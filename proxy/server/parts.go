package server

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"seam/proxy/admission"
	"seam/proxy/cache"
	"seam/proxy/config"
	"seam/proxy/gateway"
	"seam/proxy/limit"
	"seam/proxy/metrics"
	"seam/proxy/relay"
	"seam/proxy/remote"
	"seam/proxy/trace"
	"seam/proxy/upstream"
	"seam/proxy/upstream/prefix"
	"seam/shared/answer"
	"seam/shared/protocol"
)

// parts is a proxy without its listeners.
type parts struct {
	dir     string
	page    bool // the page is served by this proxy
	engine  func(remote.Address, string) (remote.Engine, error)
	token   string // for this machine's programs and the served page
	log     *slog.Logger
	secret  string // in the state folder
	signer  *admission.Signer
	local   admission.KnownCaller // the token of this machine's programs
	book    book
	budget  string // where it is stored: budgetFile or budgetRedis
	ledger  *limit.Ledger
	cache   *cache.Cache
	answers *cache.Answers  // nil: none
	disk    *cache.FileDisk // nil: memory only
	relay   *relay.Relay
	gateway *gateway.Gateway
	handler http.Handler // of the gateway
	metrics *metrics.Metrics
	tracer  *trace.Tracer
	state   *diskState

	password atomic.Pointer[string] // of the shared book

	mu       sync.Mutex // guards the fields below
	clients  []*upstream.Client
	engines  []remote.Engine
	limits   limit.Limits
	reloaded time.Time
	reloadOK bool
}

// open makes the parts of a configuration. It sets up everything that cannot change later;
// apply does the rest.
func open(c *config.Config, s secrets, o Options, log *slog.Logger) (p *parts, err error) {
	dir, err := stateDir(c)
	if err != nil {
		return nil, err
	}
	p = &parts{dir: dir, page: o.Page != nil, engine: o.Engine, log: log}
	p.password.Store(&s.book)
	defer func() {
		if err != nil {
			err = errors.Join(err, p.close())
		}
	}()
	if err := p.openState(c, o.ForgetBudget); err != nil {
		return p, err
	}
	p.ledger = limit.NewLedger(limitsOf(c), p.book, time.Now)
	p.metrics = metrics.New(o.Version, metrics.Now{Spent: p.ledger.Spent, Limit: p.dayLimit, Off: func() bool { return p.relay.IsOff() }, Reloaded: p.lastReload})
	p.state = newDiskState(log, p.metrics.State, time.Now, p.budget, cacheFile)
	p.book.OnWrite(p.state.of(p.budget))
	if p.budget == budgetRedis {
		_ = p.ledger.Probe() // report a failure now, not at the first request
	}
	var disk cache.Disk
	if c.Cache.Disk > 0 {
		if p.disk, err = cache.OpenDisk(filepath.Join(dir, cacheFile), int64(c.Cache.Disk), c.Cache.Keep, time.Now, p.state.of(cacheFile)); err != nil {
			return p, err
		}
		disk = p.disk
	}
	p.cache, err = cache.New([]byte("cache "+p.secret), int(c.Cache.Memory), disk)
	if err != nil {
		return p, err
	}
	if p.tracer, err = trace.New(trace.Options{Endpoint: c.Trace.Endpoint, Sample: c.Trace.Sample, Header: header(c.Trace.HeaderEnv), Version: o.Version, Log: log}); err != nil {
		return p, err
	}
	if c.Cache.Answers > 0 {
		p.answers = cache.NewAnswers([]byte("answers "+p.secret), int(c.Cache.Answers), c.Cache.AnswersKeep, time.Now)
	}
	if p.relay, err = relay.New(nil, p.cache, p.ledger, relay.Options{Answers: p.answers, Observer: p.metrics, Log: log, Tracer: p.tracer}); err != nil {
		return p, err
	}
	_, err = os.Stat(p.offFile())
	p.relay.Off(err == nil)
	if err == nil {
		log.Warn("the kill switch is on: nothing is relayed until POST /on to the admin address", "file", p.offFile())
	}
	p.gateway = gateway.New(gateway.Config{Now: time.Now}, p.relay)
	p.handler = p.gateway.Handler()
	return p, p.apply(c, s)
}

// openState reads or creates the files that are needed first.
func (p *parts) openState(c *config.Config, forget bool) (err error) {
	if p.secret, err = secretOf(p.dir, "secret"); err != nil {
		return err
	}
	if p.signer, err = admission.NewSigner([][]byte{[]byte(p.secret)}, time.Now, rand.Reader); err != nil {
		return err
	}
	if p.token, err = secretOf(p.dir, "token"); err != nil {
		return err
	}
	if p.local, err = admission.NewKnown("local", p.token); err != nil {
		return err
	}
	if c.Limits.Memory > 0 {
		debug.SetMemoryLimit(int64(c.Limits.Memory))
	}
	if c.Budget.Book.Redis != "" {
		b, err := redisOf(c, func() string { return *p.password.Load() })
		if err == nil {
			p.book, p.budget = b, budgetRedis
		}
		return err
	}
	p.budget = budgetFile
	p.book, err = openBook(p.dir, forget, p.log)
	return err
}

// apply activates a configuration. If it returns an error, nothing changes.
func (p *parts) apply(c *config.Config, s secrets) error {
	door, err := p.door(c, s)
	if err != nil {
		return err
	}
	trusted, err := trustedOf(c)
	if err != nil {
		return err
	}
	providers, clients, err := providersOf(c, s)
	if err != nil {
		return err
	}
	templates := map[string]protocol.Template{}
	for name, t := range c.Templates {
		templates[name] = protocol.Template(t)
	}
	shelf, engines, err := p.collectionsOf(c, s)
	if err != nil {
		return err
	}
	if err := p.relay.Reload(providers, templates, shelf); err != nil {
		return err
	}
	sign := s.sign
	if sign == nil {
		sign = [][]byte{[]byte(p.secret)}
	}
	if err := p.signer.SetKeys(sign); err != nil {
		return err
	}
	p.password.Store(&s.book)
	limits := limitsOf(c)
	p.ledger.SetLimits(limits)
	p.gateway.Reload(p.sessions(c, door, trusted, templates))
	p.mu.Lock()
	old, oldEngines := p.clients, p.engines
	p.engines = engines
	p.clients, p.limits, p.reloaded, p.reloadOK = clients, limits, time.Now(), true
	p.mu.Unlock()
	for _, client := range old {
		client.Close()
	}
	closeEngines(oldEngines)
	return nil
}

// sessions returns the configuration of sessions.
func (p *parts) sessions(c *config.Config, door admission.Door, trusted admission.Proxies, templates map[string]protocol.Template) gateway.Config {
	told, own := templates[answer.Published]
	marked, differs := templates[answer.Marked]
	if !differs {
		marked = answer.Templates[answer.Marked]
	}
	asksForMark := &marked
	if own {
		asksForMark = nil // clients then use the operator's prompt
	} else {
		told = answer.Templates[answer.Published]
	}
	return gateway.Config{
		Door: door, Proxies: trusted, Models: modelsOf(c), Prompts: c.PromptsBy(), Answer: &told, Marked: asksForMark, Policies: policiesOf(c),
		Limits: protocol.Limits{Texts: c.Limits.Texts, TextBytes: c.Limits.TextBytes, Tokens: c.Limits.Tokens, InFlight: c.Limits.InFlight,
			Answer: c.Limits.Answer, Context: c.Limits.Context, Credits: c.Limits.Credits, Turns: c.Limits.Turns, History: min(c.Limits.History, c.Limits.Context)},
		Body: int64(c.Limits.Body), Allow: gateway.Allow(c.Allow), Work: c.Session.Work, PerMinute: c.Session.PerMinute, Age: c.Session.Age,
		Messages: c.Limits.Messages, Connections: min(c.Limits.Connections, sessionsOf(descriptors())), PerCaller: c.Limits.PerAddress, Waiting: c.Limits.Waiting, Wait: c.Limits.Wait, Held: int(c.Limits.Memory / 4),
		Log: p.log, Addresses: gateway.Addresses(c.Log.Addresses), Observer: p.metrics, Tracer: p.tracer, Now: time.Now, NewID: func() string { return rand.Text()[:12] },
	}
}

// trustedOf returns the trusted proxies in front.
func trustedOf(c *config.Config) (trusted admission.Proxies, err error) {
	for _, t := range c.TrustedProxies {
		prefix, err := config.Prefix(t)
		if err != nil {
			return nil, fmt.Errorf("trusted_proxies: %w", err)
		}
		trusted = append(trusted, prefix)
	}
	return trusted, nil
}

// door returns the admission rules. Programs of this machine read their token from the
// state folder, and the served page gets it in its address. It is required because other
// users of this machine can connect, too. A public proxy has a list of callers.
func (p *parts) door(c *config.Config, s secrets) (admission.Door, error) {
	origins, err := admission.NewOrigins(c.Origins)
	d := admission.Door{Origins: origins, Signer: p.signer, Required: c.TokensRequired(), Known: s.known}
	if !c.Public() {
		d.Here = true
		d.Known = append(d.Known[:len(d.Known):len(d.Known)], p.local)
		if p.page {
			d.Required, d.Signer = true, nil // no token is issued on request
		}
	}
	return d, err
}

func providersOf(c *config.Config, s secrets) (all []relay.Provider, clients []*upstream.Client, err error) {
	for i, p := range c.Providers {
		key := s.keys[i]
		u := upstream.Provider{
			Name: p.Name, BaseURL: p.BaseURL, API: upstream.API(p.API), APIVersion: p.APIVersion, Deployments: p.Deployments,
			Key: func() string { return key }, Organization: p.Organization, Timeouts: upstream.Timeouts{FirstByte: p.Timeout, Embed: p.Timeout},
		}
		var models []protocol.Model
		weights := map[string]float64{}
		for _, m := range p.Models {
			models = append(models, modelOf(m))
			if m.Weight != nil {
				weights[m.ID] = *m.Weight
			}
			u.Models = append(u.Models, upstream.Model{Model: modelOf(m), Name: m.Name, Reasoning: m.Reasoning, Temperature: m.MaxTemperature})
		}
		client, err := upstream.New(u)
		if err != nil {
			return nil, nil, err
		}
		clients = append(clients, client)
		all = append(all, relay.Provider{Client: client, Name: p.Name, Models: models, Texts: p.Texts, Tokens: p.Tokens, Weights: weights})
	}
	return all, clients, nil
}

func modelOf(m config.Model) protocol.Model {
	all := protocol.Model{ID: m.ID, Kind: m.Kind, Label: m.Label, Dimensions: m.Dimensions, Input: m.Input, Context: m.Context, Price: m.Price, PriceOut: m.PriceOut}
	if m.Kind == protocol.Embedding {
		all.Query, all.Passage = prefix.Given(cmp.Or(m.Name, m.ID), m.QueryPrefix, m.PassagePrefix)
	}
	return all
}

// modelsOf returns the models offered to clients. A model of several providers appears
// once.
func modelsOf(c *config.Config) (all []protocol.Model) {
	for _, p := range c.Providers {
		for _, m := range p.Models {
			if slices.ContainsFunc(all, func(other protocol.Model) bool { return other.ID == m.ID }) {
				continue
			}
			model := modelOf(m)
			model.Here = upstream.IsLoopback(p.BaseURL)
			all = append(all, model)
		}
	}
	return all
}

// checkVersions warns about base URLs that need a /v1 at their end.
func (p *parts) checkVersions(ctx context.Context) {
	p.mu.Lock()
	clients := p.clients
	p.mu.Unlock()
	for _, client := range clients {
		if client.LacksVersion(ctx) {
			p.log.Warn("the base_url of a provider seems to lack its /v1: the list of models is only there", "provider", client.Name())
		}
	}
}

func (p *parts) dayLimit() limit.Amount {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.limits.Day
}

func (p *parts) lastReload() (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reloaded, p.reloadOK
}

// offFile exists while the kill switch is on, so that it stays on after a restart.
func (p *parts) offFile() string { return filepath.Join(p.dir, "off") }

// switchOff sets the kill switch.
func (p *parts) switchOff(off bool) error {
	p.relay.Off(off) // first, so that nothing more is sent even if the disk fails
	p.log.Warn("kill switch", "off", off)
	if off {
		return os.WriteFile(p.offFile(), nil, 0o600)
	}
	if err := os.Remove(p.offFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.relay.Off(true)
		return err
	}
	return nil
}

// ready returns an error if the proxy cannot serve now.
func (p *parts) ready() error {
	if p.relay.IsOff() {
		return errors.New("switched off")
	}
	if _, err := p.ledger.Spent(); err != nil {
		return errors.New("the budget cannot be read, so nothing is relayed: see the log")
	}
	// Test the disk here: without visitors no write would show that it has room again.
	if !p.state.works(p.budget) && p.ledger.Probe() != nil {
		return errors.New("the budget cannot be written, so nothing is relayed: see the log")
	}
	return nil
}

// traceWithin is how long shutdown waits for the last spans to be sent.
const traceWithin = 3 * time.Second

// header returns a function that reads the variable with the collector's header.
func header(variable string) func() string {
	return func() string {
		if variable == "" {
			return ""
		}
		return os.Getenv(variable)
	}
}

// close writes pending data and closes everything.
func (p *parts) close() error {
	var all []error
	ctx, cancel := context.WithTimeout(context.Background(), traceWithin)
	defer cancel()
	_ = p.tracer.Close(ctx) // spans the collector does not accept are lost
	closeEngines(p.engines)
	if p.ledger != nil {
		all = append(all, p.ledger.Close())
	}
	if p.book != nil {
		all = append(all, p.book.Close())
	}
	if p.disk != nil {
		all = append(all, p.disk.Close())
	}
	return errors.Join(all...)
}
