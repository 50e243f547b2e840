package nearby

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"

	"seam/shared/protocol"
)

// asker sends requests to one address.
type asker struct {
	address string
	client  http.Client

	mu    sync.Mutex
	asked []string // the requests made, as "GET URL"
}

// reply is an answer, or the state that explains why there is none.
type reply struct {
	status int
	server string // the header Server
	body   []byte
	state  State // of an address that gave no answer; "": it gave one
}

// send sends a request. A nil body makes it a GET.
func (a *asker) send(ctx context.Context, path string, body []byte) reply {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, "http://"+a.address+path, bytes.NewReader(body))
	if err != nil {
		return reply{state: Other}
	}
	a.mu.Lock()
	a.asked = append(a.asked, method+" "+req.URL.String())
	a.mu.Unlock()
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return reply{state: unanswered(ctx, err)}
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, mostBody+1))
	switch {
	case err != nil:
		return reply{state: unanswered(ctx, err)}
	case len(b) > mostBody:
		return reply{state: Other}
	}
	return reply{status: resp.StatusCode, server: resp.Header.Get("Server"), body: b}
}

// unanswered returns the state of an address after an error.
func unanswered(ctx context.Context, err error) State {
	var late net.Error
	var dial *net.OpError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return Silent
	case errors.As(err, &dial) && dial.Op == "dial": // no such address on this machine, such as ::1
		return Silent
	case ctx.Err() != nil, errors.As(err, &late) && late.Timeout():
		return Slow
	}
	return Other
}

// read parses an answer. It returns Lists, or the state that explains why that failed.
func (r reply) read(to any) State {
	switch {
	case r.state != "":
		return r.state
	case r.status == http.StatusUnauthorized:
		return Locked
	case r.status == http.StatusServiceUnavailable && bytes.Contains(bytes.ToLower(r.body), []byte("loading model")):
		return Loading
	case r.status != http.StatusOK || json.Unmarshal(r.body, to) != nil:
		return Other
	}
	return Lists
}

// ollama lists the models of Ollama. A request for the abilities of a model reads its file
// and does not load it.
func (a *asker) ollama(ctx context.Context) (State, []Model, []string) {
	var list struct {
		Models *[]struct {
			Name    string `json:"name"`
			Remote  string `json:"remote_host"` // the machine that runs it, unless it is this one
			Details struct {
				Family string `json:"family"`
			} `json:"details"`
		} `json:"models"`
	}
	state := a.send(ctx, "/api/tags", nil).read(&list)
	if state != Lists || list.Models == nil {
		return orOther(state), nil, nil
	}
	var models []Model
	var away []string
	var asking sync.WaitGroup
	places := make(chan struct{}, 4)
	all := (*list.Models)[:min(len(*list.Models), mostList)]
	kinds := make([][]protocol.Kind, len(all))
	for i, m := range all {
		if m.Remote != "" || !nameable(m.Name) {
			continue
		}
		asking.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			kinds[i] = a.shown(ctx, m.Name, m.Details.Family)
		})
	}
	asking.Wait()
	for i, m := range all {
		switch {
		case m.Remote == "":
			models = append(models, Model{m.Name, kinds[i]})
		case nameable(m.Name):
			away = append(away, m.Name)
		}
	}
	return Lists, models, away
}

// shown returns the abilities of a model of Ollama, whose older versions have no list of them.
func (a *asker) shown(ctx context.Context, name, family string) []protocol.Kind {
	var told struct {
		Capabilities []string `json:"capabilities"`
	}
	body, err := json.Marshal(map[string]string{"model": name})
	if err != nil || a.send(ctx, "/api/show", body).read(&told) != Lists || len(told.Capabilities) == 0 {
		if kinds := byName(name); kinds != nil || !strings.Contains(family, "bert") {
			return kinds
		}
		return []protocol.Kind{protocol.Embedding}
	}
	kinds := []protocol.Kind{}
	for _, k := range []struct {
		word string
		kind protocol.Kind
	}{{"completion", protocol.Chatting}, {"embedding", protocol.Embedding}} {
		if slices.Contains(told.Capabilities, k.word) {
			kinds = append(kinds, k.kind)
		}
	}
	return kinds
}

// lmStudio lists the models of LM Studio, loaded or not.
func (a *asker) lmStudio(ctx context.Context) (State, []Model) {
	var list struct {
		Data *[]struct {
			ID   string `json:"id"`
			Type string `json:"type"`
		} `json:"data"`
	}
	state := a.send(ctx, "/api/v0/models", nil).read(&list)
	if state != Lists || list.Data == nil { // LM Studio answers 200 to paths that it does not know
		return orOther(state), nil
	}
	var models []Model
	for _, m := range *list.Data {
		switch m.Type {
		case "llm", "vlm":
			models = append(models, Model{m.ID, []protocol.Kind{protocol.Chatting}})
		case "embeddings":
			models = append(models, Model{m.ID, []protocol.Kind{protocol.Embedding}})
		default:
			models = append(models, Model{m.ID, byName(m.ID)})
		}
	}
	return Lists, models
}

// openAI lists the models of llama.cpp, or of an unknown program with OpenAI's interface,
// which does not list their abilities.
func (a *asker) openAI(ctx context.Context) (Program, State, []Model) {
	var list struct {
		Data *[]struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	r := a.send(ctx, "/v1/models", nil)
	var program Program
	if r.server == "llama.cpp" {
		program = LlamaCpp
	}
	state := r.read(&list)
	if state != Lists || list.Data == nil {
		return program, orOther(state), nil
	}
	var models []Model
	for _, m := range *list.Data {
		models = append(models, Model{m.ID, byName(m.ID)})
	}
	if program == LlamaCpp && len(models) == 1 { // a server with several loads them on demand
		if kinds := a.llamaCpp(ctx); kinds != nil {
			models[0].Kinds = kinds
		}
	}
	return program, Lists, models
}

// llamaCpp returns the abilities of the model of a llama.cpp server. Its list always says
// "completion", so it gets two requests without a text, which it refuses in different words
// if it could do the work. nil means unknown.
func (a *asker) llamaCpp(ctx context.Context) (kinds []protocol.Kind) {
	could := func(path string) (known, can bool) {
		r := a.send(ctx, path, []byte("{}"))
		switch {
		case r.status == http.StatusNotImplemented:
			return true, false
		case r.status == http.StatusBadRequest:
			return true, !bytes.Contains(r.body, []byte("ooling type")) // such a server embeds only over its own interface
		}
		return false, false
	}
	embedsKnown, embeds := could("/v1/embeddings")
	answersKnown, answers := could("/v1/chat/completions")
	if !embedsKnown || !answersKnown {
		return nil
	}
	if answers {
		kinds = append(kinds, protocol.Chatting)
	}
	if embeds {
		kinds = append(kinds, protocol.Embedding)
	}
	return kinds
}

// orOther turns Lists into Other, for an answer that is not a list.
func orOther(s State) State {
	if s == Lists {
		return Other
	}
	return s
}

// embedders are parts of the names of embedding models.
var embedders = []string{"embed", "bge-", "e5-", "gte-", "minilm", "arctic", "mxbai", "paraphrase"}

// byName returns the ability that a name gives away. nil means unknown.
func byName(name string) []protocol.Kind {
	name = strings.ToLower(name)
	if strings.Contains(name, "rerank") {
		return nil
	}
	for _, part := range embedders {
		if strings.Contains(name, part) {
			return []protocol.Kind{protocol.Embedding}
		}
	}
	return nil
}
