package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"seam/shared/embed/remote"
	"seam/shared/engine/rpc"
	"seam/shared/protocol"
	"seam/shared/protocol/client"
)

// Dialer makes the client of the proxy at url; "" is where the page itself comes
// from. token is one of the user's own, or "". It connects to nothing yet; an
// error means that url is none.
type Dialer func(url, token string) (*client.Client, error)

// SetDialer gives the engine its way to proxies. Without one there is none.
func (e *Engine) SetDialer(d Dialer) { e.dial = d }

// connection is the proxy that the user has chosen.
type connection struct {
	url, token string
	client     *client.Client
	embedders  map[string]*remote.Embedder // by model
}

type modelJSON struct {
	Name       string        `json:"name"`
	ID         string        `json:"id"`
	Kind       protocol.Kind `json:"kind"`
	Label      string        `json:"label"`
	Dimensions int           `json:"dimensions"`
	Input      int           `json:"input"`
	Price      *float64      `json:"price"`
	PriceOut   *float64      `json:"priceOut"`
}

// connect connects to a proxy, or asks the one that is connected for its models
// once more. The proxy before, if it is another, is let go with everything that
// came from it, but only when the new one has answered.
func (e *Engine) connect(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	var p struct {
		URL   string `json:"url"`
		Token string `json:"token"`
	}
	if err := call.Params(&p); err != nil {
		return rpc.Reply{}, err
	}
	if e.dial == nil {
		return rpc.Reply{}, &rpc.Error{Code: rpc.Offline, Message: "there is no network here"}
	}
	to := e.proxy
	if to == nil || to.url != p.URL || to.token != p.Token {
		c, err := e.dial(p.URL, p.Token)
		if err != nil {
			return rpc.Reply{}, &rpc.Error{Code: rpc.BadRequest, Message: err.Error(), Hint: "Write the address like https://seam.example.org."}
		}
		to = &connection{p.URL, p.Token, c, map[string]*remote.Embedder{}}
	}
	var ack *protocol.Ack
	err := call.Await(func() (err error) { ack, err = to.client.Hello(ctx); return err })
	if err != nil {
		if to != e.proxy {
			go to.client.Close() // it waits for the other side
		}
		return rpc.Reply{}, coded(err)
	}
	if old := e.proxy; to != old {
		e.proxy, e.searcher = to, nil
		for _, d := range e.open {
			d.forgetHosted()
		}
		if old != nil {
			go old.client.Close()
		}
	}
	models := make([]modelJSON, len(ack.Models))
	for i, m := range ack.Models {
		models[i] = modelJSON{remote.Prefix + m.ID, m.ID, m.Kind, m.Label, m.Dimensions, m.Input, m.Price, m.PriceOut}
		if m.Label == "" {
			models[i].Label = m.ID
		}
	}
	return rpc.Reply{Result: map[string]any{"prompts": ack.Prompts, "models": models}}, nil
}

// hosted finds a model of the proxy by its name with the prefix.
func (e *Engine) hosted(name string, kind protocol.Kind) (protocol.Model, error) {
	if e.proxy == nil {
		return protocol.Model{}, &rpc.Error{Code: rpc.BadRequest, Message: fmt.Sprintf("the model %s needs a proxy, and none is connected", name), Hint: "Connect to a proxy first."}
	}
	id := strings.TrimPrefix(name, remote.Prefix)
	var names []string
	for _, m := range e.proxy.client.Ack().Models {
		if m.Kind != kind {
			continue
		}
		if m.ID == id && name != id {
			return m, nil
		}
		names = append(names, remote.Prefix+m.ID)
	}
	if len(names) == 0 {
		return protocol.Model{}, badf("the proxy has no model for this")
	}
	return protocol.Model{}, badf("the proxy has no such model as %.60q: choose one of %s", name, strings.Join(names, ", "))
}

// preview says what chunk with the same parameters would send, and sends nothing.
func (e *Engine) preview(ctx context.Context, call *rpc.Call) (rpc.Reply, error) {
	d, p, err := e.toCut(call)
	if err != nil {
		return rpc.Reply{}, err
	}
	q, err := d.Quote(ctx, p.Settings, e.hooks(call))
	if err != nil {
		return rpc.Reply{}, coded(err)
	}
	return rpc.Reply{Result: map[string]any{
		"embedder": p.embedder(), "texts": q.Texts, "missing": q.Missing, "tokens": q.Tokens, "calls": q.Calls, "dollars": q.Dollars,
	}}, nil
}

// codes are the page's for what a proxy answers.
var codes = map[protocol.Code]string{
	client.Offline:            rpc.Offline,
	protocol.Cancelled:        rpc.Cancelled,
	protocol.TooLarge:         rpc.TooLarge,
	protocol.BudgetSpent:      rpc.Budget,
	protocol.Unauthorized:     rpc.Refused,
	protocol.Forbidden:        rpc.Refused,
	protocol.UnknownModel:     rpc.Refused,
	protocol.PromptsOnly:      rpc.Refused,
	protocol.UpstreamRefused:  rpc.Refused,
	protocol.BadRequest:       rpc.Refused,
	protocol.RateLimited:      rpc.Busy,
	protocol.Busy:             rpc.Busy,
	protocol.UpstreamLimited:  rpc.Busy,
	protocol.ShuttingDown:     rpc.Busy,
	protocol.UpstreamFailed:   rpc.Upstream,
	protocol.UpstreamTimeout:  rpc.Upstream,
	protocol.UpstreamCutShort: rpc.Upstream,
	protocol.NotFound:         rpc.Upstream,
	protocol.SlowConsumer:     rpc.Upstream,
	protocol.Internal:         rpc.Upstream,
}

var hints = map[string]string{
	rpc.Offline:  "Check your connection and the proxy's address. What has arrived is kept.",
	rpc.Budget:   "What has arrived is kept.",
	rpc.Busy:     "Try again in a moment.",
	rpc.Upstream: "Try again. What has arrived is kept.",
}

// coded gives errors of the caller's making, and those of a proxy, their code.
func coded(err error) error {
	var bad *SettingsError
	var told *protocol.Error
	var own *rpc.Error
	switch {
	case errors.As(err, &own), errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &bad):
		return &rpc.Error{Code: rpc.BadRequest, Message: bad.Reason}
	case errors.As(err, &told):
		code, ok := codes[told.Code]
		if !ok {
			code = rpc.Upstream // a code of a later version
		}
		hint := hints[code]
		if seconds := int((told.RetryAfter + time.Second - 1) / time.Second); code == rpc.Busy && seconds > 0 {
			hint = fmt.Sprintf("Try again in %d seconds.", seconds)
		}
		return &rpc.Error{Code: code, Message: told.Message, Hint: hint}
	}
	return err
}
