package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"seam/proxy/limit/redistest"
	"seam/shared/protocol"
)

// sharing writes the configuration of an instance with a budget of 4,000 tokens a day in a
// Redis, with further keys of budget.book.
func sharing(t *testing.T, url, redis, more string) (dir, file string) {
	t.Helper()
	return setUp(t, strings.Replace(common, "budget: {day: {tokens: 100000}", "budget: {book: {redis: '"+redis+"'"+more+"}, day: {tokens: 4000}", 1), url)
}

// Two instances with one Redis stop at one shared budget, and both report the spending. A
// killed instance wastes at most a block.
func TestInstancesShareABudget(t *testing.T) {
	up, url := provider(t)
	redis := redistest.Start(t)
	var files []string
	var all []*process
	var sockets []*socket
	for range 2 {
		_, file := sharing(t, url, redis.Address, "")
		p := start(t, file)
		files, all, sockets = append(files, file), append(all, p), append(sockets, p.connect())
	}
	id, refused := uint32(0), [2]bool{}
	for !refused[0] || !refused[1] {
		if id++; id == 40 {
			all[1].get(all[1].admin + "/report") // writes the counts, because a kill may lose a second of them
			all[1].cmd.Process.Kill()
			<-all[1].ended
			all[1] = start(t, files[1])
			sockets[1] = all[1].connect()
		}
		i := id % 2
		switch code := sockets[i].embed(id, strings.Repeat("word ", 20)+fmt.Sprint(id)); code {
		case protocol.BudgetSpent:
			refused[i] = true
		case "":
		default:
			t.Fatal(code)
		}
	}
	used := counted(t, up)["e"].in
	const estimate = 120 // one text at a token per byte: the amount each instance holds until it is released, and the killed one forever
	if used > 4000 || used < 4000-4*estimate {
		t.Errorf("%d tokens are spent of 4000", used)
	}
	t.Logf("%d tokens are spent of 4000", used)
	for i, p := range all {
		var says struct{ Today struct{ Tokens int } }
		if _, body := p.get(p.admin + "/status"); json.Unmarshal([]byte(body), &says) != nil || says.Today.Tokens < used || says.Today.Tokens > 4000 {
			t.Errorf("instance %d says %s", i, body)
		}
		if _, body := p.get(p.admin + "/report?days=2"); !strings.Contains(body, fmt.Sprintf(",%d,0,", used)) {
			t.Errorf("the report of instance %d, of %d tokens: %s", i, used, body)
		}
		p.cmd.Process.Kill()
		<-p.ended
	}
	if out, status := control("report", "--csv", "--config", files[0]); status != 0 || !strings.Contains(out, fmt.Sprintf(",%d,0,", used)) {
		t.Errorf("the report where none runs: %d %s", status, out)
	}
}

// While Redis is down nothing is granted, and readiness and metrics show it. Afterwards
// everything continues. A proxy also starts without Redis.
func TestRedisIsAway(t *testing.T) {
	up, url := provider(t)
	redis := redistest.Start(t)
	_, file := sharing(t, url, redis.Address, "")
	redis.Stop()
	p := start(t, file)
	s := p.connect()
	away := func() {
		t.Helper()
		calls := len(up.Requests())
		for id := range uint32(3) {
			if code := s.embed(1+id, strings.Repeat("more than a block ", 50)+fmt.Sprint(calls)); code != protocol.Internal {
				t.Errorf("without Redis: %q", code)
			}
		}
		if status, body := p.get(p.url + "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "the budget cannot be") {
			t.Errorf("/readyz: %d %s", status, body)
		}
		if _, metrics := p.get(p.admin + "/metrics"); !strings.Contains(metrics, `seam_state_failing{file="redis"} 1`) || !strings.Contains(metrics, "seam_budget_day_tokens_spent -1") {
			t.Error("the metrics do not tell")
		}
		if n := strings.Count(p.logged(), `"msg":"state","file":"redis"`); n != 1 || !strings.Contains(p.logged(), redis.Address) {
			t.Errorf("%d lines of the log name it, want one in a minute", n)
		}
		if len(up.Requests()) != calls {
			t.Error("the provider was asked")
		}
	}
	back := func(id uint32) {
		t.Helper()
		if status, body := p.get(p.url + "/readyz"); status != http.StatusOK {
			t.Errorf("/readyz with Redis again: %d %s", status, body)
		}
		if code := s.embed(id, strings.Repeat("more than a block ", 50)+fmt.Sprint("back ", id)); code != "" {
			t.Errorf("with Redis again: %q", code)
		}
		if _, metrics := p.get(p.admin + "/metrics"); !strings.Contains(metrics, `seam_state_failing{file="redis"} 0`) {
			t.Error("the metrics do not tell that it works again")
		}
	}
	away()
	redis.Start()
	back(10)
	redis.Stop()
	away()
	redis.Start()
	back(11)
}

// --check reports whether Redis can be reached, and takes no budget.
func TestCheckRedis(t *testing.T) {
	_, url := provider(t)
	redis := redistest.Start(t)
	const password = "a-password-0123456789"
	t.Setenv("TEST_REDIS", password)
	check := func(address, more string, want int, says string) {
		t.Helper()
		dir, file := sharing(t, url, address, more)
		out, status := control("--check", "--config", file)
		if status != want || !strings.Contains(out, says) || strings.Contains(out, password) {
			t.Errorf("%d: %s\n  does not say %q", status, out, says)
		}
		if _, err := os.Stat(filepath.Join(dir, "state")); err == nil {
			t.Error("a check has made the state folder")
		}
	}
	check(redis.Address, "", 0, "Redis answers")
	check("redis://127.0.0.1:"+redistest.FreePort(t), "", 0, "connection refused. Nothing is relayed until it answers.")
	check("redis//127.0.0.1", "", 1, "budget.book.redis: is not a Redis address: write it like redis://127.0.0.1:6379/0")
	check("redis://:"+password+"@127.0.0.1", "", 1, "budget.book.redis: holds a password")
	check(redis.Address, ", password_env: TEST_NOT_SET", 1, "budget.book.password_env: the variable TEST_NOT_SET is not set")
	redis.Do("CONFIG", "SET", "requirepass", password)
	check(redis.Address, "", 1, "budget.book: budget at "+redis.Address+": refused: NOAUTH")
	check(redis.Address, ", password_env: TEST_REDIS", 0, "Redis answers")
}

// A Redis on the network uses TLS and a password, which may change. The password appears in
// no log and no answer.
func TestRedisOverTLS(t *testing.T) {
	up, url := provider(t)
	certs := t.TempDir()
	certificate(t, certs, 1)
	port := redistest.FreePort(t)
	redis := redistest.Start(t, "--tls-port", port, "--tls-auth-clients", "no", "--tls-cert-file", filepath.Join(certs, "cert.pem"), "--tls-key-file", filepath.Join(certs, "key.pem"))
	passwords := []string{"the-first-password-0123", "the-second-password-456"}
	rights := []any{"SETUSER", "seam", "on", ">" + passwords[0], "~seam:*"} // as in deploy/README.md
	for _, command := range []string{"ping", "select", "eval", "hget", "hset", "hmget", "hgetall", "expireat"} {
		rights = append(rights, "+"+command)
	}
	redis.Do("ACL", rights...)
	secret := filepath.Join(certs, "password")
	write(t, secret, passwords[0]+"\n")
	run := func() *process {
		_, file := sharing(t, url, "rediss://seam@127.0.0.1:"+port+"/1", ", password_file: "+secret)
		cmd := exec.Command(binary, "--config", file)
		cmd.Env = append(os.Environ(), "SSL_CERT_FILE="+filepath.Join(certs, "cert.pem"))
		return startAs(t, file, cmd)
	}
	p := run()
	s := p.connect()
	if code := s.embed(1, "a text"); code != "" {
		t.Error(code)
	}
	if _, body := p.get(p.admin + "/report?days=1"); !strings.Contains(body, ",e,1,") {
		t.Errorf("the report: %s", body)
	}
	write(t, secret, "wrong")
	wrong := run()
	if code := wrong.connect().embed(1, "another text"); code != protocol.Internal || !strings.Contains(wrong.logged(), "WRONGPASS") {
		t.Errorf("with a wrong password: %q", code)
	}
	redis.Do("ACL", "SETUSER", "seam", "on", "resetpass", ">"+passwords[1])
	write(t, secret, passwords[1]+"\n")
	wrong.signal(syscall.SIGHUP)
	wrong.wait(`"msg":"reloaded"`, 1)
	if code := wrong.connect().embed(2, "another text"); code != "" {
		t.Errorf("with the new password: %q", code)
	}
	if len(up.Requests()) != 2 {
		t.Errorf("%d calls", len(up.Requests()))
	}
	_, file := sharing(t, url, "rediss://seam@127.0.0.1:"+port, ", password_file: "+secret)
	unknown := start(t, file) // without the certificate authority
	if status, _ := unknown.get(unknown.url + "/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(unknown.logged(), "certificate") {
		t.Errorf("a certificate of nobody known: %d", status)
	}
	for _, p := range []*process{p, wrong, unknown} {
		_, status := p.get(p.admin + "/status")
		for _, password := range passwords {
			if strings.Contains(p.logged()+status, password) {
				t.Error("a password is told")
			}
		}
	}
}
