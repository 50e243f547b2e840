package server

import (
	"os"
	"path/filepath"
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
