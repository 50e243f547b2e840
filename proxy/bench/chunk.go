package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// rust is text-splitter as a program: it reads a file and prints the start and length of
// each chunk.
var rust = map[string]string{
	"Cargo.toml": `[package]
name = "seam-bench-text-splitter"
version = "0.0.0"
edition = "2021"
[dependencies]
text-splitter = "0.33"
`,
	"src/main.rs": `use std::io::Write;
fn main() {
    let text = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let mut out = std::io::BufWriter::new(std::io::stdout());
    for (at, chunk) in text_splitter::TextSplitter::new(2048).chunk_indices(&text) {
        writeln!(out, "{}\t{}", at, chunk.len()).unwrap();
    }
}
`}

// pythons are peers that chunk t on each request; their start does not count.
var pythons = []struct{ name, setup, work string }{
	{"Chonkie Recursive (Python)", "from chonkie import RecursiveChunker\nc = RecursiveChunker(tokenizer='character', chunk_size=2048)", "c.chunk(t)"},
	{"semchunk (Python)", "import semchunk\nc = semchunk.chunkerify(len, 2048)", "c(t, offsets=True)"},
}

// chunkContests compares cutting 8 MB of English into chunks of 2048 characters. Seam runs
// as a whole process that prints every chunk as JSON. clean removes temporary files.
func chunkContests() (list []contest, clean func()) {
	dir, err := os.MkdirTemp("", "seam-bench-chunk-")
	if err != nil {
		return nil, func() {}
	}
	clean = func() { os.RemoveAll(dir) }
	file := filepath.Join(dir, "english.txt")
	if err := os.WriteFile(file, english(8_000_000), 0o644); err != nil {
		return nil, clean
	}
	seam := func(method string) func() error {
		return func() error {
			return exec.Command("bin/seam", "chunk", "--method", method, "--tokens", "chars", "--max-tokens", "2048", "--format", "jsonl", file).Run()
		}
	}
	splitter := sync.OnceValues(func() (string, error) { return buildRust(dir) })
	theirs := func() error {
		program, err := splitter()
		if err != nil {
			return err
		}
		return exec.Command(program, file).Run()
	}
	for _, method := range []string{"recursive", "fixed"} {
		list = append(list, contest{method + " of 8 MB, process", "text-splitter (Rust)", seam(method), theirs})
	}
	for _, p := range pythons {
		list = append(list, contest{"recursive of 8 MB, process", p.name, seam("recursive"), python(p.setup, p.work, file)})
	}
	return list, clean
}

// english returns size bytes of the texts in SEAM_DATA, or of a built-in text.
func english(size int) []byte {
	var b bytes.Buffer
	for _, pattern := range []string{"chunking_eval/corpora/*.md", "segmentation/docs/*.txt"} {
		files, _ := filepath.Glob(filepath.Join(os.Getenv("SEAM_DATA"), pattern)) // the pattern is well formed
		for _, file := range files {
			if text, err := os.ReadFile(file); err == nil {
				b.Write(text)
				b.WriteString("\n\n")
			}
		}
	}
	if b.Len() == 0 {
		b.WriteString(strings.Repeat("The engine of Dr. Weber runs at 3.5 volts. It was built in the U.S. in 1999, by hand! ", 20) + "\n\n")
	}
	text := bytes.Repeat(b.Bytes(), 1+size/b.Len())
	return bytes.ToValidUTF8(text[:size], nil)
}

// buildRust builds the program and returns its path. Without a network, cargo must have the
// crate already.
func buildRust(dir string) (string, error) {
	if _, err := exec.LookPath("cargo"); err != nil {
		return "", errors.New("cargo is not installed")
	}
	dir = filepath.Join(dir, "rust")
	for name, body := range rust {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o644); err != nil {
			return "", err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var out []byte
	var err error
	for _, args := range [][]string{{"--offline"}, nil} {
		cmd := exec.CommandContext(ctx, "cargo", append([]string{"build", "--release", "--quiet"}, args...)...)
		cmd.Dir = dir
		if out, err = cmd.CombinedOutput(); err == nil {
			return filepath.Join(dir, "target", "release", "seam-bench-text-splitter"), nil
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	return "", fmt.Errorf("the crate text-splitter is not to be had: %s", first)
}

// python returns a function that makes a running interpreter do the work once.
func python(setup, work, file string) func() error {
	start := sync.OnceValues(func() (*bufio.ReadWriter, error) {
		script := "import sys\nt = open(sys.argv[1], encoding='utf-8').read()\n" + setup + "\nprint('ready', flush=True)\nfor line in sys.stdin:\n    " + work + "\n    print('done', flush=True)\n"
		cmd := exec.Command("python3", "-c", script, file)
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		p := bufio.NewReadWriter(bufio.NewReader(out), bufio.NewWriter(in))
		_, err = p.ReadString('\n')
		return p, err
	})
	return func() error {
		p, err := start()
		if err == nil {
			p.WriteString("go\n")
			if err = p.Flush(); err == nil {
				_, err = p.ReadString('\n')
			}
		}
		if errors.Is(err, io.EOF) {
			return errors.New("not installed for python3")
		}
		return err
	}
}
