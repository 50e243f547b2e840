package main

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seam/shared/protocol"
)

// small mounts a file system of a megabyte, which needs root.
func small(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// fill fills a disk.
func fill(t *testing.T, file string) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = f.Write(make([]byte, 4096))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// While the disk is full nothing is granted, and readiness, metrics and one line of the log
// show it. With room again, everything continues.
func TestFullDisk(t *testing.T) {
	up, url := provider(t)
	dir, file := setUp(t, common, url)
	small(t, filepath.Join(dir, "state"))
	p := start(t, file)
	s := p.connect()
	filler := filepath.Join(dir, "state", "filler")
	fill(t, filler)
	for id := range uint32(5) {
		if code := s.embed(1+id, "a text"); code != protocol.Internal {
			t.Errorf("on a full disk: %q", code)
		}
	}
	if status, body := p.get(p.url + "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "the budget cannot be written") {
		t.Errorf("/readyz: %d %s", status, body)
	}
	if _, metrics := p.get(p.admin + "/metrics"); !strings.Contains(metrics, `seam_state_failing{file="budget.db"} 1`) || strings.Contains(metrics, `seam_state_errors_total{file="budget.db"} 0`) {
		t.Error("the metrics do not tell")
	}
	if n := strings.Count(p.logged(), filepath.Join(dir, "state", "budget.db")); n != 1 || !strings.Contains(p.logged(), "no space left") {
		t.Errorf("%d lines of the log name the file, want one", n)
	}
	if out, err := exec.Command(binary, "--config", file, "--check").CombinedOutput(); err == nil || !strings.Contains(string(out), "cannot be written") {
		t.Errorf("--check: %s", out)
	}
	if len(up.Requests()) > 0 {
		t.Error("the provider was asked")
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	if status, body := p.get(p.url + "/readyz"); status != http.StatusOK {
		t.Errorf("/readyz with room again: %d %s", status, body)
	}
	if code := s.embed(9, "a text"); code != "" {
		t.Errorf("with room again: %q", code)
	}
	if _, metrics := p.get(p.admin + "/metrics"); !strings.Contains(metrics, `seam_state_failing{file="budget.db"} 0`) {
		t.Error("the metrics do not tell that it works again")
	}
}

// A damaged cache is set aside, before the start and while the proxy runs.
func TestDamagedCache(t *testing.T) {
	_, url := provider(t)
	dir, file := setUp(t, common, url)
	cache := filepath.Join(dir, "state", "cache.db")
	if err := os.Mkdir(filepath.Join(dir, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, cache, strings.Repeat("no database", 10_000))
	if out, err := exec.Command(binary, "--config", file, "--check").CombinedOutput(); err != nil || !strings.Contains(string(out), cache+" is damaged") {
		t.Errorf("--check: %v %s", err, out)
	}
	p := start(t, file)
	s := p.connect()
	for id := range uint32(3) {
		if code := s.embed(1+id, "a text"); code != "" {
			t.Error(code)
		}
	}
	if aside, _ := filepath.Glob(cache + ".damaged-*"); len(aside) != 1 || strings.Count(p.logged(), "is set aside") != 1 {
		t.Errorf("%q", aside)
	}
	if err := os.Truncate(cache, int64(2*os.Getpagesize())); err != nil { // the second time in an hour
		t.Fatal(err)
	}
	for id := range uint32(3) {
		if code := s.embed(10+id, "another text", "a third"); code != "" {
			t.Error(code)
		}
	}
	if status, body := p.get(p.url + "/readyz"); status != http.StatusOK {
		t.Errorf("/readyz without a cache on disk: %d %s", status, body)
	}
}

// A damaged budget prevents the start, unless a flag permits it. If it is damaged while the
// proxy runs, nothing is granted.
func TestDamagedBudget(t *testing.T) {
	_, url := provider(t)
	dir, file := setUp(t, common, url)
	budget := filepath.Join(dir, "state", "budget.db")
	if err := os.Mkdir(filepath.Join(dir, "state"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, budget, strings.Repeat("no database", 10_000))
	for _, flag := range []string{"--check", "--admin=127.0.0.1:0"} {
		out, err := exec.Command(binary, "--config", file, flag).CombinedOutput()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), budget+" is damaged") || strings.Contains(string(out), "goroutine") {
			t.Errorf("%s: %v %s", flag, err, out)
		}
		if flag != "--check" && !strings.Contains(string(out), "--forget-budget") {
			t.Errorf("it does not say what to do: %s", out)
		}
	}
	p := start(t, file, "--forget-budget")
	s := p.connect()
	if code := s.embed(1, "a text"); code != "" {
		t.Error(code)
	}
	if aside, _ := filepath.Glob(budget + ".damaged-*"); len(aside) != 1 || !strings.Contains(p.logged(), "nothing is spent today") {
		t.Errorf("%q", aside)
	}
	if err := os.Truncate(budget, int64(2*os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	for id := range uint32(3) {
		if code := s.embed(2+id, strings.Repeat("more than a block ", 300)); code != protocol.Internal {
			t.Errorf("with a damaged budget: %q", code)
		}
	}
	if status, body := p.get(p.url + "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "budget") {
		t.Errorf("/readyz: %d %s", status, body)
	}
	if strings.Contains(p.logged(), "goroutine") {
		t.Error("it panicked")
	}
}

// --check finds the problems of a start, and leaves no files behind.
func TestCheckState(t *testing.T) {
	_, url := provider(t)
	dir, file := setUp(t, common, url)
	check := func() (string, error) {
		out, err := exec.Command(binary, "--config", file, "--check").CombinedOutput()
		return string(out), err
	}
	state := filepath.Join(dir, "state")
	write(t, state, "a file")
	if out, err := check(); err == nil || !strings.Contains(out, state) {
		t.Errorf("a file in the place of the folder: %s", out)
	}
	if err := os.Remove(state); err != nil {
		t.Fatal(err)
	}
	p := start(t, file)
	if out, err := check(); err != nil || !strings.Contains(out, "is in use: another proxy runs with it") {
		t.Errorf("while a proxy runs: %v %s", err, out)
	}
	p.cmd.Process.Kill()
	<-p.ended
	if out, err := check(); err != nil || strings.Contains(out, "Note") {
		t.Errorf("%v %s", err, out)
	}
	if left, _ := filepath.Glob(filepath.Join(state, ".seam-check-*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}
