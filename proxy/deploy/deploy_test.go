// Package deploy has only this test, which checks that the files here work.
package deploy

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"seam/proxy/config"
	"seam/proxy/limit"
	"seam/proxy/metrics"
	"time"
)

func TestExample(t *testing.T) {
	s := config.Source{File: "seam-proxy.yaml", Environ: func() []string { return nil }, Read: os.ReadFile}
	l, err := s.Load()
	if err != nil {
		t.Fatal(err)
	}
	if !l.Public() || l.PromptsBy() != "server" || !l.TokensRequired() || l.Session.Work == 0 {
		t.Errorf("%+v", l.Config)
	}
	s.Read = func(file string) ([]byte, error) { // with a shared book
		b, err := os.ReadFile(file)
		return []byte(strings.Replace(string(b), "  # book:", "  book:", 1)), err
	}
	if l, err = s.Load(); err != nil || !strings.HasPrefix(l.Budget.Book.Redis, "rediss://") || l.Budget.Book.PasswordEnv == "" {
		t.Errorf("%v: %+v", err, l)
	}
}

// An alert rule for a metric that does not exist would never fire.
func TestAlerts(t *testing.T) {
	b, err := os.ReadFile("alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var rules struct {
		Groups []struct {
			Rules []struct{ Alert, Expr string }
		}
	}
	if err := yaml.Unmarshal(b, &rules); err != nil {
		t.Fatal(err)
	}
	m := metrics.New("test", metrics.Now{Spent: func() (limit.Amount, error) { return limit.Amount{}, nil }, Limit: func() limit.Amount { return limit.Amount{} },
		Off: func() bool { return false }, Reloaded: func() (time.Time, bool) { return time.Now(), true }})
	known := strings.Join(m.Names(), " ") + " "
	for _, r := range rules.Groups[0].Rules {
		for _, name := range regexp.MustCompile(`seam_\w+`).FindAllString(r.Expr, -1) {
			if !strings.Contains(known, strings.TrimSuffix(name, "_bucket")+" ") {
				t.Errorf("%s asks for %s, which there is not", r.Alert, name)
			}
		}
	}
	if len(rules.Groups[0].Rules) < 6 {
		t.Error("the rules were not read")
	}
}

func TestComposeAndUnit(t *testing.T) {
	for file, words := range map[string][]string{
		"compose.yaml":       {"proxy/deploy/Dockerfile", "./seam-proxy.yaml:/etc/seam/seam-proxy.yaml:ro", "127.0.0.1:8787:8787", "--appendonly", "noeviction"},
		"Dockerfile":         {"./proxy/seam-proxy", "USER 65532", "FROM scratch", `"/seam-proxy", "health"`},
		"seam-proxy.service": {"--check", "ExecReload=/bin/kill -HUP", "StateDirectory=seam", "LoadCredential=", "RuntimeDirectory=seam"},
	} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var any map[string]any
		if strings.HasSuffix(file, ".yaml") && yaml.Unmarshal(b, &any) != nil {
			t.Errorf("%s is no YAML", file)
		}
		for _, w := range words {
			if !strings.Contains(string(b), w) {
				t.Errorf("%s has no %q", file, w)
			}
		}
	}
}
