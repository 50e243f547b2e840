package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/protocol"
)

// load reads a configuration as if it were in seam.yaml.
func load(t *testing.T, file string, environ []string, flags map[string][]string) (*Loaded, error) {
	t.Helper()
	given := map[string]Flag{}
	for key, value := range flags {
		given[key] = Flag{"--" + key, value}
	}
	s := Source{Environ: func() []string { return environ }, Flags: given, Read: func(string) ([]byte, error) { return []byte(file), nil }}
	if file != "" {
		s.File = "seam.yaml"
	}
	return s.Load()
}

const good = `
listen: 0.0.0.0:443
tls: {cert: /etc/seam/cert.pem, key: /etc/seam/key.pem}
origins:
  - https://docs.example.org
providers:
  - name: openai
    base_url: https://api.openai.com/v1
    key_env: OPENAI_API_KEY
    timeout: 90s
    deployments: {gpt-4.1: mine}
    models:
      - {id: text-embedding-3-small, kind: embed, dimensions: 1536, price: 0.02}
      - {id: gpt-4.1, kind: chat, price: 2, price_out: 8}
budget:
  day: {dollars: 5}
  address: {tokens: 200000}
cache: {memory: 64MiB, disk: 2GB, keep: 72h}
templates:
  judge-relevancy: {system: Judge., json: true}
`

func TestLoad(t *testing.T) {
	l, err := load(t, good, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := l.Providers[0]
	if !l.Public() || l.PromptsBy() != protocol.ByServer || !l.TokensRequired() || p.Timeout != 90*time.Second || p.Deployments["gpt-4.1"] != "mine" ||
		*p.Models[1].PriceOut != 8 || l.Cache.Memory != 64<<20 || l.Cache.Disk != 2e9 || l.Budget.Address.Tokens != 200_000 || !l.Templates["judge-relevancy"].JSON || l.Limits.Texts != 2048 {
		t.Errorf("%+v", l.Config)
	}
	l, err = load(t, "", nil, map[string][]string{"base_url": {"http://127.0.0.1:9/v1"}, "embed_models": {"a", "b"}})
	if err != nil || l.Public() || l.PromptsBy() != protocol.ByClient || l.TokensRequired() || len(l.Providers) != 1 || l.Providers[0].Models[1].ID != "b" {
		t.Errorf("%+v, %v", l, err)
	}
	l, err = load(t, "", nil, map[string][]string{"base_url": {"http://127.0.0.1:9/v1"}, "embed_models": {"a"}, "query_prefix": {""}})
	if m := l.Providers[0].Models[0]; err != nil || m.QueryPrefix == nil || *m.QueryPrefix != "" || m.PassagePrefix != nil {
		t.Errorf("%+v, %v", l, err)
	}
	l, err = load(t, "providers: [{name: a, base_url: \"http://127.0.0.1:9/v1\", models: [{id: a, kind: embed, query_prefix: \"query: \", passage_prefix: ''}]}]", nil, nil)
	if m := l.Providers[0].Models[0]; err != nil || *m.QueryPrefix != "query: " || *m.PassagePrefix != "" {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err = load(t, "providers: [{name: a, base_url: \"http://127.0.0.1:9/v1\", models: [{id: a, kind: chat, query_prefix: q}]}]", nil, nil); err == nil || !strings.Contains(err.Error(), "query_prefix") {
		t.Error(err)
	}
}

// Flags take precedence over the environment, the environment over the file, and the file
// over defaults.
func TestOrder(t *testing.T) {
	file := "listen: 127.0.0.1:1\nadmin: 127.0.0.1:2\nstate: file\nbudget: {day: {dollars: 1}}\n"
	environ := []string{"SEAM_ADMIN=127.0.0.1:3", "SEAM_STATE=environment", "SEAM_BUDGET_DAY_DOLLARS=2.5", "SEAM_ORIGINS=http://localhost:1,http://localhost:2", "SEAM_DATA=/elsewhere", "SEAM_LOG_LEVEL=", "SEAM_TLS_CERT=null", "SEAM_TLS_KEY=~"}
	l, err := load(t, file, environ, map[string][]string{"state": {"flag"}})
	if err != nil {
		t.Fatal(err)
	}
	if l.Listen != "127.0.0.1:1" || l.Admin != "127.0.0.1:3" || l.State != "flag" || l.Budget.Day.Dollars != 2.5 || len(l.Origins) != 2 || l.Log.Level != "info" || l.TLS != (TLS{"null", "~"}) {
		t.Errorf("%+v", l.Config)
	}
}

// Variables of other programs that begin like ours are no error, and their values are not
// shown.
func TestUnknownVariables(t *testing.T) {
	file := strings.Replace(good, "key_env: OPENAI_API_KEY", "key_env: SEAM_OPENAI_KEY", 1) + "session: {callers: [{name: ci, token_env: SEAM_ADMIM}]}\n"
	environ := []string{"SEAM_OPENAI_KEY=s3cret", "SEAM_ADMIM=s3cret", "SEAM_PORT=tcp://s3cret:8787", "SEAM_SERVICE_HOST=s3cret", "SEAM_DATA=x", "SEAM_PROVIDERS=s3cret", "SEAMY=1"}
	l, err := load(t, file, environ, nil)
	if err != nil || !slices.Equal(l.Unknown, []string{"SEAM_PORT", "SEAM_SERVICE_HOST", "SEAM_PROVIDERS"}) {
		t.Errorf("%q %v", l.Unknown, err)
	}
	file = good + "collections: [{name: manual, address: 'postgres://db.example.org/docs/manual', key_env: SEAM_COLLECTION_1}]\ntrace: {header_env: SEAM_TRACE_HEADERS}\n"
	if l, err := load(t, file, []string{"SEAM_COLLECTION_1=s3cret", "SEAM_TRACE_HEADERS=s3cret", "SEAM_REMOTE_KEY=s3cret", "SEAM_MODELS=x"}, nil); err != nil || l.Unknown != nil {
		t.Errorf("named by the file: %v", err)
	}
	_, err = load(t, good, []string{"SEAM_LIMITS_TEXT=s3cret"}, nil)
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}

// Every error names the key, and the line, variable or flag.
func TestErrors(t *testing.T) {
	change := func(old, to string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("nothing to replace: %q", old)
		}
		return strings.Replace(good, old, to, 1)
	}
	for name, tt := range map[string]struct {
		file    string
		environ []string
		flags   map[string][]string
		says    []string
	}{
		"no YAML":             {file: "listen: [", says: []string{"seam.yaml", "YAML"}},
		"a list":              {file: "- a\n", says: []string{"seam.yaml", "line 1"}},
		"an alias":            {file: "a: &x {b: *x}\n", says: []string{"seam.yaml:1: a: is not a known key"}},
		"an alias of a key":   {file: "state: &x s\nlisten: *x\n", says: []string{"seam.yaml:2: listen: aliases"}},
		"an alias for all":    {file: "budget: &x\n  day: *x\n", says: []string{"seam.yaml:2: budget.day: aliases"}},
		"twice":               {file: "listen: 127.0.0.1:1\nlisten: 127.0.0.1:2\n", says: []string{"seam.yaml:2: listen: is set twice"}},
		"misspelt":            {file: change("base_url", "base_ulr"), says: []string{"seam.yaml:8: providers[0].base_ulr: is not a known key; did you mean providers[0].base_url?"}},
		"misspelt in a map":   {file: change("system:", "sistem:"), says: []string{"seam.yaml:20: templates.judge-relevancy.sistem: is not a known key"}},
		"number":              {file: change("dimensions: 1536", "dimensions: many"), says: []string{`seam.yaml:13: providers[0].models[0].dimensions: must be a number`}},
		"time":                {file: change("90s", "soon"), says: []string{"seam.yaml:10: providers[0].timeout: must be a time like 30s"}},
		"size":                {file: change("64MiB", "64 apples"), says: []string{"seam.yaml:18: cache.memory", "64MB"}},
		"no memory":           {file: change("64MiB", "0"), says: []string{"seam.yaml:18: cache.memory: must be above 0"}},
		"no such disk":        {file: good, environ: []string{"SEAM_CACHE_DISK=-1"}, says: []string{"SEAM_CACHE_DISK (cache.disk): "}},
		"group":               {file: change("{dollars: 5}", "5"), says: []string{"seam.yaml:16: budget.day: must be a group of keys"}},
		"variable":            {file: good, environ: []string{"SEAM_LIMITS_TEXTS=0"}, says: []string{"SEAM_LIMITS_TEXTS (limits.texts): must be 1 to"}},
		"variable, misspelt":  {file: good, environ: []string{"SEAM_BUDGET_DAY_DOLARS=2"}, says: []string{"SEAM_BUDGET_DAY_DOLARS: is not a known key; did you mean SEAM_BUDGET_DAY_DOLLARS?"}},
		"variable, short":     {file: good, environ: []string{"SEAM_ADMN=2"}, says: []string{"did you mean SEAM_ADMIN?"}},
		"lines of the log":    {file: good + "log: {lines: -1}\n", says: []string{"seam.yaml:21: log.lines"}},
		"variable of a list":  {file: good, environ: []string{"SEAM_ORIGINS=https://docs.example.org/a"}, says: []string{"SEAM_ORIGINS (origins[0])", "without a path"}},
		"history":             {file: good + "limits: {turns: 1001, history: -1}\n", says: []string{"limits.turns: must be 0 to 1000", "limits.history: must be 0 to"}},
		"variable, no number": {file: good, environ: []string{"SEAM_LIMITS_TEXTS=many"}, says: []string{"SEAM_LIMITS_TEXTS (limits.texts): must be a number"}},
		"no number":           {file: good + "limits: {texts: {a: 1}, credits: [1]}\n", says: []string{"seam.yaml:21: limits.texts: must be a number", "seam.yaml:21: limits.credits: must be a number"}},
		"no word":             {file: good + "log: {level: {a: b}}\n", says: []string{"seam.yaml:21: log.level: must be a string"}},
		"a Redis of no kind":  {file: change("{dollars: 5}", "{dollars: 5}\n  book: {redis: 'http://:s3cret@h'}"), says: []string{"seam.yaml:17: budget.book.redis: is not a Redis address: write it like"}},
		"a password":          {file: change("{dollars: 5}", "{dollars: 5}\n  book: {redis: 'redis://:s3cret@h'}"), says: []string{"seam.yaml:17: budget.book.redis: holds a password", "password_file"}},
		"a Redis in a word":   {file: good, environ: []string{"SEAM_BUDGET_BOOK_REDIS=h:6379"}, says: []string{"SEAM_BUDGET_BOOK_REDIS (budget.book.redis): is not a Redis address"}},
		"two passwords":       {file: change("{dollars: 5}", "{dollars: 5}\n  book: {redis: 'redis://h', password_env: A, password_file: b}"), says: []string{"seam.yaml:17: budget.book.password_env: excludes password_file"}},
		"a password alone":    {file: change("{dollars: 5}", "{dollars: 5}\n  book: {password_env: A, prefix: 'a b'}"), says: []string{"budget.book.redis: is missing, but a password is set", "seam.yaml:17: budget.book.prefix: must be 1 to 64 printable"}},
		"no list":             {file: "providers: {name: x}\n", says: []string{"seam.yaml:1: providers: must be a list"}},
		"flag of no key":      {flags: map[string][]string{"listne": {"x"}}, says: []string{"--listne", "is not a known key"}},
		"flag":                {flags: map[string][]string{"listen": {"8787"}}, says: []string{"--listen (listen)", "127.0.0.1:8787"}},
		"admin":               {file: good + "admin: 0.0.0.0:9000\n", says: []string{"seam.yaml:21: admin", "loopback"}},
		"origin with path":    {file: change("https://docs.example.org", "https://docs.example.org/a"), says: []string{"seam.yaml:5: origins[0]", "without a path"}},
		"origin over http":    {file: change("https://docs.example.org", "http://docs.example.org"), says: []string{"seam.yaml:5: origins[0]", "https"}},
		"everybody a proxy":   {file: good + "trusted_proxies: [0.0.0.0/0]\n", says: []string{"seam.yaml:21: trusted_proxies[0]"}},
		"half of TLS":         {file: change(", key: /etc/seam/key.pem", ""), says: []string{"seam.yaml:3: tls", "both"}},
		"key in the clear":    {file: change("https://api", "http://api"), says: []string{"seam.yaml:8: providers[0].base_url", "in the clear"}},
		"kind":                {file: change("kind: embed", "kind: vectors"), says: []string{"seam.yaml:13: providers[0].models[0].kind", "embed or chat"}},
		"temperature":         {file: change("kind: chat, price", "kind: chat, max_temperature: 3, price"), says: []string{"seam.yaml:14: providers[0].models[1].max_temperature", "0 to 2"}},
		"a model twice":       {file: change("text-embedding-3-small", "gpt-4.1"), says: []string{"seam.yaml:14: providers[0].models[1].id", "twice"}},
		"price below 0":       {file: change("price: 0.02", "price: -1"), says: []string{"seam.yaml:13: providers[0].models[0].price"}},
		"price, no number":    {file: change("price_out: 8", "price_out: .nan"), says: []string{"seam.yaml:14: providers[0].models[1].price"}},
		"dollars, no number":  {file: change("{dollars: 5}", "{dollars: .nan}"), says: []string{"seam.yaml:16: budget.day"}},
		"no models":           {file: change("kind: chat, price", "kind: chat, prize"), says: []string{"prize"}},
		"open relay":          {file: good + "prompts: client\n", says: []string{"seam.yaml:21: prompts", "open relay"}},
		"nobody may":          {file: change("  - https://docs.example.org", "  []"), says: []string{"seam.yaml:4: origins", "empty"}},
		"no budget of a day":  {file: change("day: {dollars: 5}", "day: {dollars: 0, tokens: 0}"), says: []string{"seam.yaml:16: budget.day"}},
		"a visitor takes all": {file: change("address: {tokens: 200000}", "address: {tokens: 0}"), says: []string{"budget.address", "one visitor"}},
		"no price":            {file: strings.Replace(change("day: {dollars: 5}", "day: {dollars: 5, tokens: 0}"), ", price: 0.02", "", 1), says: []string{"providers[0].models[0].price", "would be free"}},
		"no TLS":              {file: change("tls: {cert: /etc/seam/cert.pem, key: /etc/seam/key.pem}", ""), says: []string{"tls", "unencrypted"}},
		"work":                {file: good + "session: {work: 99}\n", says: []string{"seam.yaml:21: session.work"}},
		"caller":              {file: good + "session: {callers: [{name: ci}]}\n", says: []string{"seam.yaml:21: session.callers[0]"}},
		"a site of nobody":    {file: good + "sites: [{origin: 'https://other.example'}]\n", says: []string{"seam.yaml:21: sites[0].origin", "is missing from origins"}},
		"a site twice":        {file: good + "sites: [{origin: 'https://docs.example.org'}, {origin: 'https://Docs.example.org:443'}]\n", says: []string{"seam.yaml:21: sites[1].origin", "twice"}},
		"models of a site":    {file: good + "sites:\n- origin: https://docs.example.org\n  models:\n  - gpt-4.1\n  - gpt-5\n", says: []string{`seam.yaml:25: sites[0].models[1]: no provider has the model "gpt-5"`}},
		"no model for a site": {file: good + "sites: [{origin: 'https://docs.example.org', models: []}]\n", says: []string{"seam.yaml:21: sites[0].models: is empty"}},
		"models of a caller":  {file: good + "session: {callers: [{name: ci, token_env: X, models: [e]}]}\n", says: []string{"seam.yaml:21: session.callers[0].models[0]"}},
		"prompts of a caller": {file: good + "session: {callers: [{name: ci, token_env: X, prompts: all}]}\n", says: []string{"seam.yaml:21: session.callers[0].prompts", "client or server"}},
		"requests":            {file: good + "sites:\n- origin: https://docs.example.org\n  requests: -1\n", says: []string{"seam.yaml:23: sites[0].requests: must be 0 to"}},
		"tokens a minute":     {file: good + "session:\n  callers:\n  - name: ci\n    token_env: X\n    tokens: -1\n", says: []string{"seam.yaml:25: session.callers[0].tokens: must be 0 to"}},
		"window":              {file: good + "sites:\n- origin: https://docs.example.org\n  budget: {tokens: 1,\n    window: year}\n", says: []string{`seam.yaml:24: sites[0].budget.window: must be hour, day, week or month, not "year"`}},
		"budget of a site":    {file: good + "sites:\n- origin: https://docs.example.org\n  budget: {tokens: -1}\n", says: []string{"seam.yaml:23: sites[0].budget: is not a valid budget"}},
		"budget of a caller":  {file: good + "session:\n  callers:\n  - name: ci\n    token_env: X\n    budget: {dollars: .nan}\n", says: []string{"seam.yaml:25: session.callers[0].budget: is not a valid budget"}},
		"window of nothing":   {file: good + "session:\n  callers:\n  - name: ci\n    token_env: X\n    budget: {window: month}\n", says: []string{"seam.yaml:25: session.callers[0].budget: has a window"}},
		"prompts of a site":   {file: good + "sites: [{origin: 'https://docs.example.org', prompts: client}]\n", says: []string{"seam.yaml:21: sites[0].prompts: is not a known key"}},
		"several":             {file: change("docs.example.org", "*") + "drain: -1s\n", says: []string{"seam.yaml:5: origins[0]", "above 0"}},
	} {
		_, err := load(t, tt.file, tt.environ, tt.flags)
		if strings.Contains(fmt.Sprint(err), "s3cret") {
			t.Errorf("%s: the error tells the password", name)
		}
		for _, says := range tt.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v\n  does not say %q", name, err, says)
			}
		}
	}
	s := Source{File: "gone.yaml", Environ: os.Environ, Read: func(string) ([]byte, error) {
		return nil, &fs.PathError{Op: "open", Path: "gone.yaml", Err: fs.ErrNotExist}
	}}
	if _, err := s.Load(); !errors.Is(err, fs.ErrNotExist) || strings.Count(err.Error(), "gone.yaml") != 1 {
		t.Error(err)
	}
}

// Behind a server that terminates TLS, or for a site elsewhere, loopback is public.
func TestPublic(t *testing.T) {
	for _, file := range []string{"origins: [https://docs.example.org]\n", "trusted_proxies: [127.0.0.1]\n", "listen: 192.0.2.1:80\n", "listen: :8787\n"} {
		s := "providers: [{name: a, base_url: https://a.example/v1, models: [{id: m, kind: chat}]}]\nprompts: client\n" + file
		if _, err := load(t, s, nil, nil); err == nil || !strings.Contains(err.Error(), "open relay") {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, file := range []string{"listen: localhost:1\n", "listen: '[::1]:1'\n", "origins: [http://localhost:3000]\n"} {
		if l, err := load(t, file, nil, nil); err != nil || l.Public() {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestKeysAreDocumented(t *testing.T) {
	names := variables(reflect.ValueOf(&Config{}).Elem(), "")
	for _, want := range []string{"SEAM_LISTEN", "SEAM_ORIGINS", "SEAM_CACHE_MEMORY", "SEAM_SESSION_WORK", "SEAM_EMBED_MODELS", "SEAM_DRAIN"} {
		if names[want].key == "" {
			t.Errorf("%s is no variable", want)
		}
	}
	if slices.ContainsFunc([]string{"SEAM_PROVIDERS", "SEAM_TLS", "SEAM_DATA", "SEAM_TEMPLATES"}, func(n string) bool { return names[n].key != "" }) {
		t.Error("a group or a test's variable is one")
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(good)
	f.Add("a: &x [*x, {b: 1}]")
	f.Fuzz(func(t *testing.T, file string) { // no input may cause a panic or a hang
		s := Source{File: "f", Environ: func() []string { return nil }, Read: func(string) ([]byte, error) { return []byte(file), nil }}
		if l, err := s.Load(); err == nil && l == nil {
			t.Fatal("neither a configuration nor an error")
		}
	})
}

// Numbers and words may be quoted or not, a list may be a single word, and a group without
// keys keeps the defaults.
func TestSpellings(t *testing.T) {
	l, err := load(t, "state: 7\nlisten: '127.0.0.1:1'\norigins: http://localhost:1\nlimits: {texts: \"9\", tokens: 5e3, memory: 1000}\ncache: {disk: 0, keep: \"1h\"}\ndrain: 0\nlog:\nbudget: ~\n", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if l.State != "7" || l.Listen != "127.0.0.1:1" || len(l.Origins) != 1 || l.Limits.Texts != 9 || l.Limits.Tokens != 5000 || l.Limits.Memory != 1000 ||
		l.Cache.Disk != 0 || l.Cache.Keep != time.Hour || l.Drain != 0 || l.Log != Default().Log || l.Budget != Default().Budget || l.Limits.InFlight != Default().Limits.InFlight {
		t.Errorf("%+v", l.Config)
	}
}
