package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"seam/proxy/upstream/upstreamtest"
	"seam/shared/protocol"
)

// sums are the numbers of a report.
type sums struct{ requests, in, out int }

// reportOf runs the command and returns its rows by site or caller and model.
func reportOf(t *testing.T, args ...string) map[[2]string]sums {
	t.Helper()
	out, status := control(append([]string{"report", "--csv"}, args...)...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if status != 0 || err != nil || len(rows) == 0 || strings.Join(rows[0], ",") != "day,who,model,requests,tokens_in,tokens_out,dollars" {
		t.Fatalf("%d %v\n%s", status, err, out)
	}
	all := map[[2]string]sums{}
	for _, row := range rows[1:] {
		if _, err := time.Parse(time.DateOnly, row[0]); err != nil {
			t.Error(err)
		}
		var n [3]int
		for i := range n {
			if n[i], err = strconv.Atoi(row[3+i]); err != nil {
				t.Error(err)
			}
		}
		price := map[string][2]int{"e": {10, 0}, "c": {10, 20}}[row[2]]
		micros := n[1]*price[0] + n[2]*price[1]
		if want := fmt.Sprintf("%d.%06d", micros/1e6, micros%1e6); row[6] != want {
			t.Errorf("%v: want %s dollars", row, want)
		}
		key := [2]string{row[1], row[2]}
		s := all[key] // two days if the test runs over midnight
		all[key] = sums{s.requests + n[0], s.in + n[1], s.out + n[2]}
	}
	return all
}

// counted returns the usage that a provider reported in its answers.
func counted(t *testing.T, up *upstreamtest.Provider) (all map[string]sums) {
	t.Helper()
	all = map[string]sums{}
	for _, r := range up.Requests() {
		s := all[r.Model]
		if s.in += upstreamtest.Tokens(r.Texts...); len(r.Texts) == 0 {
			var q struct{ Messages []struct{ Content string } }
			if err := json.Unmarshal(r.Body, &q); err != nil {
				t.Fatal(err)
			}
			for _, m := range q.Messages {
				s.in += upstreamtest.Tokens(m.Content)
			}
			s.out += len(upstreamtest.Words)
		}
		all[r.Model] = s
	}
	return all
}

// The report adds up to the provider's counts, and each site and caller has its own
// requests, on every route. This also holds after kill -9, from the folder without a
// running proxy, and from the next proxy.
func TestReport(t *testing.T) {
	up, url := provider(t)
	t.Setenv("TEST_CI", ciToken)
	dir, file := setUp(t, strings.NewReplacer("SITES", "", "CALLER", "prompts: client", "admin: 127.0.0.1:0", "admin: unix:DIR/admin.sock").Replace(grouped), url)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, strings.ReplaceAll(string(b), "DIR/", dir+"/"))
	if out, status := control("report", "--config", file); status != 1 || !strings.Contains(out, filepath.Join(dir, "state", "budget.db")+" does not exist") {
		t.Errorf("before anything: %d %s", status, out)
	}
	p := start(t, file)
	if out, status := control("report", "--config", file); status != 0 || out != "nothing was spent\n" {
		t.Errorf("of nothing: %d %s", status, out)
	}
	random := rand.New(rand.NewPCG(3, 4))
	origins := []string{site, blog, ""}
	sockets := map[string]*socket{}
	for _, origin := range origins {
		sockets[origin], _ = p.as(origin)
	}
	names := map[string]string{site: "site " + site, blog: "site " + blog, "": "caller ci"}
	want := map[[2]string]sums{}
	add := func(origin, model string, usage protocol.Usage) {
		key := [2]string{names[origin], model}
		s := want[key]
		want[key] = sums{s.requests + 1, s.in + usage.Tokens, s.out + usage.TokensOut}
	}
	for range 150 {
		origin, text := origins[random.IntN(3)], strings.Repeat("word ", random.IntN(20)) // some are in the cache
		var m protocol.Message = &protocol.Embed{ID: 1, Model: "e", Texts: []string{text, fmt.Sprint(random.IntN(50))}}
		if random.IntN(3) == 0 {
			m = &protocol.Chat{ID: 1, Model: "c", Template: "answer", Question: text + "?"}
		}
		s := sockets[origin]
		s.send(m)
		for done := false; !done; {
			switch reply := s.next().(type) {
			case *protocol.End:
				model := "e"
				if protocol.TypeOf(m) == protocol.TypeChat {
					model = "c"
				}
				add(origin, model, reply.Usage)
				done = true
			case *protocol.Err:
				t.Fatalf("%+v", reply)
			}
		}
	}
	for i := range 5 {
		text := fmt.Sprint("over the other interface ", i)
		if status, body := p.openAI("/v1/embeddings", `{"model": "e", "input": "`+text+`"}`); status != 200 {
			t.Fatal(body)
		}
		add("", "e", protocol.Usage{Tokens: upstreamtest.Tokens(text)})
	}
	sockets[blog].ask(&protocol.Embed{ID: 1, Model: "none", Texts: []string{"x"}}) // for a model that does not exist
	check := func(when string) {
		t.Helper()
		got, total := reportOf(t, "--config", file), map[string]sums{}
		for key, s := range got {
			if s != want[key] {
				t.Errorf("%s, %v: %+v, want %+v", when, key, s, want[key])
			}
			sum := total[key[1]]
			total[key[1]] = sums{0, sum.in + s.in, sum.out + s.out}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d rows, want %d", when, len(got), len(want))
		}
		for model, s := range counted(t, up) {
			if total[model] != s {
				t.Errorf("%s, %s: %+v, the provider has counted %+v", when, model, total[model], s)
			}
		}
	}
	check("while it runs")
	if out, status := control("report", "--days", "1", "--config", file); status != 0 || !strings.Contains(out, "site or caller") || !strings.Contains(out, "site "+blog) || strings.Contains(out, "127.0.0") {
		t.Errorf("as a table: %d\n%s", status, out)
	} else {
		t.Logf("\n%s", out)
	}
	for _, args := range [][]string{{"--days", "0"}, {"--days", "41"}, {"--days", "x"}} {
		if out, status := control(append(args, "report", "--config", file)...); status == 0 || !strings.Contains(out, "days") {
			t.Errorf("%q: %d %s", args, status, out)
		}
	}
	if out, status := control("report", "--state", filepath.Join(dir, "state")); status != 1 || !strings.Contains(out, "set its admin address") {
		t.Errorf("without the admin address: %d %s", status, out)
	}
	p.cmd.Process.Kill()
	<-p.ended
	check("after kill -9")
	p = start(t, file)
	s, _ := p.as("")
	s.send(&protocol.Embed{ID: 1, Model: "e", Texts: []string{"after it"}})
	add("", "e", s.next().(*protocol.End).Usage)
	check("of the next one")
	p.signal(syscall.SIGTERM)
	if err := <-p.ended; err != nil {
		t.Error(err)
	}
	check("after its end")
}

// The admin address answers programs of this machine, but no page.
func TestReportIsForPrograms(t *testing.T) {
	_, url := provider(t)
	_, file := setUp(t, common, url)
	p := start(t, file)
	if status, body := p.get(p.admin + "/report?days=7"); status != 200 || body != "day,who,model,requests,tokens_in,tokens_out,dollars\n" {
		t.Errorf("%d %s", status, body)
	}
	for _, query := range []string{"", "?days=0", "?days=41", "?days=1e9"} {
		if status, body := p.get(p.admin + "/report" + query); status != http.StatusBadRequest || !strings.Contains(body, "1 to 40") {
			t.Errorf("%q: %d %s", query, status, body)
		}
	}
	if status, _ := p.get(p.url + "/report?days=7"); status != http.StatusNotFound {
		t.Errorf("at the address of everybody: %d", status)
	}
}
