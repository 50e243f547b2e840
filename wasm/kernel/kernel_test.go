package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// Numbers of the sections of a module.
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	exportSection   = 7
	codeSection     = 10
)

// sections returns the sections of a module by number. A duplicate section is an error.
func sections(b []byte) (map[byte][]byte, error) {
	if !bytes.HasPrefix(b, []byte("\x00asm\x01\x00\x00\x00")) {
		return nil, fmt.Errorf("not a WebAssembly module of version 1")
	}
	out := map[byte][]byte{}
	for b = b[8:]; len(b) > 0; {
		size, n := binary.Uvarint(b[1:])
		if n <= 0 || uint64(len(b)-1-n) < size {
			return nil, fmt.Errorf("section %d is cut short", b[0])
		}
		if out[b[0]] != nil {
			return nil, fmt.Errorf("section %d is there twice", b[0])
		}
		out[b[0]], b = b[1+n:][:size:size], b[1+n+int(size):]
	}
	return out, nil
}

// reader reads numbers and names from modules known to be valid.
type reader []byte

func (r *reader) number() int {
	x, n := binary.Uvarint(*r)
	*r = (*r)[n:]
	return int(x)
}

func (r *reader) name() string {
	n := r.number()
	s := string((*r)[:n])
	*r = (*r)[n:]
	return s
}

// exports returns the exported functions with the number of their parameters.
func exports(t *testing.T, parts map[byte][]byte) map[string]int {
	t.Helper()
	types := reader(parts[typeSection])
	var params []int
	for range types.number() {
		if form := types.number(); form != 0x60 {
			t.Fatalf("type %#x is no function", form)
		}
		n := types.number()
		params = append(params, n)
		types = types[n:]
		types = types[types.number():]
	}
	functions := reader(parts[functionSection])
	var of []int
	for range functions.number() {
		of = append(of, params[functions.number()])
	}
	out := map[string]int{}
	list := reader(parts[exportSection])
	for range list.number() {
		name, kind := list.name(), list.number()
		if kind != 0 {
			t.Errorf("%s is exported and no function", name)
			continue
		}
		out[name] = of[list.number()]
	}
	return out
}

// The kernel shares Go's memory. If it had its own data there, or grew the memory without
// Go's knowledge, it would destroy Go's data.
func TestTheKernelHasNothingOfItsOwn(t *testing.T) {
	parts, err := sections(Program)
	if err != nil {
		t.Fatal(err)
	}
	allowed := []byte{typeSection, importSection, functionSection, exportSection, codeSection}
	for number := range parts {
		if !bytes.Contains(allowed, []byte{number}) {
			t.Errorf("it has section %d: a table, a memory, a global, a start, elements, data or a name", number)
		}
	}
	// one import: module go, name mem, a memory of at least 1 page
	if want := "\x01\x02go\x03mem\x02\x00\x01"; string(parts[importSection]) != want {
		t.Errorf("it imports %q, not only Go's memory", parts[importSection])
	}
	source, err := os.ReadFile("kernel.wat")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"memory.grow", "global", "call_indirect", "(data", "(table"} {
		if strings.Contains(string(source), "("+strings.TrimPrefix(word, "(")) {
			t.Errorf("its source has %s", word)
		}
	}
}

// The test above must be able to fail: sections finds a data segment and a global.
func TestSectionsAreFound(t *testing.T) {
	with := append(bytes.Clone(Program), 6, 1, 0, 11, 1, 0)
	parts, err := sections(with)
	if err != nil || parts[6] == nil || parts[11] == nil {
		t.Errorf("%v, %v", parts, err)
	}
	if _, err := sections(with[:len(with)-1]); err == nil {
		t.Error("a module that is cut short is read")
	}
	if _, err := sections(append(with, 6, 1, 0)); err == nil {
		t.Error("a section that is there twice is read")
	}
}

// imports.js forwards every function with all of its arguments.
func TestImportsHandOnEveryFunction(t *testing.T) {
	parts, err := sections(Program)
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("imports.js")
	if err != nil {
		t.Fatal(err)
	}
	all := exports(t, parts)
	for name, n := range all {
		arguments := strings.Join(strings.Split("abcdefghijkl"[:n], ""), ", ")
		if line := fmt.Sprintf("%s: (%s) => k.%s(%s),", name, arguments, name, arguments); !strings.Contains(string(script), line) {
			t.Errorf("imports.js has no %q", line)
		}
	}
	if n := strings.Count(string(script), "=> k."); n != len(all) || n == 0 {
		t.Errorf("imports.js hands on %d functions, the kernel has %d", n, len(all))
	}
}

func TestSize(t *testing.T) {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	w.Write(Program)
	w.Close()
	t.Logf("%d bytes, %d with brotli", len(Program), b.Len())
	if b.Len() > 4000 {
		t.Errorf("%d bytes with brotli, more than 4000", b.Len())
	}
}

// The committed module is the one compiled from the source.
func TestRebuild(t *testing.T) {
	wat2wasm, err := exec.LookPath("wat2wasm")
	if err != nil {
		t.Skip("wat2wasm is not installed (package wabt): the kernel is not built again")
	}
	out := filepath.Join(t.TempDir(), "kernel.wasm")
	if message, err := exec.Command(wat2wasm, "kernel.wat", "-o", out).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, message)
	}
	built, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(built, Program) {
		t.Error("kernel.wasm is not what kernel.wat makes: run make kernel")
	}
}
