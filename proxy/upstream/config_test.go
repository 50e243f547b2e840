package upstream

import (
	"strings"
	"testing"
	"time"

	"seam/shared/protocol"
)

func TestNewRefuses(t *testing.T) {
	vec := Model{Model: protocol.Model{ID: "vec", Kind: protocol.Embedding}}
	for _, tt := range []struct {
		p    Provider
		want string
	}{
		{Provider{}, "base URL"},
		{Provider{BaseURL: "ftp://host"}, "base URL"},
		{Provider{BaseURL: "http://"}, "base URL"},
		{Provider{BaseURL: "http://user:sk-secret@host/v1"}, "base URL"},
		{Provider{BaseURL: "http://user:sk-secret@ho st/v1"}, "base URL"},
		{Provider{BaseURL: "http://host/v1?key=sk-secret"}, "base URL"},
		{Provider{BaseURL: "http://host", API: "grpc"}, `API "grpc"`},
		{Provider{BaseURL: "http://host", API: Azure}, "API version"},
		{Provider{BaseURL: "http://host", APIVersion: "1"}, "API version"},
		{Provider{BaseURL: "http://host", Timeouts: Timeouts{Idle: -time.Second}}, "time of -1s"},
		{Provider{BaseURL: "http://host", Limits: Limits{Line: -1}}, "limits"},
		{Provider{BaseURL: "http://host", Retry: Retry{Tries: -1}}, "tries"},
		{Provider{BaseURL: "http://host", Models: []Model{{}}}, "without an id"},
		{Provider{BaseURL: "http://host", Models: []Model{{Model: protocol.Model{ID: "x"}}}}, `model "x": kind ""`},
		{Provider{BaseURL: "http://host", Models: []Model{vec, vec}}, `id "vec"`},
		{Provider{BaseURL: "http://host", Models: []Model{{Model: protocol.Model{ID: "x", Kind: protocol.Embedding, Dimensions: 70000}}}}, "dimensions"},
		{Provider{BaseURL: "http://host", API: Azure, APIVersion: "1", Models: []Model{{Model: vec.Model, Name: "a/b"}}}, "deployment"},
	} {
		tt.p.Name = "ours"
		c, err := New(tt.p)
		if err == nil || c != nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `"ours"`) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v, want something about %s", tt.p, err, tt.want)
		}
	}
}

func TestDefaults(t *testing.T) {
	c, err := New(Provider{BaseURL: "http://host/v1/", Models: []Model{{Model: protocol.Model{ID: "vec", Kind: protocol.Embedding}}}})
	if err != nil {
		t.Fatal(err)
	}
	p := c.provider
	if p.Retry.Tries != 3 || p.Timeouts.Connect != 5*time.Second || p.Limits.Response != 64<<20 || p.key() != "" {
		t.Errorf("defaults %+v", p)
	}
	if m := c.models["vec"]; m.Name != "vec" || c.embeddingsURL(m) != "http://host/v1/embeddings" {
		t.Errorf("model %q at %s", m.Name, c.embeddingsURL(m))
	}
}
