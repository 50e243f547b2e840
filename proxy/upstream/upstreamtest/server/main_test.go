package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"seam/proxy/upstream/upstreamtest"
)

func TestHandler(t *testing.T) {
	s := httptest.NewServer(handler(&upstreamtest.Provider{}))
	defer s.Close()
	post := func(path, body string) (int, string) {
		t.Helper()
		r, err := http.Post(s.URL+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		b, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(b)
	}
	if status, body := post("/script", "fault=nothing"); status != 400 || !strings.Contains(body, "nothing") {
		t.Errorf("a wrong script: %d %s", status, body)
	}
	if status, body := post("/script", "status=503\n\nwords=Yes.\n"); status != 200 {
		t.Errorf("scripts: %d %s", status, body)
	}
	const chat = `{"model":"m","stream":true,"messages":[]}`
	if status, _ := post("/v1/chat/completions", chat); status != 503 {
		t.Errorf("the first script gave %d", status)
	}
	if status, body := post("/v1/chat/completions", chat); status != 200 || !strings.Contains(body, `"Yes."`) || !strings.Contains(body, "[DONE]") {
		t.Errorf("the second script gave %d %s", status, body)
	}
	for _, bad := range []string{"{}", `[{"has":["x"],"script":"fault=nothing"}]`} {
		if status, _ := post("/by", bad); status != 400 {
			t.Errorf("rules %s: %d", bad, status)
		}
	}
	r, err := http.Get(s.URL + "/requests")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var all []arrived
	if err := json.NewDecoder(r.Body).Decode(&all); err != nil || len(all) != 2 || all[1].Path != "/v1/chat/completions" || all[1].Gone {
		t.Errorf("recorded %+v, %v", all, err)
	}
}

// The first rule with texts that all occur in a request decides the response.
func TestRules(t *testing.T) {
	s := httptest.NewServer(handler(&upstreamtest.Provider{}))
	defer s.Close()
	r, err := http.Post(s.URL+"/by", "application/json", strings.NewReader(`[{"has":["one","two"],"script":"words=Both."},{"has":["two"],"script":"words=Two."}]`))
	if err != nil || r.StatusCode != 200 {
		t.Fatal(r, err)
	}
	r.Body.Close()
	for said, want := range map[string]string{"one and two": "Both.", "two": "Two.", "one": "comes "} {
		r, err := http.Post(s.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","stream":true,"messages":[{"content":"`+said+`"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(r.Body)
		if r.Body.Close(); err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: %s, %v", said, b, err)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "example.org:80", "127.0.0.1", ":0"} {
		if err := run(addr, "", 4); err == nil || !strings.Contains(err.Error(), addr) {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if err := run("127.0.0.1:0", "fault=nothing", 4); err == nil {
		t.Error("a wrong script is taken")
	}
}
