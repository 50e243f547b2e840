package encoder

import "math"

// attention is the scratch memory of attend.
type attention struct {
	keys, values    []float32 // panels, see product.go
	scores, results grid
	zeros           []float32
}

// queryRows is the number of query rows processed together. Their scores stay in the
// processor's cache, however long the text is.
const queryRows = 64

// attend computes the attention of a text of n tokens. Its queries, keys and values begin
// in row first of qkv, and the result goes to the same rows of out. The queries must
// already be divided by the square root of a head's width.
func (w *work) attend(out, qkv grid, first, n, heads, width int) {
	d := width / heads
	long, wide := padded(n, tileColumns), padded(d, tileColumns)
	w.keys, w.values = grown(w.keys, long*d), grown(w.values, n*wide)
	w.zeros = grown(w.zeros, max(long, wide))
	w.scores, w.results = ensure(w.scores, queryRows, n), ensure(w.results, queryRows, d)
	for h := range heads {
		w.packKeys(qkv, first, n, width+h*d, d)
		w.packValues(qkv, first, n, 2*width+h*d, d)
		for from := 0; from < n; from += queryRows {
			rows := min(queryRows, n-from)
			tiles := padded(rows, tileRows)
			queries := grid{qkv.data[(first+from)*qkv.stride+h*d:], qkv.stride}
			product(w.scores, queries, tiles, w.keys, d, long, w.zeros)
			var sums [queryRows]float32
			for i := range rows {
				row := w.scores.row(i, padded(n, unit))
				for j := n; j < len(row); j++ {
					row[j] = float32(math.Inf(-1))
				}
				sums[i] = softmax(row)
			}
			product(w.results, w.scores, tiles, w.values, n, wide, w.zeros)
			for i := range rows {
				to, scale := out.row(first+from+i, width)[h*d:][:d], 1/sums[i]
				for j, x := range w.results.row(i, d) {
					to[j] = float32(x * scale)
				}
			}
		}
	}
}

// packKeys writes the keys of a head as panels. A column of a panel is a token.
func (w *work) packKeys(qkv grid, first, n, at, d int) {
	for from := 0; from < n; from += tileColumns {
		panel := w.keys[from*d:][:d*tileColumns]
		columns := min(tileColumns, n-from)
		if columns < tileColumns {
			clear(panel)
		}
		for j := range columns {
			for i, x := range qkv.data[(first+from+j)*qkv.stride+at:][:d] {
				panel[i*tileColumns+j] = x
			}
		}
	}
}

// packValues writes the values of a head as panels. A row of a panel is a token.
func (w *work) packValues(qkv grid, first, n, at, d int) {
	for from := 0; from < d; from += tileColumns {
		panel := w.values[from*n:][:n*tileColumns]
		columns := min(tileColumns, d-from)
		for j := range n {
			to := panel[j*tileColumns:][:tileColumns]
			clear(to[copy(to, qkv.data[(first+j)*qkv.stride+at+from:][:columns]):])
		}
	}
}

// grown returns x with length n, reusing its memory if it is large enough.
func grown[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}
