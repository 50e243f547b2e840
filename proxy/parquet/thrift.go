package parquet

import "encoding/binary"

// The types of Thrift's compact protocol that the footer needs.
const (
	typeI32    = 5
	typeI64    = 6
	typeBinary = 8
	typeList   = 9
	typeStruct = 12
)

// thrift writes values in Thrift's compact protocol:
// https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
type thrift struct {
	b    []byte
	last []int16 // number of the last field of each open struct
}

func (t *thrift) uvarint(n uint64) { t.b = binary.AppendUvarint(t.b, n) }

func (t *thrift) zigzag(n int64) { t.uvarint(uint64(n<<1) ^ uint64(n>>63)) }

// field writes the head of a field. Fields of a struct are written in the order of their
// numbers.
func (t *thrift) field(number int16, kind byte) {
	last := &t.last[len(t.last)-1]
	t.b = append(t.b, byte(number-*last)<<4|kind) // all steps here are below 16
	*last = number
}

// begin begins a struct, and end ends it.
func (t *thrift) begin() { t.last = append(t.last, 0) }

func (t *thrift) end() {
	t.b = append(t.b, 0)
	t.last = t.last[:len(t.last)-1]
}

func (t *thrift) i32(number int16, n int) {
	t.field(number, typeI32)
	t.zigzag(int64(n))
}

func (t *thrift) i64(number int16, n int64) {
	t.field(number, typeI64)
	t.zigzag(n)
}

func (t *thrift) string(number int16, s string) {
	t.field(number, typeBinary)
	t.text(s)
}

// text writes a string as an element of a list.
func (t *thrift) text(s string) {
	t.uvarint(uint64(len(s)))
	t.b = append(t.b, s...)
}

// list writes the head of a list of n elements.
func (t *thrift) list(number int16, kind byte, n int) {
	t.field(number, typeList)
	if n < 15 {
		t.b = append(t.b, byte(n)<<4|kind)
		return
	}
	t.b = append(t.b, 15<<4|kind)
	t.uvarint(uint64(n))
}

// structure writes a field that is a struct.
func (t *thrift) structure(number int16, fields func()) {
	t.field(number, typeStruct)
	t.element(fields)
}

// element writes a struct as an element of a list.
func (t *thrift) element(fields func()) {
	t.begin()
	fields()
	t.end()
}
