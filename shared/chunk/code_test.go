package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"seam/shared/chunk"
	"seam/shared/chunk/chunktest"
	"seam/shared/text"
	"seam/shared/token"
	"seam/shared/vector"
)

// program returns a program of n functions, each with a blank line after it if blank is set.
func program(n int, blank bool) string {
	var sb strings.Builder
	for i := range n {
		fmt.Fprintf(&sb, "def fee%d(ship, days):\n    \"\"\"Return the fee. It may be 0.\"\"\"\n    if ship.length > %d:\n        return days, %d\n    return days; print(ship)\n", i, i, i)
		if blank {
			sb.WriteByte('\n')
		}
	}
	return strings.TrimSpace(sb.String())
}

// limited are methods that cut code only for the maximum.
var limited = []string{"semantic", "sections"}

// Code that is too long is cut after lines, and after blank lines if it has any.
func TestLongCode(t *testing.T) {
	for _, blank := range []bool{true, false} {
		for _, fenced := range []bool{true, false} {
			body := program(40, blank)
			listing := text.Span{Start: len("How it is computed.\n\n")}
			if fenced {
				body = "```python\n" + body + "\n```"
			}
			body = "How it is computed.\n\n" + body + "\n\nThat was it."
			listing.End = strings.Index(body, "\n\nThat")
			in := chunktest.Input(text.NewPlain(body))
			if !fenced {
				in = listed(in, listing)
			}
			for _, method := range limited {
				for _, most := range []int{40, 90} {
					name := fmt.Sprintf("%s, %d words, blank %v, fenced %v", method, most, blank, fenced)
					chunks, err := cut(method, in, chunk.Limits{Counter: token.Words, Max: most})
					if err != nil {
						t.Fatal(name, err)
					}
					for _, c := range chunks {
						checkCodeStart(t, name, body, c, blank)
					}
				}
			}
		}
	}
}

// listed returns in with a listing.
func listed(in chunk.Input, listing text.Span) chunk.Input {
	in.Listings = []text.Span{listing}
	in.Sentences = chunk.CodeLines(in.View.Text, in.Listings, in.Sentences)
	in.Vectors = vector.New(len(in.Sentences), 2)
	for i := range in.Sentences {
		in.Vectors.Row(i)[i%2] = 1
	}
	in.Similarities = vector.Adjacent(in.Vectors)
	return in
}

// Each line of code is a sentence, and the text around it is as without it.
func TestCodeLines(t *testing.T) {
	for in, want := range map[string]string{
		"One is. Two is.\n\n```\na. B c.\n\n  d e\n```\n\nThree is.": "One is.|Two is.|```|a. B c.|d e|```|Three is.",
		"```\n\n\n```":                     "```|```",
		"```go\nx := 1; Y()\nz(\n)":        "```go|x := 1; Y()|z(|)",
		"```\r\nA one. B two.\r\nC\r\n```": "```|A one. B two.|C|```",
		"No code. None at all.":            "No code.|None at all.",
	} {
		got := strings.Join(spans(chunktest.Input(text.NewPlain(in)).Sentences, in), "|")
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func checkCodeStart(t *testing.T, name, body string, c chunk.Chunk, blank bool) {
	t.Helper()
	start := strings.LastIndexByte(body[:c.Start], '\n') + 1
	switch {
	case strings.TrimSpace(body[start:c.Start]) != "":
		t.Errorf("%s: %.30q begins inside a line", name, body[c.Start:])
	case strings.HasSuffix(strings.TrimSpace(body[:c.Start]), "days):"):
		t.Errorf("%s: %.30q begins after the head of its function", name, body[c.Start:])
	case blank && c.Start > start:
		t.Errorf("%s: %.30q begins inside a function", name, body[c.Start:])
	}
}

// A line longer than the maximum is cut as a sentence is, and the lines after it are whole.
func TestLongLineOfCode(t *testing.T) {
	body := "```\n" + strings.Repeat("word ", 60) + "end\nx = 1\ny = 2\n```"
	chunks, err := cut("sections", chunktest.Input(text.NewPlain(body)), chunk.Limits{Counter: token.Words, Max: 25})
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, c := range chunks {
		if c.Tokens > 25 {
			t.Errorf("%d words", c.Tokens)
		}
		last += "|" + c.Of(body)
	}
	if !strings.Contains(last, "x = 1\ny = 2") {
		t.Errorf("%q", last)
	}
}
