package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/shared/embed"
	"seam/shared/engine/pdfworker"
	"seam/shared/engine/rpc"
	"seam/shared/kept"
	"seam/shared/pdftext/pdftest"
	"seam/shared/protocol"
	"seam/shared/read"
	"seam/shared/search"
	"seam/shared/text"
	"seam/shared/vector"
)

// exchange is a fixture: a request and its answer, unchanged. The TypeScript tests read the
// same files, and the types in web/lib/api.ts must fit them.
type exchange struct {
	Worker  string          `json:"worker"` // engine or pdf
	Request json.RawMessage `json:"request"`
	Sent    []int           `json:"sent"` // bytes of each blob of the request
	Event   json.RawMessage `json:"event,omitempty"`
	Answer  json.RawMessage `json:"answer"`
	Got     []int           `json:"got"` // bytes of each blob of the answer
}

// conversation has an example of each message that the page can send and receive.
var conversation = []struct {
	name, worker, method string
	params               params
	blobs                [][]byte
}{
	{"hello", "engine", "hello", params{}, nil},
	{"open", "engine", "open", params{"name": "a.txt", "kind": "file"}, [][]byte{[]byte(strings.Join(pdftest.Paragraphs, "\n\n") + "\fÄ last page.")}},
	{"text", "engine", "text", params{"doc": 1, "view": "reading"}, nil},
	{"chunk", "engine", "chunk", params{"doc": 1, "method": "percentile", "embedder": "lexical", "setting": 90, "minTokens": 5, "maxTokens": 120}, nil},
	{"chunk-threshold", "engine", "chunk", params{"doc": 1, "method": "notebook-percentile", "threshold": 0.25}, nil},
	{"recut", "engine", "recut", params{"doc": 1, "setting": 80}, nil},
	{"steps", "engine", "steps", params{"doc": 1, "settings": []float64{50, 95}}, nil},
	{"chunk-count", "engine", "chunk", params{"doc": 1, "count": 3}, nil},
	{"chunk-fixed", "engine", "chunk", params{"doc": 1, "method": "fixed", "maxTokens": 60, "overlap": 10}, nil},
	{"search", "engine", "search", params{"query": "the turner's chisel", "k": 2, "mode": "hybrid", "docs": []int{1}}, nil},
	{"encode", "engine", "encode", params{"texts": []string{"the road over the river"}, "query": true}, nil},
	{"read", "engine", "read", params{"encoder": "encoder:a@1", "texts": []string{}, "most": 2, "keep": true}, nil},
	{"read-texts", "engine", "read", params{"encoder": "encoder:a@1", "texts": []string{"one", "two"}, "most": 0, "keep": true}, [][]byte{make([]byte, 2*4*8)}},
	{"search-encoder", "engine", "search", params{"query": "the turner's chisel", "k": 1, "encoder": "encoder:a@1"}, [][]byte{make([]byte, 4*8)}},
	{"connect", "engine", "connect", params{"url": "https://seam.example.org", "token": "", "known": nil}, nil},
	{"preview", "engine", "preview", params{"doc": 1, "embedder": "openai:e", "maxTokens": 120}, nil},
	{"preview-free", "engine", "preview", params{"doc": 1, "embedder": "openai:free"}, nil},
	{"chunk-hosted", "engine", "chunk", params{"doc": 1, "embedder": "openai:e", "maxTokens": 120}, nil},
	{"search-missing", "engine", "search", params{"query": "the turner's chisel", "k": 1}, nil},
	{"ask", "engine", "ask", params{"question": "What does the turner hold?", "model": "openai:c", "docs": []int{1}, "k": 2, "mode": "hybrid"}, nil},
	{"cache", "engine", "cache", params{}, nil},
	{"clear", "engine", "clear", params{}, nil},
	{"model", "engine", "model", params{"name": "bert", "files": []string{"model.safetensors", "tokenizer.json"}}, [][]byte{modelFile("model.safetensors"), modelFile("tokenizer.json")}},
	{"open-german", "engine", "open", params{"name": "b.txt", "kind": "file"}, [][]byte{[]byte("Der Müller öffnete das Wehr und ließ das Wasser herein. Es war ein kalter Tag. Was sollte er tun, wenn der Fluss zufror?")}},
	{"chunk-unknown", "engine", "chunk", params{"doc": 2}, nil},
	{"close", "engine", "close", params{"doc": 1}, nil},
	{"error-unknown-document", "engine", "chunk", params{"doc": 1}, nil},
	{"error-bad-request", "engine", "chunk", params{"doc": 1, "treshold": 3}, nil},
	{"connect-known", "engine", "connect", params{"url": "https://seam.example.org", "token": "", "known": []string{"openai:embed-small"}}, nil},
	{"error-offline", "engine", "connect", params{"url": "https://nobody.example.org", "token": "", "known": nil}, nil},
	{"error-empty", "engine", "open", params{"name": "a.txt", "kind": "file"}, [][]byte{[]byte(" \n")}},
	{"error-bad-model", "engine", "model", params{"name": "bert", "files": []string{"model.safetensors"}}, [][]byte{[]byte("short")}},
	{"error-encoding", "engine", "open", params{"name": "a.txt", "kind": "file"}, [][]byte{[]byte("caf\xe9")}},
	{"error-not-text", "pdf", "extract", params{"name": "a.txt"}, [][]byte{{'a', 0, 'b'}}},
	{"error-unclear", "pdf", "extract", params{"name": "a.txt"}, [][]byte{{0xe0, 0xe1}}},
	{"extract", "pdf", "extract", params{"name": "a.pdf", "password": ""}, [][]byte{pdftest.Article(pdftest.Paragraphs...)}},
	{"error-not-pdf", "pdf", "extract", params{"name": "a.pdf"}, [][]byte{[]byte("GIF89a")}},
	{"error-password", "pdf", "extract", params{"name": "a.pdf"}, [][]byte{pdftest.Write(pdftest.Doc{Pages: make([]pdftest.Page, 1), Encrypt: true, Password: "x"})}},
	{"open-replace", "engine", "open", params{"name": "b.txt", "kind": "file", "replace": 2, "saved": "2024-03-05"}, [][]byte{[]byte("Der Müller öffnete das Wehr und ließ das Wasser herein. Es war ein kalter Tag. Was sollte er tun, wenn der Bach zufror?")}},
	{"chunk-replaced", "engine", "chunk", params{"doc": 2}, nil},
	{"edit", "engine", "edit", params{"doc": 2, "action": "split", "at": 56}, nil},
	{"edit-undo", "engine", "edit", params{"doc": 2, "action": "undo"}, nil},
	{"error-edit", "engine", "edit", params{"doc": 2, "action": "merge", "at": 3}, nil},
	{"keep", "engine", "keep", params{"doc": 2, "file": "a.document", "what": "document"}, nil},
	{"keep-vectors", "engine", "keep", params{"doc": 2, "file": "a.vectors", "what": "vectors", "has": "other"}, nil},
	{"keep-seen", "engine", "keep", params{"doc": 2, "file": "a.seen", "what": "seen", "has": ""}, nil},
	{"edit-step", "engine", "edit", params{"doc": 2, "action": "redo", "step": 1, "when": 1700000000000, "by": "Ada"}, nil},
	{"history", "engine", "history", params{"doc": 2, "since": 1600000000000}, nil},
	{"edit-load", "engine", "edit", params{"doc": 2, "action": "load", "log": params{"reading": params{"steps": []params{}}}}, nil},
	{"reopen", "engine", "reopen", params{"name": "b.txt", "saved": "2024-03-05", "file": "a.document", "vectors": "a.vectors", "seen": "", "log": params{"reading": params{"steps": []params{{"id": 1, "action": "split", "at": 60, "came": []params{{"at": 60, "edit": 1}}}}}}}, nil},
	{"error-gone", "engine", "reopen", params{"name": "b.txt", "file": "z.document", "vectors": "", "seen": "", "log": nil}, nil},
	{"keep-document-here", "engine", "keep", params{"doc": 2, "file": "", "what": "document"}, nil},
	{"keep-vectors-here", "engine", "keep", params{"doc": 2, "file": "", "what": "vectors"}, nil},
	{"reopen-bundled", "engine", "reopen", params{"name": "c.txt", "file": "", "vectors": "", "seen": "", "log": nil}, [][]byte{aDocument(), nil}},
	{"error-reopen-nothing", "engine", "reopen", params{"name": "c.txt", "file": "", "vectors": "", "seen": "", "log": nil}, nil},
	{"unbundle", "pdf", "unbundle", params{}, [][]byte{aBundle("semantic.seam")}},
	{"error-unbundle", "pdf", "unbundle", params{}, [][]byte{aBundle("semantic.seam")[:4000]}},
	{"bundle", "pdf", "bundle", params{"documents": []params{toBundle}}, [][]byte{aDocument(), noVectors()}},
	{"retrieve", "engine", "retrieve", params{"doc": 2, "settings": params{"method": "sentences", "maxTokens": 15}, "questions": []string{"das Wehr", "ein kalter Tag"}, "k": 3, "mode": "hybrid"}, nil},
	{"ask-show", "engine", "ask", params{"show": true, "question": "Und warum?", "model": "openai:c", "docs": []int{2}, "k": 1, "mode": "keyword", "system": "Be brief.",
		"history": []params{{"role": "user", "content": "Was tat der Müller?"}, {"role": "assistant", "content": "Er öffnete das Wehr [1]."}}}, nil},
	{"collection", "engine", "collection", params{"query": "the turner's chisel", "k": 20, "mode": "hybrid"}, nil},
	{"error-not-cut", "engine", "cohesion", params{"doc": 2, "starts": [][]int{{0}}}, nil},
	{"chunk-reopened", "engine", "chunk", params{"doc": 2}, nil},
	{"cohesion", "engine", "cohesion", params{"doc": 2, "starts": [][]int{{0}, {0, 1}, {}}}, nil},
	{"chat", "engine", "chat", params{"model": "openai:c", "messages": []params{{"role": "user", "content": "Was tat der Müller?"}}, "temperature": 0}, nil},
	{"judge", "pdf", "judge", params{"model": "c", "judge": "d", "items": []params{item(true), item(true, "He opens it [1]."), item(true, "He opens it [1].", "1.0", "mostly"), item(false, protocol.Refusal)}}, nil},
	{"written", "engine", "written", params{"doc": 2, "statements": []params{{"view": "reading", "start": 0, "end": 30, "text": "Müller: Er ist Schleusenwärter.", "title": false}}}, nil},
	{"search-written", "engine", "search", params{"query": "Schleusenwärter", "k": 1, "mode": "keyword"}, nil},
	{"enrich", "pdf", "enrich", params{"model": "c", "what": "statements", "items": []params{written(), written("{}"), written("no", `{"knowledge_chunks":[{"subject":"Weir","description":"The miller opens it."}]}`), written("no", "no")}}, nil},
	{"enrich-titles", "pdf", "enrich", params{"model": "c", "what": "titles", "items": []params{written(), written("**Of weirs**")}}, nil},
	{"enrich-parts", "pdf", "enrich", params{"model": "c", "what": "parts", "items": []params{written(`{"sub_questions":["What does he do?","Why?"]}`)}}, nil},
	{"words", "engine", "words", params{"doc": 2, "view": "reading"}, nil},
	{"grid", "pdf", "grid", params{"budgets": params{"depths": []int{1}, "tokens": []int{20}}, "answers": [][][]int{{{0, 10}}, {{30, 40}}, {{40, 50}}, {{90, 99}}}, "times": 1, "price": 1, "priceOut": nil,
		"rankings": []params{gridOf("sentences", 50, 1), gridOf("fixed", 100, 0.5)}}, nil},
	{"chunk-bundled", "engine", "chunk", params{"doc": 4, "embedder": "builtin"}, nil},
	{"keep-index", "engine", "keep", params{"doc": 4, "file": "a.index", "what": "index", "has": "other"}, nil},
	{"shelve", "engine", "shelve", params{"docs": []params{{"name": "a.txt", "file": "a.index", "head": 1170, "saved": "2024-03-05"}, {"name": "z.txt", "file": "z.index", "head": 9}}}, nil},
	{"export", "engine", "export", params{"doc": 2, "file": "b.txt", "format": "jsonl", "offsets": "bytes", "settings": false, "sha256": ""}, nil},
	{"export-settings", "engine", "export", params{"doc": 2, "file": "b.txt", "format": "jsonl", "offsets": "utf16", "settings": true, "sha256": "00"}, nil},
	{"error-export", "engine", "export", params{"doc": 2, "file": "b.txt", "format": "jsonl", "offsets": "miles", "settings": false, "sha256": ""}, nil},
	{"ask-passages", "engine", "ask", params{"question": "Was tat der Müller?", "model": "openai:c", "docs": []int{2}, "passages": []string{"Der Müller öffnete das Wehr."}, "sources": []string{"b.txt"}, "unnamed": false}, nil},
}

// gridOf returns a setting that cuts 100 characters into chunks of width. It finds them in
// order for each of four questions, and their answers get the score.
func gridOf(method string, width int, score float64) params {
	var found [][]int
	for at := 0; at < 100; at += width {
		found = append(found, []int{at, at + width, width})
	}
	run := params{"answerable": true, "refused": false, "scores": params{"faithfulness": score, "relevancy": 1}, "tokens": 30, "tokensOut": 3}
	return params{"method": method, "size": width, "ranker": "keyword", "chunks": len(found), "tokens": float64(width), "found": [][][]int{found, found, found, found}, "runs": []params{run, run, run, run}}
}

// written returns a text for a model to write about, with the model's replies so far.
func written(said ...string) params {
	return params{"text": "The miller opens the weir.", "replies": item(true, said...)["replies"]}
}

// item returns a question with a passage, and the models' replies so far.
func item(answerable bool, said ...string) params {
	replies := []params{}
	for _, text := range said {
		replies = append(replies, params{"text": text, "finish": "stop", "tokens": 30, "tokensOut": 3})
	}
	return params{"question": "What does the miller do?", "ideal": "He opens the weir.", "answerable": answerable, "passages": []string{"The miller opens the weir."}, "nth": len(said) % 2, "replies": replies}
}

// aDocument is a document of package kept. noVectors are its sentences without vectors.
func aDocument() []byte { return kept.Document(text.NewPlain("One sentence. Another one.")) }

func noVectors() []byte {
	v := kept.Vectors{View: text.Reading, Sentences: []text.Span{{Start: 0, End: 13}, {Start: 14, End: 26}}, Matrix: vector.New(2, 0)}
	return v.Encode(text.NewPlain("One sentence. Another one."))
}

// toBundle is the page's data about them for a bundle.
var toBundle = params{
	"name": "c.txt", "source": params{"format": "text", "size": 26, "sha256": "00"}, "log": nil,
	"plan": params{"method": "recursive", "view": "reading", "join": params{"given": false, "with": ""}, "sentences": "", "embedder": "builtin",
		"criterion": params{}, "limits": params{"unit": "", "min": 0, "max": 256, "overlap": 0, "asked": false}, "headers": false},
	"tags":       []string{"to read"},
	"questions":  []params{{"question": "Which one is next?", "excerpts": []string{"Another one."}, "places": []params{{"view": "reading", "start": 14}}}},
	"statements": []params{{"view": "reading", "start": 0, "end": 13, "text": "Grammar: It is one.", "grounded": false, "made": "model:c"}},
	"chunks":     []params{{"id": "a", "start": 0, "end": 26, "tokens": 5, "page": 1, "pages": []int{1}, "section": "", "reason": params{"kind": "end"}}},
}

// aBundle returns a bundle written by another version.
func aBundle(name string) []byte {
	b, err := os.ReadFile(filepath.Join("..", "bundle", "testdata", "v1", name))
	if err != nil {
		panic(err)
	}
	return b
}

// TestMessages compares messages with the fixtures, byte by byte. UPDATE_GOLDEN=1 writes
// them.
func TestMessages(t *testing.T) {
	now := func() time.Duration { return 0 } // keeps times out of messages
	var posted exchange
	events := map[string]json.RawMessage{} // the last event of each name
	host := rpc.Host{Now: now, Post: func(b []byte, blobs [][]byte) {
		var m struct{ Event string }
		if err := json.Unmarshal(b, &m); err != nil {
			t.Error(err)
		}
		if m.Event != "" {
			events[m.Event] = b
			return
		}
		posted.Answer, posted.Got = b, lengths(blobs)
	}}
	proxy := crafts(t)
	engine := New(Host{Version: "1.2.3", Now: now, Builtin: loadModel, OpenModel: openFiles, Meaning: anEncoder, MeaningBytes: 8_000_000, Read: &shelf{vectors: map[embed.Key][]float32{}}, Vectors: &shelf{vectors: map[embed.Key][]float32{}}, Files: drawer(t.TempDir()), Dial: proxy.dialer()})
	servers := map[string]*rpc.Server{
		"engine": rpc.NewServer(host, engine.Handlers()),
		"pdf":    rpc.NewServer(host, pdfworker.Methods(now, nil, nil)),
	}
	held := map[string]bool{"ask-hits": true, "ask-delta": true, "progress": true, "ready": true} // fixtures with a test in this file
	for i, c := range conversation {
		held[c.name] = true
		request, err := json.Marshal(map[string]any{"id": i + 1, "method": c.method, "params": c.params})
		if err != nil {
			t.Fatal(err)
		}
		posted = exchange{Worker: c.worker, Request: request, Sent: lengths(c.blobs)}
		proxy.fail(c.name == "error-offline", nil)
		if c.name == "search-missing" {
			proxy.fail(false, protocol.Errorf(protocol.UpstreamRefused, "The provider has refused the proxy's key."))
		}
		<-servers[c.worker].Receive(request, slices.Clone(c.blobs)) // a handler clears the blobs it takes, so pass a copy
		posted.Answer = withRows(t, c.name, posted.Answer)
		compare(t, filepath.Join("rpc", "testdata", c.name+".json"), posted)
		if c.name == "ask" { // its events, each with the ID of the request
			for _, name := range []string{"hits", "delta"} {
				compare(t, filepath.Join("rpc", "testdata", c.name+"-"+name+".json"), exchange{Worker: c.worker, Request: request, Sent: lengths(nil), Event: events[name], Got: []int{}})
			}
		}
	}
	asked := alone(t, held, func(e exchange) exchange {
		posted = exchange{Worker: e.Worker, Request: e.Request, Sent: lengths(nil)}
		<-servers[e.Worker].Receive(e.Request, nil)
		return posted
	})
	for method := range engine.Handlers() {
		if !asked[method] {
			t.Errorf("no fixture asks for %s", method)
		}
	}
	request := []byte(`{"id":1,"method":"search","params":{"query":"slow"}}`)
	posted = exchange{Worker: "engine", Request: request, Sent: []int{}}
	askSlowly(host, request)
	posted.Event = events["progress"]
	compare(t, filepath.Join("rpc", "testdata", "progress.json"), posted)
	servers["engine"].Ready()
	compare(t, filepath.Join("rpc", "testdata", "ready.json"), exchange{Worker: "engine", Event: events["ready"]})
}

// crafts returns a proxy with a collection.
func crafts(t *testing.T) *fakeProxy {
	proxy := newFakeProxy(t)
	proxy.of = &protocol.Collection{Name: "crafts", Hits: 5, Embedder: "openai:e@26"}
	proxy.found = []protocol.Hit{{ID: "7", Text: "Kühl: the turner holds a chisel.", Source: "crafts/lathe.pdf", Page: 3, Pages: []int{3, 4}, Title: "The lathe", Section: "Tools › Chisels", Score: 0.75, Start: 120, End: 153}}
	return proxy
}

// askSlowly makes a search that is slow enough to report progress.
func askSlowly(host rpc.Host, request []byte) {
	clock := time.Duration(0)
	host.Now = func() time.Duration { clock += time.Second; return clock }
	<-rpc.NewServer(host, map[string]rpc.Handler{"search": func(_ context.Context, call *rpc.Call) (rpc.Reply, error) {
		return rpc.Reply{Result: searchReply{[]hitJSON{}, []string{}, []search.Correction{}, []asideJSON{}, []missingJSON{}, "", 0, []int{}}}, call.Progress("index", 4, 6)
	}}).Receive(request, nil)
}

// alone compares the fixtures outside held with the replies from send, and returns the
// engine messages that any fixture covers. Such a fixture is a handmade request without
// blobs. It runs on the engine as the conversation left it, with document 2, which has been
// cut.
func alone(t *testing.T, held map[string]bool, send func(exchange) exchange) (asked map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("rpc", "testdata", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	asked = map[string]bool{}
	for _, file := range files {
		fixture := readExchange(t, file)
		var request struct{ Method string }
		if err := json.Unmarshal(fixture.Request, &request); err != nil && fixture.Request != nil {
			t.Fatal(err)
		}
		asked[request.Method] = asked[request.Method] || fixture.Worker == "engine"
		if !held[strings.TrimSuffix(filepath.Base(file), ".json")] {
			compare(t, file, send(fixture))
		}
	}
	return asked
}

func readExchange(t *testing.T, file string) (e exchange) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &e); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return e
}

// rowsOfFixture returns the methods, embedders and formats in the fixture of hello. The
// page handles all rows the same way, so a new one changes no fixture. With UPDATE_GOLDEN
// it returns all rows.
func rowsOfFixture(t *testing.T) *helloReply {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		r, err := New(Host{}).hello(t.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var answer struct{ Result helloReply }
	if err := json.Unmarshal(readExchange(t, filepath.Join("rpc", "testdata", "hello.json")).Answer, &answer); err != nil {
		t.Fatal(err)
	}
	return &answer.Result
}

// withRows returns the answer of the named fixture without the rows that the fixture of
// hello lacks.
func withRows(t *testing.T, name string, answer []byte) []byte {
	t.Helper()
	switch name {
	case "error-not-text":
		return bytes.ReplaceAll(answer, []byte(read.All().List("and")), []byte(rowsOfFixture(t).Formats.List("and")))
	case "hello":
		return helloWithRows(t, answer)
	}
	return answer
}

func helloWithRows(t *testing.T, answer []byte) []byte {
	t.Helper()
	var a struct {
		ID     int        `json:"id"`
		Result helloReply `json:"result"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatal(err)
	}
	rows := rowsOfFixture(t)
	a.Result.Methods = slices.DeleteFunc(a.Result.Methods, func(m methodJSON) bool {
		return !slices.ContainsFunc(rows.Methods, func(row methodJSON) bool { return row.Name == m.Name })
	})
	a.Result.Embedders = slices.DeleteFunc(a.Result.Embedders, func(e embedderJSON) bool {
		return !slices.ContainsFunc(rows.Embedders, func(row embedderJSON) bool { return row.Name == e.Name })
	})
	a.Result.Formats = slices.DeleteFunc(a.Result.Formats, func(f read.Format) bool {
		return !slices.ContainsFunc(rows.Formats, func(row read.Format) bool { return row.Name == f.Name })
	})
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func lengths(blobs [][]byte) []int {
	n := []int{}
	for _, b := range blobs {
		n = append(n, len(b))
	}
	return n
}

func compare(t *testing.T, file string, got exchange) {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(got); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("%s differs (UPDATE_GOLDEN=1 if that is meant):\n%s", file, b.Bytes())
	}
}
