package static

// add4 adds four vectors of n lanes, at least one, to sum, with the same result as add.
//
//go:noescape
func add4(sum, a, b, c, d *lane, n int)

// sum is add with four numbers at a time.
func sum(sum []lane, rows [][]lane) {
	n := len(sum)
	for ; len(rows) >= 4 && n > 0; rows = rows[4:] {
		a, b, c, d := rows[0][:n], rows[1][:n], rows[2][:n], rows[3][:n]
		add4(&sum[0], &a[0], &b[0], &c[0], &d[0], n)
	}
	add(sum, rows)
}
