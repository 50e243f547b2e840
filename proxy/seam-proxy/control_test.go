package main

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"seam/shared/protocol"
)

// control runs the program for an action.
func control(args ...string) (out string, status int) {
	cmd := exec.Command(binary, args...)
	b, _ := cmd.CombinedOutput() // the exit status reports the error
	return string(b), cmd.ProcessState.ExitCode()
}

// The kill switch and other actions use a socket file that belongs to its owner, found by
// the configuration or by name. Metrics have a separate address.
func TestControl(t *testing.T) {
	up, url := provider(t)
	dir, file := setUp(t, strings.Replace(common, "admin: 127.0.0.1:0", "admin: unix:DIR/admin.sock\nmetrics: 127.0.0.1:0", 1), url)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.NewReplacer("DIR", dir, filepath.Join(dir, "key"), "${CREDENTIALS_DIRECTORY}/key").Replace(string(b)))
	if out, status := control("--config", file, "--check"); status != 1 || !strings.Contains(out, "CREDENTIALS_DIRECTORY is not set") {
		t.Errorf("without the folder of credentials: %d %s", status, out)
	}
	t.Setenv("CREDENTIALS_DIRECTORY", dir)
	path := filepath.Join(dir, "admin.sock")
	if out, status := control("health", "--config", file); status != 1 || !strings.Contains(out, "does not answer") {
		t.Errorf("before the start: %d %s", status, out)
	}
	p := start(t, file)
	if p.admin != "unix:"+path {
		t.Errorf("the admin address is %q", p.admin)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != fs.ModeSocket|0o600 {
		t.Errorf("%v, %v", info, err)
	}
	s := p.connect()
	if code := s.embed(1, "x"); code != "" || up.Requests()[0].Header.Get("Authorization") != "Bearer "+canary {
		t.Errorf("with a key of systemd's: %q", code)
	}
	for i, step := range []struct {
		args   []string
		says   string
		status int
		code   protocol.Code // of a request after it
	}{
		{[]string{"health", "--config", file}, "ok\n", 0, ""},
		{[]string{"off", "--config", file}, "off: all requests are refused", 0, protocol.ShuttingDown},
		{[]string{"health", "--admin", "unix:" + path}, "not ready: switched off", 0, protocol.ShuttingDown},
		{[]string{"on", "--admin", "unix:" + path}, "on\n", 0, ""},
		{[]string{"purge", "--config", file}, "purged", 0, ""},
		{[]string{"off"}, "no admin address", 1, ""},
		{[]string{"offf", "--config", file}, "must be one of", 80, ""},
	} {
		if out, status := control(step.args...); status != step.status || !strings.Contains(out, step.says) {
			t.Errorf("%v: %d %s", step.args, status, out)
		}
		if code := s.embed(uint32(i+2), "x"); code != step.code {
			t.Errorf("after %v: %q", step.args, code)
		}
	}
	if out, status := control("status", "--config", file); status != 0 || !json.Valid([]byte(out)) || !strings.Contains(out, `"sessions":1`) {
		t.Errorf("status: %d %s", status, out)
	}
	if n := len(up.Requests()); n != 2 {
		t.Errorf("%d calls: one before the cache was emptied, one after", n)
	}
	at := regexp.MustCompile(`metrics are at (http://\S+)/metrics`).FindStringSubmatch(p.logged())
	if at == nil {
		t.Fatal("no address of metrics")
	}
	if status, body := p.get(at[1] + "/metrics"); status != 200 || !strings.Contains(body, "seam_requests_total") {
		t.Errorf("%d %s", status, body)
	}
	for _, path := range []string{"/status", "/off", "/healthz", "/"} {
		if status, _ := p.get(at[1] + path); status != http.StatusNotFound {
			t.Errorf("%s beside the metrics: %d", path, status)
		}
	}
	if out, status := control("--config", file); status != 1 || !strings.Contains(out, "in use") {
		t.Errorf("a second one: %d %s", status, out)
	}
	p.cmd.Process.Kill() // it leaves its socket file
	<-p.ended
	start(t, file)
	if out, status := control("health", "--config", file); status != 0 {
		t.Errorf("after kill -9: %d %s", status, out)
	}
}

// The test runs the contents of the image in a folder, with its user, which can write only
// to its own folders. It runs the image's command lines, including the health check.
func TestImage(t *testing.T) {
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("skipping: it takes root on Linux to change the root folder and the user")
	}
	docker, err := os.ReadFile("../deploy/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	line := func(name string) (words []string) {
		found := regexp.MustCompile(`(?m)^` + name + `.*?(\[.*\])$`).FindSubmatch(docker)
		if found == nil || json.Unmarshal(found[1], &words) != nil {
			t.Fatalf("the Dockerfile has no %s", name)
		}
		return words
	}
	_, url := provider(t)
	root, err := os.MkdirTemp("", "image") // a test's own folder is below one that other users cannot enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(root) })
	const user = 65532
	b, err := os.ReadFile(binary)
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "seam-proxy"), b, 0o755)
	}
	for _, dir := range []string{"etc/seam", "var/lib/seam", "run/seam"} {
		if err == nil {
			err = os.MkdirAll(filepath.Join(root, dir), 0o755)
		}
	}
	for _, found := range regexp.MustCompile(`(?m)^COPY --from=build --chown=65532:65532 \S+ (\S+)$`).FindAllSubmatch(docker, -1) {
		if err == nil {
			err = os.Chown(filepath.Join(root, string(found[1])), user, user)
		}
	}
	if err == nil {
		err = os.Chmod(root, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	yaml := strings.NewReplacer("STATE", "/var/lib/seam", "UPSTREAM", url, "KEY", "/etc/seam/key", "admin: 127.0.0.1:0", "admin: unix:/run/seam/admin.sock").Replace(common)
	write(t, filepath.Join(root, "etc/seam/seam-proxy.yaml"), yaml)
	write(t, filepath.Join(root, "etc/seam/key"), canary)
	for _, name := range []string{"seam-proxy.yaml", "key"} {
		if err := os.Chmod(filepath.Join(root, "etc/seam", name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	inside := func(words ...string) *exec.Cmd {
		return &exec.Cmd{Path: words[0], Args: words, Dir: "/", SysProcAttr: &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: user, Gid: user}}}
	}
	if out, err := inside("/seam-proxy", "--version").CombinedOutput(); err != nil {
		t.Skipf("skipping: the root folder cannot be changed here: %v %s", err, out)
	}
	p := startAs(t, "", inside(append(line("ENTRYPOINT"), line("CMD")...)...))
	if code := p.connect().embed(1, "from the image"); code != "" {
		t.Error(code)
	}
	check := line("HEALTHCHECK")
	if out, err := inside(check...).CombinedOutput(); err != nil || string(out) != "ok\n" {
		t.Errorf("the health check: %v %s", err, out)
	}
	for _, action := range []string{"off", "on", "status"} {
		if out, err := inside("/seam-proxy", action, "--config", "/etc/seam/seam-proxy.yaml").CombinedOutput(); err != nil {
			t.Errorf("%s: %v %s", action, err, out)
		}
	}
	p.signal(syscall.SIGTERM)
	if err := <-p.ended; err != nil {
		t.Error(err)
	}
	if out, err := inside(check...).CombinedOutput(); err == nil {
		t.Errorf("the health check of one that has ended: %s", out)
	}
	if err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Sys().(*syscall.Stat_t).Uid == user && !strings.Contains(path, "/var/lib/seam") && !strings.Contains(path, "/run/seam") {
			t.Errorf("it has written %s", path)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
}
