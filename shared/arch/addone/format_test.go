package addone

import (
	"slices"
	"strings"
	"testing"
)

// format is SubRip, a format for film subtitles.
var format = kind{
	name: "format", readme: "shared/README.md", word: "subrip", most: 4,
	edits: []edit{
		{"shared/read/formats.go", "\tplain,\n", "\tsubrip,\n"},
		{"shared/read/testdata/recognised.json", ` {"name": "", "head": "", "format": "text"},`, ` {"name": "Film.SRT", "head": "1\n00:00:01,000 --> 00:00:02,500\nA mill turns.", "format": "subrip"},` + "\n"},
	},
	packages: []string{"./shared/read", "./shared/engine", "./shared/engine/pdfworker", "./web/build"},
	tests: []string{"TestSubrip", "TestTable", "TestRecognise", "TestRead", "TestWhatIsRead", "ExampleUnreadError", "TestMessages", "TestSentences", "TestEveryFormatHasAReader",
		"TestThePageHasTheEnginesFormats", "TestGermanHasTheRows", "TestManifest"},
	unit: []string{"formats", "kind", "says", "strings"},
	check: func(t *testing.T, c tree) {
		c.write(t, "film.srt", []byte("1\n00:00:01,000 --> 00:00:02,500\nA mill turns. It grinds.\n\n2\n00:00:03,000 --> 00:00:04,000\nÄpfel fall.\n"))
		said, chunks := c.chunks(t, "film.srt", "--method", "sentences")
		if want := []string{"A mill turns.", "It grinds.", "Äpfel fall."}; said != "A mill turns. It grinds.\nÄpfel fall." || !slices.Equal(chunks, want) {
			t.Errorf("%q of %q, want %q", chunks, said, want)
		}
		if help := strings.Join(strings.Fields(c.seam(t, "", "chunk", "-h")), " "); !strings.Contains(help, "EPUB, SubRip or plain text") {
			t.Errorf("the help does not name the format:\n%s", help)
		}
	},
}
