package process

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
)

// The output of seam enrich finds the chunks it was written for: in a search, a question
// and a bundle.

const knowledge = `{"id":"doc_0","start":0,"end":39,"page":0,"text":"Venus turns backwards. It is hot there.","statements":[{"id":"doc_0_0","subject":"Retrograde planet","description":"It spins the other way round.","grounded":true},{"id":"doc_0_1","subject":"Goldmine","description":"It is of gold.","grounded":false}]}
{"id":"c2","start":41,"end":71,"text":"Mars is red. It has two moons.","header":"Martian satellites","written":true}
`

// found returns the texts of a search's hits, and the written words that each was found by.
func found(t *testing.T, r result) (texts, by []string) {
	t.Helper()
	var got struct {
		Hits []struct{ Text, Written string }
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil || r.status > 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, h := range got.Hits {
		texts, by = append(texts, h.Text), append(by, h.Written)
	}
	return texts, by
}

func TestSearchEnriched(t *testing.T) {
	document, rows := file(t, "planets.txt", []byte(planets)), file(t, "knowledge.jsonl", []byte(knowledge))
	bundle := filepath.Join(t.TempDir(), "planets.seam")
	ok(t, "", "bundle", "--method", "sentences", "--enriched", rows, "-o", bundle, document)
	for name, args := range map[string][]string{
		"a file":   {"--method", "sentences", "--enriched", rows, document},
		"a bundle": {bundle},
	} {
		for query, want := range map[string][2]string{
			"retrograde": {"Venus turns backwards.", "Retrograde planet: It spins the other way round."},
			"satellites": {"Mars is red.", "Martian satellites"},
		} {
			r := run(t, "", append([]string{"search", "--json", "--mode", "keyword", query}, args...)...)
			texts, by := found(t, r)
			if len(texts) != 1 || !strings.HasPrefix(texts[0], want[0]) || by[0] != want[1] || r.err != "" {
				t.Errorf("%s, %s: %q by %q, %s", name, query, texts, by, r.err)
			}
		}
		if texts, _ := found(t, run(t, "", append([]string{"search", "--json", "--mode", "keyword", "goldmine"}, args...)...)); len(texts) != 0 {
			t.Errorf("%s: what the text does not bear out finds %q", name, texts)
		}
	}
	if out := ok(t, "", "search", "--mode", "keyword", "--method", "sentences", "--enriched", rows, "retrograde", document); !strings.Contains(out, "   found by: Retrograde planet: It spins") {
		t.Error(out)
	}
	again := filepath.Join(t.TempDir(), "again.seam")
	ok(t, "", "bundle", "-o", again, bundle)
	if texts, _ := found(t, run(t, "", "search", "--json", "--mode", "keyword", "retrograde", again)); len(texts) != 1 {
		t.Errorf("a bundle of a bundle: %q", texts)
	}
}

func TestEnrichedOfOtherTexts(t *testing.T) {
	document, rows := file(t, "planets.txt", []byte("Now. "+planets)), file(t, "knowledge.jsonl", []byte(knowledge))
	for _, args := range [][]string{
		{"search", "--enriched", rows, "venus", document},
		{"bundle", "--enriched", rows, "-o", filepath.Join(t.TempDir(), "x.seam"), document},
	} {
		if r := run(t, "", args...); r.status != 0 || !strings.Contains(r.err, "of 2 parts in --enriched, 2 match no file") {
			t.Errorf("%+v", r)
		}
	}
	for what, ugly := range map[string]string{
		"no JSON":  "retrograde",
		"cut off":  knowledge[:100],
		"no text":  `{"start":0,"end":3}`,
		"a number": `{"start":"0","text":"Venus"}`,
	} {
		r := run(t, "", "search", "--enriched", file(t, "ugly.jsonl", []byte(ugly)), "venus", document)
		if r.status != 2 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "line 1 is not output of seam enrich knowledge or headers") {
			t.Errorf("%s: %+v", what, r)
		}
	}
	for what, odd := range map[string]string{
		"before the text":    `{"start":-5,"end":3,"text":"Ven"}`,
		"behind the text":    `{"start":9999999,"end":99999999,"text":"Venus"}`,
		"ends before itself": `{"start":9,"end":3,"text":"Venus"}`,
		"nothing":            "",
	} {
		if r := run(t, "", "search", "--enriched", file(t, "odd.jsonl", []byte(odd)), "venus", document); r.status != 0 {
			t.Errorf("%s: %+v", what, r)
		}
	}
}

// A document or a model cannot move the cursor of a terminal or rename its window.
func TestTextsAreVisible(t *testing.T) {
	const evil = "\x1b]0;gotcha\x07\u009b31m\x7f"
	dir := tree(t, map[string]string{"a.txt": "Venus" + evil + " turns. Mars is red.", "rows.jsonl": `{"start":0,"end":0,"text":"x"}`})
	if rows, err := json.Marshal(map[string]any{"start": 0, "end": len("Venus" + evil + " turns."), "text": "Venus" + evil + " turns.", "header": "Planet" + evil, "written": true}); err != nil {
		t.Fatal(err)
	} else if err := os.WriteFile(filepath.Join(dir, "rows.jsonl"), rows, 0o600); err != nil {
		t.Fatal(err)
	}
	p := upstreamtest.Start()
	defer p.Close()
	p.By(func(r *upstreamtest.Request) upstreamtest.Script {
		if strings.Contains(string(r.Body), "sub_questions") {
			b, _ := json.Marshal(map[string][]string{"sub_questions": {"Who" + evil + "?"}})
			return upstreamtest.Script{Words: []string{string(b)}}
		}
		return upstreamtest.Script{Words: []string{"Line one\n\tand two ", evil, " [1]."}}
	})
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, r := range []result{
		run(t, "", "search", "--mode", "keyword", "--method", "sentences", "--enriched", at("rows.jsonl"), "planet", at("a.txt")),
		run(t, "", "ask", "--mode", "keyword", "venus", at("a.txt")),
		own(t, "off", "ask", "--base-url", p.BaseURL, "--model", "m", "--parts", "venus", at("a.txt")),
	} {
		if r.status != 0 || strings.ContainsAny(r.out+r.err, "\x1b\x07\u009b\x7f") || !strings.Contains(r.out, `\x1b]0;gotcha`) {
			t.Errorf("%+v", r)
		}
		if strings.Contains(r.out, "Line one") && !strings.Contains(r.out, "Line one\n\tand two ") {
			t.Errorf("lines and tabs stay: %q", r.out)
		}
	}
}

// The value of statements is measured by questions in words that the text lacks.
func TestEvalRetrievalEnriched(t *testing.T) {
	dir := tree(t, map[string]string{"planets.txt": planets, "knowledge.jsonl": knowledge,
		"q.jsonl": `{"question":"Which one is retrograde?","file":"planets.txt","excerpts":["Venus turns backwards."]}` + "\n"})
	at := func(name string) string { return filepath.Join(dir, name) }
	recall := func(more ...string) any {
		t.Helper()
		got := evalJSON(t, append([]string{"retrieval", "--questions", at("q.jsonl"), "--ranker", "keyword", "-n", "1", "--methods", "sentences"}, more...)...)
		return got.row(t, "sentences", "planets.txt")["recall"]
	}
	if without, with := recall(), recall("--enriched", at("knowledge.jsonl")); !near(without, 0) || !near(with, 1) {
		t.Errorf("recall %v, with statements %v", without, with)
	}
	if r := run(t, "", "eval", "retrieval", "--questions", at("q.jsonl"), "--enriched", at("knowledge.jsonl")); r.status != 2 || !strings.Contains(r.err, "--enriched needs --ranker keyword, dense or hybrid") {
		t.Errorf("%+v", r)
	}
}

// A compound question is split, and each part finds its passages, together with the words a
// model has written for them.
func TestAskInParts(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	document, rows := file(t, "planets.txt", []byte(planets)), file(t, "knowledge.jsonl", []byte(knowledge))
	ask := func(args ...string) result {
		return own(t, t.TempDir(), append([]string{"ask", "--base-url", p.BaseURL, "--model", "m", "--method", "sentences", "-k", "2", "--parts", "--enriched", rows, "How does Venus turn, and what is Mars?", document}, args...)...)
	}
	r := ask()
	if r.status != 0 || r.err != "seam: searching for: How does Venus turn?\nseam: searching for: What is Mars?\n" || len(p.Requests()) != 2 {
		t.Fatalf("%+v after %d requests", r, len(p.Requests()))
	}
	if body := string(p.Requests()[1].Body); !strings.Contains(body, "Venus turns backwards.") || !strings.Contains(body, "Mars is red.") || !strings.Contains(body, "How does Venus turn, and what is Mars?") {
		t.Errorf("%s", body)
	}
	p.By(func(q *upstreamtest.Request) upstreamtest.Script {
		if strings.Contains(string(q.Body), "sub_questions") {
			return upstreamtest.Script{Words: []string{"No."}}
		}
		return scholar(q)
	})
	if r = ask(); r.status != 0 || !strings.Contains(r.err, "searching for the whole question") || !strings.Contains(r.err, "searching for: How does Venus turn, and what is Mars?") {
		t.Errorf("%+v", r)
	}
	if r = run(t, "", "ask", "--parts", "Why?", document); r.status != 2 || !strings.Contains(r.err, "--parts needs --model") {
		t.Errorf("%+v", r)
	}
	l := linktest.Start(t, limit.Limits{})
	l.Provider.By(scholar)
	if r = hosted(t, l, "ask", "--model", "c", "--parts", "How does Venus turn, and what is Mars?", document); r.status != 0 || !strings.Contains(r.err, "searching for: What is Mars?") {
		t.Errorf("through a proxy: %+v", r)
	}
}
