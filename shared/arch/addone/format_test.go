package addone

import (
	"encoding/json"
	"strings"
	"testing"
)

// format is SubRip, the subtitles of films.
var format = kind{
	name: "format", readme: "shared/README.md", word: "subrip", most: 4,
	edits: []edit{
		{"shared/read/formats.go", "\tplain,\n", "\tsubrip,\n"},
		{"shared/read/testdata/recognised.json", ` {"name": "", "head": "", "format": "text"},`, ` {"name": "Film.SRT", "head": "1\n00:00:01,000 --> 00:00:02,500\nA mill turns.", "format": "subrip"},` + "\n"},
	},
	check: func(t *testing.T, c tree) {
		c.write(t, "film.srt", []byte("1\n00:00:01,000 --> 00:00:02,500\nA mill turns. It grinds.\n\n2\n00:00:03,000 --> 00:00:04,000\nÄpfel fall.\n"))
		said := c.seam(t, "", "text", "film.srt")
		if said != "A mill turns. It grinds.\nÄpfel fall." {
			t.Errorf("seam text prints %q", said)
		}
		var cut struct {
			Chunks []struct {
				Start, End int
				Text       string
			}
		}
		if err := json.Unmarshal([]byte(c.seam(t, "", "chunk", "--method", "sentences", "--format", "json", "film.srt")), &cut); err != nil {
			t.Fatal(err)
		}
		if len(cut.Chunks) != 3 {
			t.Errorf("%d chunks of three sentences", len(cut.Chunks))
		}
		for _, chunk := range cut.Chunks {
			if chunk.Start < 0 || chunk.End > len(said) || said[chunk.Start:chunk.End] != chunk.Text {
				t.Errorf("%q is not the text from %d to %d", chunk.Text, chunk.Start, chunk.End)
			}
		}
		if help := c.seam(t, "", "chunk", "-h"); !strings.Contains(strings.Join(strings.Fields(help), " "), "SubRip") {
			t.Errorf("the help does not name the format:\n%s", help)
		}
		c.run(t, "", "go", "test", "./shared/read")
		c.run(t, "", "go", "test", "-run", "^(TestMessages|TestSentences|TestEveryFormatHasAReader)$", "./shared/engine/...")
		c.run(t, "", "go", "test", "-run", "^(TestThePageHasTheEnginesFormats|TestGermanHasTheRows|TestManifest)$", "./web/build")
		c.unit(t, "formats", "kind", "says", "strings")
	},
}
