package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// For finished files only their names are held in memory.
func TestMemoryOfManyFiles(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat(strings.Join(paragraphs, "\n\n")+"\n\n", 60) // 20 kB
	const many = 400
	for i := range many {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%03d.txt", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	most := func(pattern string) int64 {
		cmd := exec.Command(seam, "chunk", "--format", "jsonl", pattern)
		cmd.Dir = dir
		if err := cmd.Run(); err != nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10
	}
	ten, all := most("00*.txt"), most("*.txt")
	t.Logf("%d MB for 10 files, %d MB for %d", ten, all, many)
	if all > ten+60 {
		t.Errorf("%d MB for 10 files, %d MB for %d", ten, all, many)
	}
}

// Runs are killed with SIGKILL on the way, again and again. Every file in the folder is
// complete, and the next run continues. In the end the output is the same as without kills,
// with each file once.
func TestKilledRunsGoOn(t *testing.T) {
	text := strings.Join(paragraphs, "\n\n") + "\n\n"
	files := map[string]string{}
	for i := range 300 {
		files[fmt.Sprintf("in/%03d.txt", i)] = strings.Repeat(text, 1+i%7)
	}
	files["in/150.pdf"] = "no PDF at all"
	dir := tree(t, files)
	peace := runIn(t, dir, nil, "chunk", "--format", "jsonl", "-o", "peace/", "in")
	if peace.status != 1 || strings.Count(peace.err, "\n") != 1 {
		t.Fatalf("%+v", peace)
	}
	want := map[string]string{}
	for _, name := range written(t, filepath.Join(dir, "peace")) {
		want[name] = readFile(t, filepath.Join(dir, "peace", name))
	}
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	args := []string{"chunk", "--format", "jsonl", "-o", "out/", "--manifest", "done.jsonl", "in"}
	there, kills := 0, 0
	for events := 150; ; kills++ {
		w := watch(t, out)
		cmd := exec.Command(seam, args...)
		cmd.Dir = dir
		var errs strings.Builder
		cmd.Stderr = &errs
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			cmd.Wait()
			w.stop()
			close(ended)
		}()
		w.until(events)
		cmd.Process.Kill()
		<-ended
		w.Close()
		done := 0
		for _, name := range written(t, out) {
			if strings.HasPrefix(name, ".") {
				continue // in progress when it was killed
			}
			if done++; readFile(t, filepath.Join(out, name)) != want[name] {
				t.Fatalf("kill %d: %s is not what a run in peace makes", kills, name)
			}
		}
		if cmd.ProcessState.ExitCode() >= 0 {
			var before, of int
			_, told, _ := strings.Cut(errs.String(), "\n") // after the damaged file
			fmt.Sscanf(told, "seam: %d of %d files already done", &before, &of)
			if done != len(want) || before < there-runtime.GOMAXPROCS(0) || of != 301 {
				t.Errorf("%d of %d files in the end; %q, with %d before", done, len(want), errs.String(), there)
			}
			break
		}
		if done < there {
			t.Fatalf("kill %d: %d files, %d before", kills, done, there)
		}
		there = done
	}
	t.Logf("killed %d times", kills)
	last, failed := map[string]manifestLine{}, 0
	for _, l := range manifestOf(t, filepath.Join(dir, "done.jsonl")) {
		last[l.File] = l
	}
	for _, l := range last {
		if l.Error != "" {
			failed++
		} else if want[l.Out] == "" || int64(len(want[l.Out])) != l.Bytes {
			t.Errorf("%+v", l)
		}
	}
	if kills < 2 || len(last) != 301 || failed != 1 {
		t.Errorf("%d kills, %d files in the manifest, %d failed", kills, len(last), failed)
	}
}
