package addone

import (
	"slices"
	"strings"
	"testing"
)

// method makes a chunk of each paragraph.
var method = kind{
	name: "method", readme: "shared/README.md", word: "paragraph", most: 5,
	edits: []edit{
		{"shared/chunk/method.go", "recursive(), sentences()", "paragraph(), "},
		{"shared/chunk/method.go", `"sentences": sentencesWords()`, `"paragraph": paragraphWords(), `},
		{"web/app/methods/pictures.ts", "  recursive: () =>", `  paragraph: () =>
    inText(
      sentenceEnds()
        .filter(({ paragraph }) => paragraph)
        .map(({ end }) => end),
    ),
`},
		{"web/docs/pages/methods/index.md", "| [`sentences`]", "| `paragraph` | a paragraph ends | letters and essays |\n"},
	},
	packages: []string{"./shared/chunk", "./shared/pipeline", "./shared/engine", "./proxy/command", "./web/build"},
	tests:    []string{"TestParagraph", "TestWords", "TestConformance", "TestSameEverywhere", "TestGoldenChunks", "TestMessages", "TestSentences", "TestVersionsAreRaised", "TestGermanHasTheRows"},
	unit:     []string{"methods", "strings"},
	check: func(t *testing.T, c tree) {
		c.write(t, "letter.txt", []byte("Dear Ada,\n\nA mill turns.\nÄpfel fall.\n\nYours"))
		whole, chunks := c.chunks(t, "letter.txt", "--method", "paragraph")
		if want := []string{"Dear Ada,", "A mill turns.\nÄpfel fall.", "Yours"}; !slices.Equal(chunks, want) {
			t.Errorf("%q of %q, want %q", chunks, whole, want)
		}
		if help := strings.Join(strings.Fields(c.seam(t, "", "chunk", "-h")), " "); !strings.Contains(help, "sections, paragraph, recursive") {
			t.Errorf("the help does not list the method:\n%s", help)
		}
	},
}
