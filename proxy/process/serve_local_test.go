package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seam/proxy/nearby/nearbytest"
	"seam/proxy/upstream/upstreamtest"
)

// served is a running seam serve.
type served struct {
	url, token, state string
	out               *bufio.Reader
	cmd               *exec.Cmd
}

// serveLocal starts seam serve with a page, without a provider unless args name one.
func serveLocal(t *testing.T, env []string, args ...string) *served {
	t.Helper()
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "index.html"), []byte("<!doctype html>page"), 0o644)
	s := &served{state: t.TempDir()}
	s.cmd = exec.Command(seam, append([]string{"serve", "--addr", "127.0.0.1:0", "--dir", dir, "--state", s.state}, args...)...)
	s.cmd.Env = append(os.Environ(), env...)
	s.cmd.Stderr = os.Stderr
	pipe, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.cmd.Process.Kill(); s.cmd.Wait() })
	s.out = bufio.NewReader(pipe)
	line, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(line, "http://")
	rest, _, _ = strings.Cut(rest, " ")
	s.url, s.token, _ = strings.Cut("http://"+rest, "/#token=")
	return s
}

// post sends a request as the page does, with changes to it, and returns status and body.
func (s *served) post(t *testing.T, path, body string, changes ...func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequest("POST", s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", s.url)
	r.Header.Set("Authorization", "Bearer "+s.token)
	for _, change := range changes {
		change(r)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.Header.Get("Access-Control-Allow-Origin") != "" && strings.HasPrefix(path, "/v1/local") {
		t.Error("another origin may read the answer")
	}
	return resp.StatusCode, string(b)
}

func (s *served) timing(t *testing.T) string {
	t.Helper()
	resp, err := http.Get(s.url + "/")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.Header.Get("Server-Timing")
}

// The page of seam serve finds models on this machine and takes them without a file: the
// server then relays to them until it ends.
func TestServeLocal(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	ollama := nearbytest.Start(t, nearbytest.Ollama(p, nearbytest.Model{Name: "llama3.2:latest", Capabilities: answers}, nearbytest.Model{Name: "nomic-embed-text:latest", Capabilities: embeds}))
	none := nearbytest.Silent(t)
	s := serveLocal(t, []string{nearbytest.Ports(ollama.Port(), none, none)})
	if s.token == "" || s.timing(t) != `seam;desc="server", local` {
		t.Fatalf("token %q, %s", s.token, s.timing(t))
	}
	chat := `{"model":"llama3.2:latest","messages":[{"role":"user","content":"Hi"}]}`
	if status, _ := s.post(t, "/v1/chat/completions", chat); status != http.StatusMethodNotAllowed {
		t.Errorf("before: %d", status)
	}
	use := func(model, kind string) (int, string) {
		return s.post(t, "/v1/local/use", `{"address":"127.0.0.1:`+ollama.Port()+`","model":"`+model+`","kind":"`+kind+`"}`)
	}
	if status, body := use("llama3.2:latest", "chat"); status != http.StatusNotFound || !strings.Contains(body, `"code":"gone"`) {
		t.Errorf("without a search: %d %s", status, body)
	}
	if len(ollama.Seen()) != 0 {
		t.Errorf("before the press: %q", ollama.Seen())
	}
	status, body := s.post(t, "/v1/local", "{}")
	if status != http.StatusOK || !strings.Contains(body, `{"name":"llama3.2:latest","kinds":["chat"]}`) || !strings.Contains(body, `"state":"silent"`) {
		t.Fatalf("%d %s", status, body)
	}
	if status, body := use("other", "chat"); status != http.StatusNotFound {
		t.Errorf("a model that was not found: %d %s", status, body)
	}
	if status, body := s.post(t, "/v1/local/use", `{"address":"169.254.169.254:80","model":"llama3.2:latest","kind":"chat"}`); status != http.StatusNotFound {
		t.Errorf("another address: %d %s", status, body)
	}
	for _, each := range [][2]string{{"llama3.2:latest", "chat"}, {"nomic-embed-text:latest", "embed"}, {"llama3.2:latest", "chat"}} {
		if status, body := use(each[0], each[1]); status != http.StatusOK || !strings.Contains(body, "--base-url http://127.0.0.1:"+ollama.Port()+"/v1 --") {
			t.Fatalf("%q: %d %s", each, status, body)
		}
	}
	if _, body := use("llama3.2:latest", "chat"); body != `{"options":"--base-url http://127.0.0.1:`+ollama.Port()+`/v1 --chat-model llama3.2:latest --embed-model nomic-embed-text:latest"}`+"\n" {
		t.Errorf("the options of both: %s", body)
	}
	if line, _ := s.out.ReadString('\n'); !strings.Contains(line, "relays to llama3.2:latest of Ollama") || !strings.Contains(line, "until it stops; to keep it, start it with --base-url") {
		t.Errorf("%q", line)
	}
	if s.timing(t) != `seam;desc="server", proxy, local` {
		t.Errorf("after: %s", s.timing(t))
	}
	if status, body := s.post(t, "/v1/chat/completions", chat); status != http.StatusOK || !strings.Contains(body, "It comes apart") {
		t.Errorf("%d %s", status, body)
	}
	if status, body := s.post(t, "/v1/embeddings", `{"model":"nomic-embed-text:latest","input":"Hi"}`); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	req, _ := http.NewRequest("GET", s.url+"/v1/models", nil)
	req.Header.Set("Authorization", "Bearer "+s.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var models struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&models); err != nil || len(models.Data) != 2 {
		t.Errorf("%+v, %v", models, err)
	}
	// Another seam serve has the state folder, so this one cannot relay.
	other := serveLocal(t, []string{nearbytest.Ports(ollama.Port(), none, none)}, "--state", s.state)
	other.post(t, "/v1/local", "{}")
	if status, body := other.post(t, "/v1/local/use", `{"address":"127.0.0.1:`+ollama.Port()+`","model":"llama3.2:latest","kind":"chat"}`); status != http.StatusConflict || !strings.Contains(body, `"code":"in-use"`) {
		t.Errorf("%d %s", status, body)
	}
}

// Only the page and programs with the token are answered, and nobody else causes a search.
func TestServeLocalDoor(t *testing.T) {
	web := nearbytest.Start(t, nearbytest.Web())
	env := []string{nearbytest.Ports(web.Port(), web.Port(), web.Port())}
	s := serveLocal(t, env)
	for name, tt := range map[string]struct {
		change func(*http.Request)
		status int
	}{
		"no token":       {func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		"a wrong token":  {func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+strings.Repeat("x", 52)) }, http.StatusUnauthorized},
		"another site":   {func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		"another port":   {func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, http.StatusForbidden},
		"null":           {func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		"rebinding":      {func(r *http.Request) { r.Host = "evil.example"; r.Header.Set("Origin", "http://evil.example") }, http.StatusForbidden},
		"a rebound host": {func(r *http.Request) { r.Host = "evil.example:8787" }, http.StatusForbidden},
		"a tunnel":       {func(r *http.Request) { r.Header.Set("X-Forwarded-For", "203.0.113.7") }, http.StatusForbidden},
	} {
		for _, path := range []string{"/v1/local", "/v1/local/use"} {
			if status, body := s.post(t, path, "{}", tt.change); status != tt.status {
				t.Errorf("%s, %s: %d %s", name, path, status, body)
			}
		}
	}
	if resp, err := http.Get(s.url + "/v1/local"); err != nil || resp.StatusCode == http.StatusOK {
		t.Errorf("GET: %v, %v", resp, err)
	}
	if len(web.Seen()) > 0 {
		t.Errorf("a search: %q", web.Seen())
	}
	if status, body := s.post(t, "/v1/local", "{}"); status != http.StatusOK || strings.Count(body, `"state":"other"`) != 3 {
		t.Errorf("%d %s", status, body)
	}
	// A site has no such path, and neither has a server for other machines.
	site := exec.Command(seam, "serve", "--addr", "127.0.0.1:0", "--site", t.TempDir())
	var out bytes.Buffer
	site.Stdout, site.Stderr = &out, &out
	_ = site.Start()
	site.Process.Kill()
	_ = site.Wait()
	if strings.Contains(out.String(), "#token=") {
		t.Errorf("a site has a token: %s", out.String())
	}
	other := serveLocal(t, env, "--addr", "0.0.0.0:0")
	if other.token != "" || other.timing(t) != `seam;desc="server"` {
		t.Errorf("a server for other machines: %q, %s", other.token, other.timing(t))
	}
	if status, _ := other.post(t, "/v1/local", "{}"); status == http.StatusOK {
		t.Error("a server for other machines looks for models")
	}
}

// A reload keeps the models that the page took, next to the file's.
func TestServeLocalReload(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	ollama := nearbytest.Start(t, nearbytest.Ollama(p, nearbytest.Model{Name: "llama3.2:latest", Capabilities: answers}))
	none := nearbytest.Silent(t)
	config := file(t, "seam-proxy.yaml", []byte("providers:\n  - {name: far, base_url: "+p.BaseURL+", models: [{id: \"llama3.2:latest\", kind: chat}]}\n"))
	s := serveLocal(t, []string{nearbytest.Ports(ollama.Port(), none, none)}, "--config", config)
	s.post(t, "/v1/local", "{}")
	// The name is taken by a model elsewhere: the two must not share requests.
	if status, body := s.post(t, "/v1/local/use", `{"address":"127.0.0.1:`+ollama.Port()+`","model":"llama3.2:latest","kind":"chat"}`); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	ask := func(model string) (int, string) {
		return s.post(t, "/v1/chat/completions", `{"model":"`+model+`","messages":[{"role":"user","content":"Hi"}]}`)
	}
	mine := "llama3.2:latest at 127.0.0.1:" + ollama.Port()
	before := len(ollama.Seen())
	for range 8 {
		if status, body := ask("llama3.2:latest"); status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
	}
	if n := len(ollama.Seen()); n != before {
		t.Errorf("%d requests for the model of the file went to the other", n-before)
	}
	if status, body := ask(mine); status != http.StatusOK {
		t.Errorf("%d %s", status, body)
	}
	reloaded(t, s, config, p.BaseURL, func() bool { status, _ := ask("more"); return status == http.StatusOK })
	if status, body := ask(mine); status != http.StatusOK {
		t.Errorf("after a reload: %d %s", status, body)
	}
}

// reloaded adds the model "more" to the file and waits until it is there.
func reloaded(t *testing.T, s *served, config, base string, there func() bool) {
	t.Helper()
	os.WriteFile(config, []byte("providers:\n  - {name: far, base_url: "+base+", models: [{id: \"llama3.2:latest\", kind: chat}, {id: more, kind: chat}]}\n"), 0o644)
	s.cmd.Process.Signal(syscall.SIGHUP)
	for end := time.Now().Add(time.Minute); !there(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no reload")
		}
	}
}
