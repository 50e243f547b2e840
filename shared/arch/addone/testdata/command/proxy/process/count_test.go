package process

import (
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	path := file(t, "notes.md", []byte("# Mills\n\nA mill grinds corn."))
	if out := ok(t, "One two.", "count", path, "-"); out != "5\t"+path+"\n2\t-\n" {
		t.Errorf("%q", out)
	}
	if r := run(t, "", "count", path+".gone"); r.status != 1 || !strings.Contains(r.err, "notes.md.gone") {
		t.Errorf("%+v", r)
	}
}
