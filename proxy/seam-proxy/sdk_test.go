package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seam/proxy/upstream/upstreamtest"
)

// Calls of the official SDKs with their defaults all succeed, 200 at a time. SEAM_LONG
// installs the SDKs from PyPI and npm; TestHundredAtATime is the sample without them.
func TestOfficialSDKs(t *testing.T) {
	if !long() {
		t.Skip("skipping the official SDKs: make test-long runs them")
	}
	up, url := provider(t)
	up.Always(upstreamtest.Script{HeaderDelay: 500 * time.Millisecond})
	p := programs(t, url, "")
	in := func(dir, name string, args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), hang)
		defer cancel()
		cmd := exec.CommandContext(ctx, name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	install := func(t *testing.T, dir, name string, args ...string) {
		t.Helper()
		if out, err := in(dir, name, args...); err != nil {
			t.Skipf("skipping this SDK: %s %s: %v: %.300s", name, args[0], err, out)
		}
	}
	all := func(t *testing.T, dir, name string, args ...string) {
		t.Helper()
		if out, err := in(dir, name, args...); err != nil || strings.TrimSpace(out) != "200" {
			t.Errorf("%v: %.2000s", err, out)
		}
	}
	t.Run("Python", func(t *testing.T) {
		dir := t.TempDir()
		install(t, dir, "python3", "-m", "venv", "venv")
		install(t, dir, filepath.Join(dir, "venv", "bin", "pip"), "install", "--quiet", "openai")
		script, err := filepath.Abs("testdata/hundred.py")
		if err != nil {
			t.Fatal(err)
		}
		all(t, dir, filepath.Join(dir, "venv", "bin", "python"), script, p.url+"/v1", alice)
	})
	t.Run("Node", func(t *testing.T) {
		dir := t.TempDir()
		install(t, dir, "npm", "install", "--silent", "--no-audit", "--no-fund", "openai")
		script, err := os.ReadFile("testdata/hundred.mjs")
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "hundred.mjs"), string(script))
		all(t, dir, "node", "hundred.mjs", p.url+"/v1", bob)
	})
}
