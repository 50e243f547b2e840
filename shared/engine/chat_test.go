package engine

import (
	"strings"
	"testing"

	"seam/shared/engine/rpc"
	"seam/shared/protocol"
)

func TestChat(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	messages := []params{{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Why?"}}
	asked := params{"model": "openai:c", "messages": messages, "temperature": 0}
	var r chatReply
	p.must("chat", asked, nil, &r)
	if r != (chatReply{Text: "Because of the wind [1].", Finish: "stop", Tokens: 30, TokensOut: 3}) || len(p.named) > 0 {
		t.Errorf("%+v, events %v", r, p.named)
	}
	chat := proxy.chats[0]
	if chat.Model != "c" || len(chat.Messages) != 2 || chat.Messages[1].Content != "Why?" || chat.Params.Temperature == nil || *chat.Params.Temperature != 0 || chat.Template != "" {
		t.Errorf("%+v", chat)
	}
	// An answer that was cut short must be reported and count as paid.
	proxy.fail(false, protocol.Errorf(protocol.UpstreamCutShort, "The answer broke off."))
	p.must("chat", asked, nil, &r)
	if r.Text != "" || !strings.Contains(r.Unusable, "broke off") {
		t.Errorf("%+v", r)
	}
	proxy.fail(false, protocol.Errorf(protocol.TooLarge, "The text is longer than this model takes."))
	p.must("chat", asked, nil, &r)
	if r.Text != "" || !strings.Contains(r.Unusable, "longer") {
		t.Errorf("%+v", r)
	}
	proxy.fail(false, protocol.Errorf(protocol.UpstreamRefused, "The provider has refused the proxy's key."))
	if err := p.call("chat", asked, nil, nil); err == nil || err.Code != rpc.Refused || !strings.Contains(err.Message, "key") {
		t.Errorf("%+v", err)
	}
	for _, model := range []string{"openai:e", "c", ""} {
		if err := p.call("chat", params{"model": model, "messages": messages}, nil, nil); err == nil || err.Code != rpc.BadRequest {
			t.Errorf("%q: %+v", model, err)
		}
	}
}
