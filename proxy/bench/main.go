// Command bench measures Seam against named peers on the same input, in turns within one
// run, and prints ratios, because only ratios are reliable on a noisy machine. Peers that
// are not installed are listed and skipped.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/clipperhouse/uax29/v2/sentences"

	"seam/shared/pdftext"
	"seam/shared/pdftext/pdftest"
	"seam/shared/pipeline"
	"seam/shared/sentence"
	"seam/shared/text"
	"seam/shared/vector"
)

// rounds is how many rounds are measured; the median of each side counts.
const rounds = 9

// contest is one job, done by Seam and by a peer.
type contest struct {
	name, peer string
	ours       func() error
	theirs     func() error
}

func main() {
	os.Setenv("SEAM_CACHE", "off") // measure the work, not the cache
	if len(os.Args) == 3 && os.Args[1] == "reverse" {
		fmt.Fprintln(os.Stderr, reverseMain(os.Args[2]))
		os.Exit(1)
	}
	failed := false
	switch alone := strings.Join(os.Args[1:], " "); alone {
	case "gateway":
	case "chunk":
		if benchChunks() {
			os.Exit(1)
		}
		return
	case "vector":
		if hold(vectorContests()) {
			os.Exit(1)
		}
		return
	default:
		failed = benchEngine()
		failed = benchChunks() || failed
	}
	if err := benchGateway(); err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		failed = true
	}
	if failed {
		os.Exit(1)
	}
}

// benchEngine prints the contests of the engine's parts. failed reports whether Seam's own
// side failed.
func benchEngine() (failed bool) { return hold(contests()) }

// benchChunks prints the contests of chunking without vectors: `bench chunk` alone.
func benchChunks() (failed bool) {
	list, clean := chunkContests()
	defer clean()
	return hold(list)
}

// hold runs contests and prints the results.
func hold(list []contest) (failed bool) {
	fmt.Printf("%-34s %-26s %10s %10s %7s\n", "job", "peer", "seam ms", "peer ms", "ratio")
	for _, c := range list {
		ours, theirs, err := run(c)
		if err != nil {
			fmt.Printf("%-34s %-26s left out: %v\n", c.name, c.peer, err)
			failed = failed || ours == 0
			continue
		}
		fmt.Printf("%-34s %-26s %10.2f %10.2f %7.2f\n", c.name, c.peer, ours, theirs, ours/theirs)
	}
	return failed
}

// run returns the median milliseconds of both sides. If an error has times of 0, Seam's own
// side failed.
func run(c contest) (ours, theirs float64, err error) {
	var a, b []float64
	for i := range rounds + 1 {
		x, err := timed(c.ours)
		if err != nil {
			return 0, 0, err
		}
		y, err := timed(c.theirs)
		if err != nil {
			return x, 0, err
		}
		if i > 0 { // the first round warms up
			a, b = append(a, x), append(b, y)
		}
	}
	slices.Sort(a)
	slices.Sort(b)
	return a[len(a)/2], b[len(b)/2], nil
}

func timed(f func() error) (float64, error) {
	start := time.Now()
	err := f()
	return float64(time.Since(start).Nanoseconds()) / 1e6, err
}

func contests() []contest {
	prose := strings.Repeat("The engine of Dr. Weber runs at 3.5 volts. It was built in the U.S. in 1999, by hand!\n\n", 20_000)
	line := strings.Repeat("a word and no stop ", 50_000_000/19)
	m := vector.New(20_000, 256)
	for i := range m.Data {
		m.Data[i] = float32(i%17) - 8
	}
	list := []contest{
		{"sentences of 1.7 MB", "uax29 sentences",
			func() error { sentence.Split(prose); return nil },
			func() error {
				for s := sentences.FromString(prose); s.Next(); {
				}
				return nil
			}},
		{"a line of 50 MB without a full stop", "ten of 5 MB",
			func() error { sentence.Split(line); return nil },
			func() error {
				tenth := len(line) / 10
				for i := range 10 {
					sentence.Split(line[i*tenth : (i+1)*tenth])
				}
				return nil
			}},
		{"neighbours of 20,000×256", "plain loop, three sums",
			func() error { vector.Adjacent(m); return nil },
			func() error { plainAdjacent(m); return nil }},
		embedContest(),
	}
	return slices.Concat(list, vectorContests(), sentenceProcess(prose), pdfContests())
}

// sentenceProcess compares whole processes on a file of 8 MB. Each prints every sentence.
func sentenceProcess(prose string) []contest {
	f, err := os.CreateTemp("", "seam-bench-*.txt")
	if err != nil {
		return nil
	}
	defer f.Close()
	if _, err := f.WriteString(strings.Repeat(prose, 1+8_000_000/len(prose))[:8_000_000]); err != nil {
		return nil
	}
	return []contest{{"sentences of 8 MB, process", "LangChain's regex in Python",
		func() error { return exec.Command("bin/seam", "sentences", f.Name()).Run() },
		func() error {
			return exec.Command("python3", "-c", `import re, sys
for s in re.split(r"(?<=[.?!])\s+", open(sys.argv[1]).read()): sys.stdout.write(s + "\n")`, f.Name()).Run()
		}}}
}

// plainAdjacent computes the cosines of neighbours with the textbook formula.
func plainAdjacent(m vector.Matrix) (sum float64) {
	for i := range m.Rows - 1 {
		var ab, aa, bb float64
		a, b := m.Row(i), m.Row(i+1)
		for j := range a {
			x, y := float64(a[j]), float64(b[j])
			ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
		}
		sum += ab / (aa * bb)
	}
	return sum
}

// pdfContests compares reading a PDF with every installed peer. The file is the sample in
// SEAM_DATA, or a generated one.
func pdfContests() []contest {
	file := filepath.Join(os.Getenv("SEAM_DATA"), "pdf", "rag", "AI_Information.pdf")
	b, err := os.ReadFile(file)
	if err != nil {
		b = pdftest.Article(strings.Split(strings.Repeat("# Heading|"+strings.Repeat("A sentence for the bench. ", 30)+"|", 60), "|")...)
		f, err := os.CreateTemp("", "seam-bench-*.pdf")
		if err != nil {
			return nil
		}
		f.Write(b)
		f.Close()
		file = f.Name()
	}
	seam := func() error { return exec.Command("bin/seam", "text", file).Run() }
	inProcess := func() error { _, err := pdftext.Extract(b, pdftext.Options{}); return err }
	whole := func() error {
		d, err := pdftext.Extract(b, pdftext.Options{})
		if err != nil {
			return err
		}
		plan, planErr := pipeline.NewPlan(pipeline.Settings{View: text.Reading})
		if planErr != nil {
			return planErr
		}
		_, err = pipeline.NewSession(d).Run(context.Background(), plan, local)
		return err
	}
	pymupdf := "import time,sys\ntry:\n import pymupdf\nexcept ImportError:\n sys.exit(3)\n" +
		"d=pymupdf.open(sys.argv[1])\n[p.get_text('text') for p in d]\n[p.get_text('words') for p in d]"
	return []contest{
		{"text of a PDF, process", "pdftotext", seam, func() error { return exec.Command("pdftotext", file, "-").Run() }},
		{"text of a PDF, process", "PyMuPDF (text and words)", seam, func() error { return exec.Command("python3", "-c", pymupdf, file).Run() }},
		{"text, sentences, vectors, chunks", "text alone", whole, inProcess},
	}
}
