package process

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"seam/proxy/link"
	"seam/proxy/remote"
	"seam/proxy/remote/engines"
	"seam/proxy/remote/enginetest"
	"seam/shared/pdftext/pdftest"
	"seam/shared/protocol"
)

// manuals returns a folder of documents.
func manuals(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"mills.md":  "---\ntitle: On mills\nauthor: Jane Doe\n---\n# Windmills\n\nA windmill turns its cap into the wind. The sails drive a shaft of oak.\n\n## Stones\n\nThe shaft drives the stones. They need dressing every few weeks.\n",
		"turns.pdf": string(pdftest.Article(paragraphs...)),
		"bread.txt": "Bread rises in a warm bowl. The dough needs an hour. An oven has to be hot.",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

type pushed struct{ Documents, New, Changed, Same, Removed, Pruned int }

// push runs a command that prints counts.
func push(t *testing.T, args ...string) (p pushed) {
	t.Helper()
	r := run(t, "", append(args, "--json")...)
	if err := json.Unmarshal([]byte(r.out), &p); r.status != 0 || err != nil {
		t.Fatalf("seam %s: %+v", strings.Join(args, " "), r)
	}
	return p
}

// collection opens the collection of a push.
func collection(t *testing.T, address string) remote.Engine {
	t.Helper()
	a, err := remote.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engines.Open(a, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// Hits of a collection say which pages of their file were not read when it was pushed.
func TestPushUnread(t *testing.T) {
	server, _ := enginetest.Postgres(t)
	to, dir := server+"unread", t.TempDir()
	page := pdftest.Page{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "The overshot wheel needs the least water."}}}
	if err := os.WriteFile(filepath.Join(dir, "torn.pdf"), pdftest.CorruptStream(pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{page, page, page}, Compress: true}), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "whole.txt"), []byte("A wheel of oak turns in the water."), 0o644); err != nil {
		t.Fatal(err)
	}
	push(t, "push", "--to", to, dir)
	const note = "page 2 could not be read"
	r := run(t, "", "search", "--remote", to, "--mode", "keyword", "wheel")
	if strings.Count(r.err, "text may be missing: ") != 1 || !strings.Contains(r.err, "torn.pdf: "+note) {
		t.Errorf("%s", r.err)
	}
	r = run(t, "", "search", "--remote", to, "--mode", "keyword", "--json", "wheel")
	var found struct {
		Hits []struct {
			File   string
			Unread []string
		}
	}
	if err := json.Unmarshal([]byte(r.out), &found); err != nil || len(found.Hits) < 2 {
		t.Fatalf("%v, %s", err, r.out)
	}
	for _, h := range found.Hits {
		if torn := strings.HasSuffix(h.File, "torn.pdf"); torn != (len(h.Unread) == 1 && strings.HasPrefix(h.Unread[0], note)) {
			t.Errorf("%+v", h)
		}
	}
	if p := push(t, "push", "--to", to, dir); p.New+p.Changed+p.Removed != 0 {
		t.Errorf("pushed again: %+v", p)
	}
}

// Hits of a collection have the printed numbers of their pages, and say which are of lists.
func TestPushPrintedNumbersAndLists(t *testing.T) {
	server, _ := enginetest.Postgres(t)
	to, dir := server+"printed", t.TempDir()
	page := pdftest.Page{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "The overshot wheel needs the least water."}}}
	for name, content := range map[string]string{
		"wheels.pdf": string(pdftest.Write(pdftest.Doc{Pages: []pdftest.Page{page, {}}, Labels: "0 << /S /D /St 103 >>"})),
		"works.md":   "# References\n\nMiller, A. (1842). A granary of oak.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	push(t, "push", "--to", to, dir)
	if r := run(t, "", "search", "--remote", to, "--mode", "keyword", "overshot"); r.status != 0 || !strings.Contains(r.out, "wheels.pdf · p. 103 (sheet 1) · ") {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "search", "--remote", to, "--mode", "keyword", "--json", "overshot"); !strings.Contains(r.out, `"pages":[1],"labels":["103"]`) {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "search", "--remote", to, "--mode", "keyword", "--json", "granary"); !strings.Contains(r.out, `"part":"references"`) {
		t.Errorf("%+v", r)
	}
}

func TestPush(t *testing.T) {
	server, _ := enginetest.Postgres(t)
	to, dir := server+"manuals", manuals(t)
	first := push(t, "push", "--to", to, "--dry-run", dir)
	if first.Documents != 3 || first.New < 3 || first.Same != 0 {
		t.Fatalf("what a push would do: %+v", first)
	}
	if got := push(t, "push", "--to", to, dir); got != first {
		t.Fatalf("a push has done %+v, and %+v was told", got, first)
	}
	all := pushed{Documents: 3, Same: first.New}
	if got := push(t, "push", "--to", to, dir); got != all {
		t.Errorf("again: %+v", got)
	}
	bundle := filepath.Join(t.TempDir(), "all.seam")
	ok(t, "", "bundle", "-o", bundle, dir)
	if got := push(t, "push", "--to", to, bundle); got != all {
		t.Errorf("a bundle of the same: %+v", got)
	}

	var found struct{ Hits []remote.Record }
	if err := json.Unmarshal([]byte(ok(t, "", "search", "--remote", to, "--json", "-k", "1", "wood takes a polish")), &found); err != nil || len(found.Hits) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	h := found.Hits[0]
	if !strings.HasSuffix(h.File, "turns.pdf") || len(h.Boxes) == 0 || h.Boxes[0][0] != 1 || !slices.Equal(h.Pages, []int{1}) || !strings.Contains(h.Text, "polish") || h.End-h.Start != len(h.Text) {
		t.Errorf("%+v", h)
	}
	if out := ok(t, "", "search", "--remote", to, "--meta", "author=jane doe", "bread"); strings.Contains(out, "bread.txt") {
		t.Errorf("a filter lets through %s", out)
	}

	if err := os.WriteFile(filepath.Join(dir, "bread.txt"), []byte("Bread rises slowly in the cold."), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "mills.md")); err != nil {
		t.Fatal(err)
	}
	if r := run(t, "", "push", "--to", to, "--dry-run", dir); !strings.Contains(r.out, "bread.txt: 1 new, 1 gone") || !strings.Contains(r.err, "mills.md") || !strings.Contains(r.err, "--prune") {
		t.Errorf("%+v", r)
	}
	if got := push(t, "push", "--to", to, "--prune", dir); got.New != 1 || got.Removed < 2 || got.Pruned != 1 {
		t.Errorf("with --prune: %+v", got)
	}
	docs, err := collection(t, to).Documents(t.Context())
	if err != nil || len(docs) != 2 {
		t.Errorf("%v, %v", docs, err)
	}
}

// A mismatch or a failed connection is reported in one sentence without a password.
func TestPushErrors(t *testing.T) {
	server, _ := enginetest.Postgres(t)
	to, dir := server+"errors", manuals(t)
	push(t, "push", "--to", to, dir)
	key := file(t, "key", nil)
	for name, tt := range map[string]struct {
		args   []string
		status int
		says   []string
	}{
		"another embedder":   {[]string{"push", "--to", to, "--embedder", "meaning", dir}, 1, []string{"builtin", "cannot be compared"}},
		"another's query":    {[]string{"search", "--remote", to, "--embedder", "meaning", "x"}, 2, []string{"--embedder builtin"}},
		"lexical":            {[]string{"push", "--to", to, "--embedder", "lexical", dir}, 2, []string{"fitted to one document"}},
		"no collection":      {[]string{"search", "--remote", server + "nothing", "x"}, 2, []string{"does not exist", "seam push"}},
		"a password":         {[]string{"push", "--to", strings.Replace(to, "seam@", "seam:hunter2@", 1), dir}, 2, []string{"SEAM_REMOTE_KEY"}},
		"no engine":          {[]string{"push", "--to", "postgres://seam@127.0.0.1:9/x/y", dir}, 1, []string{"not available", "refused"}},
		"no such engine":     {[]string{"push", "--to", "solr://localhost/y", dir}, 2, []string{"weaviate://"}},
		"no such database":   {[]string{"push", "--to", strings.Replace(to, "/postgres/", "/nodb/", 1), dir}, 1, []string{`"nodb" does not exist`}},
		"an empty key":       {[]string{"push", "--to", to, "--key-file", key, dir}, 1, []string{"empty"}},
		"too many":           {[]string{"search", "--remote", to, "-k", "5000", "x"}, 2, []string{"1 to 1000"}},
		"two places":         {[]string{"search", "--remote", to, "--index", dir, "x"}, 2, []string{"choose one"}},
		"files and remote":   {[]string{"search", "--remote", to, "x", dir}, 2, []string{"takes only the query"}},
		"what is not Seam's": {[]string{"search", "--remote", server + "pg_class", "x"}, 2, []string{"does not exist"}},
	} {
		r := run(t, "", tt.args...)
		if r.status != tt.status || strings.Count(r.err, "\n") != 1 || slices.ContainsFunc(tt.says, func(s string) bool { return !strings.Contains(r.err, s) }) || strings.Contains(r.err, "hunter2") {
			t.Errorf("%s: %+v, want status %d and %q", name, r, tt.status, tt.says)
		}
	}
}

// If a killed push is run again, the collection ends up as if it had not been killed:
// nothing is missing or duplicated.
func TestPushIsKilled(t *testing.T) {
	server, _ := enginetest.Postgres(t)
	dir := t.TempDir()
	for i := range 300 {
		text := fmt.Sprintf("# Number %d\n\n%s\n\nThe end of number %d.\n", i, strings.Join(paragraphs, "\n\n"), i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.md", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	whole, cut := server+"whole", server+"cut"
	want := push(t, "push", "--to", whole, dir)
	e := collection(t, cut)
	for kill := range 3 {
		cmd := exec.Command(seam, "push", "--to", cut, dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		holds(t, e, kill*100)
		cmd.Process.Kill()
		_ = cmd.Wait()
	}
	got := push(t, "push", "--to", cut, dir)
	if got.Documents != want.Documents || got.New+got.Same != want.New || got.Same == 0 {
		t.Errorf("after kills %+v, and without %+v", got, want)
	}
	docs, err := collection(t, whole).Documents(t.Context())
	other, err2 := e.Documents(t.Context())
	if err != nil || err2 != nil || !reflect.DeepEqual(docs, other) {
		t.Errorf("%d documents and %d, %v, %v", len(docs), len(other), err, err2)
	}
}

// holds waits until a collection holds more than n chunks.
func holds(t *testing.T, e remote.Engine, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		if count, err := e.Count(ctx); err == nil && count > n {
			return
		} else if ctx.Err() != nil {
			t.Fatalf("%d chunks: %v", count, err)
		}
	}
}

// Two clients of a proxy search two collections, and neither sees the other's.
func TestServeCollections(t *testing.T) {
	server, postgres := enginetest.Postgres(t)
	dir := manuals(t)
	push(t, "push", "--to", server+"mills", filepath.Join(dir, "mills.md"))
	push(t, "push", "--to", server+"bread", filepath.Join(dir, "bread.txt"))
	config := file(t, "seam-proxy.yaml", []byte(fmt.Sprintf(`
collections:
  - {name: mills, address: "%[1]smills", filters: [section], hits: 3}
  - {name: bread, address: "%[1]sbread"}
session:
  callers:
    - {name: miller, token_env: MILLER, collection: mills}
    - {name: baker, token_env: BAKER, collection: bread}
    - {name: nobody, token_env: NOBODY}
`, server)))
	tokens := map[string]string{}
	cmd := exec.Command(seam, "serve", "--addr", "127.0.0.1:0", "--dir", filepath.Dir(file(t, "index.html", []byte("<!doctype html>"))), "--state", t.TempDir(), "--config", config)
	cmd.Env = os.Environ()
	for _, name := range []string{"miller", "baker", "nobody"} {
		tokens[name] = strings.Repeat(name, 8)
		cmd.Env = append(cmd.Env, strings.ToUpper(name)+"="+tokens[name])
	}
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base, _, _ := strings.Cut(strings.Fields(line)[3], "/#token=")
	search := func(who string, q protocol.Search) ([]protocol.Hit, *protocol.Ack, error) {
		c, err := link.Client(base, tokens[who], "test")
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		ack, err := c.Hello(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		hits, err := c.Search(t.Context(), &q)
		return hits, ack, err
	}
	hits, ack, err := search("miller", protocol.Search{Text: "shaft dough", K: 50})
	if err != nil || len(hits) == 0 || len(hits) > 3 || slices.ContainsFunc(hits, func(h protocol.Hit) bool { return !strings.HasSuffix(h.Source, "mills.md") }) {
		t.Errorf("the miller finds %+v, %v", hits, err)
	}
	if ack.Collection == nil || ack.Collection.Name != "mills" || !slices.Equal(ack.Collection.Filters, []string{"section"}) {
		t.Errorf("the miller is told of %+v", ack.Collection)
	}
	if hits, _, err := search("miller", protocol.Search{Text: "shaft", Filter: &protocol.Filter{Section: "stones"}}); err != nil || len(hits) != 1 {
		t.Errorf("a filter: %+v, %v", hits, err)
	}
	if hits, _, err := search("baker", protocol.Search{Text: "shaft dough"}); err != nil || len(hits) != 1 || !strings.HasSuffix(hits[0].Source, "bread.txt") {
		t.Errorf("the baker finds %+v, %v", hits, err)
	}
	if hits, ack, err := search("nobody", protocol.Search{Text: "shaft dough"}); err == nil || ack.Collection != nil {
		t.Errorf("another caller finds %+v", hits)
	}
	postgres.Kill()
	if _, _, err := search("miller", protocol.Search{Text: "shaft"}); err == nil || !strings.Contains(err.Error(), "cannot be searched at the moment") || strings.Contains(err.Error(), "postgres") {
		t.Errorf("without its engine: %v", err)
	}
	_ = cmd.Process.Signal(os.Interrupt)
	_, _ = io.Copy(io.Discard, lines)
	_ = cmd.Wait()
	if !strings.Contains(log.String(), "cannot be searched") || !strings.Contains(log.String(), "127.0.0.1") {
		t.Errorf("the operator is told nothing: %s", log.String())
	}
}
