// Package recipes has only tests, which check that the recipes work with their engines.
// `make test-scale` installs the engines and sets SEAM_SCALE.
package recipes

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

var seam string // path of the program

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "seam-test")
	if err != nil {
		panic(err)
	}
	seam = filepath.Join(dir, "seam")
	os.Setenv("SEAM_CACHE", "off")
	if out, err := exec.Command("go", "build", "-o", seam, "seam/proxy").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// shelf writes lines of documents to a folder, by path and as texts, and one of a file that
// does not exist.
func shelf(t *testing.T, n, paragraphs int) (dir, lines string) {
	t.Helper()
	dir = t.TempDir()
	var out bytes.Buffer
	for i := range n {
		var text strings.Builder
		for k := range paragraphs {
			fmt.Fprintf(&text, "Windmill %d of document %d turns its cap into the wind. The sails drive a shaft of oak. A lathe turns the work and holds the tool still.\n\nPlanet %d goes around its star. Our day is one turn of the axis.\n\n", k, i, k*i)
		}
		line := map[string]any{"id": fmt.Sprintf("doc-%04d", i), "text": text.String(), "name": "a.md", "path": nil}
		if i%5 == 0 {
			name := filepath.Join(dir, fmt.Sprintf("%d.txt", i))
			if i != n/10*5 {
				if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			line["path"], line["text"], line["name"] = name, nil, nil
		}
		b, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(b, '\n'))
	}
	lines = filepath.Join(dir, "documents.jsonl")
	if err := os.WriteFile(lines, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, lines
}

// number matches the number of a line. It differs if a program reads only a share of the
// lines.
var number = regexp.MustCompile(`"line":\d+,`)

// alone returns the output of one machine.
func alone(t *testing.T, lines string) string {
	t.Helper()
	out, err := exec.Command(seam, "chunk", "--lines", lines).Output()
	if err != nil || !number.Match(out) {
		t.Fatalf("%v, %.300q", err, out)
	}
	return number.ReplaceAllString(string(out), "")
}

// together joins the parts of a folder in order, in the form of alone.
func together(t *testing.T, pattern string) string {
	t.Helper()
	parts, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	for _, part := range parts {
		b, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
	}
	return number.ReplaceAllString(all.String(), "")
}

// same compares the output of a cluster with one machine's, without printing all of it.
func same(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("line %d of %d and %d:\n%.300s\nwant\n%.300s", i+1, len(g), len(w), g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%d lines, want %d", len(g), len(w))
	}
}

// The Job's command, run for each share, produces the same bytes as one run, even if there
// are fewer lines than shares, and after a share was done twice.
func TestKubernetesJob(t *testing.T) {
	b, err := os.ReadFile("job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		Spec struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int
			Template       struct {
				Spec struct {
					Containers []struct {
						Command []string
						Env     []struct{ Name, Value string }
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal(b, &job); err != nil {
		t.Fatal(err)
	}
	c := job.Spec.Template.Spec.Containers[0]
	if n := job.Spec.Completions; job.Spec.CompletionMode != "Indexed" || n != 4 || c.Env[0].Name != "SHARES" || c.Env[0].Value != strconv.Itoa(n) {
		t.Fatalf("%+v", job)
	}
	for _, documents := range []int{50, 3} {
		dir, lines := shelf(t, documents, 3)
		want := alone(t, lines)
		for _, i := range []int{2, 0, 3, 1, 2} {
			cmd := exec.Command(c.Command[0], c.Command[1:]...)
			cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(seam)+":"+os.Getenv("PATH"), "JOB_COMPLETION_INDEX="+strconv.Itoa(i))
			for _, e := range c.Env {
				if e.Name == "DATA" {
					e.Value = dir
				}
				cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
			}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		same(t, together(t, filepath.Join(dir, "chunks", "part-*.jsonl")), want)
	}
}

// engine returns the command for a recipe with the engines' Python.
func engine(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	if os.Getenv("SEAM_SCALE") == "" {
		t.Skip("`make test-scale` runs it with real engines")
	}
	cmd := exec.Command(filepath.Join(os.Getenv("SEAM_ENGINES"), "chunk", "bin", args[0]), args[1:]...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(os.Getenv("SEAM_ENGINES"), "chunk", "bin")+":"+os.Getenv("PATH"))
	cmd.Env = append(cmd.Env, env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s", out.Bytes()[max(0, out.Len()-6000):])
		}
	})
	return cmd
}

// spark returns the command for a recipe on two executors in separate processes.
func spark(t *testing.T, recipe string, args ...string) *exec.Cmd {
	t.Helper()
	recipe, err := filepath.Abs(recipe)
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{"spark-submit", "--master", "local-cluster[2,1,1024]", "--conf", "spark.driver.host=127.0.0.1", "--conf", "spark.driver.bindAddress=127.0.0.1",
		"--conf", "spark.ui.enabled=false", "--driver-memory", "512m", "--files", seam, recipe}, args...)
	cmd := engine(t, []string{"SPARK_LOCAL_IP=127.0.0.1", "PYSPARK_PYTHON=" + filepath.Join(os.Getenv("SEAM_ENGINES"), "chunk", "bin", "python")}, args...)
	cmd.Dir = t.TempDir() // for files left by executors
	return cmd
}

// children returns the descendants of a process with a word in their command line.
func children(pid int, word string) (found []int) {
	all, _ := filepath.Glob("/proc/[0-9]*/stat")
	below := map[int]bool{pid: true}
	for again := true; again; {
		again = false
		for _, name := range all {
			b, err := os.ReadFile(name)
			if err != nil {
				continue // it has ended
			}
			own, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
			fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
			if parent, _ := strconv.Atoi(fields[1]); below[parent] && !below[own] {
				below[own], again = true, true
				line, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
				if strings.Contains(string(line), word) {
					found = append(found, own)
				}
			}
		}
	}
	return found
}

// If an executor is killed in the middle, nothing is lost or duplicated.
func TestSparkPipe(t *testing.T) {
	const parts = 24
	dir, lines := shelf(t, 40*parts, 60)
	cmd := spark(t, "spark_pipe.py", lines, filepath.Join(dir, "chunks"), strconv.Itoa(parts))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	done := func() int {
		tasks, _ := filepath.Glob(filepath.Join(dir, "chunks", "_temporary", "0", "task_*"))
		files, _ := filepath.Glob(filepath.Join(dir, "chunks", "part-*"))
		return max(len(tasks), len(files))
	}
	for killed, tick := false, time.NewTicker(20*time.Millisecond); ; {
		select {
		case err := <-ended:
			tick.Stop()
			if err != nil || !killed {
				t.Fatalf("%v, an executor was killed: %v", err, killed)
			}
			same(t, together(t, filepath.Join(dir, "chunks", "part-*")), alone(t, lines))
			return
		case <-tick.C:
			if n := done(); !killed && n >= 3 {
				executors := children(cmd.Process.Pid, "CoarseGrainedExecutorBackend")
				if len(executors) != 2 || n > parts/2 {
					cmd.Process.Kill()
					t.Fatalf("%d executors when %d of %d parts are done", len(executors), n, parts)
				}
				if err := syscall.Kill(executors[0], syscall.SIGKILL); err != nil {
					t.Fatal(err)
				}
				killed = true
				t.Logf("killed one of 2 executors when %d of %d parts were done", n, parts)
			}
		}
	}
}

// rows prints the rows of a table like one machine, by document, with the columns that a
// recipe produces.
const rows = `
import json, sys
import pyarrow.parquet
table = pyarrow.parquet.read_table(sys.argv[1]).to_pylist()
table.sort(key=lambda row: (row['id'], row['start'] or 0))
for row in table:
    print(json.dumps(row, ensure_ascii=False))
`

// sameRows compares the rows of a table with the output of one machine.
func sameRows(t *testing.T, table, want string) {
	t.Helper()
	cmd := engine(t, nil, "python", "-c", rows, table)
	cmd.Stdout = nil
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
	lines := strings.Split(strings.TrimSpace(want), "\n")
	if len(got) != len(lines) {
		t.Fatalf("%d rows, want %d", len(got), len(lines))
	}
	for i, line := range lines {
		var g, w map[string]any
		if err := json.Unmarshal([]byte(got[i]), &g); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(line), &w); err != nil {
			t.Fatal(err)
		}
		for column, value := range g {
			if fmt.Sprint(value) != fmt.Sprint(w[column]) {
				t.Fatalf("row %d: %s is %v, want %v: %s", i, column, value, w[column], line)
			}
		}
	}
}

func TestSparkPandas(t *testing.T) {
	dir, lines := shelf(t, 300, 6)
	documents := filepath.Join(dir, "documents.parquet")
	if err := engine(t, nil, "python", "-c", "import sys, pandas; pandas.read_json(sys.argv[1], lines=True).to_parquet(sys.argv[2], row_group_size=40)", lines, documents).Run(); err != nil {
		t.Fatal(err)
	}
	if err := spark(t, "spark_pandas.py", documents, filepath.Join(dir, "chunks.parquet")).Run(); err != nil {
		t.Fatal(err)
	}
	sameRows(t, filepath.Join(dir, "chunks.parquet"), alone(t, lines))
}

// Ray listens on all addresses, so it gets a private network with only loopback.
func TestRayData(t *testing.T) {
	dir, lines := shelf(t, 600, 6)
	cmd := engine(t, []string{"SEAM=" + seam, "RAY_USAGE_STATS_ENABLED=0"}, "python", "ray_data.py", lines, filepath.Join(dir, "chunks"))
	inside := []string{"unshare", "-rn", "sh", "-c", `ip link set lo up && exec "$@"`, "sh"}
	if out, err := exec.Command(inside[0], append(inside[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("there is no way to a network of its own: %v, %s", err, out)
	}
	unshare, err := exec.LookPath(inside[0])
	if err != nil {
		t.Fatal(err)
	}
	cmd.Path, cmd.Args = unshare, append(inside, append([]string{cmd.Path}, cmd.Args[1:]...)...)
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	sameRows(t, filepath.Join(dir, "chunks"), alone(t, lines))
}
