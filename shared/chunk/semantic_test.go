package chunk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/chunk/chunktest"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/topic"
)

// gaps prints a layout: a digit for a heading, = for inside, - for within, | for the end of
// a paragraph.
func gaps(list []topic.Gap) string {
	var sb strings.Builder
	for _, g := range list {
		switch {
		case g.Heading > 0:
			fmt.Fprint(&sb, g.Heading)
		case g.Inside:
			sb.WriteByte('=')
		case g.Within:
			sb.WriteByte('-')
		default:
			sb.WriteByte('|')
		}
	}
	return sb.String()
}

func TestLayout(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":     {"", ""},
		"one line":    {"One here. Two here. Three here.", "||"},
		"paragraphs":  {"One here. Two here.\n\nThree here. Four here.", "-|-"},
		"headings":    {"Before it.\n\n# Title\n\nOne here. Two here.\n\n## Below\n\nThree here.", "1=-2="},
		"wiki":        {"Before it.\n\n= Title =\n\nOne here.\n\n== Below ==\n\nTwo here.", "1=2="},
		"underlined":  {"Before it.\n\nTitle\n-----\n\nOne here. Two here.", "2==-"},
		"list":        {"One here:\n\n- first item\n- second item\n- third item\n\nTwo here. Three here.", "===|-"},
		"long items":  {"1. " + strings.Repeat("word ", 60) + "ends.\n\n2. " + strings.Repeat("word ", 60) + "ends. More of it.", "|-"},
		"table":       {"Before it. Two.\n\n| a | b |\n| c | d |\n| e | f |\n\nBehind it.", "-|==|"},
		"code":        {"Before it.\n\n```\nx := 1.\n\nY := 2.\n```\n\nBehind it. Two here.", "|"},
		"wrapped":     {"One line is\nwrapped here. Two.\nThree is here. Four.", "|||"},
		"line as par": {strings.Repeat("A long line of it is here. ", 8) + "\n" + strings.Repeat("Another long line here. ", 8), ""},
	} {
		in := chunktest.Input(text.NewPlain(tt.text))
		got := gaps(chunk.Layout(in))
		switch name {
		case "code":
			if !strings.Contains(got, "=") || !strings.HasSuffix(got, "-") {
				t.Errorf("%s: %s", name, got)
			}
		case "line as par":
			if strings.Count(got, "|") != 1 {
				t.Errorf("%s: %s", name, got)
			}
		default:
			if got != tt.want {
				t.Errorf("%s: %s, want %s", name, got, tt.want)
			}
		}
	}
}

func TestSectionsOfADocumentAreHeadings(t *testing.T) {
	in := chunktest.Input(text.NewPlain("Start. More.\n\nMethods\n\nOne here. Two here."))
	in.Sections = []text.Section{{Title: "Methods", Level: 2, Span: text.Span{Start: 14, End: 42}}}
	if got := gaps(chunk.Layout(in)); got != "-2=-" {
		t.Errorf("%s", got)
	}
}

// three returns a text with three topics, each with a heading. The second topic is long.
func three() chunk.Input {
	var sb strings.Builder
	for i, n := range []int{30, 120, 30} {
		fmt.Fprintf(&sb, "# Topic %d\n\n", i)
		for k := range n {
			fmt.Fprintf(&sb, "Word%d and word%d say number %d here.", i, i, k)
			if sb.WriteByte(' '); k%5 == 4 {
				sb.WriteString("\n\n")
			}
		}
		sb.WriteString("\n\n")
	}
	return chunktest.Input(text.NewPlain(sb.String()))
}

func TestTopicsAreDividedAndNumbered(t *testing.T) {
	in := three()
	whole, err := cut("semantic", in, chunk.Limits{Counter: token.Words})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := cut("semantic", in, chunk.Limits{Max: 100, Counter: token.Words})
	if err != nil {
		t.Fatal(err)
	}
	if len(whole) != 3 || whole[0].Reason.Kind != chunk.ReasonHeading || whole[0].Reason.Name != "Topic 1" || whole[2].Reason.Kind != chunk.ReasonEnd {
		t.Fatalf("%+v", whole)
	}
	if len(parts) <= len(whole) {
		t.Fatalf("%d chunks of at most 100 words", len(parts))
	}
	for _, c := range whole {
		i := slices.IndexFunc(parts, func(p chunk.Chunk) bool { return p.End == c.End })
		if i < 0 || parts[i].Reason != c.Reason || parts[i].Topic != c.Topic {
			t.Errorf("topic %d does not end a chunk, with its reason", c.Topic)
		}
	}
	last := 0
	for i, c := range parts {
		if c.Topic < last || c.Topic > last+1 {
			t.Errorf("chunk %d is of topic %d after %d", i, c.Topic, last)
		}
		if last = c.Topic; c.Topic == 2 && c.Reason.Kind == chunk.ReasonMax && !strings.HasPrefix(in.View.Text[c.End:], " \n\n") {
			t.Errorf("chunk %d ends within a paragraph: %q", i, in.View.Text[c.End:][:20])
		}
	}
}

func TestShortTopicsAreJoined(t *testing.T) {
	in := three()
	chunks, err := cut("semantic", in, chunk.Limits{Min: 80, Counter: token.Words})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range chunks {
		if c.Tokens < 80 {
			t.Errorf("chunk %d has %d words", i, c.Tokens)
		}
	}
}
