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
	Listen         string              `koanf:"listen"`          // address and port of the proxy; port 0 takes a free one
	Admin          string              `koanf:"admin"`           // address and port for metrics and the kill switch; "": none
	TLS            TLS                 `koanf:"tls"`             //
	State          string              `koanf:"state"`           // folder of budgets, cache and the generated secret
	Origins        []string            `koanf:"origins"`         // sites whose pages may connect; the page that is served here may, on loopback
	TrustedProxies []string            `koanf:"trusted_proxies"` // addresses or prefixes whose X-Forwarded-For is believed
	Prompts        protocol.Prompts    `koanf:"prompts"`         // client or server; default client on loopback, server else
	Templates      map[string]Template `koanf:"templates"`       // beside the built-in ones, or in their place
	Providers      []Provider          `koanf:"providers"`       //
	Session        Session             `koanf:"session"`         //
	Limits         Limits              `koanf:"limits"`          //
	Budget         Budget              `koanf:"budget"`          //
	Cache          Cache               `koanf:"cache"`           //
	Log            Log                 `koanf:"log"`             //
	Drain          time.Duration       `koanf:"drain"`           // how long requests may go on after SIGTERM

	// A provider in short, for a start without a file: with the key in
	// OPENAI_API_KEY.
	BaseURL     string   `koanf:"base_url"`
	EmbedModels []string `koanf:"embed_models"`
	ChatModels  []string `koanf:"chat_models"`
}

// TLS names the files of a certificate and its key. Without them the proxy
// speaks plain HTTP.
type TLS struct {
	Cert string `koanf:"cert"`
	Key  string `koanf:"key"`
}

// Template is a prompt of the proxy's, see relay.Template.
type Template struct {
	System string `koanf:"system"`
	Ask    string `koanf:"ask"` // stands before the question
	JSON   bool   `koanf:"json"`
}

// Provider is an endpoint with OpenAI's API.
type Provider struct {
	Name         string            `koanf:"name"`
	BaseURL      string            `koanf:"base_url"`
	API          string            `koanf:"api"` // openai or azure
	APIVersion   string            `koanf:"api_version"`
	Deployments  map[string]string `koanf:"deployments"`
	KeyEnv       string            `koanf:"key_env"`  // variable that holds the key
	KeyFile      string            `koanf:"key_file"` // file that holds it; read again on SIGHUP
	Organization string            `koanf:"organization"`
	Texts        int               `koanf:"texts"`  // of one embeddings call; 0: 256
	Tokens       int               `koanf:"tokens"` // of one embeddings call, estimated; 0: 100,000
	Timeout      time.Duration     `koanf:"timeout"`
	Models       []Model           `koanf:"models"`
}

// Model is one model of a provider.
type Model struct {
	ID         string        `koanf:"id"`
	Kind       protocol.Kind `koanf:"kind"`  // embed or chat
	Name       string        `koanf:"name"`  // the provider's; "": the id
	Label      string        `koanf:"label"` // for people; "": the id
	Dimensions int           `koanf:"dimensions"`
	Input      int           `koanf:"input"`     // tokens of one text
	Price      *float64      `koanf:"price"`     // US dollars for a million tokens read; absent: not known
	PriceOut   *float64      `koanf:"price_out"` // for a million tokens written
	Reasoning  bool          `koanf:"reasoning"`
}

// Session says what opens a session.
type Session struct {
	Tokens     string        `koanf:"tokens"`      // required: pages need a token, too; auto: where the proxy is public
	SecretFile string        `koanf:"secret_file"` // 32 bytes or more to sign tokens with, one a line, the first signs; default: made in state
	Work       int           `koanf:"work"`        // bits of proof of work for a token; 0: none
	PerMinute  int           `koanf:"per_minute"`  // requests for a token from one address; with work a token takes two
	Age        time.Duration `koanf:"age"`         // a session ends after that long
	Callers    []Caller      `koanf:"callers"`     // programs that have a token of their own
}

// Caller is a program, or a person at a command line, with a token that does not
// expire. It needs no origin and no proof of work, and has an address's budget.
type Caller struct {
	Name      string `koanf:"name"`
	TokenEnv  string `koanf:"token_env"`
	TokenFile string `koanf:"token_file"`
}

// Limits bound what clients may send at a time.
type Limits struct {
	Texts       int   `koanf:"texts"`       // of one embed
	TextBytes   int   `koanf:"text_bytes"`  // of one text
	Tokens      int   `koanf:"tokens"`      // of one embed, estimated
	InFlight    int   `koanf:"in_flight"`   // requests of one session at a time
	Answer      int   `koanf:"answer"`      // tokens of one answer
	Context     int   `koanf:"context"`     // bytes of a chat's messages or passages
	Credits     int   `koanf:"credits"`     // frames of a request before the first credit
	Connections int   `koanf:"connections"` // sessions at a time
	PerAddress  int   `koanf:"per_address"` // sessions of one address at a time
	Messages    int   `koanf:"messages"`    // a second, of one session
	Memory      Bytes `koanf:"memory"`      // of the whole process, kept by collecting garbage more often
}

// Budget is how much may be spent. 0 is no limit.
type Budget struct {
	Session Spend `koanf:"session"` // by one session
	Address Spend `koanf:"address"` // by one address in a day
	Day     Spend `koanf:"day"`     // by all in a day
}

// Spend is an amount.
type Spend struct {
	Tokens  int64   `koanf:"tokens"`
	Dollars float64 `koanf:"dollars"`
}

// Cache keeps embeddings.
type Cache struct {
	Memory Bytes         `koanf:"memory"`
	Disk   Bytes         `koanf:"disk"` // in state; 0: memory only
	Keep   time.Duration `koanf:"keep"` // at most
}

// Log says what is written to stderr.
type Log struct {
	Level     string `koanf:"level"`     // debug, info, warn or error
	Format    string `koanf:"format"`    // json or text
	Addresses string `koanf:"addresses"` // truncated, full or none
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
			Connections: 10_000, PerAddress: 20, Messages: 50,
		},
		Budget: Budget{Day: Spend{Tokens: 50e6, Dollars: 10}},
		Cache:  Cache{Memory: 32 << 20, Disk: 1 << 30, Keep: 30 * 24 * time.Hour},
		Log:    Log{Level: "info", Format: "json", Addresses: "truncated"},
		Drain:  20 * time.Second,
	}
}
