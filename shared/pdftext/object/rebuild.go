package object

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"seam/shared/pdftext/lex"
)

// rebuild appends a new cross-reference table to a file with an unusable one. It finds
// objects by their headers ("12 0 obj"), and writes the objects of object streams as
// separate objects. ok is false if there is no catalog.
func rebuild(b []byte) (out []byte, ok bool) {
	b = append([]byte("%PDF-1.7\n"), b...) // whatever is there now: a header without a version is unusable
	r := &rebuilder{out: append(bytes.Clone(b), '\n'), at: map[int]header{}, trailer: map[string]string{}}
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte("obj"))
		if i < 0 {
			break
		}
		at += i + len("obj")
		if h, number, ok := headerBefore(b, at-len("obj")); ok && number < maxObjects {
			r.object(b, number, h, at)
		}
	}
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte("trailer"))
		if i < 0 {
			break
		}
		at += i + len("trailer")
		r.takeTrailer(lex.New(b[at:min(len(b), at+maxDict)]).Next())
	}
	if _, known := r.trailer["Root"]; !known && r.catalog > 0 {
		r.trailer["Root"] = fmt.Sprintf("%d %d R", r.catalog, r.at[r.catalog].generation)
	}
	if _, known := r.trailer["Root"]; !known {
		return nil, false
	}
	if _, encrypted := r.trailer["Encrypt"]; !encrypted {
		r.unpack(b)
	}
	return r.finish(), true
}

// header is the start of an object.
type header struct{ offset, generation int }

// rebuilder collects the data for a cross-reference table.
type rebuilder struct {
	out     []byte
	at      map[int]header // by object number
	packed  []packed       // object streams
	catalog int            // object number; 0 if none was found
	looked  int            // bytes of dictionaries read so far
	trailer map[string]string
}

// maxLooked is the maximum number of bytes of dictionaries to read. Honest dictionaries do
// not overlap, so this allows many thousands of them.
const maxLooked = 16 << 20

// packed is an object stream: its dictionary, and the start of its data.
type packed struct {
	dict lex.Value
	data int
}

// headerBefore reads the "12 0 " of an object header that ends at end.
func headerBefore(b []byte, end int) (h header, number int, ok bool) {
	i := skipBack(b, end, lex.Blank)
	g := skipBack(b, i, isDigit)
	j := skipBack(b, g, lex.Blank)
	n := skipBack(b, j, isDigit)
	if i == end || g == i || j == g || n == j || i-g > 5 || j-n > 9 {
		return header{}, 0, false
	}
	generation, _ := strconv.Atoi(string(b[g:i])) // digits, few
	number, _ = strconv.Atoi(string(b[n:j]))
	return header{n, generation}, number, number > 0
}

// skipBack returns the start of the run of bytes before end for which is returns true.
func skipBack(b []byte, end int, is func(byte) bool) int {
	for end > 0 && is(b[end-1]) {
		end--
	}
	return end
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// object records the object with its value at offset at. The last object with a number
// counts, because updates are appended.
func (r *rebuilder) object(b []byte, number int, h header, at int) {
	r.at[number] = h
	// Other values need not be read.
	if !bytes.HasPrefix(bytes.TrimLeft(b[at:min(len(b), at+64)], " \r\n\t"), []byte("<<")) || r.looked > maxLooked {
		return
	}
	lx := lex.New(b[at:min(len(b), at+maxDict)])
	d := lx.Next()
	r.looked += lx.Offset()
	switch kind := string(d.Get("Type").Bytes); {
	case kind == "Catalog":
		r.catalog = number
	case kind == "XRef":
		r.takeTrailer(d)
	case kind == "ObjStm", d.Get("First").Kind == lex.Number && d.Get("N").Kind == lex.Number:
		at += lx.Offset()
		if i := bytes.Index(b[at:min(len(b), at+64)], []byte("stream")); i >= 0 {
			at += i + len("stream")
			r.packed = append(r.packed, packed{d, at})
		}
	}
}

// takeTrailer copies the entries of a trailer dictionary. The lexer reduces references to
// the object's number.
func (r *rebuilder) takeTrailer(d lex.Value) {
	for _, key := range [...]string{"Root", "Info", "Encrypt"} {
		if v := d.Get(key); v.Kind == lex.Number && r.at[int(v.Num)] != (header{}) {
			r.trailer[key] = fmt.Sprintf("%d %d R", int(v.Num), r.at[int(v.Num)].generation)
		} else if v.Kind == lex.Number && key == "Root" {
			r.trailer[key] = fmt.Sprintf("%d 0 R", int(v.Num)) // perhaps in an object stream
		}
	}
	if id := d.Get("ID"); id.Kind == lex.Array && len(id.Items) == 2 {
		r.trailer["ID"] = fmt.Sprintf("[<%x> <%x>]", id.Items[0].Bytes, id.Items[1].Bytes)
	}
}

// unpack writes all objects of object streams that have no header of their own.
func (r *rebuilder) unpack(b []byte) {
	for _, p := range slices.Backward(r.packed) {
		data := bytes.TrimLeft(b[p.data:], "\r\n")
		if n := bytes.Index(data, []byte("endstream")); n >= 0 {
			data = data[:n]
		}
		if string(p.dict.Get("Filter").Bytes) == "FlateDecode" {
			data = inflate(data)
		} else if p.dict.Get("Filter").Kind != lex.End {
			continue
		}
		r.unpackOne(data, int(p.dict.Get("First").Num))
		if len(r.out) > maxEncoded {
			return
		}
	}
}

// unpackOne writes the objects of a decoded object stream. The data begins with pairs of
// number and offset.
func (r *rebuilder) unpackOne(data []byte, first int) {
	if first <= 0 || first > len(data) {
		return
	}
	lx := lex.New(data[:first])
	for {
		number, offset := lx.Next(), lx.Next()
		if number.Kind != lex.Number || offset.Kind != lex.Number {
			return
		}
		n, from := int(number.Num), first+int(offset.Num)
		if _, known := r.at[n]; known || n <= 0 || n >= maxObjects || from < first || from >= len(data) {
			continue
		}
		value := lex.New(data[from:])
		value.Next()
		r.at[n] = header{offset: len(r.out)}
		r.out = fmt.Appendf(r.out, "%d 0 obj\n%s\nendobj\n", n, data[from:from+value.Offset()])
	}
}

// finish writes the table and the trailer.
func (r *rebuilder) finish() []byte {
	numbers := slices.Sorted(maps.Keys(r.at))
	start := len(r.out)
	r.out = append(r.out, "xref\n0 1\n0000000000 65535 f \n"...)
	for i := 0; i < len(numbers); {
		k := i + 1
		for k < len(numbers) && numbers[k] == numbers[k-1]+1 {
			k++
		}
		r.out = fmt.Appendf(r.out, "%d %d\n", numbers[i], k-i)
		for ; i < k; i++ {
			h := r.at[numbers[i]]
			r.out = fmt.Appendf(r.out, "%010d %05d n \n", h.offset, h.generation)
		}
	}
	size := 1
	if len(numbers) > 0 {
		size = numbers[len(numbers)-1] + 1
	}
	r.out = fmt.Appendf(r.out, "trailer\n<< /Size %d", size)
	for _, key := range slices.Sorted(maps.Keys(r.trailer)) {
		r.out = fmt.Appendf(r.out, " /%s %s", key, r.trailer[key])
	}
	return fmt.Appendf(r.out, " >>\nstartxref\n%d\n%%%%EOF\n", start)
}
