package bpe

// Queue is a binary heap of numbers with the smallest first.
type Queue []uint64

// Push adds x.
func (h *Queue) Push(x uint64) {
	*h = append(*h, x)
	q := *h
	for i := len(q) - 1; i > 0 && q[i] < q[(i-1)/2]; i = (i - 1) / 2 {
		q[i], q[(i-1)/2] = q[(i-1)/2], q[i]
	}
}

// Pop removes and returns the smallest number. The queue must not be empty.
func (h *Queue) Pop() uint64 {
	q := *h
	top, last := q[0], len(q)-1
	q[0] = q[last]
	q = q[:last]
	*h = q
	for i := 0; ; {
		k := 2*i + 1
		if k >= last {
			return top
		}
		if k+1 < last && q[k+1] < q[k] {
			k++
		}
		if q[i] <= q[k] {
			return top
		}
		q[i], q[k] = q[k], q[i]
		i = k
	}
}
