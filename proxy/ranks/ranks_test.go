package ranks

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/pkoukk/tiktoken-go-loader/assets"
	"github.com/tiktoken-go/tokenizer"

	"seam/shared/chunk"
	"seam/shared/chunk/chunktest"
	"seam/shared/token"
)

// texts returns texts to compare: ugly ones, real ones if SEAM_DATA is set, and random
// ones.
func texts() map[string]string {
	all := map[string]string{}
	for name, s := range chunktest.Texts {
		all[name] = strings.ToValidUTF8(s, "?")
	}
	for _, pattern := range []string{"chunking_eval/corpora/*.md", "segmentation/docs/*.txt"} {
		files, _ := filepath.Glob(filepath.Join(os.Getenv("SEAM_DATA"), pattern))
		for _, file := range files {
			if b, err := os.ReadFile(file); err == nil {
				all[filepath.Base(file)] = strings.ToValidUTF8(string(b[:min(len(b), 50_000)]), "")
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "Zebra", "élan", "ÜBER", "don't", "WE'LL", "'", "'s", "'ſ", "ǅ", "ʰ", "中", "文", "\u0301", "1", "23456", "Ⅷ", " ", "  ", "\t", "\n", "\r\n", "\u00a0", "/", "//", ".", "!?", "👍🏽", "हिन्दी", "عرب", "\u200d", "\f", "\v", "\u0085", "\u2028", "_", "x²"}
	for i := range 3000 {
		var b strings.Builder
		for range 1 + random.IntN(12) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		all["random "+string(rune('a'+i%26))+b.String()] = b.String()
	}
	return all
}

// oddBlanks reports whether s has white space with line ends apart from each other, or not
// last in a text. For these the module's pattern, or its regexp engine, differs from
// current tiktoken. TestSameAsPython has no such exception.
func oddBlanks(s string) bool {
	for len(s) > 0 {
		s = strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsSpace(r) })
		rest := strings.TrimLeftFunc(s, unicode.IsSpace)
		gap := strings.TrimRight(s[:len(s)-len(rest)], "\r\n")
		if i := strings.LastIndexAny(gap, "\r\n"); i >= 0 && (i < len(gap)-1 || rest == "") {
			return true
		}
		s = rest
	}
	return false
}

func TestSameAsTiktoken(t *testing.T) {
	for name, id := range map[string]tokenizer.Encoding{token.CL100K: tokenizer.Cl100kBase, token.O200K: tokenizer.O200kBase} {
		want, err := tokenizer.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for label, s := range texts() {
			if oddBlanks(s) {
				continue
			}
			_, parts, err := want.Encode(s)
			if err != nil {
				t.Fatal(err)
			}
			if n := got.Count(s); n != len(parts) {
				t.Errorf("%s: %q has %d tokens, tiktoken counts %d: %.100q", name, label, n, len(parts), parts)
			}
			if n := len(got.Spans(s)); n != len(parts) {
				t.Errorf("%s: %q has %d spans, tiktoken counts %d", name, label, n, len(parts))
			}
		}
	}
}

// TestSameAsPython compares with tiktoken itself, if python3 has it.
func TestSameAsPython(t *testing.T) {
	if err := exec.Command("python3", "-c", "import tiktoken").Run(); err != nil {
		t.Skip("python3 has no tiktoken")
	}
	list := slices.Collect(maps.Values(texts()))
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{token.CL100K, token.O200K} {
		b, err := assets.Assets.ReadFile(name + "_base.tiktoken")
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, b, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("python3", "-c", `import json, sys, tiktoken, tiktoken_ext.openai_public as public
from tiktoken.load import load_tiktoken_bpe
public.load_tiktoken_bpe = lambda *_, **__: load_tiktoken_bpe(sys.argv[2])
e = tiktoken.Encoding(**getattr(public, sys.argv[1])())
print(json.dumps([len(e.encode_ordinary(t)) for t in json.load(sys.stdin)]))`, name+"_base", file)
		cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var want []int
		if err := json.Unmarshal(out, &want); err != nil {
			t.Fatal(err)
		}
		e, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range list {
			if n := e.Count(s); n != want[i] {
				t.Errorf("%s: %.80q has %d tokens, tiktoken counts %d", name, s, n, want[i])
			}
		}
		t.Logf("%s: %d texts", name, len(list))
	}
}

// Chunks respect their limits in tokens that depend on neighbouring text.
func TestChunks(t *testing.T) {
	for _, name := range []string{token.CL100K, token.O200K} {
		e, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []string{"fixed", "recursive", "sentences", "cluster"} {
			m, err := chunk.Lookup(method)
			if err != nil {
				t.Fatal(err)
			}
			chunktest.Run(t, m, nil, e)
		}
	}
}
