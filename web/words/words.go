// Package words reads the prose of the tree: comments, paragraphs of Markdown, and the
// texts of help and errors. Its test counts phrases that make prose hard to read; the
// program in list prints them, long sentences, and random samples to read aloud.
package words

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Kind is where a text is from.
type Kind string

// The kinds of text.
const (
	Comment  Kind = "comment"
	Markdown Kind = "markdown"
	Message  Kind = "message" // a string of help or of an error
)

// Text is one comment, paragraph or string, its lines joined by single spaces.
type Text struct {
	Path string // relative to the root, with slashes
	Line int    // the first line, from 1
	Kind Kind
	Body string
}

// Folder returns the first two parts of the path's folder, such as "shared/chunk".
func (t Text) Folder() string {
	parts := strings.Split(filepath.ToSlash(filepath.Dir(t.Path)), "/")
	return strings.Join(parts[:min(2, len(parts))], "/")
}

// Words returns the number of words.
func (t Text) Words() int { return len(strings.Fields(t.Body)) }

// skipped are folders without prose of ours: generated, installed, or input of tests.
var skipped = []string{"node_modules", "testdata", "dist", "embedded", "headed", "gallery", "sample", "fixtures"}

// Files calls read with the path and the content of each file under root that ends in ext,
// in the order of their paths. With an empty ext, it calls read for every file with prose.
func Files(root, ext string, read func(name, src string)) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && path != root && d.Name() != ".vitepress"
		if d.IsDir() {
			if hidden || slices.Contains(skipped, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		has := filepath.Ext(path)
		if hidden || readers[has] == nil || ext != "" && ext != has {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		read(filepath.ToSlash(name), string(b))
		return nil
	})
}

// Tree returns the texts of all files under root, in the order of their paths.
func Tree(root string) ([]Text, error) {
	var out []Text
	err := Files(root, "", func(name, src string) {
		for _, t := range readers[filepath.Ext(name)](src) {
			t.Path = name
			if t.Body = strings.Join(strings.Fields(t.Body), " "); t.Body != "" {
				out = append(out, t)
			}
		}
	})
	return out, err
}

var readers = map[string]func(string) []Text{
	".go": goTexts, ".md": paragraphs,
	".ts": scriptComments, ".mjs": scriptComments, ".js": scriptComments, ".css": scriptComments,
}

// An Idiom is a phrase to avoid, with the most that is good, per 10,000 words.
type Idiom struct {
	Name    string
	Pattern *regexp.Regexp
	Most    float64
}

// Idioms are the phrases that the test counts. Go's standard library has, per 10,000
// words of comments and by these patterns: 2.3 what, 0.8 told, 0.2 that-of, 0.2 stands,
// 0.3 whoever.
var Idioms = []Idiom{
	{"what", regexp.MustCompile(`(?i)\bwhat [a-z]`), 15},
	{"told", regexp.MustCompile(`(?i)\b(told|tells?|telling)\b`), 3},
	{"that-of", regexp.MustCompile(`(?i)\b(that|those) of\b`), 3},
	{"stands", regexp.MustCompile(`(?i)\b(stands?|stood|standing)\b`), 2},
	{"whoever", regexp.MustCompile(`(?i)\b(whoever|somebody|whatever)\b`), 0.5},
}

// Count returns how often the idiom occurs in the text.
func (i Idiom) Count(t Text) int { return len(i.Pattern.FindAllStringIndex(t.Body, -1)) }

// Count counts the words, the long sentences and each idiom, in the order of Idioms, in the
// comments and the Markdown of a folder.
type Count struct {
	Words, Long int
	Found       []int
}

// Folders returns the counts of each folder. Messages are left out, and so is this package,
// which quotes the idioms.
func Folders(texts []Text) map[string]Count {
	out := map[string]Count{}
	for _, t := range texts {
		if t.Kind == Message || strings.HasPrefix(t.Path, "web/words/") {
			continue
		}
		c := out[t.Folder()]
		if c.Found == nil {
			c.Found = make([]int, len(Idioms))
		}
		c.Words += t.Words()
		c.Long += len(LongSentences(t))
		for i, idiom := range Idioms {
			c.Found[i] += idiom.Count(t)
		}
		out[t.Folder()] = c
	}
	return out
}

// Total returns the sum of the counts of all folders.
func Total(folders map[string]Count) Count {
	all := Count{Found: make([]int, len(Idioms))}
	for _, c := range folders {
		all.Words += c.Words
		all.Long += c.Long
		for i, n := range c.Found {
			all.Found[i] += n
		}
	}
	return all
}

// Rate returns how often an idiom occurs in 10,000 words.
func (c Count) Rate(idiom int) float64 { return float64(c.Found[idiom]) * 10_000 / float64(c.Words) }

// LongSentence is the number of words above which make words lists a sentence.
const LongSentence = 35

var sentenceEnd = regexp.MustCompile(`[.!?]["”)]?\s+`)

// LongSentences returns the sentences of more than LongSentence words.
func LongSentences(t Text) []string {
	var out []string
	for _, s := range sentenceEnd.Split(t.Body, -1) {
		if len(strings.Fields(s)) > LongSentence {
			out = append(out, s)
		}
	}
	return out
}
