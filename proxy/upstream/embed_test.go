package upstream

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

var texts = []string{"One sentence.", "Другое 😀", "", "<&>\u2028 \"quoted\""}

func vectorsOf(dims int, texts ...string) (all [][]float32) {
	for _, s := range texts {
		all = append(all, upstreamtest.Vector(s, dims))
	}
	return all
}

func TestEmbed(t *testing.T) {
	for _, tt := range []struct {
		name       string
		fault      upstreamtest.Fault
		dimensions int
		want       int // dimensions
	}{
		{"base64", "", 0, 16},
		{"fewer", "", 3, 3},
		{"long", "", 1536, 1536},
		{"in another order", upstreamtest.WrongOrder, 0, 16},
		{"without index", upstreamtest.NoIndex, 0, 16},
		{"numbers instead", upstreamtest.OnlyFloats, 0, 16},
		{"base64 refused", upstreamtest.NoBase64, 0, 16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t)
			s.Always(script(tt.fault))
			v, usage, err := connect(t, s).Embed(context.Background(), "vec", texts, tt.dimensions)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(v, vectorsOf(tt.want, texts...)) {
				t.Errorf("%d: not the texts' vectors", len(v))
			}
			if usage != (protocol.Usage{Tokens: upstreamtest.Tokens(texts...)}) {
				t.Errorf("usage %+v", usage)
			}
			r := s.Requests()[0]
			if r.Path != "/v1/embeddings" || r.Model != "provider-vec" || !slices.Equal(r.Texts, texts) || r.Encoding != "base64" || r.Dimensions != tt.dimensions {
				t.Errorf("asked for %s %s %q %s %d", r.Path, r.Model, r.Texts, r.Encoding, r.Dimensions)
			}
		})
	}
}

func TestEmbedEstimatesUsage(t *testing.T) {
	s := start(t, script(upstreamtest.NoUsage))
	_, usage, err := connect(t, s).Embed(context.Background(), "vec", texts, 0)
	if err != nil || usage.Tokens != Estimate(texts...) || usage.Tokens == 0 {
		t.Errorf("usage %+v, %v", usage, err)
	}
}

func TestEmbedRefusesWrongAnswers(t *testing.T) {
	for fault, want := range map[upstreamtest.Fault]protocol.Code{
		upstreamtest.WrongCount:  protocol.UpstreamFailed,
		upstreamtest.SameIndex:   protocol.UpstreamFailed,
		upstreamtest.WrongDims:   protocol.UpstreamFailed,
		upstreamtest.NaN:         protocol.UpstreamFailed,
		upstreamtest.OddBase64:   protocol.UpstreamFailed,
		upstreamtest.BadBase64:   protocol.UpstreamFailed,
		upstreamtest.Garbage:     protocol.UpstreamFailed,
		upstreamtest.EndlessLine: protocol.UpstreamFailed,
	} {
		t.Run(string(fault), func(t *testing.T) {
			s := start(t, script(fault))
			c := connect(t, s, func(p *Provider) { p.Limits.Response = 1 << 16 })
			v, usage, err := c.Embed(context.Background(), "vec", texts, 0)
			if code(t, err) != want || v != nil {
				t.Errorf("%v with %d vectors, want %s", code(t, err), len(v), want)
			}
			if usage.Tokens == 0 {
				t.Error("the provider has worked and nothing is counted")
			}
			count(t, s, 1) // an unusable response is not requested again
		})
	}
}

// A broken connection is retried once, and both tries are counted.
func TestEmbedOfABrokenLine(t *testing.T) {
	for cut, want := range map[int]protocol.Code{1: "", 2: protocol.UpstreamCutShort, 5: protocol.UpstreamCutShort} {
		s := start(t, repeat(script(upstreamtest.CutBody), cut)...)
		v, usage, err := connect(t, s).Embed(context.Background(), "vec", texts, 0)
		if want == "" && (err != nil || len(v) == 0) || want != "" && code(t, err) != want {
			t.Errorf("%d broken: %v", cut, err)
		}
		if most := 2 * Estimate(texts...); usage.Tokens <= most/2 || usage.Tokens > most {
			t.Errorf("%d broken: %d tokens, want two calls'", cut, usage.Tokens)
		}
		count(t, s, 2)
	}
}

// Numbers can be wrong in other ways.
func TestEmbedRefusesWrongNumbers(t *testing.T) {
	for _, body := range []string{
		`{"data":[{"index":0,"embedding":[1,null]}]}`,
		`{"data":[{"index":0,"embedding":[1,1e39]}]}`,
		`{"data":[{"index":0,"embedding":[1,NaN]}]}`,
		`{"data":[{"index":0,"embedding":[]}]}`,
		`{"data":[{"index":0,"embedding":""}]}`,
		`{"data":[{"index":0,"embedding":null}]}`,
		`{"data":[{"index":0,"embedding":7}]}`,
		`{"data":[{"index":0}]}`,
		`{"data":[{"index":1,"embedding":[1]}]}`,
		`{"data":[{"index":-1,"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[[1]]}]}`,
		`{"data":[{"index":0,"embedding":"AACAfw=="}]}`, // infinity
		`{"data":[{"index":0,"embedding":"AACAPwA="}]}`, // five bytes
		`{"data":[{"index":0,"embedding":[1]}]} {}`,
		`{"data":null}`,
		`[]`,
		``,
	} {
		reply, failed := parseEmbeddings([]byte(body))
		if failed == nil {
			_, failed = reply.vectors(1, 0)
		}
		if failed == nil {
			t.Errorf("%s is taken for a vector", body)
		}
	}
}

func TestEmbedKnowsTheModelsDimensions(t *testing.T) {
	s := start(t)
	c := connect(t, s, func(p *Provider) { p.Models[0].Dimensions = 15 })
	if _, _, err := c.Embed(context.Background(), "vec", texts, 0); code(t, err) != protocol.UpstreamFailed {
		t.Errorf("16 dimensions of a model with 15: %v", err)
	}
	if v, _, err := c.Embed(context.Background(), "vec", texts, 8); err != nil || len(v[0]) != 8 {
		t.Errorf("8 dimensions were asked for: %d, %v", len(v), err)
	}
}

func TestEmbedRemembersWhatIsRefused(t *testing.T) {
	s := start(t)
	s.Always(script(upstreamtest.NoBase64))
	c := connect(t, s)
	for range 3 {
		if _, _, err := c.Embed(context.Background(), "vec", texts, 0); err != nil {
			t.Fatal(err)
		}
	}
	var formats []string
	for _, r := range s.Requests() {
		formats = append(formats, r.Encoding)
	}
	if want := []string{"base64", "float", "float", "float"}; !slices.Equal(formats, want) {
		t.Errorf("asked for %q, want %q", formats, want)
	}
}

func TestEmbedDoesNotBlameTheEncoding(t *testing.T) {
	bad := upstreamtest.Script{Status: 400}
	s := start(t, bad, bad, upstreamtest.Script{}, bad)
	c := connect(t, s)
	if _, _, err := c.Embed(context.Background(), "vec", texts, 0); code(t, err) != protocol.UpstreamRefused {
		t.Errorf("%v", err)
	}
	count(t, s, 2)
	if _, _, err := c.Embed(context.Background(), "vec", texts, 0); err != nil {
		t.Error(err)
	}
	if r := s.Requests()[2]; r.Encoding != "base64" {
		t.Errorf("a refusal of both forms made it ask for %s", r.Encoding)
	}
	if _, _, err := c.Embed(context.Background(), "vec", texts, 0); err == nil {
		t.Error("status 400 is no error")
	}
	count(t, s, 4) // base64 is known to work by now
}

func TestEmbedRefusesCalls(t *testing.T) {
	s := start(t)
	c := connect(t, s)
	for _, tt := range []struct {
		model      string
		texts      []string
		dimensions int
		want       protocol.Code
	}{
		{"nothing", texts, 0, protocol.UnknownModel},
		{"talk", texts, 0, protocol.UnknownModel},
		{"vec", nil, 0, protocol.BadRequest},
		{"vec", texts, -1, protocol.BadRequest},
		{"vec", texts, maxDims + 1, protocol.BadRequest},
	} {
		_, usage, err := c.Embed(context.Background(), tt.model, tt.texts, tt.dimensions)
		if code(t, err) != tt.want || usage.Tokens != 0 {
			t.Errorf("%+v: %v, %+v", tt, err, usage)
		}
	}
	count(t, s, 0)
}

func TestEmbedTimeouts(t *testing.T) {
	for name, tt := range map[string]struct {
		script upstreamtest.Script
		set    func(*Timeouts)
	}{
		"first byte, no headers": {upstreamtest.Script{HeaderDelay: time.Hour}, func(d *Timeouts) { d.FirstByte = missed }},
		"first byte, no body":    {upstreamtest.Script{FirstByteDelay: time.Hour}, func(d *Timeouts) { d.FirstByte = missed }},
		"the whole call":         {upstreamtest.Script{HeaderDelay: time.Hour}, func(d *Timeouts) { d.Embed = missed }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tt.script)
			c := connect(t, s, func(p *Provider) { tt.set(&p.Timeouts) })
			_, usage, err := c.Embed(context.Background(), "vec", texts, 0)
			if code(t, err) != protocol.UpstreamTimeout || usage.Tokens != Estimate(texts...) {
				t.Errorf("%v, usage %+v", err, usage)
			}
			if errors.Is(err, context.Canceled) {
				t.Error("looks like the caller's doing")
			}
			count(t, s, 1)
			wait(t, "the end at the provider", s.Requests()[0].Gone())
		})
	}
}

// Measures the cost of parsing a batch of 64.
func BenchmarkParseEmbeddings(b *testing.B) {
	body := []byte(`{"data":[`)
	packed := make([]byte, 4*1536)
	for i := range 64 {
		body = fmt.Appendf(body, `%s{"object":"embedding","index":%d,"embedding":"%s"}`, strings.Repeat(",", min(i, 1)), i, base64.StdEncoding.EncodeToString(packed))
	}
	body = append(body, `],"usage":{"prompt_tokens":1,"total_tokens":1}}`...)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		reply, failed := parseEmbeddings(body)
		if failed == nil {
			_, failed = reply.vectors(64, 1536)
		}
		if failed != nil {
			b.Fatal(failed.Detail())
		}
	}
}

// The base64 decoder is not the standard library's: it must give the same results.
func FuzzBase64(f *testing.F) {
	for n := range 70 {
		f.Add(base64.StdEncoding.AppendEncode(nil, []byte(strings.Repeat("\xff\x00\x7f", n))[:n]))
	}
	f.Add([]byte(strings.Repeat("AAAA", 40) + "A\nA=="))
	f.Add([]byte(strings.Repeat("AAA-", 40)))
	f.Fuzz(func(t *testing.T, text []byte) {
		want := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
		n, wantErr := base64.StdEncoding.Decode(want, text)
		if wantErr == nil && n%4 != 0 {
			wantErr = errors.New("no float32")
		}
		got, err := decode(text)
		numbers := make([]float32, len(want[:n])/4)
		protocol.GetFloats(numbers, want)
		if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(protocol.BytesOf(got), protocol.BytesOf(numbers)) {
			t.Errorf("%q is %v, %v; want %x, %v", text, got, err, want[:n], wantErr)
		}
	})
}
