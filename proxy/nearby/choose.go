package nearby

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"seam/shared/protocol"
)

// Choose returns the model with a name, or with name "" the only model of a kind. option
// is the option that chooses a model, for errors.
func Choose(servers []Server, name string, kind protocol.Kind, option string) (Server, Model, error) {
	type at struct {
		Server
		Model
	}
	var known, unknown, named []at
	listed := false
	for _, s := range servers {
		for _, m := range s.Models {
			listed = true
			switch {
			case name != "" && same(m.Name, name):
				named = append(named, at{s, m})
			case m.Can(kind) && len(m.Kinds) > 0:
				known = append(known, at{s, m})
			case m.Can(kind):
				unknown = append(unknown, at{s, m})
			}
		}
	}
	exact := slices.DeleteFunc(slices.Clone(named), func(a at) bool { return a.Model.Name != name })
	if len(exact) > 0 {
		named = exact // "llama3.2" may also be a short form of another name
	}
	could := slices.Concat(known, unknown)
	var names []string
	for _, a := range could {
		names = append(names, a.Model.Name+" ("+a.Server.Name()+")")
	}
	does := verbs[kind]
	others := "choose one with " + option + ": " + strings.Join(names, ", ")
	if len(could) == 0 {
		others = "no other model there can: " + get(servers, kind)
	}
	switch {
	case !listed:
		return Server{}, Model{}, fmt.Errorf("found no model on this machine: %s", Explain(servers))
	case name != "" && len(named) == 0 && len(could) == 0:
		return Server{}, Model{}, fmt.Errorf("found no model %q on this machine, and none that can %s: %s", name, does, get(servers, kind))
	case name != "" && len(named) == 0:
		return Server{}, Model{}, fmt.Errorf("found no model %q on this machine: %s", name, others)
	case name != "" && !named[0].Can(kind):
		return Server{}, Model{}, fmt.Errorf("%s of %s cannot %s: %s", named[0].Model.Name, named[0].Server.Name(), does, others)
	case name != "":
		return named[0].Server, named[0].Model, nil // the same name at several programs: the first of them
	case len(could) == 0:
		return Server{}, Model{}, fmt.Errorf("found no model on this machine that can %s: %s", does, get(servers, kind))
	case len(known) == 1:
		return known[0].Server, known[0].Model, nil
	case len(could) == 1:
		return could[0].Server, could[0].Model, nil
	}
	return Server{}, Model{}, fmt.Errorf("found %d models on this machine that can %s: %s", len(could), does, others)
}

var verbs = map[protocol.Kind]string{protocol.Chatting: "answer questions", protocol.Embedding: "embed"}

// get says how to get a model of a kind.
func get(servers []Server, kind protocol.Kind) string {
	for _, s := range servers {
		if s.Program == Ollama && (s.State == Lists || s.State == Empty) {
			return "get one with `ollama pull " + map[protocol.Kind]string{protocol.Chatting: "llama3.2", protocol.Embedding: "nomic-embed-text"}[kind] + "`"
		}
	}
	if kind == protocol.Embedding {
		return "start llama.cpp with an embedding model and --embeddings, or load one in Ollama or LM Studio"
	}
	return "load one in Ollama, llama.cpp or LM Studio"
}

// same reports whether a name is a model's own or a usual short form of it: without
// ":latest", without folders, without ".gguf".
func same(model, name string) bool {
	if model == name || strings.TrimSuffix(model, ":latest") == name {
		return true
	}
	base := path.Base(model)
	return base == name || strings.TrimSuffix(base, ".gguf") == name
}

// Explain says why there is no model, and how to get one.
func Explain(servers []Server) string {
	var says, silent []string
	for _, s := range servers {
		if s.State == Silent {
			silent = append(silent, fmt.Sprintf("%s (%s)", s.Address, s.Usual))
		} else if why := s.explain(); why != "" {
			says = append(says, why)
		}
	}
	if len(silent) > 0 {
		says = append(says, "nothing listens on "+strings.Join(silent, ", ")+": start Ollama with `ollama serve`, or the server of llama.cpp or LM Studio; name any other address with --base-url URL")
	}
	return strings.Join(says, "; ")
}

// explain says why a server lists no model, and how to proceed.
func (s Server) explain() string {
	switch s.State {
	case Empty:
		switch {
		case len(s.Away) > 0:
			return fmt.Sprintf("%s at %s has only models that run on other machines (%s): get one of this machine with `ollama pull llama3.2`", s.Program, s.Address, strings.Join(s.Away, ", "))
		case s.Program == Ollama:
			return fmt.Sprintf("Ollama at %s has no model: get one with `ollama pull llama3.2`", s.Address)
		}
		return fmt.Sprintf("the program at %s has no model: load one there", s.Address)
	case Loading:
		return fmt.Sprintf("the program at %s is still loading its model: try again soon", s.Address)
	case Locked:
		return fmt.Sprintf("the program at %s asks for a key: use --base-url %s with the key in OPENAI_API_KEY", s.Address, s.BaseURL())
	case Slow:
		return fmt.Sprintf("the program at %s did not answer within %d seconds: try again", s.Address, int(within.Seconds()))
	case Other:
		return fmt.Sprintf("the program at %s does not list models: if %s listens on another port, use --base-url with its address", s.Address, s.Usual)
	}
	return ""
}
