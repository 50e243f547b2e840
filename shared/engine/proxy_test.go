package engine

import (
	"context"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/engine/rpc"
	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
	"seam/shared/protocol"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

const hosted = "openai:e"

func plain() []byte { return []byte(strings.Join(pdftest.Paragraphs, "\n\n")) }

func TestConnect(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	var r struct {
		Prompts string
		Models  []modelJSON
	}
	p.must("connect", params{"url": "https://one.example.org", "token": ""}, nil, &r)
	if r.Prompts != "server" || len(r.Models) != 3 || r.Models[0].Name != hosted || r.Models[0].Label != "Embedding" || r.Models[1].Label != "free" || r.Models[1].Price != nil || *r.Models[2].PriceOut != 0.4 {
		t.Errorf("%+v", r)
	}
	client := p.engine.proxy.client
	doc := p.open("a.txt", "file", plain())
	p.must("chunk", params{"doc": doc, "embedder": hosted}, nil, nil)
	// A proxy that does not answer must not replace the current one.
	proxy.down = true
	if err := p.call("connect", params{"url": "https://two.example.org", "token": ""}, nil, nil); err == nil || err.Code != rpc.Offline || err.Hint == "" {
		t.Errorf("%+v", err)
	}
	proxy.down = false
	if err := p.call("connect", params{"url": "two", "token": ""}, nil, nil); err == nil || err.Code != rpc.BadRequest || !strings.Contains(err.Message, "no address") {
		t.Errorf("%+v", err)
	}
	before := len(proxy.texts())
	p.must("chunk", params{"doc": doc, "embedder": hosted, "setting": 50}, nil, nil)
	if n := len(proxy.texts()); n != before || p.engine.proxy.client != client {
		t.Errorf("%d texts sent again", n-before)
	}
	// A model of another proxy may differ, even with the same name.
	p.must("connect", params{"url": "https://two.example.org", "token": ""}, nil, nil)
	if _, rows := p.recut(doc, "threshold", 0.5); rows != nil || len(proxy.texts()) != before {
		t.Errorf("%d rows of a curve that is forgotten, %d texts sent for a moving line", len(rows), len(proxy.texts())-before)
	}
	p.must("chunk", params{"doc": doc, "embedder": hosted}, nil, nil)
	if n := len(proxy.texts()); n != 2*before {
		t.Errorf("%d texts sent to the other", n-before)
	}
	for _, name := range []string{"openai:nobody", "openai:c"} {
		if err := p.call("chunk", params{"doc": doc, "embedder": name}, nil, nil); err == nil || err.Code != rpc.BadRequest || !strings.Contains(err.Message, "openai:e, openai:free") {
			t.Errorf("%s: %+v", name, err)
		}
	}
}

func TestPreviewIsWhatChunkSends(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	doc := p.open("a.txt", "file", append(plain(), []byte("\n\nOil cools the tool and carries the chips away.")...)) // one sentence occurs twice
	var r previewReply
	p.must("preview", params{"doc": doc, "embedder": hosted, "maxTokens": 9}, nil, &r)
	if len(proxy.texts()) != 0 {
		t.Error("the preview has sent something")
	}
	p.must("chunk", params{"doc": doc, "embedder": hosted, "maxTokens": 9}, nil, nil)
	tokens := 0
	for _, s := range proxy.texts() {
		tokens += token.Estimate.Count(s)
	}
	if n := len(proxy.texts()); r.Missing != n || r.Texts != n+1 || r.Tokens != tokens || r.Calls != (n+19)/20 || math.Abs(*r.Dollars-float64(tokens)*0.02/1e6) > 1e-12 || r.Embedder != hosted {
		t.Errorf("%+v, and %d texts of %d tokens were sent", r, n, tokens)
	}
	if !slices.Contains(p.events, pipeline.StageVectors) {
		t.Errorf("progress of %v", p.events)
	}
	for _, set := range []params{{"embedder": hosted}, {"embedder": "lexical"}, {}, {"embedder": hosted, "method": "fixed"}} {
		set["doc"] = doc
		var r previewReply
		p.must("preview", set, nil, &r)
		if r.Missing != 0 || r.Calls != 0 || r.Tokens != 0 || r.Dollars == nil || *r.Dollars != 0 {
			t.Errorf("%v: %+v", set, r)
		}
	}
	p.must("preview", params{"doc": doc, "embedder": "openai:free"}, nil, &r)
	if r.Dollars != nil || r.Missing == 0 {
		t.Errorf("without a price: %+v", r)
	}
	if err := p.call("preview", params{"doc": p.open("b.txt", "file", []byte(strings.Repeat("endless ", 600)+".")), "embedder": hosted}, nil, nil); err == nil || err.Code != rpc.TooLarge || !strings.Contains(err.Message, "Text 0 ") {
		t.Errorf("%+v", err)
	}
}

// With every method that uses vectors, chunks, curves and a moving line must depend on the
// proxy's vectors.
func TestHostedChunks(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	doc := p.open("a.pdf", "document", text.Encode(article(t)))
	for _, m := range pipeline.Methods() {
		for _, extra := range []params{{}, {"maxTokens": 12}, {"unit": "words", "maxTokens": 9}} {
			set := params{"doc": doc, "method": m.Name, "embedder": hosted}
			for k, v := range extra {
				set[k] = v
			}
			var r chunkReply
			p.must("chunk", set, nil, &r)
			blobs := p.last.blobs
			p.must("text", params{"doc": doc, "view": r.View}, nil, nil)
			checkResult(t, m.Name, r, blobs, string(p.last.blobs[0]))
			result := p.engine.open[doc].current
			if m.Embeds {
				rows := vector.New(len(result.Sentences), dims)
				for i, s := range result.Sentences {
					copy(rows.Row(i), fakeVector(s.Of(result.Text.Text)))
				}
				vector.Normalize(rows)
				if !slices.Equal(result.Similarities, vector.Adjacent(rows)) {
					t.Errorf("%s: other similarities", m.Name)
				}
			}
			for _, c := range result.Chunks {
				if n := token.Estimate.Count(c.Of(result.Text.Text)); extra["unit"] == nil && (c.Tokens != n || extra["maxTokens"] != nil && n > 12) {
					t.Errorf("%s: %d tokens, by the estimate %d", m.Name, c.Tokens, n)
				}
			}
			if m.Curve != "" && extra["maxTokens"] == nil {
				_, rows := p.recut(doc, "threshold", *r.Threshold+0.01)
				var cut chunkReply
				set["threshold"] = *r.Threshold + 0.01
				p.must("chunk", set, nil, &cut)
				if len(rows) != rowWidth*len(cut.Chunks) {
					t.Errorf("%s: %d rows for %d chunks", m.Name, len(rows)/rowWidth, len(cut.Chunks))
				}
			}
		}
	}
	sent := proxy.texts()
	slices.Sort(sent)
	if n := len(sent); len(slices.Compact(sent)) != n {
		t.Error("a sentence was sent twice")
	}
}

// While a call waits for vectors, others must be answered. Stop must keep the vectors that
// arrived.
func TestStopWhileWaiting(t *testing.T) {
	proxy := newFakeProxy(t)
	proxy.holdAt, proxy.hold, proxy.held = 7, make(chan struct{}), make(chan struct{})
	proxy.limits.InFlight = 1
	p := connected(t, proxy)
	doc := p.open("a.txt", "file", plain())
	id, done := p.begin("chunk", params{"doc": doc, "embedder": hosted}, nil)
	<-proxy.held
	var r chunkReply
	p.must("chunk", params{"doc": doc}, nil, &r)
	p.must("search", params{"query": "windmill"}, nil, nil)
	kept := p.engine.proxy.embedders["e"]
	sentences := textsOf(p.engine.open[doc].current)
	for len(kept.Missing(context.Background(), sentences)) != len(sentences)-7 { // until the seven have arrived
		time.Sleep(time.Millisecond)
	}
	p.must("cancel", params{"id": id}, nil, nil)
	<-done
	if a := p.answer(id); a.Error == nil || a.Error.Code != rpc.Cancelled {
		t.Errorf("%+v", a)
	}
	proxy.mu.Lock()
	proxy.hold = nil
	proxy.mu.Unlock()
	before := len(proxy.texts())
	p.must("chunk", params{"doc": doc, "embedder": hosted}, nil, nil)
	if again := len(proxy.texts()) - before; again != len(sentences)-7 {
		t.Errorf("%d texts sent after a stop, %d were missing", again, len(sentences)-7)
	}
}

// A later call determines the result shown, even if an earlier one ends after it.
func TestOvertaken(t *testing.T) {
	proxy := newFakeProxy(t)
	proxy.hold, proxy.held = make(chan struct{}), make(chan struct{})
	proxy.limits.Texts = 1000
	p := connected(t, proxy)
	doc := p.open("a.txt", "file", plain())
	id, done := p.begin("chunk", params{"doc": doc, "embedder": hosted}, nil)
	<-proxy.held
	p.must("chunk", params{"doc": doc, "count": 3}, nil, nil)
	close(proxy.hold)
	<-done
	if d := p.engine.open[doc]; p.answer(id).Error != nil || len(d.current.Chunks) != 3 || d.settings.Count != 3 {
		t.Errorf("%+v, %d chunks are shown", p.answer(id), len(d.current.Chunks))
	}
}

// Documents cut with a hosted embedder must be searched with its vectors. Only the query
// may be sent, and hits must be ordered by the means of their sentences.
func TestHostedSearch(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	a := p.open("a.txt", "file", plain())
	b := p.open("b.txt", "file", []byte("A lighthouse keeper lives alone; his lamp turns all night. Zebras zigzag."))
	for _, doc := range []int{a, b} {
		p.must("chunk", params{"doc": doc, "embedder": hosted, "setting": 60, "maxTokens": 15}, nil, nil)
	}
	before := len(proxy.texts())
	var r struct{ Hits []hitJSON }
	p.must("search", params{"query": "zebra", "mode": "dense", "k": 1000}, nil, &r)
	if sent := proxy.texts()[before:]; !slices.Equal(sent, []string{"zebra"}) {
		t.Errorf("sent %q", sent)
	}
	q, chunks, last := fakeVector("zebra"), 0, math.Inf(1)
	for _, h := range r.Hits {
		want := vector.Cosine(q, meanOf(p.engine.open[h.Doc].current, h.Chunk))
		if math.Abs(h.Score-want) > 1e-6 || h.Score > last {
			t.Errorf("chunk %d of %d scores %v, want %v", h.Chunk, h.Doc, h.Score, want)
		}
		last = h.Score
	}
	for _, doc := range []int{a, b} {
		chunks += len(p.engine.open[doc].current.Chunks)
	}
	if len(r.Hits) != chunks || r.Hits[0].Doc != b {
		t.Errorf("%d hits in %d chunks, the best in %d", len(r.Hits), chunks, r.Hits[0].Doc)
	}
	p.must("search", params{"query": "zebra zigzag", "mode": "keyword"}, nil, &r)
	p.must("chunk", params{"doc": a}, nil, nil)
	p.must("search", params{"query": "lamp at night"}, nil, &r) // one document is cut with the built-in model
	if sent := proxy.texts()[before+1:]; !slices.Equal(sent, []string{"lamp at night"}) || len(r.Hits) < 2 {
		t.Errorf("%q was sent, and there are %d hits", sent, len(r.Hits))
	}
}

// meanOf returns the mean of a chunk's sentence vectors, weighted by their tokens in the
// chunk.
func meanOf(r *pipeline.Result, n int) []float32 {
	c, sum := r.Chunks[n], make([]float32, dims)
	for i, s := range r.Sentences {
		from, to := max(s.Start, c.Start), min(s.End, c.End)
		if from >= to {
			continue
		}
		for k, x := range r.Vectors.Row(i) {
			sum[k] += x * float32(token.Estimate.Count(r.Text.Text[from:to]))
		}
	}
	return sum
}

// Every code of the protocol needs a code for the page, with the proxy's own sentence.
func TestErrorsOfTheProxy(t *testing.T) {
	source, err := os.ReadFile("../protocol/protocol.go")
	if err != nil {
		t.Skip(err) // a browser has no files
	}
	found := regexp.MustCompile(`(?m)^\t\w+\s+Code = "(\w+)"`).FindAllSubmatch(source, -1)
	if len(found) < 15 {
		t.Fatalf("%d codes", len(found))
	}
	for _, m := range found {
		if code(protocol.Code(m[1])) == "" {
			t.Errorf("%s has no code for the page", m[1])
		}
	}
	for _, tt := range []struct {
		told protocol.Error
		want rpc.Error
	}{
		{protocol.Error{Code: protocol.BudgetSpent, Message: "Spent."}, rpc.Error{Code: rpc.Budget, Message: "Spent.", Hint: "Results received so far are kept."}},
		{protocol.Error{Code: protocol.UnknownModel, Message: "Unknown."}, rpc.Error{Code: rpc.Refused, Message: "Unknown."}},
		{protocol.Error{Code: protocol.RateLimited, Message: "Slowly.", RetryAfter: time.Hour}, rpc.Error{Code: rpc.Busy, Message: "Slowly.", Hint: "Try again in 3600 seconds."}},
		{protocol.Error{Code: protocol.UpstreamFailed, Message: "Failed."}, rpc.Error{Code: rpc.Upstream, Message: "Failed.", Hint: hint(rpc.Upstream, 0)}},
		{protocol.Error{Code: "of tomorrow", Message: "New."}, rpc.Error{Code: rpc.Upstream, Message: "New.", Hint: hint(rpc.Upstream, 0)}},
	} {
		proxy := newFakeProxy(t)
		p := connected(t, proxy)
		proxy.err = &tt.told
		doc := p.open("a.txt", "file", plain())
		if err := p.call("chunk", params{"doc": doc, "embedder": hosted}, nil, nil); err == nil || *err != tt.want {
			t.Errorf("%+v, want %+v", err, tt.want)
		}
	}
	if err := coded(context.Canceled); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// textsOf returns the text of each sentence of a result.
func textsOf(r *pipeline.Result) (texts []string) {
	for _, s := range r.Sentences {
		texts = append(texts, s.Of(r.Text.Text))
	}
	return texts
}
