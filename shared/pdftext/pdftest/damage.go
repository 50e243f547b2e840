package pdftest

import "bytes"

// CorruptStream damages the data of the n-th stream of a file, counted from 0, from its
// middle to its end, so that decoding breaks off there. It returns a file with fewer
// streams unchanged.
func CorruptStream(b []byte, n int) []byte {
	out := bytes.Clone(b)
	at := 0
	for ; ; n-- {
		i := bytes.Index(out[at:], []byte("stream\n"))
		if i < 0 {
			return out
		}
		at += i + len("stream\n")
		end := bytes.Index(out[at:], []byte("\nendstream"))
		if end < 0 {
			return out
		}
		if n == 0 {
			for k := at + end/2; k < at+end; k++ {
				out[k] = 0xff
			}
			return out
		}
		at += end + len("\nendstream\n")
	}
}

// BadXref makes all offsets of the cross-reference table wrong.
func BadXref(b []byte) []byte {
	out := bytes.Clone(b)
	i := bytes.LastIndex(out, []byte("\nxref\n"))
	if i < 0 {
		return out
	}
	table, _, _ := bytes.Cut(out[i:], []byte("trailer"))
	for k := range table {
		if table[k] == '0' {
			table[k] = '1'
		}
	}
	return out
}

// BadStart makes the file's pointer to its cross-reference table wrong.
func BadStart(b []byte) []byte {
	i := bytes.LastIndex(b, []byte("startxref\n"))
	if i < 0 {
		return bytes.Clone(b)
	}
	return append(bytes.Clone(b[:i]), "startxref\n7\n%%EOF\n"...)
}
