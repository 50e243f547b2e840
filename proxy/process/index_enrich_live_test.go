package process

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
)

// seam-index.yaml sets what to write, but never the provider.
func TestIndexEnrichInAFile(t *testing.T) {
	files := yard()
	files["seam-index.yaml"] = "site: site\nout: out\nenrich: questions, headers\nmodel: m\nrun: kept/enriched.jsonl\n"
	files["kept/readme"] = ""
	e := startEnriching(t, files, boatman)
	env := []string{"OPENAI_API_KEY=", "SEAM_PROXY=", "SEAM_CACHE=off"}
	if r := runIn(t, e.dir, env, "index"); r.status != 2 || !strings.Contains(r.err, "--base-url URL with the key in OPENAI_API_KEY") {
		t.Errorf("%+v", r)
	}
	if got := reportOf(t, runIn(t, e.dir, env, "index", "--json", "--base-url", e.p.BaseURL)); got.Enriched.Requests != 2*len(subjects) {
		t.Errorf("%+v", got)
	}
	if r := runIn(t, e.dir, env, "index"); r.status != 0 || r.err != "" || !strings.Contains(r.out, "enriched by m") {
		t.Errorf("%+v", r)
	}
	if b := readFile(t, filepath.Join(e.dir, "kept/enriched.jsonl")); strings.Count(b, "\n") != 1+2*len(subjects) || strings.Contains(b, e.dir) {
		t.Errorf("%d bytes are kept", len(b))
	}
	if r := runIn(t, e.dir, env, "index", "--dry-run"); r.status != 0 || r.out != "nothing would be sent\n" {
		t.Errorf("%+v", r)
	}
	if err := os.WriteFile(filepath.Join(e.dir, "seam-index.yaml"), []byte("base-url: http://127.0.0.1:1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := runIn(t, e.dir, env, "index", "--site", "site", "--out", "out"); r.status != 1 || !strings.Contains(r.err, "base-url") {
		t.Errorf("%+v", r)
	}
}

// oar adds a page to the site of yard in the working folder.
func oar(t *testing.T) {
	t.Helper()
	if err := os.WriteFile("site/oar.html", []byte("<!doctype html><html lang=en><title>The oar</title><main><h1>The oar</h1><p>An oar is of ash.</main>"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// In a watched site, only the first index asks the model; later ones use the stored
// answers. The same holds for a served site.
func TestIndexEnrichOfALiveSite(t *testing.T) {
	e := startEnriching(t, yard(), boatman)
	t.Chdir(e.dir)
	t.Setenv("SEAM_CACHE", "off")
	t.Setenv("OPENAI_API_KEY", ownKey)
	args := []string{"index", "--site", "site", "--out", "out", "--base-url", e.p.BaseURL, "--enrich", "questions", "--model", "m", "--watch"}
	for _, kept := range []bool{false, true} {
		if kept {
			args = append(args, "--run", "run.jsonl")
		}
		before := len(e.p.Requests())
		cmd, printed, errs := started(t, args...)
		next := func(want string) {
			t.Helper()
			for {
				if line, err := printed.ReadString('\n'); err != nil {
					t.Fatalf("%q is not told: %v; %s", want, err, errs)
				} else if strings.Contains(line, want) {
					return
				}
			}
		}
		next("enriched by m: 14 of 14 chunks")
		if n := len(e.p.Requests()) - before; n != len(subjects) {
			t.Errorf("%d requests", n)
		}
		oar(t)
		next("enriched by m: 14 of 15 chunks")
		next("not requested while watching: 1 answer")
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil || len(e.p.Requests())-before != len(subjects) {
			t.Errorf("%v after %d requests: %s", err, len(e.p.Requests())-before, errs)
		}
		os.Remove("site/oar.html")
	}
	if err := os.WriteFile("seam-index.yaml", []byte("enrich: questions\nmodel: openai:m\nrun: run.jsonl\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	oar(t)
	before := len(e.p.Requests())
	cmd, printed, errs := started(t, "serve", "--addr", "127.0.0.1:0", "--site", "site")
	if _, err := printed.ReadString('\n'); err != nil {
		t.Fatalf("%v, %s", err, errs)
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if said := errs.String(); !strings.Contains(said, "Indexed 15 pages, 15 chunks.\n1 answer of m not stored yet: run seam index to request them.\n") || len(e.p.Requests()) != before {
		t.Errorf("%s after %d requests", said, len(e.p.Requests())-before)
	}
}

// If a provider refuses one request, only the questions of that chunk are missing. If it
// has refused all requests, the run ends.
func TestIndexEnrichOneRefusal(t *testing.T) {
	no := upstreamtest.Script{Status: http.StatusBadRequest, Body: `{"error":{"message":"content_filter"}}`}
	e := startEnriching(t, yard(), func(r *upstreamtest.Request) upstreamtest.Script {
		if w := wantedOf(r); w.page == "keel" && w.what == "questions" {
			return no
		}
		return boatman(r)
	})
	r := e.run()
	if got := reportOf(t, r); got.Enriched.Unusable != 1 || got.Enriched.Questions != 2*len(subjects)-2 || !strings.Contains(r.err, "seam: 1 answer of m unusable, and those chunks stay unchanged; the first, for keel.html: ") {
		t.Errorf("%+v", r)
	}
	e = startEnriching(t, yard(), func(*upstreamtest.Request) upstreamtest.Script { return no })
	if r := e.run(); r.status != 1 || len(e.p.Requests()) > 8 || !strings.Contains(r.err, "seam: ask m about the pages: ") {
		t.Errorf("%+v after %d requests", r, len(e.p.Requests()))
	}
}

// If the index cannot be written, no model is asked.
func TestIndexEnrichPaysNobodyInVain(t *testing.T) {
	files := yard()
	files["taken"] = "a file"
	e := startEnriching(t, files, boatman)
	if r := e.run("--out", "taken"); r.status != 1 || !strings.Contains(r.err, "--out taken cannot be written: ") || len(e.p.Requests()) > 0 {
		t.Errorf("%+v after %d requests", r, len(e.p.Requests()))
	}
}

// A chunk is found both by the user's expansions and by the words of a model.
func TestIndexEnrichBesideExpansions(t *testing.T) {
	e := startEnriching(t, yard(), boatman)
	ok(t, "", "index", "--site", filepath.Join(e.dir, "site"), "--out", filepath.Join(e.dir, "plain"), "--chunks", filepath.Join(e.dir, "chunks.jsonl"))
	var lines strings.Builder
	for _, c := range rowsOf[struct{ ID, URL string }](t, readFile(t, filepath.Join(e.dir, "chunks.jsonl"))) {
		if c.URL == "keel.html" {
			fmt.Fprintf(&lines, `{"id":%q,"terms":{"backbone":1,"zurrkeel":2}}`+"\n", c.ID)
		}
	}
	got := reportOf(t, e.run("--expansions", file(t, "own.jsonl", []byte(lines.String()))))
	if got.Expanded != 1 || got.Enriched.Chunks != len(subjects) {
		t.Errorf("%+v", got)
	}
	for _, word := range []string{"backbone", "zurrkeel", "headkeelword"} {
		if names := e.found("out", word); len(names) != 1 || names[0] != "keel" {
			t.Errorf("%s finds %q", word, names)
		}
	}
}

func TestIndexEnrichMistakes(t *testing.T) {
	dir := tree(t, yard())
	for says, args := range map[string][]string{
		"--enrich tags: use questions, headers or both":   {"--enrich", "tags", "--model", "m"},
		"set the model that writes with --model":          {"--enrich", "questions"},
		"--model and --dry-run need --enrich":             {"--model", "m"},
		"--chat-price needs two numbers":                  {"--enrich", "questions", "--model", "m", "--chat-price", "1"},
		"--model needs a proxy or provider":               {"--enrich", "questions", "--model", "m"},
		"it is not a run of seam":                         {"--enrich", "questions", "--model", "m", "--run", "site/keel.html"},
		"must use https, or OPENAI_API_KEY would be sent": {"--enrich", "questions", "--model", "m", "--base-url", "http://seam.example/v1"},
	} {
		key := ownKey
		if strings.Contains(says, "a proxy or provider") {
			key = ""
		}
		r := runIn(t, dir, []string{"OPENAI_API_KEY=" + key, "SEAM_PROXY=", "SEAM_CACHE=off"}, append([]string{"index", "--site", "site", "--out", "out"}, args...)...)
		if r.status == 0 || r.out != "" || !strings.Contains(r.err, says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: %+v", args, r)
		}
	}
}
