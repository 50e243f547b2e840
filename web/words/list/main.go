// Program list prints the prose of the tree that is hard to read: each idiom with its
// place, the sentences of more than 35 words, and the rate of each idiom by folder. With
// -draw it prints random samples to read aloud: the same seed draws the same samples from
// the same tree.
package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"seam/web/words"
)

func main() {
	draw := flag.Bool("draw", false, "draw samples instead: 30 comments, 20 paragraphs of READMEs, 20 strings of help and errors")
	seed := flag.Uint64("seed", 1, "seed of the samples")
	places := flag.Bool("places", false, "print the place of each idiom and of each long sentence")
	flag.Parse()
	texts, err := words.Tree(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "list:", err)
		os.Exit(1)
	}
	if len(texts) == 0 {
		fmt.Fprintln(os.Stderr, "list: no comments or Markdown below this folder; run make words at the root of the tree")
		os.Exit(1)
	}
	if *draw {
		samples(texts, *seed)
		return
	}
	if *places {
		idioms(texts)
	}
	rates(texts)
}

// idioms prints each idiom and each long sentence with its place.
func idioms(texts []words.Text) {
	for _, t := range texts {
		if t.Kind == words.Message {
			continue
		}
		for _, idiom := range words.Idioms {
			for _, at := range idiom.Pattern.FindAllStringIndex(t.Body, -1) {
				fmt.Printf("%s:%d: %s: %s\n", t.Path, t.Line, idiom.Name, strings.ToValidUTF8(t.Body[max(0, at[0]-40):min(len(t.Body), at[1]+40)], ""))
			}
		}
		for _, s := range words.LongSentences(t) {
			fmt.Printf("%s:%d: %d words: %s\n", t.Path, t.Line, len(strings.Fields(s)), s)
		}
	}
}

// rates prints a table of idioms per 10,000 words of comments and Markdown, by folder.
func rates(texts []words.Text) {
	folders := words.Folders(texts)
	folders["all"] = words.Total(folders)
	fmt.Printf("%-24s %7s %5s", "folder", "words", "long")
	for _, idiom := range words.Idioms {
		fmt.Printf(" %8s", idiom.Name)
	}
	fmt.Println()
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		c := folders[folder]
		fmt.Printf("%-24s %7d %5d", folder, c.Words, c.Long)
		for i := range words.Idioms {
			fmt.Printf(" %8.1f", c.Rate(i))
		}
		fmt.Println()
	}
}

// samples prints texts drawn at random, without those of fewer than five words.
func samples(texts []words.Text, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 0))
	for _, kind := range []struct {
		kind words.Kind
		n    int
	}{{words.Comment, 30}, {words.Markdown, 20}, {words.Message, 20}} {
		var of []words.Text
		for _, t := range texts {
			test := strings.HasSuffix(t.Path, "_test.go") && kind.kind == words.Message
			readme := t.Kind != words.Markdown || strings.HasSuffix(t.Path, "README.md")
			if t.Kind == kind.kind && t.Words() >= 5 && !test && readme {
				of = append(of, t)
			}
		}
		fmt.Printf("## %d of %d: %s\n\n", kind.n, len(of), kind.kind)
		for _, i := range random.Perm(len(of))[:min(kind.n, len(of))] {
			fmt.Printf("- %s:%d: %s\n", of[i].Path, of[i].Line, of[i].Body)
		}
		fmt.Println()
	}
}
