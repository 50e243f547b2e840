package chunk_test

import (
	"slices"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/chunk/chunktest"
	"seam/shared/text"
	"seam/shared/token"
)

// The layout and the chunkers must recognize every block that package markup does.
func TestLayoutOfBlocks(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"tildes":            {"Before it.\n\n~~~\nX is here.\n\nY is here.\n~~~\n\nBehind it.", "|===|"},
		"fence in a fence":  {"Before it.\n\n````\nX is here.\n```\nY is here.\n````\n\nBehind it.", "|====|"},
		"code from its top": {"Before it.\n\n```\n\nX is here.\n\nY is here.\n```\n\nBehind it.", "|===|"},
		"two codes":         {"```\nX is here.\n```\n\n```\nY is here.\n```", "==|=="},
		"no code":           {"```x``` is one. It is two.\n\n# Title\n\nThree is here.", "-1="},
		"front matter":      {"---\ntitle: This one.\nby: That one.\n---\n\nText is here.", "===|"},
		"blanks behind":     {"Before it.\n\n# Title \n\nOne here. Two here.", "1=-"},
		"item and rule":     {"Before it.\n\n- An item here.\n\n---\n\nOne here.", "|||"},
		"table without |":   {"Before it.\n\na | b\n--- | ---\n1. | 2\n3. | 4\n\nBehind it.", "|==|"},
	} {
		in := chunktest.Input(text.NewPlain(tt.text))
		if got := gaps(chunk.Layout(in)); got != tt.want {
			t.Errorf("%s: %s, want %s, of %q", name, got, tt.want, spans(in.Sentences, tt.text))
		}
	}
}

func TestSectionsOfUnderlinedHeadings(t *testing.T) {
	body := "One\n===\n\nTwo\n---\n\nText of two.\n\nThree\n-----\n\nText of three.\n\n~~~\n# none\n~~~"
	of := func(sections []text.Section) []string {
		in := chunktest.Input(text.NewPlain(body))
		in.Sections = sections
		chunks, err := cut("sections", in, chunk.Limits{Counter: token.Words})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, c := range chunks {
			out = append(out, c.Of(body))
		}
		return out
	}
	for _, title := range []string{"# Title", "# Title \t", "Title\n-----  "} { // once with the document's own sections, once with headings found in the text
		in := chunktest.Input(text.NewPlain("Before it.\n\n" + title + "\n\nOne here. Two here."))
		want := gaps(chunk.Layout(in))
		in.Sections = []text.Section{{Level: strings.Count(title, "-")/5 + 1, Span: text.Span{Start: 12, End: 40}}}
		if got := gaps(chunk.Layout(in)); got != want {
			t.Errorf("%q: %s, want %s", title, got, want)
		}
	}
	second := strings.Index(body, "Three")
	want := []string{strings.TrimSpace(body[:second]), body[second:]}
	if got := of(nil); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	given := []text.Section{{Level: 1}, {Level: 2, Span: text.Span{Start: strings.Index(body, "Two")}}, {Level: 2, Span: text.Span{Start: second}}}
	if got := of(given); !slices.Equal(got, want) {
		t.Errorf("as sections of the document: %q", got)
	}
}

func TestCodeIsNoParagraph(t *testing.T) {
	body := "One is here.\n\n```\nx\n\ny\n```\n\nTwo is here."
	chunks, err := cut("sections", chunktest.Input(text.NewPlain(body)), chunk.Limits{Counter: token.Words})
	if err != nil || len(chunks) != 3 || chunks[1].Of(body) != "```\nx\n\ny\n```" {
		t.Errorf("%v, %v", chunks, err)
	}
}

// No chunk of recursive ends with a heading if it can end before it.
func TestRecursiveKeepsHeadings(t *testing.T) {
	prose := strings.Repeat("Words of it go on here. ", 3)
	for _, heading := range []string{"## Title of it", "== Title of it ==", "Title of it\n---", "Title of it\r\n===  "} {
		body := prose + "\n\n" + heading + "\n\n" + prose
		most := len([]rune(prose + "\n\n" + heading))
		chunks, err := cut("recursive", chunktest.Input(text.NewPlain(body)), chunk.Limits{Max: most, Counter: token.Characters})
		if err != nil || chunks[0].Of(body) != strings.TrimSpace(prose) {
			t.Errorf("%q: %q, %v", heading, chunks[0].Of(body), err)
		}
	}
}

func spans(list []text.Span, t string) (out []string) {
	for _, s := range list {
		out = append(out, s.Of(t))
	}
	return out
}

// cut cuts by the named method.
func cut(method string, in chunk.Input, limits chunk.Limits) ([]chunk.Chunk, error) {
	m, err := chunk.Lookup(method)
	if err != nil {
		return nil, err
	}
	_, chunks, err := chunk.Cut(m.Chunker, in, chunk.Criterion{}, limits)
	return chunks, err
}
