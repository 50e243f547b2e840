package encoder

// A matrix product is computed in tiles of tileRows × tileColumns numbers of its result.
// The matrix on the right is stored in panels of tileColumns columns: the columns' numbers
// of row 0, those of row 1 and so on. Every number of the result is a sum in row order,
// with the bias added last. Products are rounded separately. So the number of lanes summed
// at once does not matter, and the result is the same everywhere.
const (
	tileRows    = 8
	tileColumns = 32
)

// rowsAtOnce is the number of rows multiplied by all panels before the next ones. They stay
// in the processor's cache while the panels stream past.
const rowsAtOnce = 64

// productTiles sets the rows of c to the rows of a, with k numbers each, times the panels
// of n columns, plus the bias of each column. rows must be a multiple of tileRows, n of
// tileColumns.
func productTiles(c, a grid, rows int, panels []float32, k, n int, bias []float32) {
	for from := 0; from < rows; from += rowsAtOnce {
		to := min(rows, from+rowsAtOnce)
		for j := 0; j < n; j += tileColumns {
			panel := panels[j*k:][:k*tileColumns]
			for i := from; i < to; i += tileRows {
				tile(c.data[i*c.stride+j:], c.stride, a.data[i*a.stride:], a.stride, panel, bias[j:][:tileColumns])
			}
		}
	}
}

// tileGo sets a tile of c.
func tileGo(c []float32, strideC int, a []float32, strideA int, panel, bias []float32) {
	k := len(panel) / tileColumns
	for i := 0; i < tileRows; i += 2 {
		a0, a1 := a[i*strideA:][:k], a[(i+1)*strideA:][:k]
		c0, c1 := c[i*strideC:][:tileColumns], c[(i+1)*strideC:][:tileColumns]
		for j := 0; j < tileColumns; j += 4 {
			var s0, s1, s2, s3, t0, t1, t2, t3 float32
			rest := panel[j:]
			for p, x := range a0 {
				y, b := a1[p], (*[4]float32)(rest)
				s0 += float32(x * b[0])
				s1 += float32(x * b[1])
				s2 += float32(x * b[2])
				s3 += float32(x * b[3])
				t0 += float32(y * b[0])
				t1 += float32(y * b[1])
				t2 += float32(y * b[2])
				t3 += float32(y * b[3])
				rest = rest[min(tileColumns, len(rest)):]
			}
			b := (*[4]float32)(bias[j:])
			*(*[4]float32)(c0[j:]) = [4]float32{s0 + b[0], s1 + b[1], s2 + b[2], s3 + b[3]}
			*(*[4]float32)(c1[j:]) = [4]float32{t0 + b[0], t1 + b[1], t2 + b[2], t3 + b[3]}
		}
	}
}

// linear32 is a linear in float32.
type linear32 struct {
	rows, columns int // of the result, of the input
	panels        []float32
	bias          []float32 // padded
}

// newLinear32 makes a linear32 from its numbers, row by row.
func newLinear32(rows, columns int, numbers, bias []float32) *linear32 {
	n := padded(rows, tileColumns)
	l := &linear32{n, columns, make([]float32, n*columns), make([]float32, n)}
	copy(l.bias, bias)
	for i := range rows {
		panel := l.panels[i/tileColumns*tileColumns*columns:]
		for k, x := range numbers[i*columns:][:columns] {
			panel[k*tileColumns+i%tileColumns] = x
		}
	}
	return l
}

func (l *linear32) apply(_ *work, c, a grid, rows int) {
	product(c, a, rows, l.panels, l.columns, l.rows, l.bias)
}
