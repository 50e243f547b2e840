// Package parquet writes files of Apache Parquet: strings, integers and lists of numbers.
// parquet-go, which can do more, takes several megabytes of the program.
// https://parquet.apache.org/docs/file-format
package parquet

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// Kind is the type of a column. No value is missing.
type Kind int

// The kinds.
const (
	String   Kind = iota // UTF-8
	Int                  // 64 bits
	Ints                 // a list of Int
	Strings              // a list of String
	Float32s             // a list of numbers of 32 bits
)

// list reports whether a column has lists.
func (k Kind) list() bool { return k >= Ints }

// Column describes a column.
type Column struct {
	Name string
	Kind Kind
}

// rows and size are limits of a row group: a reader takes one whole into memory.
const (
	rows = 1 << 16
	size = 32 << 20
)

// The constants of the format.
const (
	magic       = "PAR1"
	kindInt64   = 2
	kindFloat   = 4
	kindBytes   = 6
	required    = 0
	repeated    = 2
	convertUTF8 = 0
	convertList = 3
	plain       = 0
	levels      = 3 // run lengths and packed bits
	codecNone   = 0
	codecGzip   = 2
	dataPage    = 0
)

// Writer writes rows.
type Writer struct {
	w       io.Writer
	at      int64
	columns []Column
	values  []values // by column, of the row group
	rows    int      // in the row group
	size    int
	total   int64
	groups  []group
	meta    [][2]string
}

// values are the values of a column in a row group.
type values struct {
	plain   []byte
	lengths []int // of the lists
	n       int   // values, with a place for each empty list
}

// group describes a row group that was written.
type group struct {
	rows   int
	chunks []chunk
}

// chunk describes the values of a column in a row group.
type chunk struct {
	at               int64
	n                int
	codec            int
	long, compressed int64 // bytes with the head of the page
}

// NewWriter writes the head of a file. meta holds names and values for its end.
func NewWriter(w io.Writer, columns []Column, meta ...[2]string) (*Writer, error) {
	p := &Writer{w: w, columns: columns, values: make([]values, len(columns)), meta: meta}
	return p, p.write([]byte(magic))
}

func (p *Writer) write(b []byte) error {
	n, err := p.w.Write(b)
	p.at += int64(n)
	return err
}

// Row adds a row. Its values are a string, int, []int, []string or []float32, by the kind of
// the column.
func (p *Writer) Row(row ...any) error {
	if len(row) != len(p.columns) {
		return fmt.Errorf("a row of %d values for %d columns", len(row), len(p.columns))
	}
	for i, v := range row {
		c := &p.values[i]
		before := len(c.plain)
		if err := c.add(p.columns[i].Kind, v); err != nil {
			return fmt.Errorf("column %s: %w", p.columns[i].Name, err)
		}
		p.size += len(c.plain) - before
	}
	if p.rows++; p.rows == rows || p.size >= size {
		return p.group()
	}
	return nil
}

func (c *values) add(kind Kind, v any) error {
	length := 1
	switch v := v.(type) {
	case string:
		if kind != String {
			return fmt.Errorf("a text in a column of kind %d", kind)
		}
		c.text(v)
	case int:
		if kind != Int {
			return fmt.Errorf("a number in a column of kind %d", kind)
		}
		c.plain = binary.LittleEndian.AppendUint64(c.plain, uint64(v))
	case []int:
		if kind != Ints {
			return fmt.Errorf("numbers in a column of kind %d", kind)
		}
		for _, n := range v {
			c.plain = binary.LittleEndian.AppendUint64(c.plain, uint64(n))
		}
		length = len(v)
	case []string:
		if kind != Strings {
			return fmt.Errorf("texts in a column of kind %d", kind)
		}
		for _, s := range v {
			c.text(s)
		}
		length = len(v)
	case []float32:
		if kind != Float32s {
			return fmt.Errorf("a vector in a column of kind %d", kind)
		}
		for _, x := range v {
			c.plain = binary.LittleEndian.AppendUint32(c.plain, math.Float32bits(x))
		}
		length = len(v)
	default:
		return fmt.Errorf("a value of type %T", v)
	}
	if kind.list() {
		c.lengths = append(c.lengths, length)
	}
	c.n += max(length, 1)
	return nil
}

func (c *values) text(s string) {
	s = strings.ToValidUTF8(s, "\ufffd") // as JSON does
	c.plain = binary.LittleEndian.AppendUint32(c.plain, uint32(len(s)))
	c.plain = append(c.plain, s...)
}

// page returns the content of the only page of the values: for lists two kinds of levels,
// then the values.
func (c *values) page(kind Kind) []byte {
	if !kind.list() {
		return c.plain
	}
	var repeats, defined runs
	for _, n := range c.lengths {
		repeats.add(0, 1)
		repeats.add(1, n-1)
		defined.add(0, 1-min(n, 1))
		defined.add(1, n)
	}
	return append(append(repeats.bytes(), defined.bytes()...), c.plain...)
}

// runs are levels of one bit, as runs of equal ones.
type runs struct {
	b     []byte
	level byte
	n     int
}

func (r *runs) add(level byte, n int) {
	if n <= 0 {
		return
	}
	if level != r.level {
		r.flush()
		r.level = level
	}
	r.n += n
}

func (r *runs) flush() {
	if r.n > 0 {
		r.b = append(binary.AppendUvarint(r.b, uint64(r.n)<<1), r.level)
		r.n = 0
	}
}

// bytes returns the runs after their length.
func (r *runs) bytes() []byte {
	r.flush()
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(r.b))), r.b...)
}

// group writes the rows so far as a row group. Texts are compressed; numbers of vectors do
// not get smaller.
func (p *Writer) group() error {
	if p.rows == 0 {
		return nil
	}
	g := group{rows: p.rows}
	for i := range p.values {
		c := &p.values[i]
		page := c.page(p.columns[i].Kind)
		stored, codec := page, codecNone
		if kind := p.columns[i].Kind; kind == String || kind == Strings {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			z.Write(page) // into memory, so it cannot fail
			z.Close()
			stored, codec = b.Bytes(), codecGzip
		}
		var head thrift
		head.element(func() {
			head.i32(1, dataPage)
			head.i32(2, len(page))
			head.i32(3, len(stored))
			head.structure(5, func() {
				head.i32(1, c.n)
				head.i32(2, plain)
				head.i32(3, levels)
				head.i32(4, levels)
			})
		})
		g.chunks = append(g.chunks, chunk{p.at, c.n, codec, int64(len(head.b) + len(page)), int64(len(head.b) + len(stored))})
		if err := p.write(append(head.b, stored...)); err != nil {
			return err
		}
		*c = values{plain: c.plain[:0], lengths: c.lengths[:0]}
	}
	p.groups, p.total, p.rows, p.size = append(p.groups, g), p.total+int64(p.rows), 0, 0
	return nil
}

// Close writes the remaining rows and the end of the file. It does not close the underlying
// writer.
func (p *Writer) Close() error {
	if err := p.group(); err != nil {
		return err
	}
	end := p.footer()
	return p.write(append(binary.LittleEndian.AppendUint32(end, uint32(len(end))), magic...))
}

// footer returns the description of the file.
func (p *Writer) footer() []byte {
	var t thrift
	t.element(func() {
		t.i32(1, 1) // version
		p.schema(&t)
		t.i64(3, p.total)
		t.list(4, typeStruct, len(p.groups))
		for _, g := range p.groups {
			t.element(func() { p.describe(&t, g) })
		}
		if len(p.meta) > 0 {
			t.list(5, typeStruct, len(p.meta))
			for _, m := range p.meta {
				t.element(func() {
					t.string(1, m[0])
					t.string(2, m[1])
				})
			}
		}
		t.string(6, "seam")
	})
	return t.b
}

// schema writes the tree of columns, depth first. A list has two levels around its elements.
func (p *Writer) schema(t *thrift) {
	n := 1
	for _, c := range p.columns {
		if n++; c.Kind.list() {
			n += 2
		}
	}
	t.list(2, typeStruct, n)
	t.element(func() {
		t.string(4, "schema")
		t.i32(5, len(p.columns))
	})
	for _, c := range p.columns {
		if !c.Kind.list() {
			leaf(t, c.Name, c.Kind)
			continue
		}
		t.element(func() {
			t.i32(3, required)
			t.string(4, c.Name)
			t.i32(5, 1)
			t.i32(6, convertList)
			t.structure(10, func() { t.structure(3, func() {}) })
		})
		t.element(func() {
			t.i32(3, repeated)
			t.string(4, "list")
			t.i32(5, 1)
		})
		leaf(t, "element", c.Kind)
	}
}

// physical returns the type in which values are stored.
func (k Kind) physical() int {
	switch k {
	case String, Strings:
		return kindBytes
	case Float32s:
		return kindFloat
	}
	return kindInt64
}

// leaf writes a column's values in the tree.
func leaf(t *thrift, name string, kind Kind) {
	t.element(func() {
		t.i32(1, kind.physical())
		t.i32(3, required)
		t.string(4, name)
		if kind.physical() == kindBytes {
			t.i32(6, convertUTF8)
			t.structure(10, func() { t.structure(1, func() {}) })
		}
	})
}

// describe writes the description of a row group.
func (p *Writer) describe(t *thrift, g group) {
	t.list(1, typeStruct, len(g.chunks))
	total := int64(0)
	for i, c := range g.chunks {
		total += c.long
		t.element(func() {
			t.i64(2, c.at)
			t.structure(3, func() {
				t.i32(1, p.columns[i].Kind.physical())
				t.list(2, typeI32, 2)
				t.zigzag(plain)
				t.zigzag(levels)
				path := []string{p.columns[i].Name}
				if p.columns[i].Kind.list() {
					path = append(path, "list", "element")
				}
				t.list(3, typeBinary, len(path))
				for _, name := range path {
					t.text(name)
				}
				t.i32(4, c.codec)
				t.i64(5, int64(c.n))
				t.i64(6, c.long)
				t.i64(7, c.compressed)
				t.i64(9, c.at)
			})
		})
	}
	t.i64(2, total)
	t.i64(3, int64(g.rows))
}
