//go:build !amd64 && !(js && kernel)

package static

func sum(sum []lane, rows [][]lane) { add(sum, rows) }
