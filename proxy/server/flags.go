package server

import (
	"os"

	"seam/proxy/config"
	"seam/proxy/upstream/prefix"
)

// Flags are the options of `seam serve` and seam-proxy. Options that are not given can be
// set by the file and the environment.
type Flags struct {
	Config     string   `placeholder:"FILE" help:"Configuration of the proxy, a YAML file (see proxy/deploy/seam-proxy.yaml). Without it, set a provider with the flags below."`
	Check      bool     `help:"Check the configuration, the state folder and the Redis of a shared budget, and exit. Refuses an open relay, like a start does."`
	Forget     bool     `name:"forget-budget" help:"If the budget file is damaged, set it aside and start the day with nothing spent."`
	Addr       string   `placeholder:"HOST:PORT" help:"Address to listen on (default 127.0.0.1:8787); port 0 picks a free port."`
	Admin      string   `placeholder:"ADDR" help:"Address of metrics and the kill switch: HOST:PORT on loopback, or unix:/path of a socket file (default: none)."`
	State      string   `placeholder:"DIR" help:"Folder for budgets, cache and secrets (default: $$STATE_DIRECTORY, or seam in the user's state folder)."`
	Origin     []string `placeholder:"URL" help:"Site that may connect, like https://docs.example.org. Repeatable."`
	BaseURL    string   `name:"base-url" placeholder:"URL" help:"Provider with OpenAI's API, like http://127.0.0.1:11434/v1. The key comes from OPENAI_API_KEY."`
	EmbedModel []string `placeholder:"NAME" help:"Embedding model of that provider. Repeatable."`
	ChatModel  []string `placeholder:"NAME" help:"Chat model of that provider. Repeatable."`
	Timeout    string   `placeholder:"TIME" help:"Longest wait for the first byte of that provider's answer, like 10m (default: 1m; 5m if it is on this machine or its network, because it may have to load the model)."`
	prefix.Flags
}

// Source returns the source of the configuration.
func (f Flags) Source() config.Source {
	s := config.Source{File: f.Config, Environ: os.Environ, Read: os.ReadFile, Flags: map[string]config.Flag{}}
	for _, flag := range []struct {
		key, name string
		values    []string
	}{
		{"listen", "--addr", one(f.Addr)}, {"admin", "--admin", one(f.Admin)}, {"state", "--state", one(f.State)}, {"base_url", "--base-url", one(f.BaseURL)},
		{"origins", "--origin", f.Origin}, {"embed_models", "--embed-model", f.EmbedModel}, {"chat_models", "--chat-model", f.ChatModel},
		{"timeout", "--timeout", one(f.Timeout)},
		{"query_prefix", "--query-prefix", given(f.QueryPrefix)}, {"passage_prefix", "--passage-prefix", given(f.PassagePrefix)},
	} {
		if len(flag.values) > 0 {
			s.Flags[flag.key] = config.Flag{Name: flag.name, Values: flag.values}
		}
	}
	return s
}

// given returns a list with the value of a flag that may be empty, or nil.
func given(value *string) []string {
	if value == nil {
		return nil
	}
	return []string{*value}
}

// one returns a list with the value of a flag, or nil if it was not given.
func one(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}
