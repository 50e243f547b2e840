package bpe

import "unicode/utf8"

func runeLen(t string) int {
	_, n := utf8.DecodeRuneInString(t)
	return n
}

// node is a part of a piece while pairs are joined. Nodes form a list, indexed by the start
// of the part.
type node struct {
	prev, next int32
	rank       uint32 // rank of this part and the next one as a single token
}

// merger joins the bytes of pieces, one after another, reusing its memory.
type merger struct {
	nodes []node
	queue Queue // rank in the upper half, place in the lower
	edges []int
}

// whole returns the edges of a piece that is a single token. The result is valid until the
// next call.
func (m *merger) whole(n int) []int {
	m.edges = append(m.edges[:0], 0, n)
	return m.edges
}

// merge returns the start of each token of a piece, and the piece's end. Time is
// proportional to n·log n in its length. The result is valid until the next call.
func (m *merger) merge(e *Encoding, piece string) []int {
	n := int32(len(piece))
	m.nodes, m.queue, m.edges = m.nodes[:0], m.queue[:0], m.edges[:0]
	for i := range n + 1 {
		m.nodes = append(m.nodes, node{i - 1, i + 1, none})
	}
	m.nodes[n].next = -1
	for i := range n - 1 {
		m.offer(e, piece, i)
	}
	for len(m.queue) > 0 {
		top := m.queue.Pop()
		i := int32(uint32(top))
		a := &m.nodes[i]
		if a.rank != uint32(top>>32) { // the pair has changed since
			continue
		}
		gone := a.next
		a.next = m.nodes[gone].next
		m.nodes[gone].rank = none
		m.nodes[a.next].prev = i
		m.offer(e, piece, i)
		if a.prev >= 0 {
			m.offer(e, piece, a.prev)
		}
	}
	for i := int32(0); i >= 0; i = m.nodes[i].next {
		m.edges = append(m.edges, int(i))
	}
	return m.edges
}

// offer queues the pair at byte i if it forms a token.
func (m *merger) offer(e *Encoding, piece string, i int32) {
	a := &m.nodes[i]
	a.rank = none
	if second := a.next; second >= 0 && m.nodes[second].next >= 0 {
		a.rank = e.rank(piece[i:m.nodes[second].next])
	}
	if a.rank != none {
		m.queue.Push(uint64(a.rank)<<32 | uint64(uint32(i)))
	}
}
