package process

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns both ends of a new terminal.
func openTerminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { ours.Close() })
	if err := unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	return ours, theirs
}

// onTerminal runs seam on a terminal and returns all that the terminal gets.
func onTerminal(t *testing.T, env []string, typed string, args ...string) string {
	t.Helper()
	ours, theirs := openTerminal(t)
	cmd := exec.Command(seam, args...)
	cmd.Stdout, cmd.Stderr, cmd.Env = theirs, theirs, append(os.Environ(), env...)
	if typed != "" {
		cmd.Stdin = theirs
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	if typed != "" {
		if _, err := ours.WriteString(typed); err != nil {
			t.Fatal(err)
		}
	}
	out, err := io.ReadAll(ours)
	if err != nil && !errors.Is(err, syscall.EIO) { // the other end is closed
		t.Fatal(err)
	}
	cmd.Wait() // its status is not of interest
	return string(out)
}

// No escape sequence of a document reaches a terminal; a pipe gets the text as it is.
func TestTerminals(t *testing.T) {
	evil := file(t, "evil.txt", []byte("Bees \x1b[31mdance\x1b]0;owned\x07 here. Mills turn \u009b2J there."))
	for _, args := range [][]string{
		{"chunk", evil}, {"chunk", "--format", "csv", evil}, {"text", evil}, {"sentences", evil}, {"search", "bees", evil}, {"ask", "bees", evil}, {"text", "--document", evil},
	} {
		out := onTerminal(t, []string{"TERM=dumb"}, "", args...)
		if strings.ContainsAny(out, "\x1b\x07\u009b") || !strings.Contains(out, "dance") {
			t.Errorf("%v: %q", args, out)
		}
	}
	if r := run(t, "", "text", evil); !strings.Contains(r.out, "\x1b[31mdance\x1b]0;owned\x07") {
		t.Errorf("a pipe: %q", r.out)
	}
	// A command that waits for a terminal says so.
	if out := onTerminal(t, nil, "Bees dance.\n\x04", "sentences"); !strings.Contains(out, "reading from this terminal: Ctrl-D ends the text") || !strings.Contains(out, `"text":"Bees dance."`) {
		t.Errorf("%q", out)
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	cmd := exec.Command(seam, "sentences")
	cmd.Stdin = null
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "terminal") {
		t.Errorf("%q, %v", out, err)
	}
}
