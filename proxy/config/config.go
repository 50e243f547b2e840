// Package config is what an operator says about a proxy: one YAML file, the
// environment, flags, and defaults below them. Later ones win in this order:
// defaults, file, environment, flags. Every key is a field below; its name in the
// environment is SEAM_ and the key in capitals, with _ for the dots
// (SEAM_BUDGET_DAY_DOLLARS). No key takes a secret: a secret is named by the
// variable or the file that holds it, so that the configuration can be shown to
// anybody.
package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"seam/shared/protocol"
)

// Config is a whole configuration.
type Config struct {
	Listen         string              `key:"listen"`          // address and port of the proxy; port 0 takes a free one
	Admin          string              `key:"admin"`           // for metrics and the kill switch: address and port on loopback, or unix: and a socket file; "": none
	Metrics        string              `key:"metrics"`         // address and port for metrics alone, which another machine or container may ask; "": none
	TLS            TLS                 `key:"tls"`             //
	State          string              `key:"state"`           // folder of budgets, cache and the generated secret
	Origins        []string            `key:"origins"`         // sites whose pages may connect; the page that is served here may, on loopback
	Sites          []Site              `key:"sites"`           // what the pages of an origin may do; those without an entry: everything
	TrustedProxies []string            `key:"trusted_proxies"` // addresses or prefixes whose X-Forwarded-For is believed
	Prompts        protocol.Prompts    `key:"prompts"`         // client or server; default client on loopback, server else
	Templates      map[string]Template `key:"templates"`       // beside the built-in ones, or in their place
	Providers      []Provider          `key:"providers"`       //
	Collections    []Collection        `key:"collections"`     // in search engines, that clients may search
	Collection     string              `key:"collection"`      // what those without an entry in sites or session.callers search; "": nothing
	Session        Session             `key:"session"`         //
	Limits         Limits              `key:"limits"`          //
	Budget         Budget              `key:"budget"`          //
	Cache          Cache               `key:"cache"`           //
	Log            Log                 `key:"log"`             //
	Trace          Trace               `key:"trace"`           // spans for OpenTelemetry; none by default
	Drain          time.Duration       `key:"drain"`           // how long requests may go on after SIGTERM

	// A provider in short, for a start without a file: with the key in
	// OPENAI_API_KEY.
	BaseURL     string   `key:"base_url"`
	EmbedModels []string `key:"embed_models"`
	ChatModels  []string `key:"chat_models"`
}

// TLS names the files of a certificate and its key. Without them the proxy
// speaks plain HTTP.
type TLS struct {
	Cert string `key:"cert"`
	Key  string `key:"key"`
}

// Template is a prompt of the proxy's, see protocol.Template.
type Template struct {
	System string `key:"system"`
	Ask    string `key:"ask"` // stands before the question
	JSON   bool   `key:"json"`
}

// Provider is an endpoint with OpenAI's API.
type Provider struct {
	Name         string            `key:"name"`
	BaseURL      string            `key:"base_url"`
	API          string            `key:"api"` // openai or azure
	APIVersion   string            `key:"api_version"`
	Deployments  map[string]string `key:"deployments"`
	KeyEnv       string            `key:"key_env"`  // variable that holds the key
	KeyFile      string            `key:"key_file"` // file that holds it, as ${CREDENTIALS_DIRECTORY}/name where systemd gives it; read again on SIGHUP
	Organization string            `key:"organization"`
	Texts        int               `key:"texts"`  // of one embeddings call; 0: 256
	Tokens       int               `key:"tokens"` // of one embeddings call, estimated; 0: 100,000
	Timeout      time.Duration     `key:"timeout"`
	Models       []Model           `key:"models"`
}

// Model is one model of a provider.
type Model struct {
	ID         string        `key:"id"`
	Kind       protocol.Kind `key:"kind"`  // embed or chat
	Name       string        `key:"name"`  // the provider's; "": the id
	Label      string        `key:"label"` // for people; "": the id
	Dimensions int           `key:"dimensions"`
	Input      int           `key:"input"`     // tokens of one text
	Price      *float64      `key:"price"`     // US dollars for a million tokens read; absent: not known
	PriceOut   *float64      `key:"price_out"` // for a million tokens written
	Reasoning  bool          `key:"reasoning"`

	Weight         *float64 `key:"weight"`          // how often it is asked beside other providers that have the model; absent: 1; 0: where none of them can
	MaxTemperature *float64 `key:"max_temperature"` // that clients may ask for, 0 to 2; absent: 2
}

// Collection is a collection in a search engine, made by seam push.
type Collection struct {
	Name    string        `key:"name"`
	Address string        `key:"address"` // without a password: weaviate://…, postgres://… or opensearch://…, as seam push takes it
	KeyEnv  string        `key:"key_env"` // variable that holds the password or the API key
	KeyFile string        `key:"key_file"`
	Hits    int           `key:"hits"`    // of one search, at most; 0: 20
	Filters []string      `key:"filters"` // that clients may use: section, types, pages, and meta. with a name; absent: none
	Within  time.Duration `key:"within"`  // that a search may take; 0: 5s
	AtOnce  int           `key:"at_once"` // searches; 0: 32
}

// Site is what the pages of one of the origins may do.
type Site struct {
	Origin   string   `key:"origin"`
	Models   []string `key:"models"`   // that they may ask for; absent: all
	Budget   Renewed  `key:"budget"`   // of all its visitors, beside that of each address
	Requests int      `key:"requests"` // a minute of all its visitors, a third of them at once; 0: no limit
	Tokens   int64    `key:"tokens"`   // a minute of all its visitors; 0: no limit

	Collection string `key:"collection"` // that they may search; absent: none
}

// Session says what opens a session.
type Session struct {
	Tokens     string        `key:"tokens"`      // required: pages need a token, too; auto: where the proxy is public
	SecretFile string        `key:"secret_file"` // 32 bytes or more to sign tokens with, one a line, the first signs; default: made in state
	Work       int           `key:"work"`        // bits of proof of work for a token; 0: none
	PerMinute  int           `key:"per_minute"`  // requests for a token from one address; with work a token takes two
	Age        time.Duration `key:"age"`         // a session ends after that long
	Callers    []Caller      `key:"callers"`     // programs that have a token of their own
}

// Caller is a program, or a person at a command line, with a token that does not
// expire. It needs no origin and no proof of work, and has an address's budget.
type Caller struct {
	Name      string           `key:"name"`
	TokenEnv  string           `key:"token_env"`
	TokenFile string           `key:"token_file"`
	Models    []string         `key:"models"`   // that it may ask for; absent: all
	Budget    Renewed          `key:"budget"`   // in the place of an address's
	Requests  int              `key:"requests"` // a minute, as of a site
	Tokens    int64            `key:"tokens"`   // a minute, as of a site
	Prompts   protocol.Prompts `key:"prompts"`  // client: it may send prompts of its own where others may not, but never from a page; absent: as for everybody

	Collection string `key:"collection"` // that it may search; absent: that of everybody
}

// Limits bound what clients may send at a time.
type Limits struct {
	Texts       int   `key:"texts"`       // of one embed
	TextBytes   int   `key:"text_bytes"`  // of one text
	Tokens      int   `key:"tokens"`      // of one embed, estimated
	InFlight    int   `key:"in_flight"`   // requests of one session at a time
	Answer      int   `key:"answer"`      // tokens of one answer
	Context     int   `key:"context"`     // bytes of a chat's messages, or of question, passages and history
	Turns       int   `key:"turns"`       // earlier questions with their answers that a chat may carry; 0: none
	History     int   `key:"history"`     // bytes of them all, a part of context; 0: none
	Credits     int   `key:"credits"`     // frames of a request before the first credit
	Connections int   `key:"connections"` // sessions at a time
	PerAddress  int   `key:"per_address"` // sessions of one address at a time
	Messages    int   `key:"messages"`    // a second, of one session
	Memory      Bytes `key:"memory"`      // of the whole process, kept by collecting garbage more often; a quarter of it is for what clients have not taken yet. 0: no limit, and 96 MiB for that
}

// Budget is how much may be spent. 0 is no limit.
type Budget struct {
	Session Spend `key:"session"` // by one session
	Address Spend `key:"address"` // by one address in a day: an IPv4 address, a /64 of IPv6; a /48 has four times as much
	Day     Spend `key:"day"`     // by all in a day
	Book    Book  `key:"book"`    // where it is kept
}

// Book names a Redis where several instances of the proxy keep one budget. Without one
// it is a file in state, for one instance.
type Book struct {
	Redis        string `key:"redis"`         // redis://[user@]host:6379/0, rediss:// for TLS, or unix:/path of a socket file; "": the file
	PasswordEnv  string `key:"password_env"`  // variable that holds its password
	PasswordFile string `key:"password_file"` // file that holds it, as of a provider's key
	Prefix       string `key:"prefix"`        // of all keys: instances with the same one share budgets
}

// Spend is an amount.
type Spend struct {
	Tokens  int64   `key:"tokens"`
	Dollars float64 `key:"dollars"`
}

// Renewed is an amount that is there again each hour, day, week (from Monday on) or
// month of UTC.
type Renewed struct {
	Tokens  int64   `key:"tokens"`
	Dollars float64 `key:"dollars"`
	Window  string  `key:"window"` // hour, day, week or month; absent: day
}

// Cache keeps embeddings.
type Cache struct {
	Memory Bytes         `key:"memory"`
	Disk   Bytes         `key:"disk"` // in state; 0: memory only
	Keep   time.Duration `key:"keep"` // at most
}

// Log says what is written to stderr.
type Log struct {
	Level     string `key:"level"`     // debug, info, warn or error
	Format    string `key:"format"`    // json or text
	Addresses string `key:"addresses"` // truncated, full or none
	Lines     int    `key:"lines"`     // of one message in a minute, a tenth of that for one address; 0: all
}

// Trace says where spans of requests go: which model, how long, how many tokens and
// which error, and no text.
type Trace struct {
	Endpoint  string  `key:"endpoint"`   // of a collector that takes OTLP over HTTP, like http://127.0.0.1:4318; "": none
	Sample    float64 `key:"sample"`     // share of requests, 0 to 1
	HeaderEnv string  `key:"header_env"` // variable that holds a header for the collector, "Name: value"
}

// Bytes is a size: a number, or a number with kB, MB, GB, KiB, MiB or GiB.
type Bytes int64

var units = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}

// UnmarshalText reads a size.
func (b *Bytes) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	for _, u := range units {
		number, ok := strings.CutSuffix(s, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err == nil && n >= 0 && n*float64(u.bytes) < 1<<60 {
			*b = Bytes(n * float64(u.bytes))
			return nil
		}
		break
	}
	return fmt.Errorf("%q is no size: write it like 64MB", s)
}

// Default is what holds where nothing else is said.
func Default() Config {
	return Config{
		Listen:  "127.0.0.1:8787",
		Session: Session{Tokens: "auto", PerMinute: 30, Age: time.Hour},
		Limits: Limits{
			Texts: 256, TextBytes: 32 << 10, Tokens: 100_000, InFlight: 4, Answer: 1024, Context: 48 << 10, Credits: 64,
			Turns: 16, History: 12 << 10,
			Connections: 10_000, PerAddress: 20, Messages: 50,
		},
		Budget: Budget{Day: Spend{Tokens: 50e6, Dollars: 10}, Book: Book{Prefix: "seam:"}},
		Cache:  Cache{Memory: 32 << 20, Disk: 1 << 30, Keep: 30 * 24 * time.Hour},
		Log:    Log{Level: "info", Format: "json", Addresses: "truncated", Lines: 600},
		Trace:  Trace{Sample: 1},
		Drain:  20 * time.Second,
	}
}
