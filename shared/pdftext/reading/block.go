package reading

// kind is the kind of a block.
type kind int

const (
	paragraph kind = iota
	heading
	list
	table  // also a table of contents
	legend // a caption
	code   // lines in a monospaced font
	note   // a footnote
	turned // text in another direction
)

// block is a group of related rows.
type block struct {
	kind  kind
	rows  []row
	level int // of a heading, from 1 at the top

	formula bool // displayed in the sentence of the block before
}

func (b *block) first() *row { return &b.rows[0] }
func (b *block) last() *row  { return &b.rows[len(b.rows)-1] }

// build makes the blocks of p from its rows.
func (d *document) build(p *page) {
	for from := 0; from < len(p.rows); {
		to := from + 1
		for to < len(p.rows) && p.rows[to].leaf == p.rows[from].leaf {
			to++
		}
		leaf := p.rows[from:to]
		from = to
		setMargins(leaf, d.pitch)
		notes := d.notesFrom(p, leaf)
		p.blocks = append(p.blocks, d.blocksOf(leaf[:notes])...)
		p.blocks = append(p.blocks, d.notesOf(leaf[notes:])...)
	}
	if len(p.turned) > 0 {
		setMargins(p.turned, d.pitch)
		for _, b := range d.blocksOf(p.turned) {
			b.kind = turned
			p.blocks = append(p.blocks, b)
		}
	}
	d.findHeadings(p)
	d.countIndents(p)
}

// blocksOf divides the rows of one leaf into blocks.
func (d *document) blocksOf(rows []row) (blocks []block) {
	for from := 0; from < len(rows); {
		to := from
		for to < len(rows) && (to == from || d.listing(rows, to) == 0) {
			to++
		}
		if n := d.listing(rows, from); n > 0 {
			to = from + n
			blocks = append(blocks, listing(rows[from:to]))
		} else {
			blocks = append(blocks, d.proseOf(rows[from:to])...)
		}
		from = to
	}
	return blocks
}

// proseOf divides rows without code into blocks.
func (d *document) proseOf(rows []row) (blocks []block) {
	r := relater{pitch: d.pitch, body: d.body}
	from := 0
	for i := range rows {
		if i == 0 {
			rows[i].relation = apart
			r.open(&rows[i])
			continue
		}
		if rows[i].relation = r.relate(&rows[i-1], &rows[i]); rows[i].relation == apart {
			blocks, from = append(blocks, newBlock(rows[from:i])), i
		}
	}
	if len(rows) > 0 {
		blocks = append(blocks, newBlock(rows[from:]))
	}
	return blocks
}

func newBlock(rows []row) block {
	b := block{rows: rows}
	cells, items := 0, 0
	for i := range rows {
		is, _ := rows[i].marked()
		switch {
		case rows[i].tabular() || leader(rows[i].text):
			cells++
		case is:
			items++
		}
	}
	is, _ := caption(rows[0].text)
	switch {
	case is:
		b.kind = legend
	case cells > 1 || cells == 1 && len(rows) == 1:
		b.kind = table
	case items > 0 && (items > 1 || len(rows) == 1 || rows[0].relation == apart):
		b.kind = list
	}
	return b
}

// Criteria for footnotes.
const (
	noteSize  = 0.93 // maximum size, relative to the text's
	noteBelow = 0.5  // share of the text height on the page
	noteGap   = 0.8  // minimum gap in sizes above notes without a mark
)

// notesFrom returns the index of the first row of the footnotes at the end of a leaf.
// Footnotes are small rows far down on the page, starting with the first one with a mark.
// Without a mark, there must be a gap and text above.
func (d *document) notesFrom(p *page, leaf []row) int {
	top, bottom := p.rows[0].box.Y0, p.rows[0].box.Y1
	for i := range p.rows {
		top, bottom = min(top, p.rows[i].box.Y0), max(bottom, p.rows[i].box.Y1)
	}
	from := len(leaf)
	for from > 0 && leaf[from-1].size <= noteSize*d.body && !leaf[from-1].tabular() && leaf[from-1].entry == 0 {
		from--
	}
	limit := top + float64(noteBelow*(bottom-top))
	for i := from; i < len(leaf); i++ {
		if leaf[i].box.Y0 >= limit && noteMark(leaf[i].text) {
			return i
		}
	}
	if from == 0 || from == len(leaf) || leaf[from].box.Y0 < limit || leaf[from].box.Y0-leaf[from-1].box.Y1 < noteGap*d.body {
		return len(leaf)
	}
	if is, _ := caption(leaf[from].text); is || leaf[from-1].size <= noteSize*d.body {
		return len(leaf)
	}
	return from
}

// notesOf makes a block of each footnote.
func (d *document) notesOf(rows []row) (blocks []block) {
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && !noteMark(rows[to].text) {
			to++
		}
		for _, b := range d.blocksOf(rows[from:to]) {
			b.kind = note
			blocks = append(blocks, b)
		}
		from = to
	}
	return blocks
}
