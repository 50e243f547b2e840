package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"seam/proxy/upstream/upstreamtest"
)

// fieldCase is a request that once went wrong, and its kind.
type fieldCase struct {
	Kind, Path string
	Body       json.RawMessage
	Requests   string
}

// field is a proxy with a provider that refuses empty texts and filters FILTER.
type field struct {
	*process
	up *upstreamtest.Provider
}

func (f field) send(path, body string) reply {
	f.t.Helper()
	names := strings.NewReplacer(`"EMBED"`, `"e"`, `"CHAT"`, `"c"`)
	return f.sdk(alice, path, names.Replace(body))
}

// kinds has the expectation of each kind.
var kinds = map[string]func(t *testing.T, f field, c fieldCase){
	"provider-400-as-502": func(t *testing.T, f field, c fieldCase) {
		if r := f.send(c.Path, string(c.Body)); r.status != http.StatusBadRequest || r.Error.Code != "empty_text" && r.Error.Code != "content_filter" {
			t.Errorf("%d %s", r.status, r.body)
		}
	},
	"transient-429-not-retried": func(t *testing.T, f field, c fieldCase) {
		n := 0
		if _, err := fmt.Sscan(c.Requests, &n); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range n {
			all.Go(func() {
				if r := f.send("/v1/chat/completions", saying("hi")); r.status != http.StatusOK && (r.header.Get("Retry-After") == "" || r.header.Get("X-Should-Retry") != "true") {
					t.Errorf("%d %v", r.status, r.header)
				}
			})
		}
		all.Wait()
	},
	"defaults-refused": func(t *testing.T, f field, c fieldCase) {
		if r := f.send(c.Path, string(c.Body)); r.status != http.StatusOK {
			t.Errorf("%d %s", r.status, r.body)
		}
	},
	"dropped-in-silence": func(t *testing.T, f field, c fieldCase) {
		if r := f.send(c.Path, string(c.Body)); r.status != http.StatusOK {
			if r.status != http.StatusBadRequest || r.Error.Param == "" {
				t.Errorf("%d %s", r.status, r.body)
			}
			return
		}
		all := f.up.Requests()
		got := string(all[len(all)-1].Body)
		for _, part := range []string{`"seed":42`, `"name":"bob"`} {
			if !strings.Contains(got, part) {
				t.Errorf("%s was sent, without %s", got, part)
			}
		}
	},
	"null-as-empty": func(t *testing.T, f field, c fieldCase) {
		before := len(f.up.Requests())
		if r := f.send(c.Path, string(c.Body)); r.status != http.StatusBadRequest || r.Error.Param != "input" || len(f.up.Requests()) != before {
			t.Errorf("%d %s", r.status, r.body)
		}
	},
	"no-json-404": func(t *testing.T, f field, c fieldCase) {
		path := strings.NewReplacer("GET ", "", "CHAT", "c", "EMBED", "e").Replace(c.Path)
		if r := f.send(path, ""); r.status != http.StatusOK {
			t.Errorf("%d %s", r.status, r.body)
		}
	},
	"batch-of-openai": func(t *testing.T, f field, c fieldCase) {
		n := 0
		if _, err := fmt.Sscan(strings.Trim(string(c.Body), `"`), &n); err != nil {
			t.Fatal(err)
		}
		body := `{"model":"e","input":["x"` + strings.Repeat(`,"y"`, n-1) + `]}`
		if r := f.send(c.Path, body); r.status != http.StatusOK || strings.Count(r.body, `"index"`) != n {
			t.Errorf("%d %.200s", r.status, r.body)
		}
	},
	"one-text-cuts-off-all": func(t *testing.T, f field, c fieldCase) {
		for range 4 {
			f.send("/v1/chat/completions", saying("CRASH"))
			if r := f.sdk(bob, "/v1/embeddings", `{"model":"e","input":"another's"}`); r.status != http.StatusOK {
				t.Errorf("%d %s", r.status, r.body)
			}
		}
	},
}

// Requests that once went wrong: one of ours for each kind, and the ones in the data if
// SEAM_DATA names it.
func TestField(t *testing.T) {
	for _, of := range []string{"testdata", filepath.Join(os.Getenv("SEAM_DATA"), "field", "web")} {
		t.Run(filepath.Base(of), func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join(of, "proxy.json"))
			if err != nil && of != "testdata" {
				t.Skip("skipping the requests of the data: set SEAM_DATA to a folder with field/web/proxy.json")
			}
			var cases []fieldCase
			if err == nil {
				err = json.Unmarshal(b, &cases)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				t.Run(c.Kind, func(t *testing.T) {
					play := kinds[c.Kind]
					if play == nil {
						t.Fatal("no expectation for this kind")
					}
					up, url := provider(t)
					up.By(func(r *upstreamtest.Request) upstreamtest.Script {
						switch body := string(r.Body); {
						case strings.Contains(body, "CRASH"):
							return upstreamtest.Script{Fault: upstreamtest.HangUp}
						case strings.Contains(body, "FILTER"):
							return upstreamtest.Script{Status: 400, Body: `{"error":{"message":"filtered","code":"content_filter"}}`}
						case strings.Contains(body, `""`):
							return upstreamtest.Script{Status: 400, Body: `{"error":{"message":"'$.input' is invalid.","type":"invalid_request_error"}}`}
						}
						return upstreamtest.Script{}
					})
					play(t, field{programs(t, url, ""), up}, c)
				})
			}
		})
	}
}
