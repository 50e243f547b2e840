package process

import (
	"strings"
	"testing"
)

// The bound on vectors is the machine's memory, or --memory, and not the collector's limit.
func TestMemory(t *testing.T) {
	large := file(t, "large.txt", []byte(strings.Repeat("Bees dance here. Mills turn there. ", 260_000)))
	if r := run(t, "", "chunk", "-o", t.TempDir()+"/", "--format", "jsonl", "--cache", "off", large); r.status != 0 || strings.Contains(r.err, "memory") {
		t.Errorf("%+v", r)
	}
	if r := run(t, "", "chunk", "--memory", "200MB", large); r.status != 1 || r.out != "" || !strings.Contains(r.err, "large.txt: too large for the memory: 520000 vectors of 256 numbers need 508 MB, but only ") {
		t.Errorf("%+v", r)
	}
	for _, size := range []string{"0", "-1", "much", "1e99GB", "5x"} {
		if r := run(t, "", "chunk", "--memory="+size, large); r.status != 2 || !strings.Contains(r.err, "--memory "+size+" is no size: write 500MB or 2GB") {
			t.Errorf("%s: %+v", size, r)
		}
	}
	if r := run(t, "Bees dance.", "chunk", "--memory", "1.5g", "-"); r.status != 0 || r.err != "" {
		t.Errorf("%+v", r)
	}
}
