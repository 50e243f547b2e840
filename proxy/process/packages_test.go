package process

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// packages returns a Python with the packages of testdata/packages.txt, which are installed
// once. Without SEAM_LONG the test is skipped unless they are there.
func packages(t *testing.T) string {
	t.Helper()
	list, err := os.ReadFile(filepath.Join("testdata", "packages.txt"))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	sum := sha256.Sum256(list)
	dir := filepath.Join(cache, "seam-test-packages", hex.EncodeToString(sum[:6]))
	python, made := filepath.Join(dir, "bin", "python"), filepath.Join(dir, "made")
	if _, err := os.Stat(made); err == nil {
		return python
	}
	if os.Getenv("SEAM_LONG") == "" {
		t.Skip("the Python packages are not installed: SEAM_LONG=1 installs them")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	for _, args := range [][]string{{"python3", "-m", "venv", dir}, {python, "-m", "pip", "install", "--quiet", "-r", filepath.Join("testdata", "packages.txt")}} {
		if out, err := exec.CommandContext(ctx, args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("the Python packages cannot be installed: %v: %.300s", err, out)
		}
	}
	if err := os.WriteFile(made, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return python
}

// Every format is loaded by the package that it is for, with the same chunks and vectors.
func TestPackagesLoadChunks(t *testing.T) {
	python := packages(t)
	long := strings.Repeat("The miller grinds, \"the mill\" turns; wind, rain.\n\n", 130)
	dir := tree(t, map[string]string{"docs/mill.md": "# Mills\n\nA windmill turns.\n\n## Stones\n\nThe stones turn, too. Größe 字 <b>&amp;\\.\n", "docs/signs.txt": "🜁🜂🜃 🜁🜂", "docs/long.txt": long, "out/x": ""})
	if err := os.WriteFile(filepath.Join(dir, "docs", "turns.pdf"), []byte(readFile(t, pdf(t))), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"jsonl", "langchain", "parquet", "lancedb", "llamaindex", "weaviate", "pinecone", "qdrant", "chroma", "pgvector"} {
		args := []string{"chunk", "--embedder", "builtin", "--method", "sentences", "--max-tokens", "20", "--format", format, "-o", filepath.Join("out", format)}
		r := runIn(t, dir, nil, append(args, "docs")...)
		if says := map[string]string{"pinecone": "seam: docs/signs.txt: left out 1 chunk without a vector, which pinecone cannot hold\n"}[format]; r.status != 0 || r.err != says {
			t.Fatalf("%s: %+v", format, r)
		}
	}
	if r := runIn(t, dir, nil, "chunk", "--format", "parquet", "-o", "out/none.parquet", "missing.txt", "docs/none.md"); r.status != 1 {
		t.Errorf("%+v", r)
	}
	out, err := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "packages.py"), filepath.Join(dir, "out")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A folder of Parquet has a whole file for each document.
func TestParquetForEach(t *testing.T) {
	dir := tree(t, map[string]string{"docs/a.md": "# A\n\nOne thing.", "docs/b.txt": "Another."})
	if r := runIn(t, dir, nil, "chunk", "--format", "parquet", "-o", "out/", "docs"); r.status != 0 || r.err != "" {
		t.Fatalf("%+v", r)
	}
	for _, name := range []string{"a.md.parquet", "b.txt.parquet"} {
		b := readFile(t, filepath.Join(dir, "out", name))
		if !strings.HasPrefix(b, "PAR1") || !strings.HasSuffix(b, "PAR1") || len(b) < 1000 {
			t.Errorf("%s: %d bytes", name, len(b))
		}
	}
}
