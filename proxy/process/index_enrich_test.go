package process

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
)

// These tests run seam index --enrich with a scripted provider.

// subjects are the subjects of yard's pages. Each page has words that no other has.
var subjects = []string{"anchor", "bilge", "capstan", "davit", "ensign", "fender", "galley", "halyard", "inlet", "jib", "keel", "lanyard", "mast", "nozzle"}

// yard returns a site with a page for each subject.
func yard() map[string]string {
	files := map[string]string{}
	for _, s := range subjects {
		files["site/"+s+".html"] = fmt.Sprintf("<!doctype html><html lang=en><title>The %s</title><main><h1>The %[1]s</h1><p>Every boat has a %[1]s. Look after your %[1]s: paint the %[1]s each spring.</main>", s)
	}
	return files
}

// wanted is the content of a request to a model.
type wanted struct{ what, page, text string }

func wantedOf(r *upstreamtest.Request) wanted {
	var body struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal(r.Body, &body); err != nil || len(body.Messages) != 2 {
		return wanted{}
	}
	w := wanted{what: "headers", text: body.Messages[1].Content}
	if strings.Contains(body.Messages[0].Content, `{"questions":["…"]}`) {
		w.what = "questions"
	}
	_, after, _ := strings.Cut(w.text, "Page: The ")
	w.page, _, _ = strings.Cut(after, "\n")
	return w
}

// asksIn returns an answer with questions.
func asksIn(questions ...string) upstreamtest.Script {
	b, _ := json.Marshal(map[string][]string{"questions": questions})
	half := len(b) / 2
	return upstreamtest.Script{Words: []string{string(b[:half]), string(b[half:])}}
}

// boatman writes for each page a header, a question with a word found nowhere else, and a
// question that leads to another page.
func boatman(r *upstreamtest.Request) upstreamtest.Script {
	w := wantedOf(r)
	if w.what == "headers" {
		return upstreamtest.Script{Words: []string{"The " + w.page + " and its ", "head" + w.page + "word\n"}}
	}
	other := subjects[(slices.Index(subjects, w.page)+1)%len(subjects)]
	return asksIn("How do I zurr"+w.page+" the "+w.page+"?", "Which junk"+w.page+" is at the "+other+"?")
}

// enrichedJSON is part of the report of an index.
type enrichedJSON struct {
	Bytes, Chunks, Expanded int

	Enriched struct {
		Chunks, Of, Questions, KeptQuestions, Headers, KeptHeaders, Words, Bytes, Requests, Unusable, Missing int
	}
}

func reportOf(t *testing.T, r result) (out enrichedJSON) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.out), &out); err != nil || r.status != 0 {
		t.Fatalf("%+v: %v", r, err)
	}
	return out
}

// enriching runs seam index over the site in a folder, with a model of a provider.
type enriching struct {
	t   *testing.T
	dir string
	p   *upstreamtest.Server

	what string // value of --enrich
}

func startEnriching(t *testing.T, files map[string]string, by func(*upstreamtest.Request) upstreamtest.Script) *enriching {
	t.Helper()
	e := &enriching{t, tree(t, files), upstreamtest.Start(), "questions,headers"}
	t.Cleanup(e.p.Close)
	e.p.By(by)
	return e
}

// run runs seam index with a key, and a cache in the folder cache.
func (e *enriching) run(args ...string) result {
	e.t.Helper()
	return runIn(e.t, e.dir, []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=" + filepath.Join(e.dir, "cache")}, append(e.args(), args...)...)
}

func (e *enriching) args() []string {
	return []string{"index", "--site", "site", "--out", "out", "--json", "--base-url", e.p.BaseURL, "--enrich", e.what, "--model", "m"}
}

// files returns the files of an index, without the list of its generations.
func (e *enriching) files(out string) map[string]string {
	e.t.Helper()
	files := filesIn(e.t, filepath.Join(e.dir, out))
	delete(files, "generations.json")
	return files
}

// found returns the names of the pages that a search finds.
func (e *enriching) found(out, query string) (names []string) {
	e.t.Helper()
	var found struct{ Hits []struct{ URL string } }
	if err := json.Unmarshal([]byte(ok(e.t, "", "search", "--index", filepath.Join(e.dir, out), "--json", query)), &found); err != nil {
		e.t.Fatal(err)
	}
	for _, h := range found.Hits {
		names = append(names, strings.TrimSuffix(filepath.Base(h.URL), ".html"))
	}
	return names
}

func TestIndexEnrich(t *testing.T) {
	e := startEnriching(t, yard(), boatman)
	n := len(subjects)
	if r := e.run("--dry-run", "--chat-price", "1,2"); r.status != 0 || !strings.HasPrefix(r.out, fmt.Sprintf("would send %d requests (about ", 2*n)) || !strings.Contains(r.out, "about $0.0") || len(e.p.Requests()) > 0 {
		t.Errorf("%+v", r)
	}
	first := e.run("--chat-price", "1,2")
	said := strings.Split(first.err, "\n")
	if len(said) != 3 || !strings.HasPrefix(said[0], fmt.Sprintf("seam: sending %d requests (about ", 2*n)) || !strings.Contains(said[0], " tokens) to m at 127.0.0.1:") || !strings.Contains(said[0], ": about $0.0") ||
		!strings.HasPrefix(said[1], fmt.Sprintf("seam: sent %d requests: ", 2*n)) || !strings.Contains(said[1], ", about $0.0") || !strings.Contains(said[1], "the run is stored in ") {
		t.Errorf("%q", said)
	}
	got, all := reportOf(t, first), e.files("out")
	if r := got.Enriched; r.Chunks != n || r.Of != n || r.Questions != 2*n || r.KeptQuestions != n || r.Headers != n || r.KeptHeaders != n || r.Words != 2*n || r.Requests != 2*n || r.Unusable+r.Missing != 0 || len(e.p.Requests()) != 2*n {
		t.Errorf("%+v", got)
	}
	for _, s := range subjects {
		for _, word := range []string{"zurr" + s, "head" + s + "word"} {
			if names := e.found("out", word); !slices.Equal(names, []string{s}) {
				t.Errorf("%s finds %q", word, names)
			}
		}
	}
	if names := e.found("out", "junkanchor"); slices.Contains(names, "bilge") {
		t.Errorf("what leads elsewhere is kept: %q", names)
	}
	// Stored answers cost nothing, and need neither a provider nor a key.
	bare := runIn(t, e.dir, []string{"OPENAI_API_KEY=", "SEAM_PROXY=", "SEAM_CACHE=" + filepath.Join(e.dir, "cache")}, "index", "--site", "site", "--out", "again", "--enrich", "headers,questions", "--model", "openai:m")
	if want := fmt.Sprintf("  enriched by m: %d of %[1]d chunks with %d words, ", n, 2*n); bare.status != 0 || bare.err != "" || !strings.Contains(bare.out, want) || !strings.Contains(bare.out, fmt.Sprintf("; %d of %d questions and %[1]d of %[1]d headers find their chunk\n", n, 2*n)) {
		t.Errorf("%+v", bare)
	}
	if !maps.Equal(e.files("again"), all) || len(e.p.Requests()) != 2*n {
		t.Errorf("another index after %d requests", len(e.p.Requests()))
	}
	// Without the model the index is unchanged, and the report counts the added bytes.
	plain := reportOf(t, runIn(t, e.dir, nil, "index", "--site", "site", "--out", "plain", "--json"))
	if got.Bytes-plain.Bytes != got.Enriched.Bytes || got.Enriched.Bytes <= 0 {
		t.Errorf("%d bytes, %d without, told %d", got.Bytes, plain.Bytes, got.Enriched.Bytes)
	}
	// Another provider that gives the same answers in another order makes the same index.
	other := e.run("--out", "anew", "--cache", "off")
	if reportOf(t, other).Enriched.Requests != 2*n || strings.Contains(other.err, "is stored") || !maps.Equal(e.files("anew"), all) {
		t.Errorf("%+v", other)
	}
}

// stages returns a page of several chunks.
func stages(changed string) string {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><title>The voyage</title><main><h1>The voyage</h1>")
	for _, s := range subjects[:5] {
		fmt.Fprintf(&b, "<h2>The %s</h2>", s)
		for i := range 14 {
			fmt.Fprintf(&b, "<p>On day %d the %s of the boat is looked after, as every %[2]s must be: the crew scrubs the %[2]s, paints the %[2]s and notes it in the book.", i, s)
		}
		if s == changed {
			b.WriteString("<p>Then the weather changes.")
		}
	}
	return b.String()
}

// When a page changes, only its changed chunks are paid for. With another model's name, all
// are.
func TestIndexEnrichPaysForWhatChanged(t *testing.T) {
	files := yard()
	files["site/voyage.html"] = stages("")
	e := startEnriching(t, files, func(r *upstreamtest.Request) upstreamtest.Script { return asksIn("What does the crew note?") })
	e.what = "questions"
	first := reportOf(t, e.run())
	if first.Chunks < len(subjects)+4 || first.Enriched.Requests != first.Chunks {
		t.Fatalf("%+v", first)
	}
	if err := os.WriteFile(filepath.Join(e.dir, "site/voyage.html"), []byte(stages("capstan")), 0o644); err != nil {
		t.Fatal(err)
	}
	if next := reportOf(t, e.run()); next.Chunks != first.Chunks || next.Enriched.Requests != 1 {
		t.Errorf("%+v", next)
	}
	if r := e.p.Requests(); !strings.Contains(string(r[len(r)-1].Body), "weather changes") {
		t.Errorf("%s", r[len(r)-1].Body)
	}
	if other := reportOf(t, e.run("--model", "another")); other.Enriched.Requests != first.Chunks {
		t.Errorf("%+v", other)
	}
}

// A stopped or killed run keeps its paid answers, and the next one asks only for the rest.
func TestIndexEnrichGoesOn(t *testing.T) {
	for name, signal := range map[string]os.Signal{"killed": os.Kill, "stopped": os.Interrupt} {
		t.Run(name, func(t *testing.T) {
			held, release := holdAfter(9, boatman)
			e := startEnriching(t, yard(), held)
			kept := func() int { return replies(t, filepath.Join(e.dir, "cache/runs/index-*.jsonl")) }
			t.Setenv("OPENAI_API_KEY", ownKey)
			t.Setenv("SEAM_PROXY", "")
			t.Setenv("SEAM_CACHE", filepath.Join(e.dir, "cache"))
			state, said := endedOnTheWay(t, e.dir, e.args(), signal, func() bool { return kept() == 9 && len(e.p.Requests()) == 9+atATime })
			if code := state.ExitCode(); signal == os.Interrupt && (code != 130 || !strings.Contains(said, "the run is stored in")) || signal == os.Kill && code >= 0 {
				t.Errorf("%d, %s", code, said)
			}
			if _, err := os.Stat(filepath.Join(e.dir, "out/seam.json")); err == nil {
				t.Error("there is an index")
			}
			release()
			before := len(e.p.Requests())
			r := e.run()
			if got := reportOf(t, r); got.Enriched.Requests != 2*len(subjects)-9 || len(e.p.Requests())-before != got.Enriched.Requests || !strings.Contains(r.err, "; 9 answers already stored") {
				t.Errorf("%+v", r)
			}
			peace := startEnriching(t, yard(), boatman)
			if peace.run(); !maps.Equal(e.files("out"), peace.files("out")) {
				t.Error("it is another index than one in peace")
			}
		})
	}
}

// Unusable answers are requested once more. They do no other harm and are not paid for
// again.
func TestIndexEnrichBadAnswers(t *testing.T) {
	tried := map[string]int{}
	e := startEnriching(t, yard(), func(r *upstreamtest.Request) upstreamtest.Script {
		w := wantedOf(r)
		if tried[w.what+w.page]++; w.what == "headers" {
			return boatman(r)
		}
		switch w.page {
		case "anchor":
			return upstreamtest.Script{Words: []string{"I would rather not."}}
		case "bilge":
			return upstreamtest.Script{Words: []string{`{"questions":["What is the bil`}}
		case "capstan":
			return upstreamtest.Script{Words: []string{`{"quest`}, Fault: upstreamtest.CutStream}
		case "davit":
			return upstreamtest.Script{Words: []string{`{"questions":[{"question":"no"}]}`}}
		case "ensign":
			return asksIn(slices.Repeat([]string{"What is the " + strings.Repeat("vastensign ", 100) + "?"}, 1000)...) // 1 MB
		case "fender":
			if tried[w.what+w.page] == 1 {
				return upstreamtest.Script{Fault: upstreamtest.Garbage}
			}
		case "galley": // a long list of short questions, with words that never end
			var many []string
			for i := range 300 {
				many = append(many, fmt.Sprintf("Why is the galley manyword%d %s?", i, strings.Repeat("x", 150)))
			}
			return asksIn(many[:100]...)
		case "nozzle": // requested again the next time, because nothing was paid
			return upstreamtest.Script{Status: http.StatusRequestEntityTooLarge}
		}
		return boatman(r)
	})
	r := e.run()
	got := reportOf(t, r)
	if got.Enriched.Unusable != 6 || got.Enriched.Chunks != len(subjects) || strings.Count(r.err, "\n") != 3 || !strings.Contains(r.err, "seam: 6 answers of m unusable, and those chunks stay unchanged; the first, for anchor.html: ") {
		t.Errorf("%+v", r)
	}
	for page, n := range map[string]int{"anchor": 2, "bilge": 2, "capstan": 2, "davit": 2, "ensign": 2, "fender": 2, "galley": 1, "keel": 1, "nozzle": 1} {
		if tried["questions"+page] != n {
			t.Errorf("%s: asked %d times", page, tried["questions"+page])
		}
	}
	if names := e.found("out", "zurrfender"); !slices.Equal(names, []string{"fender"}) {
		t.Errorf("%q", names)
	}
	if names := e.found("out", "vastensign"); slices.Contains(names, "ensign") {
		t.Errorf("%q", names)
	}
	if got.Enriched.Bytes > 2000 || got.Enriched.Words > 3*len(subjects) {
		t.Errorf("%+v", got)
	}
	files, n := e.files("out"), len(e.p.Requests())
	if r := e.run(); len(e.p.Requests()) != n+1 || !maps.Equal(e.files("out"), files) || !strings.Contains(r.err, "seam: 6 answers ") {
		t.Errorf("%+v after %d requests", r, len(e.p.Requests())-n)
	}
}

// A provider that refuses ends the run, and earlier answers are kept.
func TestIndexEnrichRefused(t *testing.T) {
	answered := 0
	e := startEnriching(t, yard(), func(r *upstreamtest.Request) upstreamtest.Script {
		if answered++; answered > 7 {
			return upstreamtest.Script{Status: http.StatusUnauthorized}
		}
		return boatman(r)
	})
	r := e.run()
	if r.status != 1 || r.out != "" || strings.Count(r.err, "\n") != 3 || strings.Count(r.err, "OPENAI_API_KEY") != 1 || !strings.Contains(r.err, "the run is stored in ") || strings.Contains(r.err, ownKey) {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(e.dir, "out/seam.json")); err == nil {
		t.Error("there is an index")
	}
	e.p.By(boatman)
	if got := reportOf(t, e.run()); got.Enriched.Requests != 2*len(subjects)-7 {
		t.Errorf("%+v", got)
	}
	away := startEnriching(t, yard(), boatman)
	away.p.Close()
	if r := away.run(); r.status != 1 || r.out != "" || strings.Count(r.err, "\n") != 3 || !strings.Contains(r.err, "seam: ask m about the pages: ") {
		t.Errorf("%+v", r)
	}
}

// A query with a page's own words finds that page first, for any answer of the model.
func TestIndexEnrichSparesWordsOfPages(t *testing.T) {
	e := startEnriching(t, yard(), func(r *upstreamtest.Request) upstreamtest.Script {
		w := wantedOf(r)
		i := slices.Index(subjects, w.page)
		after := func(n int) string { return subjects[(i+n)%len(subjects)] }
		if w.what == "headers" { // of all pages
			return upstreamtest.Script{Words: []string{w.page + " " + strings.Join(subjects, " ")}}
		}
		return asksIn("Is the "+w.page+" better than the "+after(1)+" "+after(2)+"?", "Does the "+w.page+" of each boat help the "+after(1)+"?",
			w.page+" "+w.page+" "+after(3)+" "+after(1), "paint "+w.page+" "+after(1), "How do I mend the "+w.page+"?")
	})
	got := reportOf(t, e.run())
	if got.Enriched.KeptQuestions < 3*len(subjects) || got.Enriched.Words < 4*len(subjects) {
		t.Fatalf("%+v", got)
	}
	for _, s := range subjects {
		for _, query := range []string{s, "the " + s, s + " paint", "look after your " + s, "boat " + s + " spring", s + "s"} {
			if names := e.found("out", query); len(names) == 0 || names[0] != s {
				t.Errorf("%q finds %q", query, names)
			}
		}
	}
	if names := e.found("out", "mend"); len(names) < 10 {
		t.Errorf("%q", names)
	}
}

func TestIndexEnrichThroughAProxy(t *testing.T) {
	l := linktest.Start(t, limit.Limits{})
	l.Provider.By(boatman)
	dir := tree(t, yard())
	args := []string{"index", "--site", filepath.Join(dir, "site"), "--out", filepath.Join(dir, "out"), "--json", "--enrich", "questions", "--model", "c", "--cache", filepath.Join(dir, "cache")}
	r := hosted(t, l, args...)
	if got := reportOf(t, r); got.Enriched.KeptQuestions != len(subjects) || got.Enriched.Requests != len(subjects) || !strings.Contains(r.err, " tokens) to c at 127.0.0.1:") {
		t.Errorf("%+v", r)
	}
	if r = hosted(t, l, append(args, "--model", "none")...); r.status != 2 || !strings.Contains(r.err, `has no model "none"`) {
		t.Errorf("%+v", r)
	}
}
