package process

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/proxy/upstream/upstreamtest"
	"seam/shared/pdftext/pdftest"
)

// These tests run seam enrich with a scripted provider.

type knowledgeRow struct {
	ID         string
	Start, End int
	Text       string
	Statements []struct {
		ID, Subject, Description string
		Grounded                 bool
	}
	Warning string
}

// rowsOf parses one JSON object per line.
func rowsOf[T any](t *testing.T, out string) (rows []T) {
	t.Helper()
	for line := range strings.Lines(out) {
		var row T
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		rows = append(rows, row)
	}
	return rows
}

func TestEnrichKnowledge(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(func(r *upstreamtest.Request) upstreamtest.Script {
		if strings.Contains(string(r.Body), "Mars") {
			return upstreamtest.Script{Words: []string{"I would rather not."}}
		}
		return scholar(r)
	})
	document, cache := file(t, "planets.txt", []byte(planets)), t.TempDir()
	args := []string{"enrich", "knowledge", "--base-url", p.BaseURL, "--model", "m", document}
	r := own(t, cache, args...)
	rows := rowsOf[knowledgeRow](t, r.out)
	if r.status != 0 || len(rows) != 3 || len(p.Requests()) != 4 || !strings.Contains(r.err, "1 without a usable answer from the model") {
		t.Fatalf("%+v after %d requests", r, len(p.Requests()))
	}
	for i, row := range rows {
		if row.Text != planets[row.Start:row.End] || !strings.HasPrefix(row.ID, "doc_") || (len(row.Statements) == 0) != (i == 1) || (row.Warning != "") != (i == 1) {
			t.Errorf("%+v", row)
		}
	}
	if s := rows[0].Statements[0]; s.ID != "doc_0_0" || s.Subject != "Venus" || !s.Grounded || rows[2].Statements[0].Grounded {
		t.Errorf("%+v", rows)
	}
	if q := p.Requests()[0]; q.Model != "m" || !strings.Contains(string(q.Body), `"json_object"`) {
		t.Errorf("%s", q.Body)
	}
	// Nothing is requested again, and the output file is written as a whole.
	to := filepath.Join(t.TempDir(), "out.jsonl")
	again := own(t, cache, append(args, "-o", to)...)
	if b, err := os.ReadFile(to); err != nil || string(b) != r.out || again.out != "" || len(p.Requests()) != 4 {
		t.Errorf("%+v, %v after %d requests", again, err, len(p.Requests()))
	}
}

// knowledgeBothWays runs seam enrich knowledge on a text with a key and through a proxy. It
// returns both results and the greater number of requests.
func knowledgeBothWays(t *testing.T, by func(*upstreamtest.Request) upstreamtest.Script, text string) (map[string]result, int) {
	t.Helper()
	p := upstreamtest.Start()
	defer p.Close()
	p.By(by)
	l := linktest.Start(t, limit.Limits{})
	l.Provider.By(by)
	document := file(t, "planets.txt", []byte(text))
	ways := map[string]result{
		"a key":   own(t, "off", "enrich", "knowledge", "--base-url", p.BaseURL, "--model", "m", document),
		"a proxy": hosted(t, l, "enrich", "knowledge", "--model", "c", "--cache", "off", document),
	}
	return ways, max(len(p.Requests()), len(l.Provider.Requests()))
}

// A section longer than the model accepts does not end the run, with a key or through a
// proxy.
func TestEnrichWhatIsTooLong(t *testing.T) {
	by := func(r *upstreamtest.Request) upstreamtest.Script {
		if strings.Contains(string(r.Body), "Mars") {
			return upstreamtest.Script{Status: http.StatusRequestEntityTooLarge}
		}
		return scholar(r)
	}
	ways, _ := knowledgeBothWays(t, by, planets)
	for name, r := range ways {
		rows := rowsOf[knowledgeRow](t, r.out)
		if r.status != 0 || len(rows) != 3 || len(rows[0].Statements) == 0 || !strings.Contains(rows[1].Warning, "too long for this model") || len(rows[2].Statements) == 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// A section that a content filter refuses, even the first, does not end the run, with a key
// or through a proxy. If all are refused, the run ends soon.
func TestEnrichWhatIsRefused(t *testing.T) {
	no := upstreamtest.Script{Status: http.StatusBadRequest, Body: `{"error":{"message":"content_filter"}}`}
	for _, which := range []string{"Venus", "Mars", ""} {
		by := func(r *upstreamtest.Request) upstreamtest.Script {
			if strings.Contains(string(r.Body), which) {
				return no
			}
			return scholar(r)
		}
		text := planets
		if which == "" {
			for i := range 20 {
				text += fmt.Sprintf("\n\nMoon %d is round. It is cold there.", i)
			}
		}
		ways, requests := knowledgeBothWays(t, by, text)
		for name, r := range ways {
			rows := rowsOf[knowledgeRow](t, r.out)
			if which == "" {
				if r.status != 1 || len(rows) > 0 || !strings.Contains(r.err, "rejected this request") {
					t.Errorf("all, %s: %+v", name, r)
				}
				continue
			}
			if r.status != 0 || len(rows) != 3 {
				t.Errorf("%s, %s: %+v", which, name, r)
				continue
			}
			for _, row := range rows {
				if bad := strings.Contains(row.Text, which); (row.Warning != "") != bad || (len(row.Statements) == 0) != bad {
					t.Errorf("%s, %s: %+v", which, name, row)
				}
			}
		}
		if which == "" && requests > firstRefused {
			t.Errorf("%d requests that are refused", requests)
		}
	}
}

// firstRefused is the most requests begun when the first three are refused, because four
// run at once.
const firstRefused = 7

// A truncated answer is requested once more. The truncated text is kept, even if useless,
// and not paid for again.
func TestEnrichKeepsWhatBrokeOff(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	tried := map[string]int{}
	p.By(func(r *upstreamtest.Request) upstreamtest.Script {
		body := string(r.Body)
		if tried[body]++; strings.Contains(body, "Mars") || strings.Contains(body, "Venus turns") && tried[body] == 1 {
			return upstreamtest.Script{Words: []string{`{"know`}, Fault: upstreamtest.CutStream}
		}
		return scholar(r)
	})
	args := []string{"enrich", "knowledge", "--base-url", p.BaseURL, "--model", "m", file(t, "planets.txt", []byte(planets))}
	cache := t.TempDir()
	r := own(t, cache, args...)
	rows := rowsOf[knowledgeRow](t, r.out)
	if r.status != 0 || len(rows) != 3 || len(rows[0].Statements) == 0 || !strings.Contains(rows[1].Warning, "broke off") || len(p.Requests()) != 5 {
		t.Fatalf("%+v after %d requests", r, len(p.Requests()))
	}
	if again := own(t, cache, args...); again.out != r.out || len(p.Requests()) != 5 {
		t.Errorf("%+v after %d requests", again, len(p.Requests()))
	}
}

func TestEnrichHeaders(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	document := file(t, "planets.md", []byte("# Planets\n\n## Near\n\n"+planets+"\n## Far\n\nNeptune is blue.\n"))
	type row struct {
		Text, Header string
		Written      bool
	}
	// Without a model nothing is sent.
	r := own(t, "off", "enrich", "headers", "--method", "sections", document)
	rows := rowsOf[row](t, r.out)
	if r.status != 0 || r.err != "" || len(rows) < 2 || rows[0].Header != "Planets › Near" || rows[len(rows)-1].Header != "Planets › Far" || slices.ContainsFunc(rows, func(r row) bool { return r.Written }) {
		t.Errorf("%+v", r)
	}
	r = own(t, "off", "enrich", "headers", "--method", "sections", "--base-url", p.BaseURL, "--model", "m", "--from", "model", document)
	rows = rowsOf[row](t, r.out)
	if r.status != 0 || len(p.Requests()) != len(rows) || slices.ContainsFunc(rows, func(r row) bool { return r.Header != "Of planets" || !r.Written }) {
		t.Errorf("%+v", r)
	}
	// For a text without sections, titles written by the model are the default.
	r = own(t, "off", "enrich", "headers", "--base-url", p.BaseURL, "--model", "m", file(t, "planets.txt", []byte(planets)))
	if rows = rowsOf[row](t, r.out); r.status != 0 || len(rows) == 0 || !rows[0].Written {
		t.Errorf("%+v", r)
	}
}

// For documents opened with a password and for stdin, no run is stored unless a file is
// named.
func TestRunsOfPrivateDocumentsAreNotKept(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	p.By(scholar)
	secret := pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "Venus turns backwards."}}}}, Encrypt: true, Password: "open sesame"}
	locked, plain := file(t, "locked.pdf", pdftest.Write(secret)), file(t, "planets.txt", []byte(planets))
	for _, tt := range []struct {
		kept bool
		args []string
	}{{false, []string{locked, "--password", "open sesame"}}, {false, []string{"-"}}, {true, []string{plain, "--password", "open sesame"}}} {
		for _, command := range [][]string{{"enrich", "knowledge"}, {"enrich", "headers"}, {"eval", "pipeline", "chunk-size", "--question", "How does Venus turn?", "--embedding-model", "builtin"}} {
			for _, named := range []bool{false, true} {
				cache, to := t.TempDir(), filepath.Join(t.TempDir(), "run.jsonl")
				args := slices.Concat(command, []string{"--base-url", p.BaseURL, "--model", "m"}, tt.args)
				if named {
					args = append(args, "--run", to)
				}
				cmd := exec.Command(seam, args...)
				cmd.Stdin = strings.NewReader(planets)
				cmd.Env = append(os.Environ(), "OPENAI_API_KEY="+ownKey, "SEAM_PROXY=", "SEAM_CACHE="+cache)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%q: %v: %s", args, err, out)
				}
				if files := written(t, cache); (len(files) > 0) != (tt.kept && !named) {
					t.Errorf("%q keeps %q", args, files)
				}
				if _, err := os.Stat(to); (err == nil) != named {
					t.Errorf("%q: %v", args, err)
				}
			}
		}
	}
}

func TestEnrichMistakes(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	document := file(t, "planets.txt", []byte(planets))
	for _, tt := range []struct {
		says string
		args []string
	}{
		{"--model", []string{"knowledge", document}},
		{"--from model needs --model", []string{"headers", "--from", "model", document}},
		{"only --model is hosted", []string{"headers", "--base-url", p.BaseURL, "--embedder", "openai:e", document}},
		{"two numbers", []string{"knowledge", "--base-url", p.BaseURL, "--model", "m", "--chat-price", "1", document}},
	} {
		r := own(t, "off", append([]string{"enrich"}, tt.args...)...)
		if r.status != 2 || r.out != "" || !strings.Contains(r.err, tt.says) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: %+v", tt.args, r)
		}
	}
	r := own(t, "off", "enrich", "knowledge", "--base-url", p.BaseURL, "--model", "m", "--chat-price", "1,2", "--dry-run", document)
	if r.status != 0 || len(p.Requests()) > 0 || !strings.HasPrefix(r.out, "would send 3 requests (about ") || !strings.Contains(r.out, "about $0.00") {
		t.Errorf("%+v", r)
	}
	empty := file(t, "empty.txt", nil)
	for flag, says := range map[string]string{"--dry-run": "nothing would be sent: no part of the text needs the model", "--prompts=": "seam: sending nothing to m: "} {
		r = own(t, "off", "enrich", "knowledge", "--base-url", p.BaseURL, "--model", "m", flag, empty)
		if r.status != 0 || len(p.Requests()) > 0 || !strings.HasPrefix(r.out+r.err, says) {
			t.Errorf("%s: %+v", flag, r)
		}
	}
	p.Always(upstreamtest.Script{Status: http.StatusUnauthorized})
	if r = own(t, "off", "enrich", "knowledge", "--base-url", p.BaseURL, "--model", "m", document); r.status != 1 || r.out != "" || strings.Count(r.err, "OPENAI_API_KEY") != 1 {
		t.Errorf("%+v", r)
	}
}
