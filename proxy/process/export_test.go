package process

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"seam/proxy/upstream/upstreamtest"
)

// exported has the values of a chunk that every format contains.
type exported struct {
	id, file, text string
	vector         []float32
}

// lineByLine decodes JSON lines.
func lineByLine[T any](t *testing.T, out string) (all []T) {
	t.Helper()
	if !strings.HasSuffix(out, "\n") {
		t.Fatalf("the last line has no end: %.80q", out)
	}
	for line := range strings.Lines(out) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v: %.200s", err, line)
		}
		all = append(all, v)
	}
	return all
}

// A point has an id (a UUID or a number), a vector and a payload:
// https://qdrant.tech/documentation/concepts/points
func qdrant(t *testing.T, out string) (all []exported) {
	for _, p := range lineByLine[map[string]json.RawMessage](t, out) {
		var e exported
		var payload struct{ File, Text, ID string }
		err := json.Unmarshal(p["id"], &e.id)
		if err == nil {
			err = json.Unmarshal(p["vector"], &e.vector)
		}
		if err == nil {
			err = json.Unmarshal(p["payload"], &payload)
		}
		if err != nil || len(p) != 3 || payload.ID == "" {
			t.Fatalf("%v: %v", err, p)
		}
		e.file, e.text = payload.File, payload.Text
		all = append(all, e)
	}
	return all
}

// Columns have the same length, and metadata are strings, numbers or booleans:
// https://docs.trychroma.com/docs/collections/add-data
func chroma(t *testing.T, out string) (all []exported) {
	for _, batch := range lineByLine[struct {
		IDs, Documents []string
		Embeddings     [][]float32
		Metadatas      []map[string]any
	}](t, out) {
		n := len(batch.IDs)
		if n == 0 || len(batch.Documents) != n || len(batch.Embeddings) != n || len(batch.Metadatas) != n {
			t.Fatalf("%d ids, %d documents, %d embeddings, %d metadatas", n, len(batch.Documents), len(batch.Embeddings), len(batch.Metadatas))
		}
		for i, m := range batch.Metadatas {
			for key, value := range m {
				switch value.(type) {
				case string, float64, bool:
				default:
					t.Errorf("%s is %v", key, value)
				}
			}
			all = append(all, exported{batch.IDs[i], fmt.Sprint(m["file"]), batch.Documents[i], batch.Embeddings[i]})
		}
	}
	return all
}

// Actions and documents alternate, an _id has at most 512 bytes, and the last line ends
// with a newline: https://docs.opensearch.org/latest/api-reference/document-apis/bulk/
func opensearch(t *testing.T, out string) (all []exported) {
	lines := lineByLine[map[string]json.RawMessage](t, out)
	if len(lines)%2 != 0 {
		t.Fatalf("%d lines", len(lines))
	}
	for pair := range slices.Chunk(lines, 2) {
		var action struct {
			ID string `json:"_id"`
		}
		e := exported{}
		err := json.Unmarshal(pair[0]["index"], &action)
		if err == nil {
			err = json.Unmarshal(pair[1]["file"], &e.file)
		}
		if err == nil {
			err = json.Unmarshal(pair[1]["text"], &e.text)
		}
		if v, ok := pair[1]["embedding"]; err == nil && ok {
			err = json.Unmarshal(v, &e.vector)
		}
		if err != nil || len(pair[0]) != 1 || action.ID == "" || len(action.ID) > 512 {
			t.Fatalf("%v: %v", err, pair)
		}
		e.id = action.ID
		all = append(all, e)
	}
	return all
}

// CSV has a header, and vectors are written '[1,2,3]':
// https://www.postgresql.org/docs/current/sql-copy.html and
// https://github.com/pgvector/pgvector
func pgvector(t *testing.T, out string) (all []exported) {
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(rows) < 1 || strings.Contains(out, "\x00") {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	at := func(name string) int { return slices.Index(rows[0], name) }
	for _, row := range rows[1:] {
		e := exported{id: row[at("id")], file: row[at("file")], text: row[at("text")]}
		if err := json.Unmarshal([]byte(row[at("embedding")]), &e.vector); err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

var databases = map[string]func(t *testing.T, out string) []exported{"qdrant": qdrant, "chroma": chroma, "opensearch": opensearch, "pgvector": pgvector}

// All formats contain the same chunks as `seam chunk`, for files and for their bundle.
// Vectors have length 1, and ids are stable UUIDs.
func TestChunksForDatabases(t *testing.T) {
	// A text of only symbols has no vector; the text with many chunks takes two batches.
	long := strings.Repeat("The miller grinds, \"the mill\" turns; wind, rain.\n\n", 130)
	dir := tree(t, map[string]string{"docs/mill.md": "# Mills\n\nA windmill turns.\n\n## Stones\n\nThe stones turn, too. Größe 字.\n", "docs/signs.txt": "🜁🜂🜃 🜁🜂", "docs/long.txt": long})
	args := func(format string, from ...string) []string {
		return append([]string{"chunk", "--embedder", "builtin", "--method", "sentences", "--max-tokens", "20", "--format", format}, from...)
	}
	chunks := lineByLine[struct{ File, Text string }](t, runIn(t, dir, nil, args("jsonl", "docs")...).out)
	if r := runIn(t, dir, nil, "bundle", "--embedder", "builtin", "-o", "x.seam", "docs"); r.status != 0 {
		t.Fatalf("%+v", r)
	}
	var first []exported
	for format, read := range databases {
		r := runIn(t, dir, nil, args(format, "docs")...)
		if again := runIn(t, dir, nil, args(format, "x.seam")...); r.status != 0 || r.err != "" || r != again {
			t.Errorf("%s: %.300s, of the bundle %.300s", format, fmt.Sprint(r), fmt.Sprint(again))
		}
		got := read(t, r.out)
		if len(got) != len(chunks) || len(got) < 110 {
			t.Fatalf("%s: %d chunks of %d", format, len(got), len(chunks))
		}
		ids := map[string]bool{}
		for i, e := range got {
			square := 0.0
			for _, x := range e.vector {
				square += float64(x) * float64(x)
			}
			zero := e.file == filepath.Join("docs", "signs.txt")
			if id, err := uuid.Parse(e.id); err != nil || id.Version() != 5 || ids[e.id] || e.file != chunks[i].File || e.text != chunks[i].Text || !zero && math.Abs(square-1) > 1e-5 {
				t.Errorf("%s: %+v, %v, length² %g", format, e.id, err, square)
			}
			if zero && format == "opensearch" && e.vector != nil || zero && format != "opensearch" && (len(e.vector) != 256 || square != 0) {
				t.Errorf("%s: signs have a vector of length² %g", format, square)
			}
			ids[e.id] = true
			if first != nil && (first[i].id != e.id || e.vector != nil && first[i].vector != nil && !slices.Equal(first[i].vector, e.vector)) {
				t.Errorf("%s says something else of chunk %d", format, i)
			}
		}
		first = got
	}
	if r := runIn(t, dir, nil, args("qdrant", "-o", "out/", "docs")...); r.status != 0 || !slices.Equal(written(t, filepath.Join(dir, "out")), []string{"long.txt.ndjson", "mill.md.ndjson", "signs.txt.ndjson"}) {
		t.Errorf("%+v, %v", r, written(t, filepath.Join(dir, "out")))
	}
	for _, embedder := range []string{"lexical", "auto"} {
		if err := os.WriteFile(filepath.Join(dir, "deutsch.txt"), []byte(strings.Repeat("Die Mühle dreht sich im Wind, und das Rad treibt die Steine an. ", 9)), 0o644); err != nil {
			t.Fatal(err)
		}
		if r := runIn(t, dir, nil, "chunk", "--format", "qdrant", "--embedder", embedder, "deutsch.txt"); r.status == 0 || r.out != "" || !strings.Contains(r.err, "lexical vectors are fitted to one document") {
			t.Errorf("%+v", r)
		}
	}
}

// No chunk is sent to a hosted model: only the sentences are paid for.
func TestChunksOfAHostedModelForDatabases(t *testing.T) {
	p := upstreamtest.Start()
	defer p.Close()
	dir := tree(t, map[string]string{"venus.txt": "Venus turns backwards. A day is long there. Its air is thick. Nobody lives there."})
	for _, method := range []string{"percentile", "recursive"} {
		r := runIn(t, dir, []string{"OPENAI_API_KEY=" + ownKey, "SEAM_PROXY=", "SEAM_CACHE=off"}, "chunk", "--base-url", p.BaseURL, "--embedder", "openai:e", "--method", method, "--max-tokens", "12", "--format", "qdrant", "venus.txt")
		if r.status != 0 || len(qdrant(t, r.out)) < 2 {
			t.Fatalf("%+v", r)
		}
	}
	for _, q := range p.Requests() {
		if len(q.Texts) != 4 || q.Texts[0] != "Venus turns backwards." {
			t.Errorf("it was sent %q", q.Texts)
		}
	}
}
