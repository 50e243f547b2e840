package encoder

// layer is a layer of a BERT: attention and feed-forward part, each with its input added to
// its output and normalized.
type layer struct {
	in    linear // queries, keys and values
	out   linear
	norm1 norm
	up    linear
	down  linear
	norm2 norm
}

// norm is a LayerNorm.
type norm struct {
	weight, bias []float32
	epsilon      float32
}

// table holds the vectors of words.
type table interface {
	row(dst []float32, id uint32)
}

// table32 is a table of float32.
type table32 struct {
	numbers []float32
	width   int
}

func (t table32) row(dst []float32, id uint32) { copy(dst, t.numbers[int(id)*t.width:][:t.width]) }

// linear is a matrix product with a bias. apply sets the rows of c to the rows of a times
// the matrix. rows must be a multiple of tileRows, and the rows of c must have room for a
// multiple of tileColumns.
type linear interface {
	apply(w *work, c, a grid, rows int)
}

// grid is a matrix with rows that begin stride numbers apart.
type grid struct {
	data   []float32
	stride int
}

func (g grid) row(i, n int) []float32 { return g.data[i*g.stride:][:n] }

// padded returns n rounded up to a multiple of size.
func padded(n, size int) int { return (n + size - 1) / size * size }

// work is the scratch memory of one batch.
type work struct {
	x, y, qkv, inner grid
	attention
	quantized
}

// ensure returns a grid of rows with n numbers and room for tiles. It reuses g's memory if
// that is large enough, and does not clear it.
func ensure(g grid, rows, n int) grid {
	stride := padded(n, tileColumns)
	if size := rows * stride; cap(g.data) < size {
		g.data = make([]float32, size)
	} else {
		g.data = g.data[:size]
	}
	g.stride = stride
	return g
}

// forward returns the pooled vectors of a batch's windows, one after another, each
// multiplied by its number of tokens.
func (m *Model) forward(w *work, batch []window) []float32 {
	total := 0
	for _, win := range batch {
		total += len(win.ids)
	}
	// A tile that starts in a text's last row extends past it.
	rows, room := padded(total, tileRows), padded(total, tileRows)+tileRows
	w.x, w.y = ensure(w.x, room, m.Width), ensure(w.y, room, m.Width)
	w.qkv, w.inner = ensure(w.qkv, room, 3*m.Width), ensure(w.inner, room, m.Inner)
	at := 0
	for _, win := range batch {
		for i, id := range win.ids {
			x := w.x.row(at, m.Width)
			m.words.row(x, id)
			position := m.positions[(m.Offset+i)*m.Width:][:m.Width]
			normalize(x, position, &m.norm)
			at++
		}
	}
	for i := total; i < rows; i++ {
		clear(w.x.row(i, m.Width))
	}
	for i := range m.layers {
		m.layer(w, &m.layers[i], batch, total, rows)
	}
	return m.pool(w, batch)
}

// layer runs a batch through a layer. total is its number of tokens, rows its padded
// number.
func (m *Model) layer(w *work, l *layer, batch []window, total, rows int) {
	l.in.apply(w, w.qkv, w.x, rows)
	at := 0
	for _, win := range batch {
		w.attend(w.y, w.qkv, at, len(win.ids), m.Heads, m.Width)
		at += len(win.ids)
	}
	// The rows of w.y become the product's input, those of w.inner its output.
	for i := total; i < rows; i++ {
		clear(w.y.row(i, m.Width))
	}
	result := ensure(w.inner, rows, m.Width)
	l.out.apply(w, result, w.y, rows)
	for i := range total {
		normalize(w.x.row(i, m.Width), result.row(i, m.Width), &l.norm1)
	}
	l.up.apply(w, w.inner, w.x, rows)
	for i := range total {
		gelu(w.inner.row(i, m.Inner))
	}
	l.down.apply(w, w.y, w.inner, rows)
	for i := range total {
		normalize(w.x.row(i, m.Width), w.y.row(i, m.Width), &l.norm2)
	}
}

// pool combines the tokens of each window into one vector, multiplied by their number.
func (m *Model) pool(w *work, batch []window) []float32 {
	out := make([]float32, len(batch)*m.Width)
	at := 0
	for i, win := range batch {
		sum := out[i*m.Width:][:m.Width]
		if m.Pooling == First {
			for k, x := range w.x.row(at, m.Width) {
				sum[k] = float32(x * float32(len(win.ids)))
			}
		} else {
			for j := range win.ids {
				for k, x := range w.x.row(at+j, m.Width) {
					sum[k] += x
				}
			}
		}
		at += len(win.ids)
	}
	return out
}
