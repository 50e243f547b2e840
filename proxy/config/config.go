// Package config reads the configuration of a proxy from defaults, one YAML file, the
// environment and flags. Later sources in this list take precedence. Every key is a field
// below. Its name in the environment is SEAM_ and the key in capitals, with _ for the dots
// (SEAM_BUDGET_DAY_DOLLARS). No key takes a secret: the configuration names the variable or
// the file that holds it, so that it can be shown to anyone.
package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"seam/shared/protocol"
)

// Config is a complete configuration.
type Config struct {
	Listen         string              `key:"listen"`          // address and port of the proxy; port 0 takes a free one
	Admin          string              `key:"admin"`           // for metrics and the kill switch: address and port on loopback, or unix: and a socket file; "": none
	Metrics        string              `key:"metrics"`         // address and port for metrics only, reachable from other machines or containers; "": none
	TLS            TLS                 `key:"tls"`             //
	State          string              `key:"state"`           // folder of budgets, cache and the generated secret
	Origins        []string            `key:"origins"`         // sites with pages that may connect; the page served here may, on loopback
	Sites          []Site              `key:"sites"`           // permissions of the pages of an origin; without an entry: everything
	TrustedProxies []string            `key:"trusted_proxies"` // addresses or prefixes of trusted proxies, for X-Forwarded-For
	Prompts        protocol.Prompts    `key:"prompts"`         // client or server; default client on loopback, otherwise server
	Templates      map[string]Template `key:"templates"`       // templates added to the built-in ones, or replacing them
	Providers      []Provider          `key:"providers"`       //
	Collections    []Collection        `key:"collections"`     // collections in search engines that clients may search
	Collection     string              `key:"collection"`      // collection for groups without an entry in sites or session.callers; "": none
	Session        Session             `key:"session"`         //
	Limits         Limits              `key:"limits"`          // limits of requests, sessions and memory
	Allow          Allow               `key:"allow"`           // parts of OpenAI's interface that are refused otherwise
	Budget         Budget              `key:"budget"`          //
	Cache          Cache               `key:"cache"`           //
	Log            Log                 `key:"log"`             //
	Trace          Trace               `key:"trace"`           // spans for OpenTelemetry; none by default
	Drain          time.Duration       `key:"drain"`           // how long requests may continue after SIGTERM

	// A provider in short form, for a start without a file. Its key is in OPENAI_API_KEY.
	BaseURL     string   `key:"base_url"`
	EmbedModels []string `key:"embed_models"`
	ChatModels  []string `key:"chat_models"`

	Timeout       time.Duration `key:"timeout"`        // as for a provider
	QueryPrefix   *string       `key:"query_prefix"`   // of embed_models, as for a model
	PassagePrefix *string       `key:"passage_prefix"` // of embed_models
}

// TLS names the files of a certificate and its key. Without them the proxy speaks plain
// HTTP.
type TLS struct {
	Cert string `key:"cert"`
	Key  string `key:"key"`
}

// Template is a prompt of the proxy, see protocol.Template.
type Template struct {
	System string `key:"system"`
	Ask    string `key:"ask"` // text before the question
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
	KeyFile      string            `key:"key_file"` // file that holds the key, such as ${CREDENTIALS_DIRECTORY}/name with systemd; read again on SIGHUP
	Organization string            `key:"organization"`
	Texts        int               `key:"texts"`   // texts in one embeddings call; 0: 256
	Tokens       int               `key:"tokens"`  // estimated tokens in one embeddings call; 0: 100,000
	Timeout      time.Duration     `key:"timeout"` // for the first byte of an answer, and for a whole embeddings call; 0: 1m, or 5m for a provider on this machine or its network, which may have to load the model
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
	Context    int           `key:"context"`   // tokens of prompt and answer together, of a chat model; 0: its server's word, if it is nearby and gives one
	Price      *float64      `key:"price"`     // US dollars per million tokens read; absent: unknown
	PriceOut   *float64      `key:"price_out"` // US dollars per million tokens written; absent: unknown
	Reasoning  bool          `key:"reasoning"`

	QueryPrefix   *string `key:"query_prefix"`   // text before each query to embed; absent: known by the model's name; "": none
	PassagePrefix *string `key:"passage_prefix"` // text before each passage to embed, as for queries

	Weight         *float64 `key:"weight"`          // how often it is asked relative to other providers of the model; absent: 1; 0: only if none of them can answer
	MaxTemperature *float64 `key:"max_temperature"` // highest temperature that clients may set, 0 to 2; absent: 2
}

// Collection is a collection in a search engine, made by seam push.
type Collection struct {
	Name    string        `key:"name"`
	Address string        `key:"address"` // without a password: weaviate://…, postgres://… or opensearch://…, as for seam push
	KeyEnv  string        `key:"key_env"` // variable that holds the password or the API key
	KeyFile string        `key:"key_file"`
	Hits    int           `key:"hits"`    // limit of hits per search; 0: 20
	Filters []string      `key:"filters"` // filters that clients may use: section, types, pages, and meta. with a name; absent: none
	Within  time.Duration `key:"within"`  // time limit of a search; 0: 5s
	AtOnce  int           `key:"at_once"` // limit of concurrent searches; 0: 32
}

// Site is the set of permissions of the pages of one origin.
type Site struct {
	Origin   string       `key:"origin"`
	Models   []string     `key:"models"`   // models that they may use; absent: all
	Budget   WindowBudget `key:"budget"`   // budget of all its visitors together, in addition to the budget of each address
	Requests int          `key:"requests"` // requests per minute for all its visitors together, a third of them in a burst; 0: no limit
	Tokens   int64        `key:"tokens"`   // tokens per minute for all its visitors together; 0: no limit

	Collection string `key:"collection"` // collection that they may search; absent: none
}

// Session says who may open a session, and for how long.
type Session struct {
	Tokens     string        `key:"tokens"`      // required: pages need a token, too; auto: only if the proxy is public
	SecretFile string        `key:"secret_file"` // 32 bytes or more to sign tokens with, one per line, the first signs; default: generated in state
	Work       int           `key:"work"`        // bits of proof of work for a token; 0: none
	PerMinute  int           `key:"per_minute"`  // requests for a token per address; with work, a token takes two
	Age        time.Duration `key:"age"`         // a session ends after that long
	Callers    []Caller      `key:"callers"`     // programs with their own tokens
}

// Caller is a program, or a person at a command line, with a token that does not expire. It
// needs no origin and no proof of work, and has the budget of an address.
type Caller struct {
	Name      string           `key:"name"`
	TokenEnv  string           `key:"token_env"`
	TokenFile string           `key:"token_file"`
	Models    []string         `key:"models"`   // models that it may use; absent: all
	Budget    WindowBudget     `key:"budget"`   // replaces the budget of an address
	Requests  int              `key:"requests"` // requests per minute, as for a site
	Tokens    int64            `key:"tokens"`   // tokens per minute, as for a site
	Prompts   protocol.Prompts `key:"prompts"`  // client: it may send its own prompts where others may not, but never from a page; absent: the general setting

	Collection string `key:"collection"` // collection that it may search; absent: the general setting
}

// Allow has parts of OpenAI's interface that make a request larger or dearer.
type Allow struct {
	Tools  bool `key:"tools"`  // tools, and messages with their calls and results
	Schema bool `key:"schema"` // response_format with a JSON schema
	Images bool `key:"images"` // images in messages; limits.body must have room for those in base64
	Stop   bool `key:"stop"`   // texts that end an answer
}

// Limits bound the requests of clients.
type Limits struct {
	Texts       int           `key:"texts"`       // texts in one embed
	TextBytes   int           `key:"text_bytes"`  // bytes of one text; a websocket carries at most 63 KiB
	Tokens      int           `key:"tokens"`      // estimated tokens in one embed
	InFlight    int           `key:"in_flight"`   // concurrent requests per session
	Answer      int           `key:"answer"`      // tokens of one answer
	Context     int           `key:"context"`     // bytes of a chat's messages, or of question, passages and history; a websocket carries at most 63 KiB
	Turns       int           `key:"turns"`       // earlier questions with their answers that a chat may include; 0: none
	History     int           `key:"history"`     // bytes of all of them, a part of context; 0: none
	Credits     int           `key:"credits"`     // frames of a request before the first credit
	Connections int           `key:"connections"` // concurrent sessions
	PerAddress  int           `key:"per_address"` // concurrent sessions per address, and requests over OpenAI's interface per address or token of a caller
	Body        Bytes         `key:"body"`        // bytes of a request over OpenAI's interface; 0: enough for texts, text_bytes, tokens and context
	Waiting     int           `key:"waiting"`     // requests over OpenAI's interface that wait for one of the others to end, per address or token; 0: none
	Messages    int           `key:"messages"`    // messages per second and session
	Wait        time.Duration `key:"wait"`        // the longest that one of them waits; then it gets status 429
	Memory      Bytes         `key:"memory"`      // memory of the whole process, respected by collecting garbage more often; a quarter of it is for data that clients have not taken yet. 0: no limit, and 96 MiB for that data
}

// Budget is the amount that may be spent. 0 means no limit.
type Budget struct {
	Session Spend `key:"session"` // budget of one session
	Address Spend `key:"address"` // budget of one address in a day: an IPv4 address, or a /64 of IPv6; a /48 has four times as much
	Day     Spend `key:"day"`     // budget of all clients in a day
	Book    Book  `key:"book"`    // where it is stored
}

// Book names a Redis in which several instances of the proxy share one budget. Without it,
// the budget is in a file in state, for one instance.
type Book struct {
	Redis        string `key:"redis"`         // redis://[user@]host:6379/0, rediss:// for TLS, or unix:/path of a socket file; "": the file
	PasswordEnv  string `key:"password_env"`  // variable that holds its password
	PasswordFile string `key:"password_file"` // file that holds it, as for a provider's key
	Prefix       string `key:"prefix"`        // prefix of all keys: instances with the same prefix share budgets
}

// Spend is an amount.
type Spend struct {
	Tokens  int64   `key:"tokens"`
	Dollars float64 `key:"dollars"`
}

// WindowBudget is an amount that is renewed each hour, day, week (from Monday) or month in UTC.
type WindowBudget struct {
	Tokens  int64   `key:"tokens"`
	Dollars float64 `key:"dollars"`
	Window  string  `key:"window"` // hour, day, week or month; absent: day
}

// Cache is the cache of embeddings, and of answers.
type Cache struct {
	Memory Bytes         `key:"memory"`
	Disk   Bytes         `key:"disk"` // bytes in state; 0: memory only
	Keep   time.Duration `key:"keep"` // longest time that an embedding is kept

	Answers     Bytes         `key:"answers"`      // bytes in memory of complete answers, given again to anyone who sends exactly the same; 0: none
	AnswersKeep time.Duration `key:"answers_keep"` // longest time that an answer is kept
}

// Log is the log on stderr.
type Log struct {
	Level     string `key:"level"`     // debug, info, warn or error
	Format    string `key:"format"`    // json or text
	Addresses string `key:"addresses"` // truncated, full or none
	Lines     int    `key:"lines"`     // lines per message and minute, a tenth of that per address; 0: no limit
}

// Trace says where spans of requests are sent. They have the model, duration, tokens and
// error, but no text.
type Trace struct {
	Endpoint  string  `key:"endpoint"`   // URL of a collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; "": none
	Sample    float64 `key:"sample"`     // share of requests, 0 to 1
	HeaderEnv string  `key:"header_env"` // variable that holds a header for the collector, "Name: value"
}

// Bytes is a size: a number, or a number with kB, MB, GB, KiB, MiB or GiB.
type Bytes int64

var units = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}, {"", 1}}

// UnmarshalText parses a size.
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
	return fmt.Errorf("invalid size %q: write it like 64MB", s)
}

// Default returns the default configuration.
func Default() Config {
	return Config{
		Listen:  "127.0.0.1:8787",
		Session: Session{Tokens: "auto", PerMinute: 30, Age: time.Hour},
		Limits: Limits{
			Texts: 2048, TextBytes: 48 << 10, Tokens: 300_000, // OpenAI's: 8,191 tokens of one text are some 40 kB of English
			InFlight: 4, Answer: 1024, Context: 48 << 10, Credits: 64,
			Turns: 16, History: 12 << 10,
			Connections: 10_000, PerAddress: 20, Waiting: 200, Wait: 30 * time.Second, Messages: 50,
		},
		Budget: Budget{Day: Spend{Tokens: 50e6, Dollars: 10}, Book: Book{Prefix: "seam:"}},
		Cache:  Cache{Memory: 32 << 20, Disk: 1 << 30, Keep: 30 * 24 * time.Hour, AnswersKeep: 24 * time.Hour},
		Log:    Log{Level: "info", Format: "json", Addresses: "truncated", Lines: 600},
		Trace:  Trace{Sample: 1},
		Drain:  20 * time.Second,
	}
}
