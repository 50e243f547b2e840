package addone

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// embedder compares texts by their runs of letters.
var embedder = kind{
	name: "embedder", readme: "shared/README.md", word: "letters", most: 4,
	edits: []edit{
		{"shared/pipeline/embedders.go", "\t\"seam/shared/embed/lexical\"\n", "\t\"seam/shared/embed/letters\"\n"},
		{"shared/pipeline/embedders.go", "\t\t{Name: Static, ", "\t\t{Name: letters.Name, Label: \"letters · offline · free\", Help: \"Compares runs of letters.\",\n" +
			"\t\t\tOpen: func() embed.Embedder { return letters.Embedder{} }},\n"},
		{"shared/pipeline/embedders.go", "\t\tlexical.Name: ", "\t\tletters.Name: {\"runs of letters\", germanOf{\"Buchstaben · offline · kostenlos\", \"Vergleicht Folgen von Buchstaben.\"}},\n"},
		{"web/docs/pages/methods/embedders.md", "| `static:FOLDER`", "| `letters` | runs of letters | nowhere |\n"},
	},
	packages: []string{"./shared/embed/letters", "./shared/pipeline", "./shared/engine", "./shared/arch", "./web/build"},
	tests:    []string{"TestLetters", "TestEmbedderWords", "TestMessages", "TestImports", "TestEverythingExportedHasADocComment", "TestGermanHasTheRows"},
	unit:     []string{"strings"},
	check: func(t *testing.T, c tree) {
		var query struct{ Vector []float32 }
		if err := json.Unmarshal([]byte(c.seam(t, "Windmills turn.\n", "embed", "--embedder", "letters", "--format", "jsonl")), &query); err != nil || len(query.Vector) != 512 {
			t.Errorf("seam embed gives %d numbers: %v", len(query.Vector), err)
		}
		c.write(t, "trades.txt", []byte("The windmills turned. A windmill turns. Nobody ate cheese."))
		var found struct{ Hits []struct{ Text string } }
		out := c.seam(t, "", "search", "--embedder", "letters", "--mode", "dense", "--method", "sentences", "--json", "no cheese", "trades.txt")
		if err := json.Unmarshal([]byte(out), &found); err != nil || len(found.Hits) == 0 || found.Hits[0].Text != "Nobody ate cheese." {
			t.Errorf("seam search finds %s: %v", out, err)
		}
		_, chunks := c.chunks(t, "trades.txt", "--embedder", "letters", "--method", "percentile", "--threshold", "50")
		if want := []string{"The windmills turned. A windmill turns.", "Nobody ate cheese."}; !slices.Equal(chunks, want) {
			t.Errorf("%q, want %q", chunks, want)
		}
		if help := strings.Join(strings.Fields(c.seam(t, "", "chunk", "-h")), " "); !strings.Contains(help, "letters (runs of letters), static:FOLDER") {
			t.Errorf("the help does not list the embedder:\n%s", help)
		}
	},
}
