package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seam/proxy/limit"
	"seam/proxy/link/linktest"
)

// A method that computes no vectors is not measured with the vectors of a hosted model: that
// is said, and no question is sent for it.
func TestEvalRetrievalSaysWhoseVectors(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"farm.txt":       "The weir holds the water back. The miller opens it in spring. Bread is baked from flour. The baker rises early.",
		"questions.json": `[{"question":"Who opens the weir?","file":"farm.txt","excerpts":["The miller opens it in spring."]}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := linktest.Start(t, limit.Limits{})
	eval := func(method string) result {
		return hosted(t, l, "eval", "retrieval", "--questions", filepath.Join(dir, "questions.json"), "--methods", method, "--sizes", "40", "--ranker", "dense", "--embedder", "openai:e")
	}
	const says = "recursive 40 computes no vectors"
	if r := eval("recursive"); r.status != 0 || !strings.Contains(r.err, says) || len(l.Provider.Requests()) != 0 {
		t.Errorf("%+v after %d requests", r, len(l.Provider.Requests()))
	}
	if r := eval("semantic"); r.status != 0 || strings.Contains(r.err, "computes no vectors") || len(l.Provider.Requests()) < 2 {
		t.Errorf("%+v after %d requests", r, len(l.Provider.Requests()))
	}
}
