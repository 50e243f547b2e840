package words

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

var lower = flag.Bool("lower", false, "write the counts of today into counts.tsv where they are lower")

// allowed returns the counts of counts.tsv.
func allowed(t *testing.T) map[string][]int {
	t.Helper()
	b, err := os.ReadFile("counts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		for _, cell := range cells[1:] {
			n, err := strconv.Atoi(cell)
			if err != nil {
				t.Fatalf("counts.tsv: %v", err)
			}
			out[cells[0]] = append(out[cells[0]], n)
		}
	}
	return out
}

// A folder may have fewer idioms than counts.tsv says, never more. A folder without a
// row there may have none.
func TestIdiomsOnlyGetFewer(t *testing.T) {
	texts, err := Tree(root)
	if err != nil {
		t.Fatal(err)
	}
	have, most := Folders(texts), allowed(t)
	if words := Total(have).Words; words < 100_000 {
		t.Fatalf("only %d words of prose were read", words)
	}
	if *lower {
		write(t, have, most)
	}
	for folder, c := range have {
		for i, idiom := range Idioms {
			limit := 0
			if row := most[folder]; i < len(row) {
				limit = row[i]
			}
			if c.Found[i] > limit {
				t.Errorf("%s: %q occurs %d times, and counts.tsv allows %d: make words prints the places", folder, idiom.Name, c.Found[i], limit)
			}
		}
	}
}

// write makes counts.tsv of the lower of both, for folders that have any.
func write(t *testing.T, have map[string]Count, most map[string][]int) {
	t.Helper()
	var names []string
	for _, idiom := range Idioms {
		names = append(names, idiom.Name)
	}
	lines := []string{"folder\t" + strings.Join(names, "\t")}
	for folder, c := range have {
		line, sum := folder, 0
		for i, n := range c.Found {
			if row := most[folder]; i < len(row) {
				n = min(n, row[i])
			}
			sum += n
			line += fmt.Sprintf("\t%d", n)
		}
		if sum > 0 {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines[1:])
	if err := os.WriteFile("counts.tsv", []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestReaders(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{".go", "package a\n\n// One.\n// Two.\nvar x = `// no`\n", "3 comment One. Two."},
		{".go", "package a\n\nvar err = errors.New(\"enter a whole number, or nothing\")\n", "3 message enter a whole number, or nothing"},
		{".go", "package a\n\ntype T struct{ A int `name:\"a\" help:\"Print a line of it for each.\"` }\n", "3 message Print a line of it for each."},
		{".ts", "a();\n/**\n * One\n * two.\n */\n// three\n//four\nb('// no');\n", "2 comment One two.|6 comment three four"},
		{".css", "/* One\n   two. */\na { }\n", "1 comment One two."},
		{".md", "---\nx: y\n---\n# A\nb\nc\n- d\n\n```sh\ne\n```\nf\n", "4 markdown # A b c|7 markdown - d|12 markdown f"},
	} {
		var got []string
		for _, text := range readers[c.name](c.src) {
			got = append(got, fmt.Sprintf("%d %s %s", text.Line, text.Kind, strings.Join(strings.Fields(text.Body), " ")))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s %q: %q, want %q", c.name, c.src, s, c.want)
		}
	}
	if got := WideLines("a\n" + strings.Repeat("é", 161) + "\n|" + strings.Repeat("b", 200) + "\n" + strings.Repeat("é", 160)); !slices.Equal(got, []int{2}) {
		t.Errorf("wide lines %v", got)
	}
}

func TestIdiomPatterns(t *testing.T) {
	text := Text{Body: "It tells what is there; whatever stands in the place of that of whoever was told. What? Somebody."}
	for i, want := range []int{1, 2, 1, 1, 3} {
		if got := Idioms[i].Count(text); got != want {
			t.Errorf("%s: %d, want %d", Idioms[i].Name, got, want)
		}
	}
	if got := LongSentences(Text{Body: strings.Repeat("word ", 36) + "end. Short."}); len(got) != 1 {
		t.Errorf("%d long sentences", len(got))
	}
}

// In the tree as a whole, each idiom is as rare as Idioms says.
func TestIdiomsAreRare(t *testing.T) {
	texts, err := Tree(root)
	if err != nil {
		t.Fatal(err)
	}
	all := Total(Folders(texts))
	for i, idiom := range Idioms {
		if rate := all.Rate(i); rate > idiom.Most {
			t.Errorf("%q: %.1f per 10,000 words, above %v: make words prints the places", idiom.Name, rate, idiom.Most)
		}
	}
}

// Markdown is read in editors and diffs: no line is wide, except in tables.
func TestLinesOfMarkdown(t *testing.T) {
	files := 0
	err := Files(root, ".md", func(name, src string) {
		files++
		for _, line := range WideLines(src) {
			t.Errorf("%s:%d: more than %d characters", name, line, WideLine)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 40 {
		t.Fatalf("only %d files were read", files)
	}
}
