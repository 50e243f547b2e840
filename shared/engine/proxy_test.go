package engine

import (
	"context"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/embed"
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
	// One that does not answer takes nothing away.
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
	// Another proxy's model may be another, whatever its name.
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
	doc := p.open("a.txt", "file", append(plain(), []byte("\n\nOil cools the tool and carries the chips away.")...)) // a sentence twice
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

// Chunks, curves and moving lines are those of the proxy's vectors, by every
// method that looks at them.
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

// While a call waits for vectors others are answered; a Stop keeps what has come.
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

// A later call decides what is shown, even if an earlier one ends after it.
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

// Documents that one hosted embedder has cut are searched with its vectors: only
// the query is sent, and hits stand in the order of the means of their sentences.
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
	p.must("search", params{"query": "lamp at night"}, nil, &r) // one is cut with the built-in model
	if sent := proxy.texts()[before+1:]; !slices.Equal(sent, []string{"lamp at night"}) || len(r.Hits) < 2 {
		t.Errorf("%q was sent, and there are %d hits", sent, len(r.Hits))
	}
}

// Without the proxy documents that a hosted model has cut are found by words, the others
// as ever; it is told, and only where such documents are searched.
func TestSearchWithoutTheProxy(t *testing.T) {
	proxy := newFakeProxy(t)
	p := connected(t, proxy)
	a := p.open("a.txt", "file", []byte("A lighthouse keeper lives alone; his lamp turns all night. Zebras zigzag. Lamps burn oil."))
	b := p.open("b.txt", "file", plain())
	p.must("chunk", params{"doc": a, "embedder": hosted, "setting": 60, "maxTokens": 15}, nil, nil)
	p.must("chunk", params{"doc": b, "embedder": "lexical", "maxTokens": 40}, nil, nil)
	type reply struct {
		Hits    []hitJSON
		Missing []missingJSON
	}
	search := func(mode, query string, docs ...int) (r reply) {
		t.Helper()
		p.must("search", params{"query": query, "mode": mode, "k": 1000, "docs": docs}, nil, &r)
		return r
	}
	whole := search("hybrid", "zebra lamps", a, b)
	proxy.fail(false, protocol.Errorf(protocol.UpstreamRefused, "The provider has refused the proxy's key."))
	want := []missingJSON{{hosted, "The provider has refused the proxy's key."}}
	of := func(r reply, doc int) (n int) {
		for _, h := range r.Hits {
			if h.Doc == doc {
				n++
			}
		}
		return n
	}
	before := len(proxy.texts())
	if r := search("hybrid", "zebra lamp turns", a, b); !slices.Equal(r.Missing, want) || len(r.Hits) == 0 || r.Hits[0].Doc != a || strings.Contains(r.Hits[0].Why, "meaning") || of(r, b) == 0 {
		t.Errorf("by words: %+v", r)
	}
	if r := search("hybrid", "zebra lamp turns", a); !slices.Equal(r.Missing, want) || of(r, a) == 0 {
		t.Errorf("alone: %+v", r)
	}
	if r := search("dense", "zebra lamp turns lathe", a, b); !slices.Equal(r.Missing, want) || of(r, a) > 0 || of(r, b) == 0 {
		t.Errorf("by similarity: %+v", r)
	}
	if r := search("hybrid", "the lathe", b); len(r.Missing) > 0 || len(r.Hits) == 0 {
		t.Errorf("without it: %+v", r)
	}
	if r := search("keyword", "zebra lamp turns", a, b); len(r.Missing) > 0 || of(r, a) == 0 {
		t.Errorf("by keyword: %+v", r)
	}
	if err := p.call("search", params{"query": "zebra lamp turns", "mode": "dense", "docs": []int{a}}, nil, nil); err == nil || err.Code != rpc.Refused {
		t.Errorf("there is nothing else: %v", err)
	}
	if sent := proxy.texts()[before:]; slices.Contains(sent, "the lathe") {
		t.Errorf("%q was sent", sent)
	}
	proxy.fail(false, nil)
	if r := search("hybrid", "zebra lamps", a, b); len(r.Missing) > 0 || !reflect.DeepEqual(r, whole) {
		t.Errorf("when it is back: %+v\nwant %+v", r, whole)
	}
}

// meanOf is the mean of the vectors of a chunk's sentences, by their tokens in it.
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

// Every code of the protocol has one for the page, with the proxy's own sentence.
func TestErrorsOfTheProxy(t *testing.T) {
	source, err := os.ReadFile("../protocol/protocol.go")
	if err != nil {
		t.Skip(err) // no files in a browser
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
		{protocol.Error{Code: protocol.BudgetSpent, Message: "Spent."}, rpc.Error{Code: rpc.Budget, Message: "Spent.", Hint: "What has arrived is kept."}},
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

// textsOf are the sentences of a result.
func textsOf(r *pipeline.Result) (texts []string) {
	for _, s := range r.Sentences {
		texts = append(texts, s.Of(r.Text.Text))
	}
	return texts
}

// On a later visit what is stored can be used though nobody answers: nothing is asked, and
// what is not there is an error that says so. When the proxy is back it is spoken to.
func TestStoredVectorsWithoutTheProxy(t *testing.T) {
	proxy := newFakeProxy(t)
	store := &shelf{vectors: map[embed.Key][]float32{}}
	visit := func() *page {
		p := newPage(t)
		p.engine.host.Dial, p.engine.host.Vectors = proxy.dialer(), store
		return p
	}
	first := visit()
	first.must("connect", params{"url": "https://one.example.org", "token": ""}, nil, nil)
	var cut, again chunkReply
	first.must("chunk", params{"doc": first.open("a.txt", "file", plain()), "embedder": hosted}, nil, &cut)
	sent := len(proxy.texts())

	proxy.fail(true, nil)
	p := visit()
	known := params{"url": "https://one.example.org", "token": "", "known": []string{hosted}}
	p.must("connect", known, nil, nil)
	doc := p.open("a.txt", "file", plain())
	var preview previewReply
	if p.must("preview", params{"doc": doc, "embedder": hosted}, nil, &preview); preview.Missing != 0 || preview.Texts == 0 {
		t.Errorf("%+v", preview)
	}
	if p.must("chunk", params{"doc": doc, "embedder": hosted}, nil, &again); again.Embedded != 0 || !reflect.DeepEqual(again.Chunks, cut.Chunks) {
		t.Errorf("%d embedded, other chunks than before", again.Embedded)
	}
	var found searchReply
	if p.must("search", params{"query": strings.Fields(pdftest.Paragraphs[0])[1]}, nil, &found); len(found.Missing) != 1 || found.Missing[0].Embedder != hosted {
		t.Errorf("%+v", found)
	}
	for _, method := range []string{"percentile", "cluster", "fixed"} {
		p.must("chunk", params{"doc": doc, "embedder": hosted, "method": method}, nil, nil)
	}
	other := p.open("b.txt", "file", []byte("Another text. It was never sent."))
	for _, method := range []string{"preview", "chunk"} {
		if err := p.call(method, params{"doc": other, "embedder": hosted}, nil, nil); err == nil || err.Code != rpc.Offline {
			t.Errorf("%s: %+v", method, err)
		}
	}
	if err := p.call("preview", params{"doc": doc, "embedder": "openai:unheard"}, nil, nil); err == nil || err.Code != rpc.BadRequest {
		t.Errorf("a model that nobody knows: %+v", err)
	}
	if n := len(proxy.texts()); n != sent {
		t.Errorf("%d texts were sent", n-sent)
	}

	proxy.fail(false, nil)
	p.must("connect", params{"url": "https://one.example.org", "token": ""}, nil, nil)
	if p.must("preview", params{"doc": other, "embedder": hosted}, nil, &preview); preview.Missing != 2 || preview.Dollars == nil {
		t.Errorf("%+v", preview)
	}
	if p.must("chunk", params{"doc": doc, "embedder": hosted}, nil, &again); again.Embedded != 0 {
		t.Errorf("%d embedded again", again.Embedded)
	}
}
