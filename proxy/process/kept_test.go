package process

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
	"seam/shared/pdftext/pdftest"
)

// shelf returns a folder with a file of each kind, including some that fail.
func shelf(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	locked := pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "x"}}}}, Encrypt: true, Password: "open sesame"}
	for name, content := range map[string]string{
		"mills.md":  "---\ntitle: On mills\ntags: [wind]\n---\n# Windmills\n\nA windmill turns its cap into the wind. The sails drive a shaft of oak. – Größe zählt: 字 and 😀.\n\n## Stones\n\nThe shaft drives the stones. They need dressing every few weeks.\n",
		"turns.pdf": string(pdftest.Article(paragraphs...)), "more/craft.pdf": string(pdftest.Article(pdftest.Paragraphs...)),
		"long.txt":   strings.Repeat(strings.Join(paragraphs, "\n\n")+"\n\nBread rises in a warm bowl. The dough needs an hour. A comet has a tail of gas.\f", 12),
		"wasser.txt": strings.Repeat("Der Müller öffnete das Wehr und ließ das Wasser herein. Es war ein kalter Tag, und das Rad drehte sich so langsam. ", 9),
		"one.txt":    "The miller rests.", "empty.txt": "", "blank.md": " \n\n", "alike.txt": strings.Repeat("The wind blows. ", 30),
		"broken.pdf": "%PDF-1.7\nnothing of it", "locked.pdf": string(pdftest.Write(locked)), "more/none.pdf": string(pdftest.Write(pdftest.Doc{Pages: make([]pdftest.Page, 2)})),
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// with runs seam in a folder with a cache.
func with(t *testing.T, dir, cache string, args ...string) result {
	t.Helper()
	return runIn(t, dir, []string{"SEAM_CACHE=" + cache}, args...)
}

// keptIn returns the entries of a cache by name, with the time of each.
func keptIn(t *testing.T, cache string) map[string]time.Time {
	t.Helper()
	found := map[string]time.Time{}
	files, _ := os.ReadDir(filepath.Join(cache, "files"))
	for _, f := range files {
		if info, err := f.Info(); err == nil && strings.HasSuffix(f.Name(), ".seam") {
			found[f.Name()] = info.ModTime()
		}
	}
	return found
}

// The output is the same to the byte without a cache, with an empty one and with a full
// one, for every method and command.
func TestKeptIsTheSame(t *testing.T) {
	dir, cache := shelf(t), t.TempDir()
	methods := strings.Fields("semantic percentile stddev iqr gradient cluster notebook-percentile notebook-stddev notebook-iqr sections recursive sentences page fixed")
	var commands [][]string
	for i, method := range methods {
		search := []string{"search", "--json", "-k", "40", "--method", method, "why do the sails drive a shaft", "."}
		commands = append(commands, search, append(slices.Clone(search), "--mode", "keyword"), append(slices.Clone(search), "--headers", "--tokens", []string{"words", "chars", "o200k"}[i%3]),
			append(slices.Clone(search), "--embedder", []string{"lexical", "builtin"}[i%2], "--mode", "dense"))
	}
	for _, format := range []string{"text", "json", "jsonl", "csv", "chroma"} {
		commands = append(commands, []string{"chunk", "--format", format, "--embedder", "builtin", "."})
	}
	commands = append(commands, []string{"text", "."}, []string{"text", "--format", "json", "."}, []string{"text", "--document", "--view", "content", "turns.pdf"}, []string{"bundle", "-o", "-", "."},
		[]string{"search", "--pages", "1", "--section", "loom", "--diversity", ".5", "warp", "more"}, []string{"search", "--meta", "tags=wind", "stones", "."}, []string{"search", "x", "broken.pdf"})
	for _, args := range commands {
		want := with(t, dir, "off", args...)
		for _, run := range []string{"first", "second"} {
			if got := with(t, dir, cache, args...); got != want {
				t.Errorf("%v, the %s time: status %d, %q, %.2000q\nwant %d, %q, %.2000q", args, run, got.status, got.err, got.out, want.status, want.err, want.out)
			}
		}
	}
	if n := len(keptIn(t, cache)); n < 4*len(methods)*6 {
		t.Errorf("only %d entries were kept", n)
	}
}

// Only a file that has changed is read again, under any name.
func TestOneChangedFile(t *testing.T) {
	dir, cache := shelf(t), t.TempDir()
	search := func(want string) {
		t.Helper()
		r := with(t, dir, cache, "search", "--json", "-k", "50", "quince", ".")
		if plain := with(t, dir, "off", "search", "--json", "-k", "50", "quince", "."); r != plain || strings.Contains(r.out, `"hits":[]`) != (want == "") {
			t.Errorf("%+v\nwant %+v", r, plain)
		}
		if want != "" && !strings.Contains(r.out, want) {
			t.Errorf("%s was not found: %s", want, r.out)
		}
	}
	search("")
	before := keptIn(t, cache)
	write := func(name, content string, then time.Time) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, []byte(content), 0o644), os.Chtimes(path, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	changed := func(want int) {
		t.Helper()
		after := keptIn(t, cache)
		all := maps.Clone(after)
		maps.Copy(all, before)
		if n := len(all) - len(before); n != want || len(after) != len(all) {
			t.Errorf("%d files were read again, want %d; %d entries are gone", n, want, len(all)-len(after))
		}
		before = after
	}
	search("")
	changed(0)
	info, err := os.Stat(filepath.Join(dir, "one.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write("one.txt", "The quince rests.", info.ModTime()) // with the same length and time
	search("The quince rests.")
	changed(1)
	write("turns.pdf", string(pdftest.Article("# Quinces", "A quince is yellow.")), time.Now())
	search("A quince is yellow.")
	changed(1)
	for from, to := range map[string]string{"mills.md": "more/moved.md", "more/craft.pdf": "crafts.pdf"} {
		if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
			t.Fatal(err)
		}
	}
	search("yellow")
	changed(0)
	write("one.txt", "The miller rests.", time.Now())
	search("yellow")
	changed(0)
	// The extension determines how a file is read.
	write("heading.txt", "# Quinces\n\nThey are hard.\n", time.Now())
	write("heading.md", "# Quinces\n\nThey are hard.\n", time.Now())
	search("yellow")
	changed(2)
}

// Nothing is stored for documents opened with a password, for stdin, or with the cache off.
// Other users cannot read the cache.
func TestWhatIsNotKept(t *testing.T) {
	dir, cache := shelf(t), filepath.Join(t.TempDir(), "deep", "cache")
	secret := pdftest.Doc{Pages: []pdftest.Page{{Texts: []pdftest.Text{{X: 72, Y: 700, Size: 12, S: "The treasure is buried below the oak."}}}}, Encrypt: true, Password: "open sesame"}
	if err := os.WriteFile(filepath.Join(dir, "locked.pdf"), pdftest.Write(secret), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"search", "--json", "--password", "open sesame", "treasure", "locked.pdf", "turns.pdf", "mills.md"}
	want := with(t, dir, "off", args...)
	if !strings.Contains(want.out, "buried") {
		t.Fatalf("%+v", want)
	}
	for range 2 {
		if got := with(t, dir, cache, args...); got != want {
			t.Errorf("%+v\nwant %+v", got, want)
		}
	}
	with(t, dir, cache, "text", "--password", "open sesame", "locked.pdf")
	with(t, dir, cache, "chunk", "--password", "open sesame", "locked.pdf")
	with(t, dir, cache, "bundle", "--password", "open sesame", "locked.pdf", "-o", "x.seam")
	cmd := exec.Command(seam, "search", "treasure", "-")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, append(os.Environ(), "SEAM_CACHE="+cache), strings.NewReader("The treasure is buried below the oak.")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "buried") {
		t.Errorf("%s, %v", out, err)
	}
	if r := with(t, dir, cache, "search", "treasure", "locked.pdf"); r.status == 0 || strings.Contains(r.out, "buried") {
		t.Errorf("without the password: %+v", r)
	}
	err := filepath.Walk(filepath.Dir(cache), func(path string, info os.FileInfo, err error) error {
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
		if b, err := os.ReadFile(path); err == nil && (strings.Contains(string(b), "treasure") || strings.Contains(string(b), "locked.pdf") || strings.Contains(string(b), dir)) {
			t.Errorf("%s tells of what is not to be kept", path)
		}
		return nil
	})
	if n := len(keptIn(t, cache)); err != nil || n != 2 {
		t.Errorf("%d entries, %v", n, err)
	}
}

// A damaged entry is ignored and replaced.
func TestDamagedEntries(t *testing.T) {
	dir, cache := shelf(t), t.TempDir()
	args := []string{"search", "--json", "-k", "40", "sails", "."}
	want := with(t, dir, cache, args...)
	whole := map[string][]byte{}
	names := slices.Sorted(maps.Keys(keptIn(t, cache)))
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(cache, "files", name))
		if err != nil {
			t.Fatal(err)
		}
		whole[name] = b
	}
	random := rand.New(rand.NewPCG(1, 2))
	for round, damage := range []func(path string, b []byte){
		func(path string, b []byte) { os.WriteFile(path, b[:random.IntN(len(b))], 0o600) },
		func(path string, b []byte) { os.WriteFile(path, nil, 0o600) },
		func(path string, b []byte) {
			b = slices.Clone(b)
			for range 3 {
				b[random.IntN(len(b))] ^= byte(1 + random.IntN(255))
			}
			os.WriteFile(path, b, 0o600)
		},
		func(path string, _ []byte) { os.WriteFile(path, whole[names[random.IntN(len(names))]], 0o600) }, // of another file
		func(path string, b []byte) { // of another version
			os.WriteFile(path, []byte(strings.Replace(string(b), `"version":1`, `"version":9`, 1)), 0o600)
		},
		func(path string, _ []byte) { os.WriteFile(path, []byte("a letter to nobody"), 0o600) },
		func(path string, _ []byte) { os.Remove(path); os.Symlink("/dev/zero", path) },
		func(path string, _ []byte) { os.Remove(path); os.Symlink(path, path) },
	} {
		for _, name := range names {
			damage(filepath.Join(cache, "files", name), whole[name])
		}
		if got := with(t, dir, cache, args...); got != want {
			t.Fatalf("damage %d: %q\n%.3000s\nwant\n%.3000s", round, got.err, got.out, want.out)
		}
		for _, name := range names {
			if b, err := os.ReadFile(filepath.Join(cache, "files", name)); err != nil || string(b) != string(whole[name]) {
				t.Errorf("damage %d: %s is not as it was: %v", round, name, err)
			}
		}
	}
}

// If the disk is full or the cache cannot be a folder, the run prints one line and
// succeeds.
func TestNoRoomForTheCache(t *testing.T) {
	dir := shelf(t)
	args := []string{"search", "--json", "sails", "."}
	want := with(t, dir, "off", args...)
	small := exec.Command("sh", append([]string{"-c", `ulimit -f 4; exec "$0" "$@"`, seam}, args...)...) // no file above 2 kB
	small.Dir, small.Env = dir, append(os.Environ(), "SEAM_CACHE="+filepath.Join(t.TempDir(), "cache"))
	var out, errs strings.Builder
	small.Stdout, small.Stderr = &out, &errs
	err := small.Run()
	full := result{small.ProcessState.ExitCode(), out.String(), errs.String()}
	blocked := with(t, dir, filepath.Join(dir, "one.txt"), args...)
	for name, got := range map[string]result{"no room": full, "no folder": blocked} {
		less, line, found := strings.Cut(got.err, "seam: cannot write to the cache: ")
		if got.status != want.status || got.out != want.out || !found || less != want.err || strings.Count(line, "\n") != 1 {
			t.Errorf("%s: %v, %+v\nwant %+v", name, err, got, want)
		}
	}
}

// Programs that run at once do not harm each other.
func TestSeveralKeepAtOnce(t *testing.T) {
	dir, cache := shelf(t), t.TempDir()
	args := []string{"search", "--json", "-k", "40", "sails", "."}
	want := with(t, dir, "off", args...)
	for range 3 {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if got := with(t, dir, cache, args...); got != want {
					t.Errorf("%+v\nwant %+v", got, want)
				}
			})
		}
		all.Wait()
		os.RemoveAll(filepath.Join(cache, "files", "seen"))
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "files", ".*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// A file is sent to a hosted model once; later searches send only the query.
func TestHostedSearchIsPaidOnce(t *testing.T) {
	l, dir, cache := linktest.Start(t, limit.Limits{}), shelf(t), t.TempDir()
	sent := func() (n int) {
		for _, q := range l.Provider.Requests() {
			n += len(q.Texts)
		}
		return n
	}
	args := []string{"search", "--json", "--embedder", "openai:e", "sails", filepath.Join(dir, "turns.pdf"), filepath.Join(dir, "mills.md")}
	first := hostedWith(t, l, cache, args...)
	before := sent()
	second := hostedWith(t, l, cache, args...)
	if first.status != 0 || second.status != 0 || second.out != first.out || second.err != "" || sent() > before+1 {
		t.Errorf("%d texts, then %d: %+v", before, sent()-before, second)
	}
	if n := len(keptIn(t, cache)); n != 1 { // the text of the PDF; paid vectors are stored per sentence
		t.Errorf("%d entries", n)
	}
}

func TestCacheCommand(t *testing.T) {
	dir, cache := shelf(t), t.TempDir()
	with(t, dir, cache, "search", "sails", ".")
	n := len(keptIn(t, cache))
	r := with(t, dir, cache, "cache")
	if r.status != 0 || !strings.HasPrefix(r.out, cache+"\n") || !strings.Contains(r.out, fmt.Sprintf("texts and chunks: %d files, ", n)) || !strings.Contains(r.out, "of at most 2147.5 MB") {
		t.Errorf("%d entries: %+v", n, r)
	}
	mine := filepath.Join(cache, "files", "mine.txt")
	vectors := filepath.Join(cache, "vectors-young")
	run := filepath.Join(cache, "runs", "chunk-size-1.jsonl")
	if err := os.Mkdir(filepath.Dir(run), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{mine: "mine", vectors: "mine", run: `{"run":{}}`} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := with(t, dir, cache, "cache", "--clear"); r.status != 0 || !strings.Contains(r.out, "0 files, 0.0 MB") || len(keptIn(t, cache)) != 0 {
		t.Errorf("%+v", r)
	}
	if r := with(t, dir, cache, "cache"); !strings.Contains(r.out, "runs with hosted models: 1 file, ") {
		t.Errorf("the run is not told: %+v", r)
	}
	for _, name := range []string{vectors, run} {
		if _, err := os.Stat(name); err != nil {
			t.Error("what was paid for was taken away, too")
		}
	}
	if r := with(t, dir, cache, "cache", "--clear", "--vectors"); r.status != 0 {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{vectors, run} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error("a file that is not Seam's was taken away")
	}
	tree := filepath.Join(cache, "runs", "deep") // of another program, if the folder is not Seam's own
	made := filepath.Join(cache, "made", "mine.txt")
	if err := errors.Join(os.MkdirAll(tree, 0o700), os.MkdirAll(filepath.Dir(made), 0o700), os.WriteFile(made, []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(cache, "runs", "other.jsonl")
	if err := os.WriteFile(other, []byte(`{"step":1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := with(t, dir, cache, "cache", "--clear", "--vectors"); r.status != 0 || !strings.Contains(r.out, "vectors of sites: 0.0 MB") || !strings.Contains(r.out, "runs with hosted models: 0 files, ") {
		t.Errorf("%+v", r)
	}
	for _, name := range []string{tree, made, other} {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("%s, which is not Seam's, was taken away", name)
		}
	}
	for args, want := range map[string]int{"cache --vectors": 2, "cache --clear": 2, "cache": 0} {
		if r := with(t, dir, "off", strings.Fields(args)...); r.status != want {
			t.Errorf("%s: %+v", args, r)
		}
	}
}
