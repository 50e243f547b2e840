package server

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// The newline at the end of a secret in a file or variable is ignored.
func TestNamedSecrets(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("s3cret\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TEST_SECRET", "s3cret\n")
	t.Setenv("TEST_BLANK", " \n")
	for _, tt := range []struct {
		env, file, want string
		fails           bool
	}{{"", "", "", false}, {"", file, "s3cret", false}, {"TEST_SECRET", "", "s3cret", false}, {"TEST_BLANK", "", "", true}, {"TEST_NONE", "", "", true}} {
		if got, err := named("key", tt.env, tt.file); got != tt.want || (err != nil) != tt.fails {
			t.Errorf("%s%s: %q, %v", tt.env, tt.file, got, err)
		}
	}
}

// Several processes that start at once have one secret.
func TestOneSecret(t *testing.T) {
	dir := t.TempDir()
	got := make([]string, 16)
	var starting sync.WaitGroup
	for i := range got {
		starting.Go(func() {
			s, err := secretOf(dir, "token")
			if err != nil {
				t.Error(err)
			}
			got[i] = s
		})
	}
	starting.Wait()
	for _, s := range got {
		if s != got[0] {
			t.Errorf("%q and %q", s, got[0])
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	if info, err := os.Stat(filepath.Join(dir, "token")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}
