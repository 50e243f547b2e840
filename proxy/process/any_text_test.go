package process

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A text that looks like no language must be refused by every command, with the flag that
// reads it.
func TestTextsInNoLanguageAreRefused(t *testing.T) {
	var noise []byte
	for i := range 60 {
		sum := sha256.Sum256([]byte{byte(i)})
		noise = append(noise, sum[:]...)
	}
	dir := t.TempDir()
	coded := filepath.Join(dir, "coded.txt")
	if err := os.WriteFile(coded, []byte(base64.StdEncoding.EncodeToString(noise)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mills.md"), []byte("# Mills\n\nThe miller opens the weir."), 0o600); err != nil {
		t.Fatal(err)
	}
	const why = "a text that looks like no language: most of it is encoded, as in base64; add --any-text to read it all the same"
	for _, args := range [][]string{{"chunk", coded}, {"sentences", coded}, {"text", coded}, {"search", "mill", coded}, {"chunk", "-o", filepath.Join(dir, "out") + "/", coded}} {
		if r := run(t, "", args...); r.status == 0 || !strings.Contains(r.err, why) {
			t.Errorf("%v: %+v", args, r)
		}
	}
	if r := run(t, "", "chunk", "--any-text", coded); r.status != 0 || !strings.Contains(r.out, "coded.txt: ") {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "search", "mill", dir); !strings.Contains(r.out, "The miller opens the weir.") || !strings.Contains(r.err, why) {
		t.Errorf("the other file: %+v", r)
	}
	if r := run(t, "", "chunk", "--any-text", "-o", filepath.Join(dir, "both")+"/", dir); r.status != 0 {
		t.Errorf("%+v", r)
	}
}
