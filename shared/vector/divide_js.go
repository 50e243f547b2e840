package vector

// Divide is the version of divide.go for the single processor of a browser.
func Divide(n, size int, work func(from, to int)) {
	for from := 0; from < n; from += size {
		work(from, min(from+size, n))
	}
}

// Parallel is the version of divide.go for the single processor of a browser.
func Parallel(work ...func()) {
	for _, do := range work {
		do()
	}
}
