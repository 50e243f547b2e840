package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Of files that are done nothing is held but their names.
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
