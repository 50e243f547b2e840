package command

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"seam/shared/embed"
	"seam/shared/pipeline"
	"seam/shared/vector"
)

// work is that of the vectors of texts; nil where they are made together.
func (c embedCommand) work(model embed.Embedder, texts []string) *work {
	if c.blockOf() == 0 || len(texts) <= c.blockOf() {
		return nil
	}
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d ", len(t))
		io.WriteString(h, t)
	}
	return &work{digest: digestOf(pipeline.Version, c.Format, c.Embedder, model.ID(), h.Sum(nil))}
}

// errForeign says that a file is none of this work.
var errForeign = errors.New("it is of another work")

// begun says how many of the vectors of an earlier run are whole, and how many bytes they
// take in its file.
func (c embedCommand) begun(f *os.File, size int64, texts int) (rows int, bytes int64, err error) {
	if c.Format == "npy" {
		return rowsOfNPY(f, size, texts)
	}
	for r := bufio.NewReaderSize(f, enough); rows < texts; rows++ {
		n, err := lineOf(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, 0, err
		}
		bytes += n
	}
	return rows, bytes, nil
}

// lineOf skips a line and says how long it is; io.EOF where it has no end.
func lineOf(r *bufio.Reader) (n int64, err error) {
	for {
		b, err := r.ReadSlice('\n')
		n += int64(len(b))
		if !errors.Is(err, bufio.ErrBufferFull) {
			return n, err
		}
	}
}

func rowsOfNPY(f *os.File, size int64, texts int) (rows int, bytes int64, err error) {
	b := make([]byte, min(size, 256))
	if _, err := io.ReadFull(f, b); err != nil {
		return 0, 0, err
	}
	_, shape, length, err := vector.ParseNPYHeader(b)
	if err != nil {
		return 0, 0, err
	}
	if len(shape) != 2 || shape[0] != texts || shape[1] < 1 {
		return 0, 0, errForeign
	}
	row := int64(4 * shape[1])
	rows = min(texts, int((size-int64(length))/row))
	return rows, int64(length) + int64(rows)*row, nil
}

// goOn takes over what an earlier run has written, and returns the number of its vectors.
func (c embedCommand) goOn(std IO, w *work, to io.Writer, texts int) (rows int, err error) {
	n, err := w.takeOver(to, func(f *os.File, size int64) (n int64, err error) {
		if rows, n, err = c.begun(f, size, texts); rows == 0 {
			return 0, err
		}
		return n, err
	})
	if err != nil || n == 0 {
		return 0, err
	}
	fmt.Fprintf(std.Err, "seam: an earlier run has made %s of %s: this one makes the others\n", count(rows, "vector"), shown(cmp.Or(c.File, "-")))
	return rows, nil
}
